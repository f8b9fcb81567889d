// What a person sees of running jobs, on standard error: a bar with the time left on a terminal, plain lines
// elsewhere.
#pragma once

#include <chrono>
#include <string>

#include "experiments/runner/job.h"

namespace actlab {

class JobProgress : public JobObserver {
 public:
  explicit JobProgress(std::size_t jobs);

  void on_start(const Experiment& experiment, const std::filesystem::path& folder) override;
  void on_skip(const Experiment& experiment, const std::filesystem::path& folder) override;
  void on_step(std::int64_t step, std::int64_t total, double loss) override;
  void on_evaluation(const Evaluation& evaluation, std::int64_t total) override;
  void on_finish(const RunSummary& summary) override;

 private:
  using Clock = std::chrono::steady_clock;

  void clear_bar();
  std::string job_name(const Experiment& experiment);

  const bool terminal_;
  const std::size_t jobs_;
  std::size_t job_ = 0;
  std::string name_;
  Clock::time_point start_;
  Clock::time_point drawn_;
  bool bar_shown_ = false;
};

}  // namespace actlab
