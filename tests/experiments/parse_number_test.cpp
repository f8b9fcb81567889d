// Numbers as users write them.
#include "experiments/cli/parse_number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/error.h"

namespace actlab {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

double parse(std::string_view text) { return parse_number(text, "test"); }

std::string refusal(std::string_view text, char separator, const std::string& where) {
  try {
    parse_numbers(text, separator, where);
  } catch (const ConfigError& e) {
    return e.what();
  }
  return "no error";
}

TEST(ParseNumber, DecimalHexAndWords) {
  EXPECT_EQ(parse("1.5"), 1.5);
  EXPECT_EQ(parse("+1.5"), 1.5);
  EXPECT_EQ(parse("-.5e-3"), -0.5e-3);
  EXPECT_EQ(parse("5."), 5.0);
  EXPECT_EQ(parse("0x1.8p+1"), 3.0);
  EXPECT_EQ(parse("-0X1P-1074"), -std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(parse("0x10"), 16.0);
  EXPECT_EQ(parse("inf"), inf);
  EXPECT_EQ(parse("-Infinity"), -inf);
  EXPECT_TRUE(std::isnan(parse("nan")));
  EXPECT_TRUE(std::signbit(parse("-0")));
  EXPECT_TRUE(std::signbit(parse("-nan")));
}

TEST(ParseNumber, BeyondTheRangeOfDoubles) {
  EXPECT_EQ(parse("1e400"), inf);
  EXPECT_EQ(parse("-1e400"), -inf);
  EXPECT_EQ(parse("1e-400"), 0.0);
  EXPECT_EQ(parse("0x1p+1024"), inf);
  EXPECT_EQ(parse("-0x1p-1100"), 0.0);
  EXPECT_TRUE(std::signbit(parse("-1e-400")));
  EXPECT_EQ(parse("1" + std::string(400, '0')), inf);
  EXPECT_EQ(parse("0." + std::string(400, '0') + "1"), 0.0);
  EXPECT_EQ(parse("0." + std::string(400, '0') + "1e800"), inf);
  EXPECT_EQ(parse("1" + std::string(400, '0') + "e-800"), 0.0);
  EXPECT_EQ(parse("0." + std::string(400, '0') + "1e+401"), 1.0);
  EXPECT_EQ(parse("1e99999999999999999999"), inf);
  EXPECT_EQ(parse("1e-99999999999999999999"), 0.0);
}

TEST(ParseNumber, AnythingElseIsRefused) {
  for (const char* text :
       {"", "-", "+", "1,5", "1.5f", "1 2", "0x", "0x-1", "--1", "+-1", "e5", "1e", "one", " 1"})
    EXPECT_THROW(parse(text), ConfigError) << text;
}

TEST(ParseNumbers, BlankEntriesAreSkipped) {
  EXPECT_EQ(parse_numbers("1, 2,,\t3,", ',', "--x"), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(parse_numbers("1\r\n\r\n 2 \n", '\n', "file"), (std::vector<double>{1, 2}));
  EXPECT_TRUE(parse_numbers("", ',', "--x").empty());
}

TEST(ParseNumbers, SayWhereTheWrongOneStands) {
  EXPECT_EQ(refusal("1\n\n2,5\n", '\n', "points"),
            "points:3: '2,5' is no number; wanted a decimal or C hex float, inf or nan");
  EXPECT_EQ(refusal("1,x", ',', "--x"),
            "--x entry 2: 'x' is no number; wanted a decimal or C hex float, inf or nan");
}

TEST(NineDigits, TellFloatsApart) {
  const float x = 0.1F;
  EXPECT_EQ(nine_digits(static_cast<double>(x)), "0.100000001");
  EXPECT_EQ(static_cast<float>(parse(nine_digits(static_cast<double>(std::nextafter(x, 1.0F))))),
            std::nextafter(x, 1.0F));
  EXPECT_EQ(nine_digits(-inf), "-inf");
  EXPECT_EQ(nine_digits(std::nan("")), "nan");
}

}  // namespace
}  // namespace actlab
