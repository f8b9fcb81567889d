// Constant and cosine schedules; both can warm up.
#include "framework/optim/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace actlab {
namespace {

const Option warmup_option{.name = "warmup",
                           .fallback = std::int64_t{0},
                           .help = "updates of linear warm-up at the start",
                           .least = 0};

// The first `warmup` updates use 1/warmup, 2/warmup, ... 1 of the base rate; `rest` counts from the end of
// the warm-up.
Schedule warmed_up(std::int64_t warmup, Schedule rest) {
  return [=](std::int64_t finished) {
    return finished < warmup ? static_cast<double>(finished + 1) / static_cast<double>(warmup)
                             : rest(finished - warmup);
  };
}

Schedule constant(const Options& options, std::int64_t) {
  return warmed_up(options.integer("warmup"), [](std::int64_t) { return 1.0; });
}

// Half a cosine from 1 to `floor`, which holds from then on. Loshchilov and Hutter 2016, arXiv:1608.03983,
// without restarts.
Schedule cosine(const Options& options, std::int64_t total) {
  const std::int64_t warmup = options.integer("warmup");
  const double floor = options.number("floor");
  const std::int64_t length = std::max<std::int64_t>(1, total - warmup);
  return warmed_up(warmup, [=](std::int64_t finished) {
    const double t = static_cast<double>(std::min(finished, length)) / static_cast<double>(length);
    return floor + (1.0 - floor) * 0.5 * (1.0 + std::cos(std::numbers::pi * t));
  });
}

}  // namespace

const std::vector<ScheduleType>& schedule_types() {
  static const std::vector<ScheduleType> types = {
      {"constant", "the base rate throughout", {warmup_option}, constant},
      {"cosine",
       "half a cosine from the base rate to its floor",
       {warmup_option,
        {.name = "floor",
         .fallback = 0.0,
         .help = "share of the base rate at the end",
         .least = 0,
         .most = 1}},
       cosine},
  };
  return types;
}

}  // namespace actlab
