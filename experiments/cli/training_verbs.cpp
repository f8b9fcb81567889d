// Arguments of the verbs that train, and of those that read runs.
#include <CLI/CLI.hpp>

#include "experiments/cli/grammar.h"
#include "experiments/cli/key_page.h"
#include "experiments/cli/verbs.h"
#include "experiments/runner/build.h"

namespace actlab {

void add_training_verbs(CLI::App& app, Action& action) {
  const auto [run, r] =
      add_verb(app, action, "run", "Train every job of an experiment file and compare the activations",
               "  actlab run experiments/configs/synthetic_smoke.toml data.validation=0.1\n"
               "  actlab run experiments/configs/quickstart.toml sweep.activation=gelu,mish --print-config",
               run_verb);
  run->footer([] {
    return "Keys of the file with their defaults, one of [train] set as train.epochs=1 (actlab list keys "
           "explains):\n" +
           key_overview(known_schemas());
  });
  run->add_option("config", r->config, "experiment file")->type_name("FILE.toml")->required();
  run->add_option("settings", r->settings,
                  "overrides of the file's keys (actlab list keys), such as data.root=DIR or sweep.seed=0..4")
      ->type_name("KEY=VALUE");
  CLI::Option* force = run->add_flag("--force", r->force, "run jobs again that are done");
  run->add_option("--trace", r->trace,
                  "train nothing: write batch, logits, loss, parameters and gradients of the first "
                  "(micro-)batch of the "
                  "only job to this safetensors file")
      ->type_name("FILE")
      ->excludes(force);
  run->add_flag("--print-config", r->print_config,
                "train nothing: print every key with its value and what gave it, as an experiment file")
      ->excludes("--trace");

  const auto [evaluate, e] = add_verb(
      app, action, "evaluate", "Score the newest checkpoint of a run on the test (and validation) split",
      "  actlab evaluate runs/quickstart/20260101-120000-gelu-s0-1a2b3c4d\n"
      "  actlab evaluate runs/cifar10_small_cnn/20260101-120000-relu-s0-1a2b3c4d data.root=DIR --format json",
      evaluate_verb);
  evaluate->add_option("run", e->run, "run folder")->type_name("FOLDER")->required();
  evaluate->add_option("settings", e->settings, "overrides of the run's config, such as data.root=DIR")
      ->type_name("KEY=VALUE");

  const auto [compare, c] = add_verb(app, action, "compare", "Print the table of the runs below some folders",
                                     "  actlab compare runs/quickstart\n"
                                     "  actlab compare runs/cifar10_small_cnn --baseline gelu --format md",
                                     compare_verb);
  compare->add_option("folders", c->folders, "folders that hold runs")->type_name("FOLDER")->required();
  compare->add_option(
      "--baseline", c->baseline,
      "activation that the others are held against, relu where it is absent; or KEY=VALUE of a "
      "setting that differs, such as precision=f32");
  compare->add_option("--metric", c->metric,
                      "accuracy or loss, which the deltas are of; without it loss for text, else accuracy");
}

}  // namespace actlab
