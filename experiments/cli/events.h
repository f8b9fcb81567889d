// What `--progress json` writes to standard error: one JSON object a line, for programs that watch a job.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "experiments/cli/display.h"
#include "experiments/cli/log.h"
#include "experiments/results/record.h"

namespace actlab {

Record begin_event(std::size_t job, const std::string& name, const std::filesystem::path& folder);
Record status_event(std::size_t job, const JobStatus& status);
Record end_event(std::size_t job);
Record log_event(LogLevel level, std::string_view text);

/// Writes the event as one line, at once.
void print_event(const Record& event);

/// Does to the display and the log of this process what another one's display and log were told. `line` is
/// one of its standard error: an event, or any text, which is logged as a warning. Gives the job's folder
/// where the event names it.
std::optional<std::filesystem::path> replay(std::string_view line, std::size_t job, const std::string& name,
                                            Display& display);

}  // namespace actlab
