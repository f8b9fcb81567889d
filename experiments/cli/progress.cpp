// What a person reads of a job.
#include "experiments/cli/progress.h"

#include <spdlog/fmt/fmt.h>

#include <cmath>

#include "experiments/cli/terminal_line.h"
#include "experiments/runner/stop.h"

namespace actlab {

JobProgress::JobProgress(Display& display, std::size_t place, std::string name)
    : display_(display), place_(place), name_(std::move(name)), begun_(std::chrono::steady_clock::now()) {}

void JobProgress::say(LogLevel level, const std::string& text) const {
  log(level, name_.empty() ? text : name_ + ": " + text);
}

double JobProgress::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
}

void JobProgress::on_start(const JobStart& start) {
  metric_ = metric_of(start.data);
  status_.unit = std::holds_alternative<TextSpec>(start.data) ? "tokens" : "images";
  begun_ = std::chrono::steady_clock::now();
  file_ = std::make_unique<LogFile>(start.folder / "log.txt");
  display_.begin(place_, name_, start.folder);
  say(LogLevel::info, start.folder.string());
}

void JobProgress::on_resume(std::int64_t step) {
  status_.first_step = step;
  say(LogLevel::info, fmt::format("goes on after step {}", step));
}

void JobProgress::on_skip(const Experiment&, const std::filesystem::path& folder, RunStatus status) {
  display_.begin(place_, name_, folder);
  const std::string where = folder.string();
  if (status == RunStatus::done)
    say(LogLevel::info, fmt::format("done before in {} (--force runs it again)", where));
  else if (status == RunStatus::running)
    say(LogLevel::warning, fmt::format("another process is running it in {}", where));
  else
    say(LogLevel::warning, fmt::format("{} before in {} (--retry goes on with it)", name_of(status), where));
  display_.end(place_);
}

void JobProgress::on_warning(const std::string& text) { say(LogLevel::warning, text); }

void JobProgress::on_step(std::int64_t step, std::int64_t total, double loss, std::int64_t samples) {
  samples_ += samples;
  status_.step = step;
  status_.total = total;
  status_.loss = loss;
  status_.per_second = static_cast<double>(samples_) / seconds();
  display_.show(place_, status_);
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
  say(LogLevel::info,
      fmt::format("step {}: a gradient overflowed in f16, the update is left out; loss scale {} from now on",
                  step, scale));
}

void JobProgress::on_evaluation(const Evaluation& e, std::int64_t total) {
  status_.accuracy = e.deciding().accuracy;
  say(LogLevel::info, fmt::format("step {}/{}  {}", e.step, total, evaluation_text(e)));
}

void JobProgress::on_finish(const RunSummary& summary) {
  if (summary.skipped_steps > 0)
    say(LogLevel::warning, fmt::format("{} of {} updates were left out: gradients overflowed in f16",
                                       summary.skipped_steps, summary.steps));
  if (summary.status == RunStatus::done)
    say(LogLevel::info, fmt::format("done in {}", clock_text(seconds())));
  else
    say(LogLevel::warning, fmt::format("{}: {}", name_of(summary.status), summary.message));
  display_.end(place_);
  file_.reset();
}

bool JobProgress::wants_stop() const { return stop_signal() != 0; }

}  // namespace actlab
