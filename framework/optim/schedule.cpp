// Constant, step and cosine schedules, which can warm up, and the one-cycle schedule, which does.
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

// gamma to the power of the drops so far: every `every` updates, or after each of the updates listed in `at`.
Schedule step(const Options& options, std::int64_t) {
  const double gamma = options.number("gamma");
  const std::int64_t every = options.integer("every"), warmup = options.integer("warmup");
  const std::vector<std::int64_t> at = options.integers("at");
  if ((every > 0) != at.empty())
    throw ConfigError(concat("schedule 'step': wanted schedule.every or schedule.at, found ",
                             at.empty() ? "neither" : "both"));
  return warmed_up(warmup, [=](std::int64_t after_warmup) {
    const std::int64_t finished = after_warmup + warmup;
    const std::int64_t drops =
        every > 0
            ? finished / every
            : std::count_if(at.begin(), at.end(), [=](std::int64_t update) { return update <= finished; });
    return std::pow(gamma, static_cast<double>(drops));
  });
}

// Half a cosine from `from` to `to` as t goes from 0 to 1.
double half_cosine(double from, double to, double t) {
  return to + (from - to) * 0.5 * (1.0 + std::cos(std::numbers::pi * t));
}

// Half a cosine from 1 to `floor`, which holds from then on. Loshchilov and Hutter 2016, arXiv:1608.03983,
// without restarts.
Schedule cosine(const Options& options, std::int64_t total) {
  const std::int64_t warmup = options.integer("warmup");
  const double floor = options.number("floor");
  const std::int64_t length = std::max<std::int64_t>(1, total - warmup);
  return warmed_up(warmup, [=](std::int64_t finished) {
    const double t = static_cast<double>(std::min(finished, length)) / static_cast<double>(length);
    return half_cosine(1.0, floor, t);
  });
}

// Up from 1 / div_factor to 1 at update pct_start * total - 1, then down to 1 / (div_factor *
// final_div_factor) at the last update, both in half cosines. Smith and Topin 2017, arXiv:1708.07120; phases
// as in PyTorch's OneCycleLR.
Schedule one_cycle(const Options& options, std::int64_t total) {
  const double start = 1.0 / options.number("div_factor");
  const double end = start / options.number("final_div_factor");
  const double peak = options.number("pct_start") * static_cast<double>(total) - 1.0;
  const double last = static_cast<double>(total) - 1.0;
  return [=](std::int64_t finished) {
    const double t = std::min(static_cast<double>(finished), last);
    if (t <= peak) return half_cosine(start, 1.0, peak > 0 ? t / peak : 1.0);
    return half_cosine(1.0, end, (t - peak) / (last - peak));
  };
}

std::vector<ScheduleType>& types() {
  static std::vector<ScheduleType> all = {
      {"constant", "the base rate throughout", {warmup_option}, constant},
      {"step",
       "the base rate times gamma at every drop",
       {warmup_option,
        {.name = "gamma", .fallback = 0.1, .help = "factor of each drop", .least = 0, .most = 1},
        {.name = "every",
         .fallback = std::int64_t{0},
         .help = "updates between drops; 0: as `at` says",
         .least = 0},
        {.name = "at",
         .fallback = std::vector<std::int64_t>{},
         .help = "updates after which the rate drops, such as [1000, 2000]",
         .least = 1}},
       step},
      {"cosine",
       "half a cosine from the base rate to its floor",
       {warmup_option,
        {.name = "floor",
         .fallback = 0.0,
         .help = "share of the base rate at the end",
         .least = 0,
         .most = 1}},
       cosine},
      {"one_cycle",
       "half a cosine up to the base rate, then half a cosine down to nearly nothing",
       {{.name = "pct_start",
         .fallback = 0.3,
         .help = "share of the updates on the way up",
         .least = 0,
         .most = 1},
        {.name = "div_factor", .fallback = 25.0, .help = "base rate over the first rate", .least = 1},
        {.name = "final_div_factor", .fallback = 1e4, .help = "first rate over the last", .least = 1}},
       one_cycle},
  };
  return all;
}

}  // namespace

const std::vector<ScheduleType>& schedule_types() { return types(); }

void add_schedule(ScheduleType type) { add_component("schedule", std::move(type), types()); }

}  // namespace actlab
