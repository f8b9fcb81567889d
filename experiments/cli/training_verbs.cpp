// Arguments of the verbs that train, and of those that read runs.
#include <CLI/CLI.hpp>

#include "experiments/cli/display.h"
#include "experiments/cli/grammar.h"
#include "experiments/cli/key_page.h"
#include "experiments/cli/verbs.h"
#include "experiments/runner/build.h"

namespace actlab {
namespace {

void add_progress(CLI::App& verb, std::string& progress) {
  CLI::Option* option = verb.add_option("--progress", progress,
                                        "what standard error shows: a bar, a plain line in ten seconds, "
                                        "nothing but the log, or JSON objects for "
                                        "programs; auto: a bar on a terminal");
  take_one_of(*option->capture_default_str(), "display", display_names());
}

}  // namespace

void add_training_verbs(CLI::App& app, Action& action) {
  const auto [run, r] =
      add_verb(app, action, "run", "Train every job of an experiment file and compare the activations",
               "  actlab run experiments/configs/synthetic_smoke.toml data.validation=0.1\n"
               "  actlab run experiments/configs/quickstart.toml sweep.activation=gelu,mish --jobs 2",
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
  CLI::Option* force = run->add_flag("--force", r->force, "run every job anew, also those that are done");
  run->add_flag("--retry", r->retry, "go on with jobs that failed or diverged; without it they stay")
      ->excludes(force);
  run->add_option("--jobs", r->jobs, "run this many at once, each on its share of the cores")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  run->add_option("--index", r->index, "run only this job, counted from 0")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 32));
  CLI::Option* dry_run =
      run->add_flag("--dry-run", r->dry_run, "train nothing: print the jobs with their sizes and times");
  CLI::Option* plan =
      run->add_option("--plan", r->plan,
                      "train nothing: write a file with a job a line, its arguments of `actlab run`, for the "
                      "scheduler of a cluster")
          ->type_name("FILE")
          ->excludes(dry_run);
  add_progress(*run, r->progress);
  run->add_option("--trace", r->trace,
                  "train nothing: write batch, logits, loss, parameters and gradients of the first "
                  "(micro-)batch of the "
                  "only job to this safetensors file")
      ->type_name("FILE")
      ->excludes(force)
      ->excludes(dry_run)
      ->excludes(plan);
  run->add_flag("--print-config", r->print_config,
                "train nothing: print every key with its value and what gave it, as an experiment file")
      ->excludes("--trace")
      ->excludes(dry_run)
      ->excludes(plan);

  const auto [resume, u] =
      add_verb(app, action, "resume", "Go on with a run that was interrupted, from its newest checkpoint",
               "  actlab resume runs/quickstart/latest\n"
               "  actlab resume runs/quickstart/20260101-120000-gelu-s0-1a2b3c4d --progress plain",
               resume_verb);
  resume->add_option("run", u->run, "run folder")->type_name("FOLDER")->required();
  resume->add_option("settings", u->settings, "none: the run keeps its config")->type_name("KEY=VALUE");
  add_progress(*resume, u->progress);

  const auto [evaluate, e] = add_verb(
      app, action, "evaluate", "Score the newest checkpoint of a run on the test (and validation) split",
      "  actlab evaluate runs/quickstart/20260101-120000-gelu-s0-1a2b3c4d\n"
      "  actlab evaluate runs/cifar10_small_cnn/20260101-120000-relu-s0-1a2b3c4d data.root=DIR --format json",
      evaluate_verb);
  evaluate->add_option("run", e->run, "run folder")->type_name("FOLDER")->required();
  evaluate->add_option("settings", e->settings, "overrides of the run's config, such as data.root=DIR")
      ->type_name("KEY=VALUE");

  const auto [compare, c] = add_verb(
      app, action, "compare", "Print the table of the runs below some folders, with statistics over seeds",
      "  actlab compare runs/quickstart --sort accuracy_mean:desc --only-changed\n"
      "  actlab compare runs/cifar10_small_cnn --baseline gelu --metric best_accuracy --format md",
      compare_verb);
  compare->add_option("folders", c->folders, "folders that hold runs")->type_name("FOLDER")->required();
  compare->add_option(
      "--baseline", c->baseline,
      "activation that the others are held against, relu where it is absent; or KEY=VALUE of a "
      "setting that differs, such as precision=f32");
  compare->add_option("--metric", c->metric,
                      "what deltas, p-values and verdicts are of: accuracy, loss, best_accuracy, best_loss, "
                      "validation_accuracy or validation_loss; without it loss for text, else accuracy");
  compare->add_option(
      "--by", c->by,
      "settings that make rows beside the activation, separated by commas; without it all that differ, but "
      "of several learning rates each activation's best by the validation split: --by optimizer.lr shows "
      "all");
  compare->add_option(
      "--difference", c->difference,
      "smallest difference that counts, in points of accuracy (0.5) or nats of loss (0.02): a "
      "verdict asks for as many seeds as show it with 80 % power");
  compare->add_option("--sort", c->sort, "order the rows by this COLUMN, rising, or by COLUMN:desc");
  compare->add_flag("--only-changed", c->only_changed, "leave out columns that are the same in all rows");
  compare
      ->add_option("--precision", c->precision,
                   "digits after the point, in the formats for people: table, md, latex")
      ->check(CLI::Range(0, 15));

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
