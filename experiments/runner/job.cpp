// The way of a job: check, folder, training, summary.
#include "experiments/runner/job.h"

#include "experiments/results/learned.h"
#include "experiments/results/run_folder.h"
#include "experiments/results/statistics.h"
#include "experiments/runner/environment.h"
#include "kernels/cpu/threads.h"

namespace actlab {
namespace {

// Passes the trainer's news on and writes each evaluation, and the trained parameters of activations, to the
// run's metrics and summary.
class Recorder : public TrainObserver {
 public:
  Recorder(JobObserver& observer, const RunFolder& folder, const Module& model, RunSummary& summary)
      : observer_(observer), folder_(folder), model_(model), summary_(summary) {}

  void on_step(std::int64_t step, std::int64_t total, double loss) override {
    observer_.on_step(step, total, loss);
  }

  void on_overflow(std::int64_t step, double scale) override { observer_.on_overflow(step, scale); }

  void on_evaluation(const Evaluation& e, std::int64_t total) override {
    Record line = {{"step", e.step},
                   {"epoch", e.epoch},
                   {"train_loss", e.train_loss},
                   {"test_loss", e.test.loss},
                   {"test_accuracy", e.test.accuracy},
                   {"lr", e.lr}};
    if (e.validation)
      line.insert(line.end(),
                  {{"validation_loss", e.validation->loss}, {"validation_accuracy", e.validation->accuracy}});
    summary_.learned = learned_values(model_.learned());
    for (const auto& [name, value] : summary_.learned) line.emplace_back("learned." + name, value);
    folder_.append_metrics(line);
    observer_.on_evaluation(e, total);
  }

 private:
  JobObserver& observer_;
  const RunFolder& folder_;
  const Module& model_;
  RunSummary& summary_;
};

void fill_progress(const Progress& progress, const Target& target, std::int64_t steps_per_epoch,
                   RunSummary& summary) {
  summary.steps = progress.step;
  summary.skipped_steps = progress.skipped;
  summary.epochs = progress.step / steps_per_epoch;
  summary.convergence_steps = progress.convergence_steps(target);
  if (progress.evaluations.empty()) return;
  const Evaluation& last = progress.evaluations.back();
  summary.accuracy = last.test.accuracy;
  summary.loss = last.test.loss;
  summary.train_loss = last.train_loss;
  const Score& best = progress.best(summary.metric)->test;
  summary.best_accuracy = best.accuracy;
  summary.best_loss = best.loss;
  if (!last.validation) return;
  summary.validation_accuracy = last.validation->accuracy;
  summary.validation_loss = last.validation->loss;
}

void fill_measurements(const TrainResult& result, const DataSpec& data, RunSummary& summary) {
  summary.step_seconds = median(result.step_seconds);
  (std::holds_alternative<TextSpec>(data) ? summary.tokens_per_second : summary.images_per_second) =
      static_cast<double>(result.samples) / summary.step_seconds;
  for (const SavedBytes& layer : result.saved) {
    summary.saved_bytes += layer.bytes;
    summary.saved_bytes_by_layer[layer.layer.empty() ? "loss" : layer.layer] = layer.bytes;
  }
  summary.peak_bytes = result.memory.total.peak;
  for (int kind = 0; kind < memory_kinds; ++kind)
    summary.peak_bytes_by_kind[std::string(name_of(static_cast<MemoryKind>(kind)))] =
        result.memory.by_kind[static_cast<std::size_t>(kind)].peak;
}

void train(const Experiment& experiment, const Dataset& data, const RunFolder& folder, JobObserver& observer,
           RunSummary& summary) {
  Backend& backend = backend_of(experiment);
  const auto model = build_model(experiment, data.spec());
  for (const auto& parameter : model->parameters()) summary.parameters += parameter.tensor.count();
  const auto optimizer = build_optimizer(experiment, *model);
  TrainSettings settings = train_settings(experiment);
  settings.checkpoints = folder.checkpoints();
  const std::int64_t total = total_steps(settings, data);
  Recorder recorder(observer, folder, *model, summary);
  const TrainResult result =
      Trainer(*model, *optimizer, build_schedule(experiment, total), data, backend, settings).run(recorder);

  fill_progress(result.progress, target_of(experiment), steps_per_epoch(settings, data), summary);
  fill_measurements(result, data.spec(), summary);
  const auto without = build_model(experiment, data.spec(), "identity");
  const Batch batch = training_loader(data, settings)->load(0, 0, backend);
  summary.activation_bytes = summary.saved_bytes - model_saved_bytes(*without, batch);
  summary.status = result.diverged ? RunStatus::diverged : RunStatus::done;
  summary.message = result.message;
}

}  // namespace

std::string class_list(const Dataset& data) {
  std::string text;
  for (const std::string& name : data.classes()) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void check_test_split(const Dataset& data) {
  if (data.count(SplitName::test) > 0) return;
  throw DataError(
      concat(data.origin, ": the test split is empty, there is nothing to score: ",
             std::holds_alternative<TextSpec>(data.spec()) ? "set data.test above 0" : "add its images"));
}

void check_job(const Experiment& experiment, DataSets& data) {
  use_threads(static_cast<int>(experiment.threads));  // the check starts no more than the job does
  const Dataset& set = data.of(experiment);
  build_optimizer(experiment, *build_model(experiment, set.spec()));
  const TrainSettings settings = train_settings(experiment);
  build_schedule(experiment, total_steps(settings, set));
  set.loader(SplitName::train, {.batch = settings.batch, .training = true, .augment = settings.augment});
  check_test_split(set);
  for (const SplitName split : {SplitName::validation, SplitName::test})
    if (set.count(split) > 0) set.loader(split, {.batch = 1});
  settings.micro_batch();
}

std::filesystem::path run_job(const Experiment& experiment, DataSets& data, JobObserver& observer,
                              bool force) {
  const Dataset& set = data.of(experiment);
  const std::string id = run_id(experiment, program_checksum() + set.checksum);
  if (const auto done = find_done_run(experiment.run_root, id); done && !force) {
    observer.on_skip(experiment, *done);
    return *done;
  }
  use_threads(static_cast<int>(experiment.threads));
  const RunFolder folder = RunFolder::create(experiment, id);
  RunSummary summary;
  summary.name = experiment.name;
  summary.activation = experiment.activation;
  summary.precision = experiment.precision;
  summary.seed = experiment.seed;
  summary.id = id;
  summary.version = program_version();
  summary.data = set.checksum;
  summary.metric = metric_of(set.spec());
  summary.target = experiment.train.target;
  summary.target_loss = experiment.train.target_loss;
  if (set.count(SplitName::validation) > 0) summary.selected_by = "validation";
  summary.started = utc_now();
  Record where = environment(backend_of(experiment));
  if (const std::string classes = class_list(set); !classes.empty()) where.emplace_back("classes", classes);
  folder.write_environment(where);
  for (const auto& [name, content] : set.files()) folder.write(name, content);
  folder.write_summary(summary);
  observer.on_start(experiment, summary.metric, folder.path());
  try {
    train(experiment, set, folder, observer, summary);
  } catch (const std::exception& e) {
    summary.status = RunStatus::failed;
    summary.message = e.what();
  }
  summary.finished = utc_now();
  folder.write_summary(summary);
  observer.on_finish(summary);
  return folder.path();
}

}  // namespace actlab
