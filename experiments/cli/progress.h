// What a person sees of running jobs, on standard error: a bar with the time left on a terminal, plain lines
// elsewhere.
#pragma once

#include <string>

#include "experiments/cli/progress_bar.h"
#include "experiments/runner/job.h"

namespace actlab {

class JobProgress : public JobObserver {
 public:
  explicit JobProgress(std::size_t jobs);

  void on_start(const Experiment& experiment, Metric metric, const std::filesystem::path& folder) override;
  void on_skip(const Experiment& experiment, const std::filesystem::path& folder) override;
  void on_step(std::int64_t step, std::int64_t total, double loss) override;
  void on_overflow(std::int64_t step, double scale) override;
  void on_evaluation(const Evaluation& evaluation, std::int64_t total) override;
  void on_finish(const RunSummary& summary) override;

 private:
  std::string job_name(const Experiment& experiment);
  std::string evaluation_text(const Evaluation& evaluation) const;

  const std::size_t jobs_;
  std::size_t job_ = 0;
  std::string name_;
  Metric metric_ = Metric::accuracy;
  ProgressBar bar_;
};

}  // namespace actlab
