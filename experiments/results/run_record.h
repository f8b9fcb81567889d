// What a run's summary.json holds.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "framework/train/metric.h"

namespace actlab {

enum class RunStatus : std::uint8_t { running, done, diverged, failed, interrupted };
std::string_view name_of(RunStatus status);

/// NaN stands for a number that is not known; it is null in the file.
struct RunSummary {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  RunStatus status = RunStatus::running;
  std::string name;
  std::string activation;         ///< as spelled: "elu(alpha=0.5)"
  std::string precision = "f32";  ///< that it was computed in
  std::int64_t seed = 0;
  std::string id;
  std::string version;  ///< of the program
  std::string data;     ///< checksum of the data; empty where the config fixes them

  double accuracy = unknown;         ///< of the test split, at the last evaluation, in [0, 1]
  double loss = unknown;             ///< as well, in nats
  Metric metric = Metric::accuracy;  ///< what the best evaluation is best by
  std::string selected_by = "test";  ///< the split of which, and of convergence: "test" or "validation"
  double best_accuracy = unknown;    ///< of the test split, at that evaluation
  double best_loss = unknown;
  double validation_accuracy = unknown;  ///< at the last evaluation
  double validation_loss = unknown;
  double train_loss = unknown;
  double target = 0;                              ///< accuracy that counts as converged; 0: none
  double target_loss = 0;                         ///< loss that does, in its place; 0: none
  std::optional<std::int64_t> convergence_steps;  ///< first evaluation that reached the target

  std::int64_t steps = 0;          ///< done
  std::int64_t skipped_steps = 0;  ///< of them, left out because a gradient overflowed in f16
  std::int64_t epochs = 0;
  double step_seconds = unknown;       ///< median
  double images_per_second = unknown;  ///< of images
  double tokens_per_second = unknown;  ///< of text

  std::int64_t activation_bytes = 0;  ///< saved for backward beyond what `identity` saves
  std::int64_t saved_bytes = 0;       ///< saved for backward
  std::int64_t peak_bytes = 0;
  std::map<std::string, std::int64_t> peak_bytes_by_kind;
  std::map<std::string, std::int64_t> saved_bytes_by_layer;
  std::int64_t parameters = 0;
  std::map<std::string, double> learned;  ///< trained parameters of activations at the last evaluation

  std::string started;  ///< UTC, ISO 8601
  std::string finished;
  std::string message;  ///< why it diverged or failed
};

std::string to_json(const RunSummary& summary);

/// Throws Error "field 'x': ...", without the name of a file, for a damaged or incomplete one, and for
/// numbers that no run can have. Fields that older programs did not write keep their defaults.
RunSummary parse_summary(std::string_view json);

}  // namespace actlab
