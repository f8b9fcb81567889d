// actlab evaluate: scores of a run's newest checkpoint.
#include <algorithm>
#include <cmath>

#include "experiments/cli/log.h"
#include "experiments/cli/output.h"
#include "experiments/cli/verbs.h"
#include "experiments/config/config.h"
#include "experiments/results/run_folder.h"
#include "experiments/runner/device.h"
#include "experiments/runner/job.h"
#include "experiments/runner/precision.h"
#include "framework/core/files.h"
#include "framework/train/checkpoint.h"
#include "framework/train/evaluate.h"
#include "kernels/cpu/threads.h"

namespace actlab {
namespace {

constexpr const char* vocabulary_name = "vocabulary.txt";

// The stored config has the options of the components that the run was made with, and of no others.
void check_evaluate_settings(const Experiment& trained, const EvaluateArguments& arguments) {
  for (const std::string& setting : arguments.settings) {
    if (setting.starts_with("sweep.")) throw ConfigError("evaluate: takes no sweep");
    for (const ComponentSection& section : component_sections()) {
      const std::string& name = (trained.*section.choice).name;
      const std::string key = section.section + ".name=";
      if (setting.starts_with(key) && setting != key + name)
        throw ConfigError(concat("argument '", setting, "': ", arguments.run, " was made with ", key, name,
                                 ", and evaluate keeps its ", section.kind));
    }
  }
}

// Some options leave the shapes of all tensors alone, such as where norms stand: their checkpoint would load
// into another model.
void check_model(const Experiment& trained, const Experiment& experiment, const std::string& run) {
  const Options& options = trained.model.options;
  for (const Option& option : options.declared()) {
    const OptionValue& value = options.value(option.name);
    if (value != experiment.model.options.value(option.name))
      throw ConfigError(concat("model.", option.name, ": ", run, " was trained with ", to_string(value),
                               ", and evaluate keeps its model"));
  }
}

// Labels are numbers: as many classes of other names would be scored all the same.
void check_classes(const RunFolder& folder, const Dataset& data) {
  const Record trained = folder.environment();
  const Cell* cell = find_cell(trained, "classes");
  const auto* classes = cell == nullptr ? nullptr : std::get_if<std::string>(cell);
  if (classes != nullptr && *classes != class_list(data))
    throw DataError(concat(data.origin, ": its classes are ", class_list(data), ", and ",
                           folder.path().string(), " was trained with ", *classes,
                           ": pass a data.root=DIR of those"));
}

// Tokens are numbers: as many symbols in another order would be scored all the same.
void check_vocabulary(const RunFolder& folder, const Dataset& data) {
  const auto files = data.files();
  const auto found = files.find(vocabulary_name);
  const std::filesystem::path own = folder.path() / vocabulary_name;
  if (found != files.end() && std::filesystem::exists(own) && found->second != read_file(own))
    throw DataError(concat(data.origin, ": its tokens are not those of ", own.string(),
                           ": leave data.vocabulary_file out, and the run's own is used"));
}

// A run's own vocabulary, which its folder keeps, unless an argument names another.
void use_vocabulary(const RunFolder& folder, const EvaluateArguments& arguments, Experiment& experiment) {
  const std::filesystem::path file = folder.path() / vocabulary_name;
  const auto names_one = [](const std::string& setting) {
    return setting.starts_with("data.vocabulary_file=");
  };
  if (!std::filesystem::exists(file) ||
      std::any_of(arguments.settings.begin(), arguments.settings.end(), names_one))
    return;
  experiment.data.options.set("vocabulary_file", file.string());
}

}  // namespace

int evaluate_verb(const EvaluateArguments& arguments) {
  const RunFolder folder{std::filesystem::path(arguments.run)};
  if (!std::filesystem::exists(folder.config()))
    throw ConfigError(concat(arguments.run, ": is no run folder, it has no config.toml"));
  const Experiment trained = load_experiment(folder.config(), {}, known_schemas()).front();
  check_evaluate_settings(trained, arguments);
  Experiment experiment = load_experiment(folder.config(), arguments.settings, known_schemas()).front();
  check_model(trained, experiment, arguments.run);
  use_vocabulary(folder, arguments, experiment);
  if (experiment.activation != trained.activation)
    throw ConfigError(concat(arguments.run, ": was trained with ", trained.activation,
                             ", it cannot be evaluated with ", experiment.activation));
  const auto checkpoint = newest_checkpoint(folder.checkpoints(), log_warning);
  ACTLAB_CHECK(checkpoint, folder.checkpoints().string(),
               ": holds no complete checkpoint; run the job again");

  use_threads(static_cast<int>(experiment.threads));
  experiment.device = usable_device(experiment.device, log_info);
  experiment.precision = usable_precision(experiment.precision, backend_of(experiment), log_warning);
  DataSets sets(log_info);
  const Dataset& data = sets.of(experiment);
  check_classes(folder, data);
  check_vocabulary(folder, data);
  check_test_split(data);
  const auto model = build_model(experiment, data.spec());
  const Progress progress = load_checkpoint(*checkpoint, *model, nullptr);
  Record record = {{"run", arguments.run},        {"activation", experiment.activation},
                   {"device", experiment.device}, {"precision", experiment.precision},
                   {"seed", experiment.seed},     {"step", progress.step}};
  std::vector<Column> columns = {{"run"}, {"activation"}, {"device"}, {"precision"}, {"seed"}, {"step"}};
  const bool text = std::holds_alternative<TextSpec>(data.spec());
  const auto add = [&](const Column& column, const Cell& cell) {
    columns.push_back(column);
    record.emplace_back(column.name, cell);
  };
  const auto add_score = [&](const std::string& prefix, SplitName split) {
    const Score score = evaluate(*model, data, split, experiment.batch, backend_of(experiment));
    add({prefix + (text ? "windows" : "samples")}, data.count(split));
    add({prefix + "accuracy", Unit::percent}, score.accuracy);
    add({prefix + "loss"}, score.loss);
    if (text) add({prefix + "perplexity"}, std::exp(score.loss));
  };
  add_score("", SplitName::test);
  if (data.count(SplitName::validation) > 0) add_score("validation_", SplitName::validation);
  print(record, columns, arguments.format);
  return 0;
}

}  // namespace actlab
