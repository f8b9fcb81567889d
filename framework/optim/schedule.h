// Learning rates over a run, by name. Adding a schedule: its entry in schedule.cpp, or a line of a program's
// own main().
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "framework/core/component.h"

namespace actlab {

/// The factor on the base rate for an update, given the updates finished before it (0 for the first).
using Schedule = std::function<double(std::int64_t finished)>;

/// Made for a run of `total` updates.
using ScheduleType = Component<Schedule(const Options&, std::int64_t total)>;

const std::vector<ScheduleType>& schedule_types();
/// As add_optimizer.
void add_schedule(ScheduleType type);

}  // namespace actlab
