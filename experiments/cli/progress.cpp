// Bar and lines.
#include "experiments/cli/progress.h"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace actlab {
namespace {

constexpr int bar_width = 24;

// "1:05", "2:03:04".
std::string clock_text(double seconds) {
  const auto s = static_cast<std::int64_t>(seconds + 0.5);
  return s >= 3600 ? fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
                   : fmt::format("{}:{:02}", s / 60, s % 60);
}

}  // namespace

JobProgress::JobProgress(std::size_t jobs) : terminal_(isatty(STDERR_FILENO) != 0), jobs_(jobs) {}

std::string JobProgress::job_name(const Experiment& experiment) {
  ++job_;
  return fmt::format("[{}/{}] {} seed {}", job_, jobs_, experiment.activation, experiment.seed);
}

void JobProgress::on_start(const Experiment& experiment, const std::filesystem::path& folder) {
  name_ = job_name(experiment);
  start_ = drawn_ = Clock::now();
  spdlog::info("{}: {}", name_, folder.string());
}

void JobProgress::on_skip(const Experiment& experiment, const std::filesystem::path& folder) {
  spdlog::info("{}: done before in {} (--force runs it again)", job_name(experiment), folder.string());
}

void JobProgress::on_step(std::int64_t step, std::int64_t total, double loss) {
  const auto now = Clock::now();
  if (!terminal_ || now - drawn_ < std::chrono::milliseconds(100)) return;
  drawn_ = now;
  const double spent = std::chrono::duration<double>(now - start_).count();
  const double share = static_cast<double>(step) / static_cast<double>(total);
  const auto filled = static_cast<std::size_t>(share * bar_width);
  const std::string bar = std::string(filled, '#') + std::string(bar_width - filled, '.');
  fmt::print(stderr, "\r{} [{}] step {}/{}  loss {:.4f}  {} left \x1b[K", name_, bar, step, total, loss,
             clock_text(spent / share - spent));
  std::fflush(stderr);
  bar_shown_ = true;
}

void JobProgress::clear_bar() {
  if (!bar_shown_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  bar_shown_ = false;
}

void JobProgress::on_evaluation(const Evaluation& e, std::int64_t total) {
  clear_bar();
  const std::string validation =
      e.validation ? fmt::format("  validation {:.2f} %", 100 * e.validation->accuracy) : "";
  spdlog::info("{}: step {}/{}  train loss {:.4f}  test loss {:.4f}  accuracy {:.2f} %{}", name_, e.step,
               total, e.train_loss, e.test.loss, 100 * e.test.accuracy, validation);
}

void JobProgress::on_finish(const RunSummary& summary) {
  clear_bar();
  if (summary.status == RunStatus::done)
    spdlog::info("{}: done in {}", name_,
                 clock_text(std::chrono::duration<double>(Clock::now() - start_).count()));
  else
    spdlog::warn("{}: {}: {}", name_, name_of(summary.status), summary.message);
}

}  // namespace actlab
