// The log on standard error.
#pragma once

#include <string>

namespace actlab {

void start_log();
void log_info(const std::string& text);
void log_warning(const std::string& text);

}  // namespace actlab
