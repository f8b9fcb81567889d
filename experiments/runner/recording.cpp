// Writes metrics, checkpoints and the summary of a training.
#include "experiments/runner/recording.h"

#include <chrono>

#include "experiments/results/learned.h"
#include "experiments/results/statistics.h"
#include "framework/train/checkpoint.h"
#include "kernels/cpu/threads.h"

namespace actlab {
namespace {

// Passes the trainer's news on and writes each evaluation, and the trained parameters of activations, to the
// run's metrics and summary.
class Recorder : public TrainObserver {
 public:
  Recorder(JobObserver& observer, const RunFolder& folder, const Module& model, RunSummary& summary)
      : observer_(observer), folder_(folder), model_(model), summary_(summary) {}

  void on_step(std::int64_t step, std::int64_t total, double loss, std::int64_t samples) override {
    observer_.on_step(step, total, loss, samples);
  }

  bool wants_stop() const override { return observer_.wants_stop(); }

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
  summary.saved_bytes = 0;
  summary.saved_bytes_by_layer.clear();
  for (const SavedBytes& layer : result.saved) {
    summary.saved_bytes += layer.bytes;
    summary.saved_bytes_by_layer[layer.layer.empty() ? "loss" : layer.layer] = layer.bytes;
  }
  summary.peak_bytes = result.memory.total.peak;
  for (int kind = 0; kind < memory_kinds; ++kind)
    summary.peak_bytes_by_kind[std::string(name_of(static_cast<MemoryKind>(kind)))] =
        result.memory.by_kind[static_cast<std::size_t>(kind)].peak;
}

// Where training goes on, with the files of the run cut back to that.
Progress go_back_to_checkpoint(const RunFolder& folder, Module& model, Optimizer& optimizer,
                               JobObserver& observer) {
  folder.clear_leftovers();
  const auto checkpoint =
      newest_checkpoint(folder.checkpoints(), [&](const std::string& text) { observer.on_warning(text); });
  Progress progress;
  if (checkpoint) progress = load_checkpoint(*checkpoint, model, &optimizer);
  if (const std::int64_t damaged = folder.rewind_metrics(progress.step); damaged > 0)
    observer.on_warning(concat("metrics.jsonl: ", damaged, " damaged lines are left out"));
  return progress;
}

// Measures what a resumed training may not have seen: its updates may have been the short ones at the ends of
// epochs, or there was none left. Training has ended: the gradients serve nothing.
void measure_again(Module& model, const Batch& batch, const TrainSettings& settings, Backend& backend,
                   TrainResult& result) {
  result.saved = saved_bytes_by_layer(training_pass(model, batch, 0, settings).loss);
  const std::int64_t samples = settings.accumulate * batch.samples;
  if (result.samples >= samples) return;
  backend.memory.reset_peak();
  const auto start = std::chrono::steady_clock::now();
  for (std::int64_t i = 0; i < settings.accumulate; ++i) {
    const Tensor loss = training_pass(model, batch, 0, settings).loss;
    loss.backward();
  }
  backend.memory.wait();
  result.step_seconds = {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
  result.samples = samples;
  result.memory = backend.memory.stats();
}

void train(Job& job, JobObserver& observer) {
  const Experiment& experiment = job.experiment;
  RunSummary& summary = job.summary;
  Backend& backend = backend_of(experiment);
  const auto model = build_model(experiment, job.data.spec());
  summary.parameters = 0;
  for (const auto& parameter : model->parameters()) summary.parameters += parameter.tensor.count();
  const auto optimizer = build_optimizer(experiment, *model);
  TrainSettings settings = train_settings(experiment);
  settings.checkpoints = job.folder.checkpoints();
  const Schedule schedule = build_schedule(experiment, total_steps(settings, job.data));
  Recorder recorder(observer, job.folder, *model, summary);
  Trainer trainer(*model, *optimizer, schedule, job.data, backend, settings);

  Progress start = go_back_to_checkpoint(job.folder, *model, *optimizer, observer);
  summary.learned = learned_values(model->learned());
  const bool resumed = start.step > 0;
  if (resumed) observer.on_resume(start.step);
  TrainResult result = trainer.run(recorder, std::move(start));

  const Batch batch = training_loader(job.data, settings)->load(0, 0, backend);
  if (resumed) measure_again(*model, batch, settings, backend, result);
  fill_progress(result.progress, target_of(experiment), steps_per_epoch(settings, job.data), summary);
  fill_measurements(result, job.data.spec(), summary);
  summary.activation_bytes = activation_bytes(experiment, batch, job.data.spec(), summary.saved_bytes);
  summary.status = result.diverged      ? RunStatus::diverged
                   : result.interrupted ? RunStatus::interrupted
                                        : RunStatus::done;
  summary.message =
      result.interrupted ? concat("stopped after step ", summary.steps) : std::move(result.message);
}

}  // namespace

void begin_summary(const RunFolder& folder, RunSummary& summary) {
  summary.status = RunStatus::running;
  summary.finished.clear();
  summary.message.clear();
  folder.write_summary(summary);
}

void record_run(Job job, JobObserver& observer) {
  use_threads(static_cast<int>(job.experiment.threads));
  observer.on_start({job.experiment, job.data.spec(), job.folder.path()});
  for (const std::string& warning : job.warnings) observer.on_warning(warning);
  try {
    train(job, observer);
  } catch (const std::exception& e) {
    job.summary.status = RunStatus::failed;
    job.summary.message = e.what();
  }
  job.summary.finished = utc_now();
  job.folder.write_summary(job.summary);
  observer.on_finish(job.summary);
}

}  // namespace actlab
