// The log, through spdlog.
#include "experiments/cli/log.h"

#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "experiments/cli/events.h"
#include "experiments/cli/terminal_line.h"
#include "experiments/results/table.h"
#include "kernels/error.h"

namespace actlab {
namespace {

constexpr std::array<std::string_view, 5> names = {"debug", "info", "warning", "error", "off"};
constexpr std::array levels = {spdlog::level::debug, spdlog::level::info, spdlog::level::warn,
                               spdlog::level::err, spdlog::level::off};

LogLevel shown = LogLevel::info;

spdlog::level::level_enum spdlog_level(LogLevel level) { return levels[static_cast<std::size_t>(level)]; }

// Standard error's is the first.
std::vector<spdlog::sink_ptr>& sinks() { return spdlog::default_logger()->sinks(); }

class EventSink : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
  void sink_it_(const spdlog::details::log_msg& message) override {
    const auto level = std::find(levels.begin(), levels.end(), message.level) - levels.begin();
    print_event(log_event(static_cast<LogLevel>(level), {message.payload.data(), message.payload.size()}));
  }
  void flush_() override {}
};

}  // namespace

std::vector<std::string> log_level_names() { return {names.begin(), names.end()}; }

std::string_view name_of(LogLevel level) { return names[static_cast<std::size_t>(level)]; }

LogLevel parse_log_level(std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw ConfigError(concat("unknown log level '", name, "'", nearest_names(name, log_level_names())));
  return static_cast<LogLevel>(found - names.begin());
}

void start_log() {
  if (spdlog::get("actlab")) return;
  const auto mode =
      std::getenv("NO_COLOR") != nullptr ? spdlog::color_mode::never : spdlog::color_mode::automatic;
  auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_mt>(mode);
  sink->set_pattern(isatty(STDERR_FILENO) != 0 ? "%^%v%$" : "%Y-%m-%dT%H:%M:%S %^%l%$: %v");
  auto logger = std::make_shared<spdlog::logger>("actlab", sink);
  logger->set_level(spdlog::level::debug);
  logger->flush_on(spdlog::level::debug);
  logger->set_error_handler([](const std::string&) {});  // a full disk is told of by what must be kept there
  spdlog::register_logger(logger);
  spdlog::set_default_logger(logger);
  set_log_level(shown);
}

void set_log_level(LogLevel level) {
  shown = level;
  sinks().front()->set_level(spdlog_level(level));
}

LogLevel log_level() { return shown; }

void log_as_json() {
  sinks().front() = std::make_shared<EventSink>();
  set_log_level(shown);
}

void log(LogLevel level, const std::string& text) {
  if (level >= shown) clear_line();
  spdlog::log(spdlog_level(level), "{}", on_one_line(text));
}

void log_info(const std::string& text) { log(LogLevel::info, text); }

void log_warning(const std::string& text) { log(LogLevel::warning, text); }

LogFile::LogFile(const std::filesystem::path& path) {
  try {
    auto sink = std::make_shared<spdlog::sinks::basic_file_sink_st>(path.string());
    sink->set_pattern("%Y-%m-%dT%H:%M:%S %l: %v");
    sinks().push_back(sink);
    sink_ = sink;
  } catch (const spdlog::spdlog_ex& error) {
    log_warning(concat(path.string(), ": no log is kept there: ", error.what()));
  }
}

LogFile::~LogFile() {
  std::erase_if(sinks(), [this](const spdlog::sink_ptr& sink) { return sink == sink_; });
}

}  // namespace actlab
