// A bar while a job runs, lines when something is known.
#include "experiments/cli/progress.h"

#include <spdlog/spdlog.h>

namespace actlab {

JobProgress::JobProgress(std::size_t jobs) : jobs_(jobs) {}

std::string JobProgress::job_name(const Experiment& experiment) {
  ++job_;
  return fmt::format("[{}/{}] {} seed {}", job_, jobs_, experiment.activation, experiment.seed);
}

void JobProgress::on_start(const Experiment& experiment, const std::filesystem::path& folder) {
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

void JobProgress::on_evaluation(const Evaluation& e, std::int64_t total) {
  bar_.clear();
  const std::string validation =
      e.validation ? fmt::format("  validation {:.2f} %", 100 * e.validation->accuracy) : "";
  spdlog::info("{}: step {}/{}  train loss {:.4f}  test loss {:.4f}  accuracy {:.2f} %{}", name_, e.step,
               total, e.train_loss, e.test.loss, 100 * e.test.accuracy, validation);
}

void JobProgress::on_finish(const RunSummary& summary) {
  bar_.clear();
  if (summary.status == RunStatus::done)
    spdlog::info("{}: done in {}", name_, clock_text(bar_.seconds()));
  else
    spdlog::warn("{}: {}: {}", name_, name_of(summary.status), summary.message);
}

}  // namespace actlab
