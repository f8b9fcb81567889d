// Arguments of the verbs that train, and of those that read runs.
#include <CLI/CLI.hpp>

#include "experiments/cli/grammar.h"
#include "experiments/cli/verbs.h"

namespace actlab {

void add_training_verbs(CLI::App& app, Action& action) {
  const auto [run, r] =
      add_verb(app, action, "run", "Train every job of an experiment file and compare the activations",
               "  actlab run experiments/configs/synthetic_smoke.toml data.validation=0.1\n"
               "  actlab run experiments/configs/quickstart.toml sweep.activation=gelu,mish train.epochs=1",
               run_verb);
  run->add_option("config", r->config, "experiment file (TOML)")->required();
  run->add_option("settings", r->settings,
                  "key=value: overrides of the file's keys (actlab list keys), such as data.root=DIR");
  CLI::Option* force = run->add_flag("--force", r->force, "run jobs again that are done");
  run->add_option("--trace", r->trace,
                  "train nothing: write batch, logits, loss, parameters and gradients of the first "
                  "(micro-)batch of the "
                  "only job to this safetensors file")
      ->excludes(force);

  const auto [evaluate, e] = add_verb(
      app, action, "evaluate", "Score the newest checkpoint of a run on the test (and validation) split",
      "  actlab evaluate runs/quickstart/20260101-120000-gelu-s0-1a2b3c4d\n"
      "  actlab evaluate runs/cifar10_small_cnn/20260101-120000-relu-s0-1a2b3c4d data.root=DIR --format json",
      evaluate_verb);
  evaluate->add_option("run", e->run, "run folder")->required();
  evaluate->add_option("settings", e->settings,
                       "key=value: overrides of the run's config, such as data.root=DIR");

  const auto [compare, c] = add_verb(app, action, "compare", "Print the table of the runs below some folders",
                                     "  actlab compare runs/quickstart\n"
                                     "  actlab compare runs/cifar10_small_cnn --baseline gelu --format md",
                                     compare_verb);
  compare->add_option("folders", c->folders, "folders that hold runs")->required();
  compare->add_option(
      "--baseline", c->baseline,
      "activation that the others are held against, relu where it is absent; or KEY=VALUE of a "
      "setting that differs, such as precision=f32");
  compare->add_option("--metric", c->metric,
                      "accuracy or loss, which the deltas are of; without it loss for text, else accuracy");

  const auto [report, p] = add_verb(
      app, action, "report", "Write the runs below some folders as one HTML page: table, charts, settings",
      "  actlab report runs/quickstart --output quickstart.html\n"
      "  actlab report runs/cifar10_small_cnn --baseline gelu --title 'CIFAR-10, small CNN'",
      report_verb);
  report->add_option("folders", p->folders, "folders that hold runs")->required();
  report->add_option("--output", p->output, "the file, replaced where there is one")->capture_default_str();
  report->add_option("--baseline", p->baseline, "what the others are held against, as in compare");
  report->add_option("--title", p->title, "title of the page; the names of the experiments without it");
}

}  // namespace actlab
