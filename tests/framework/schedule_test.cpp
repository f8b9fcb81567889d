// The schedules' exact values.
#include "framework/optim/schedule.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/options.h"

namespace actlab {
namespace {

using Integers = std::vector<std::int64_t>;

Schedule schedule(const std::string& name, const OptionValues& values, std::int64_t total) {
  const auto& type = find_component("schedule", name, schedule_types());
  return type.make(options_of(type.options, values), total);
}

TEST(Schedule, CosineFallsFromTheBaseToItsFloorAndStays) {
  const Schedule lr = schedule("cosine", {}, 10);
  const std::vector<std::pair<std::int64_t, double>> expected = {
      {0, 1}, {1, 0.975528258}, {5, 0.5}, {9, 0.0244717419}, {10, 0}, {11, 0}, {15, 0}};
  for (const auto& [t, value] : expected) EXPECT_NEAR(lr(t), value, 1e-9) << t;
  const Schedule floored = schedule("cosine", {{"floor", 0.1}}, 10);
  EXPECT_NEAR(floored(10), 0.1, 1e-15);
  EXPECT_NEAR(floored(5), 0.55, 1e-15);
}

TEST(Schedule, WarmUpRisesLinearlyToTheBase) {
  const Schedule lr = schedule("cosine", {{"warmup", std::int64_t{4}}}, 14);
  for (const auto& [t, value] :
       std::vector<std::pair<std::int64_t, double>>{{0, 0.25}, {3, 1}, {4, 1}, {9, 0.5}, {14, 0}})
    EXPECT_NEAR(lr(t), value, 1e-12) << t;
  const Schedule constant = schedule("constant", {{"warmup", std::int64_t{2}}}, 14);
  EXPECT_EQ(constant(0), 0.5);
  EXPECT_EQ(constant(1), 1.0);
  EXPECT_EQ(constant(1000), 1.0);
}

TEST(Schedule, StepDropsEverySoManyUpdatesOrWhereListed) {
  const Schedule every = schedule("step", {{"gamma", 0.5}, {"every", std::int64_t{3}}}, 10);
  for (const auto& [t, value] : std::vector<std::pair<std::int64_t, double>>{
           {0, 1}, {2, 1}, {3, 0.5}, {5, 0.5}, {6, 0.25}, {9, 0.125}})
    EXPECT_EQ(every(t), value) << t;
  const Integers drops = {8, 4};
  const Schedule listed = schedule("step", {{"gamma", 0.5}, {"at", drops}, {"warmup", std::int64_t{2}}}, 10);
  for (const auto& [t, value] : std::vector<std::pair<std::int64_t, double>>{
           {0, 0.5}, {1, 1}, {2, 1}, {3, 1}, {4, 0.5}, {7, 0.5}, {8, 0.25}, {100, 0.25}})
    EXPECT_EQ(listed(t), value) << t;
  EXPECT_THROW(schedule("step", {}, 10), ConfigError);
  EXPECT_THROW(schedule("step", {{"every", std::int64_t{3}}, {"at", drops}}, 10), ConfigError);
}

void expect_rates(const Schedule& lr, const std::vector<double>& wanted) {
  for (std::size_t t = 0; t < wanted.size(); ++t)
    EXPECT_NEAR(lr(static_cast<std::int64_t>(t)), wanted[t], 1e-12) << t;
}

// The rates are those of PyTorch's rule: phases that end at updates pct_start * total - 1 and total - 1.
TEST(Schedule, OneCycleRisesAndFallsInHalfCosines) {
  const Schedule lr = schedule("one_cycle", {}, 10);
  expect_rates(lr, {0.04, 0.52, 1, 0.9504846320134737, 0.8117456539497631, 0.6112620219362893,
                    0.38874197806371075, 0.18825834605023697, 0.049519367986526286, 4e-6, 4e-6});
  EXPECT_NEAR(lr(1000), 4e-6, 1e-18);
  // A peak between two updates.
  expect_rates(
      schedule("one_cycle", {{"pct_start", 0.5}, {"div_factor", 10.0}, {"final_div_factor", 100.0}}, 7),
      {0.1, 0.41094235253127365, 0.9140576474687263, 0.9505339495172583, 0.611649206511179,
       0.18906684397156262, 0.001});
  expect_rates(schedule("one_cycle", {{"pct_start", 0.0}}, 4),
               {0.8535539763797113, 0.500002, 0.14645002362028864, 4e-6});
}

TEST(Schedule, OneCycleOfAnyLengthStaysWithinItsRange) {
  for (const double start : {0.0, 0.1, 0.3, 0.5, 1.0})
    for (std::int64_t total = 1; total <= 20; ++total)
      for (std::int64_t t = 0; t <= total + 2; ++t) {
        const double rate = schedule("one_cycle", {{"pct_start", start}}, total)(t);
        EXPECT_TRUE(rate >= 0.999999 * 4e-6 && rate <= 1) << start << " of " << total << " at " << t;
      }
}

}  // namespace
}  // namespace actlab
