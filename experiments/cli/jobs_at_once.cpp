// Runs jobs in processes of their own, which tell of themselves by events.
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <list>
#include <map>

#include "experiments/cli/events.h"
#include "experiments/cli/exit_codes.h"
#include "experiments/cli/jobs.h"
#include "experiments/cli/log.h"
#include "experiments/results/run_folder.h"
#include "experiments/runner/child.h"
#include "experiments/runner/stop.h"
#include "kernels/error.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;

// A process that runs the job at a place.
struct Worker {
  std::size_t place;
  std::size_t slot;
  Child child;
};

class Pool {
 public:
  Pool(const JobsToRun& jobs, std::size_t at_once, Display& display)
      : jobs_(jobs), display_(display), folders_(jobs.experiments.size()), cores_(usable_cores()) {
    for (std::size_t slot = std::min(at_once, jobs.experiments.size()); slot > 0; --slot)
      free_slots_.push_back(slot - 1);
    slots_ = free_slots_.size();
  }

  JobsRun run() {
    while (!workers_.empty() || (next_ < jobs_.experiments.size() && stop_signal() == 0)) {
      while (!free_slots_.empty() && next_ < jobs_.experiments.size() && stop_signal() == 0) start(next_++);
      if (!workers_.empty()) wait_for_news();
    }
    std::erase_if(folders_, [](const fs::path& folder) { return folder.empty(); });
    return {folders_, failed_};
  }

 private:
  void start(std::size_t place) {
    const Experiment& experiment = jobs_.experiments[place];
    const std::size_t slot = free_slots_.back();
    free_slots_.pop_back();
    const std::size_t first = slot * cores_.size() / slots_, end = (slot + 1) * cores_.size() / slots_;
    std::vector<std::size_t> cores(cores_.begin() + static_cast<std::ptrdiff_t>(first),
                                   cores_.begin() + static_cast<std::ptrdiff_t>(end));
    auto threads = static_cast<std::size_t>(experiment.threads);
    std::vector<std::string> environment;
    if (const char* variable = std::getenv("OMP_NUM_THREADS"); variable == nullptr)
      environment.push_back(concat("OMP_NUM_THREADS=", std::max<std::size_t>(1, cores.size())));
    else if (threads == 0)
      threads = std::strtoul(variable, nullptr, 10);
    if (threads > cores.size()) cores.clear();  // they have to share
    std::vector<std::string> arguments = {"run",  "/dev/stdin",  "--progress",
                                          "json", "--log-level", std::string(name_of(log_level()))};
    if (jobs_.rerun == Rerun::failed) arguments.push_back("--retry");
    if (jobs_.rerun == Rerun::all) arguments.push_back("--force");
    workers_.push_back({place, slot, Child(arguments, to_toml(experiment), cores, environment)});
  }

  void wait_for_news() {
    std::vector<pollfd> waiting;
    for (const Worker& worker : workers_) waiting.push_back({worker.child.descriptor(), POLLIN, 0});
    constexpr int milliseconds = 200;  // a signal may come just before the wait
    const int ready = ::poll(waiting.data(), waiting.size(), milliseconds);
    if (stop_signal() != 0 && !told_to_stop_) {
      told_to_stop_ = true;
      tell(stop_signal());
    }
    pause_.stop_if_asked([&] { tell(SIGSTOP); }, [&] { tell(SIGCONT); });
    if (ready <= 0) return;
    std::size_t i = 0;
    for (auto worker = workers_.begin(); worker != workers_.end(); ++i) {
      bool open = true;
      if (waiting[i].revents != 0)
        for (const std::string& line : worker->child.read_lines(open)) hear(*worker, line);
      if (open) {
        ++worker;
      } else {
        end(*worker);
        worker = workers_.erase(worker);
      }
    }
  }

  void tell(int signal) const {
    for (const Worker& worker : workers_) worker.child.send(signal);
  }

  void hear(const Worker& worker, const std::string& line) {
    if (auto folder = replay(line, worker.place, jobs_.names[worker.place], display_))
      folders_[worker.place] = std::move(*folder);
  }

  void end(Worker& worker) {
    free_slots_.push_back(worker.slot);
    const int code = worker.child.wait();
    if (code == 0 || code == exit_some_failed || code == 128 + stop_signal()) return;
    failed_ = true;
    display_.end(worker.place);
    log(LogLevel::error, concat(jobs_.names[worker.place], ": its process ended ",
                                code < 0 ? concat("by signal ", -code) : concat("with exit code ", code)));
  }

  const JobsToRun& jobs_;
  Display& display_;
  std::vector<fs::path> folders_;
  const std::vector<std::size_t> cores_;
  std::size_t slots_ = 0;
  std::vector<std::size_t> free_slots_;
  std::size_t next_ = 0;
  std::list<Worker> workers_;
  PauseSignal pause_;
  bool told_to_stop_ = false;
  bool failed_ = false;
};

}  // namespace

JobsRun run_at_once(const JobsToRun& jobs, std::size_t at_once, Display& display) {
  return Pool(jobs, at_once, display).run();
}

}  // namespace actlab
