// Tells of a job as it goes: log lines when something is known, the display in between.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "experiments/cli/display.h"
#include "experiments/cli/log.h"
#include "experiments/runner/job.h"

namespace actlab {

class JobProgress : public JobObserver {
 public:
  /// Of the sweep's job at a place; the name, if there is one, stands before its log lines.
  JobProgress(Display& display, std::size_t place, std::string name);

  void on_start(const JobStart& start) override;
  void on_resume(std::int64_t step) override;
  void on_skip(const Experiment& experiment, const std::filesystem::path& folder, RunStatus status) override;
  void on_warning(const std::string& text) override;
  void on_step(std::int64_t step, std::int64_t total, double loss, std::int64_t samples) override;
  void on_overflow(std::int64_t step, double scale) override;
  void on_evaluation(const Evaluation& evaluation, std::int64_t total) override;
  void on_finish(const RunSummary& summary) override;
  bool wants_stop() const override;

 private:
  void say(LogLevel level, const std::string& text) const;
  double seconds() const;
  std::string evaluation_text(const Evaluation& evaluation) const;

  Display& display_;
  const std::size_t place_;
  const std::string name_;
  Metric metric_ = Metric::accuracy;
  std::chrono::steady_clock::time_point begun_;
  std::int64_t samples_ = 0;
  JobStatus status_;
  std::unique_ptr<LogFile> file_;
};

}  // namespace actlab
