// The kinds of displays.
#include "experiments/cli/display.h"

#include <spdlog/fmt/fmt.h>

#include <chrono>
#include <map>

#include "experiments/cli/events.h"
#include "experiments/cli/log.h"
#include "experiments/cli/terminal_line.h"

namespace actlab {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// A job that is running.
struct Shown {
  std::string name;
  Clock::time_point begun = Clock::now();
  Clock::time_point told = Clock::now();
  JobStatus status = {};

  std::string left() const { return time_left(status.share_of_rest(), seconds_since(begun)); }
};

// Numbers of a job, the most wanted first.
std::vector<std::string> pieces_of(const Shown& job) {
  std::vector<std::string> pieces = {job.left(), fmt::format("loss {:.3f}", job.status.loss)};
  if (job.status.accuracy) pieces.push_back(fmt::format("acc {:.1f} %", 100 * *job.status.accuracy));
  pieces.push_back(fmt::format("{:.0f} {}/s", job.status.per_second, job.status.unit));
  return pieces;
}

class NoDisplay : public Display {
 public:
  void begin(std::size_t, const std::string&, const std::filesystem::path&) override {}
  void show(std::size_t, const JobStatus&) override {}
  void end(std::size_t) override {}
};

class PlainDisplay : public Display {
 public:
  void begin(std::size_t job, const std::string& name, const std::filesystem::path&) override {
    jobs_[job] = {name};
  }

  void show(std::size_t job, const JobStatus& status) override {
    constexpr double seconds_apart = 10;
    Shown& shown = jobs_.at(job);
    shown.status = status;
    if (seconds_since(shown.told) < seconds_apart) return;
    shown.told = Clock::now();
    std::string line =
        fmt::format("{}: step {}/{} ({:.0f} %)", shown.name, status.step, status.total, 100 * status.share());
    for (const std::string& piece : pieces_of(shown)) line += "  " + piece;
    log_info(line);
  }

  void end(std::size_t job) override { jobs_.erase(job); }

 private:
  std::map<std::size_t, Shown> jobs_;
};

// "[1/4] gelu s0" of "[1/4] gelu seed 0", as run folders have it: a line has little room.
std::string shortened(std::string name) {
  constexpr std::string_view seed = " seed ";
  if (const auto at = name.find(seed); at != name.npos) name.replace(at, seed.size(), " s");
  return name;
}

class BarDisplay : public Display {
 public:
  explicit BarDisplay(std::size_t jobs) : count_(jobs) {}

  void begin(std::size_t job, const std::string& name, const std::filesystem::path&) override {
    jobs_[job] = {shortened(name)};
  }

  void show(std::size_t job, const JobStatus& status) override {
    jobs_.at(job).status = status;
    draw_line(jobs_.size() == 1 ? line_of(jobs_.at(job)) : line_of_all());
  }

  void end(std::size_t job) override {
    clear_line();
    ++ended_;
    const auto found = jobs_.find(job);
    if (found == jobs_.end()) return;
    worked_ += worked_by(found->second.status);
    jobs_.erase(found);
  }

 private:
  static std::string line_of(const Shown& job) {
    return progress_line(job.name, job.status.share(), pieces_of(job), line_width());
  }

  // The part of a job's steps that was made here: not those from before it went on.
  static double worked_by(const JobStatus& status) {
    return status.total > 0
               ? static_cast<double>(status.step - status.first_step) / static_cast<double>(status.total)
               : 0;
  }

  std::string line_of_all() const {
    double done = static_cast<double>(ended_), worked = worked_;
    std::vector<std::string> pieces = {""};
    for (const auto& [place, job] : jobs_) {
      const double share = job.status.total > 0 ? job.status.share() : 0;
      done += share, worked += worked_by(job.status);
      pieces.push_back(fmt::format("{} {:.0f} %", job.name, 100 * share));
    }
    const auto all = static_cast<double>(count_);
    pieces[0] = time_left(worked / (worked + all - done), seconds_since(begun_));
    return progress_line(fmt::format("{} of {} jobs", ended_, count_), done / all, pieces, line_width());
  }

  const std::size_t count_;
  const Clock::time_point begun_ = Clock::now();
  std::size_t ended_ = 0;
  double worked_ = 0;  // of the jobs that have ended, as worked_by counts
  std::map<std::size_t, Shown> jobs_;
};

class JsonDisplay : public Display {
 public:
  void begin(std::size_t job, const std::string& name, const std::filesystem::path& folder) override {
    print_event(begin_event(job, name, folder));
  }
  void show(std::size_t job, const JobStatus& status) override {
    constexpr double seconds_apart = 0.1;
    Clock::time_point& told = told_[job];
    if (seconds_since(told) < seconds_apart) return;
    told = Clock::now();
    print_event(status_event(job, status));
  }
  void end(std::size_t job) override { print_event(end_event(job)); }

 private:
  std::map<std::size_t, Clock::time_point> told_;
};

}  // namespace

std::vector<std::string> display_names() { return {"auto", "bar", "plain", "none", "json"}; }

std::unique_ptr<Display> make_display(const std::string& name, std::size_t jobs) {
  if (name == "json") return std::make_unique<JsonDisplay>();
  if (name == "none") return std::make_unique<NoDisplay>();
  if (name == "bar" || (name == "auto" && can_draw_line())) return std::make_unique<BarDisplay>(jobs);
  return std::make_unique<PlainDisplay>();
}

}  // namespace actlab
