// The log: on standard error, and in the folders of runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace actlab {

enum class LogLevel : std::uint8_t { debug, info, warning, error, off };
std::vector<std::string> log_level_names();
std::string_view name_of(LogLevel level);
/// Throws ConfigError with the names there are.
LogLevel parse_log_level(std::string_view name);

void start_log();
/// The least that standard error shows; the files of runs have everything.
void set_log_level(LogLevel level);
LogLevel log_level();
/// Lines on standard error are events from now on (experiments/cli/events.h).
void log_as_json();

void log(LogLevel level, const std::string& text);
void log_info(const std::string& text);
void log_warning(const std::string& text);

/// While it lives the log goes to a file too, after what is there; a file that cannot be written is a
/// warning.
class LogFile {
 public:
  explicit LogFile(const std::filesystem::path& path);
  ~LogFile();
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

 private:
  std::shared_ptr<void> sink_;  // spdlog's
};

}  // namespace actlab
