// A bar while a job runs, lines when something is known.
#include "experiments/cli/progress.h"

#include <spdlog/spdlog.h>

#include <cmath>

namespace actlab {

JobProgress::JobProgress(std::size_t jobs) : jobs_(jobs) {}

std::string JobProgress::job_name(const Experiment& experiment) {
  ++job_;
  return fmt::format("[{}/{}] {} seed {}", job_, jobs_, experiment.activation, experiment.seed);
}

void JobProgress::on_start(const Experiment& experiment, Metric metric, const std::filesystem::path& folder) {
  metric_ = metric;
  name_ = job_name(experiment);
  bar_.start(name_);
  spdlog::info("{}: {}", name_, folder.string());
}

void JobProgress::on_skip(const Experiment& experiment, const std::filesystem::path& folder) {
  spdlog::info("{}: done before in {} (--force runs it again)", job_name(experiment), folder.string());
}

void JobProgress::on_step(std::int64_t step, std::int64_t total, double loss) {
  bar_.draw(static_cast<double>(step) / static_cast<double>(total),
            fmt::format("step {}/{}  loss {:.4f}", step, total, loss));
}

std::string JobProgress::evaluation_text(const Evaluation& e) const {
  const std::string text = fmt::format("train loss {:.4f}  test loss {:.4f}", e.train_loss, e.test.loss);
  if (metric_ == Metric::accuracy)
    return text + fmt::format("  accuracy {:.2f} %", 100 * e.test.accuracy) +
           (e.validation ? fmt::format("  validation {:.2f} %", 100 * e.validation->accuracy) : "");
  return text +
         fmt::format("  perplexity {:.2f}  accuracy {:.2f} %", std::exp(e.test.loss), 100 * e.test.accuracy) +
         (e.validation ? fmt::format("  validation loss {:.4f}", e.validation->loss) : "");
}

void JobProgress::on_overflow(std::int64_t step, double scale) {
  bar_.clear();
  spdlog::info("{}: step {}: a gradient overflowed in f16, the update is left out; loss scale {} from now on",
               name_, step, scale);
}

void JobProgress::on_evaluation(const Evaluation& e, std::int64_t total) {
  bar_.clear();
  spdlog::info("{}: step {}/{}  {}", name_, e.step, total, evaluation_text(e));
}

void JobProgress::on_finish(const RunSummary& summary) {
  bar_.clear();
  if (summary.skipped_steps > 0)
    spdlog::warn("{}: {} of {} updates were left out: gradients overflowed in f16", name_,
                 summary.skipped_steps, summary.steps);
  if (summary.status == RunStatus::done)
    spdlog::info("{}: done in {}", name_, clock_text(bar_.seconds()));
  else
    spdlog::warn("{}: {}: {}", name_, name_of(summary.status), summary.message);
}

}  // namespace actlab
