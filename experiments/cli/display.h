// What is shown of running jobs, on standard error, beside the log.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace actlab {

struct JobStatus {
  std::int64_t first_step = 0;  ///< updates that were made before the job began, or went on
  std::int64_t step = 0;
  std::int64_t total = 0;
  double loss = 0;                 ///< of training, mean since the last evaluation
  std::optional<double> accuracy;  ///< of the last evaluation, of the split that decides
  double per_second = 0;           ///< images or tokens trained on
  std::string unit;                ///< "images"

  double share() const { return static_cast<double>(step) / static_cast<double>(total); }
  /// Of the steps that are made since the job began, or went on.
  double share_of_rest() const {
    return static_cast<double>(step - first_step) / static_cast<double>(total - first_step);
  }
};

/// Jobs are known by their places in the sweep.
class Display {
 public:
  virtual ~Display() = default;
  virtual void begin(std::size_t job, const std::string& name, const std::filesystem::path& folder) = 0;
  virtual void show(std::size_t job, const JobStatus& status) = 0;
  virtual void end(std::size_t job) = 0;
};

/// "auto", "bar", "plain", "none", "json".
std::vector<std::string> display_names();

/// bar: one line that is drawn over, of all jobs at once; plain: a line in ten seconds for each job; json: an
/// object a line for programs (experiments/cli/events.h); auto: a bar where standard error is a terminal,
/// else plain. `jobs` there are in all.
std::unique_ptr<Display> make_display(const std::string& name, std::size_t jobs);

}  // namespace actlab
