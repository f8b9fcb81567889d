// The log on standard error, through spdlog.
#include "experiments/cli/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cstdlib>

#include "experiments/results/table.h"

namespace actlab {

void start_log() {
  if (spdlog::get("actlab")) return;
  const auto mode =
      std::getenv("NO_COLOR") != nullptr ? spdlog::color_mode::never : spdlog::color_mode::automatic;
  auto sink = std::make_shared<spdlog::sinks::stderr_color_sink_mt>(mode);
  auto logger = std::make_shared<spdlog::logger>("actlab", sink);
  logger->set_pattern(isatty(STDERR_FILENO) != 0 ? "%^%v%$" : "%Y-%m-%dT%H:%M:%S %^%l%$: %v");
  spdlog::register_logger(logger);
  spdlog::set_default_logger(logger);
}

void log_info(const std::string& text) { spdlog::info("{}", on_one_line(text)); }

void log_warning(const std::string& text) { spdlog::warn("{}", on_one_line(text)); }

}  // namespace actlab
