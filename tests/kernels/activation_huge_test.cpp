// Arrays of more than 2^31 elements: no index is narrower than 64 bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "kernels/backend.h"
#include "kernels/math/half.h"
#include "tests/kernels/tested.h"

namespace actlab {
namespace {

constexpr std::int64_t tail = 67;

std::int64_t available_bytes() {
  std::ifstream info("/proc/meminfo");
  std::int64_t kilobytes = 0;
  for (std::string word; info >> word;)
    if (word == "MemAvailable:") info >> kilobytes;
  return kilobytes * 1024;
}

// -1, but for 1 in the last 67 places.
std::vector<BFloat16> signs(std::int64_t count) {
  std::vector<BFloat16> x(static_cast<std::size_t>(count), math::from_float<BFloat16>(-1.0f));
  std::fill(x.end() - tail, x.end(), math::from_float<BFloat16>(1.0f));
  return x;
}

std::uint16_t rounded(double value) { return math::from_double<BFloat16>(value).bits; }

// All but the last 67 are `most`, the last ones `last`.
void expect_values(const std::vector<BFloat16>& y, double most, double last) {
  const auto border = y.end() - tail;
  const auto is = [](double value) { return [bits = rounded(value)](BFloat16 v) { return v.bits == bits; }; };
  EXPECT_EQ(std::find_if_not(y.begin(), border, is(most)) - y.begin(), border - y.begin());
  EXPECT_EQ(std::find_if_not(border, y.end(), is(last)) - border, tail);
}

class ActivationHugeSlow : public testing::Test {
 protected:
  void SetUp() override {
    constexpr std::int64_t needed = std::int64_t{10} << 30;
    if (available_bytes() < needed) GTEST_SKIP() << "needs 10 GiB of free memory";
  }
};

TEST_F(ActivationHugeSlow, PlainForms) {
  constexpr std::int64_t count = (std::int64_t{1} << 31) + tail;
  const std::vector<BFloat16> x = signs(count);
  std::vector<BFloat16> y(x.size());
  for (const char* name : {"relu", "gelu"}) {
    const auto activation = ActivationHandle::parse(name);
    tested().activation.forward(activation, {x.data(), DType::bf16, {count}},
                                {y.data(), DType::bf16, {count}});
    const auto f = [&](double v) { return activation.type().f(activation.values(), v); };
    expect_values(y, f(-1), f(1));
  }
}

TEST_F(ActivationHugeSlow, GatedForms) {
  constexpr std::int64_t rows = 32769, columns = 32768;
  const std::vector<BFloat16> x = signs(rows * 2 * columns);
  std::vector<BFloat16> y(static_cast<std::size_t>(rows * columns));
  const auto swiglu = ActivationHandle::parse("swiglu");
  tested().activation.gate(swiglu, {x.data(), DType::bf16, {rows, 2 * columns}},
                           {y.data(), DType::bf16, {rows, columns}});
  const double gate = swiglu.type().f(swiglu.values(), -1);
  expect_values(y, -gate, gate);
}

}  // namespace
}  // namespace actlab
