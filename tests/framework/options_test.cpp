// Options: types, ranges, spellings that read back exactly.
#include "framework/core/options.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <locale>

#include "kernels/error.h"

namespace actlab {
namespace {

using Integers = std::vector<std::int64_t>;

const Option rate{.name = "lr", .fallback = 0.1, .help = "", .least = 0, .most = 10};
const Option count{.name = "epochs", .fallback = std::int64_t{1}, .help = "", .least = 1};
const Option sizes{.name = "widths", .fallback = Integers{32, 64}, .help = "", .least = 1};
const Option flag{.name = "nesterov", .fallback = false, .help = ""};
const Option kind{.name = "gemm", .fallback = "auto", .help = "", .choices = {"auto", "onednn"}};

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Option, IntegerServesAsNumberButNotTheReverse) {
  EXPECT_EQ(rate.accept(std::int64_t{1}), OptionValue(1.0));
  EXPECT_FALSE(count.accept(9.0));
  EXPECT_FALSE(count.accept("32"));
  EXPECT_FALSE(rate.accept("0.1"));
  EXPECT_FALSE(rate.accept(true));
  EXPECT_FALSE(flag.accept(std::int64_t{1}));
}

TEST(Option, RefusesWhatIsOutOfRangeOrNotFinite) {
  EXPECT_TRUE(count.accept(std::int64_t{1}));
  EXPECT_FALSE(count.accept(std::int64_t{0}));
  EXPECT_TRUE(rate.accept(10.0));
  EXPECT_FALSE(rate.accept(std::nextafter(10.0, 11.0)));
  const Option share{.name = "share", .fallback = 0.5, .help = "", .least = 0, .most = 1, .below_most = true};
  EXPECT_EQ(share.wanted(), "number in [0, 1)");
  EXPECT_TRUE(share.accept(std::nextafter(1.0, 0.0)));
  EXPECT_FALSE(share.accept(1.0));
  const Option any{.name = "any", .fallback = 0.0, .help = ""};
  EXPECT_FALSE(any.accept(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(any.accept(std::numeric_limits<double>::infinity()));
  EXPECT_FALSE(any.accept(-std::numeric_limits<double>::infinity()));
  EXPECT_TRUE(sizes.accept(Integers{1, 2}));
  EXPECT_FALSE(sizes.accept(Integers{1, 0}));
  EXPECT_TRUE(kind.accept("onednn"));
  EXPECT_FALSE(kind.accept("onednnn"));
}

TEST(Option, ReadsArgumentsByType) {
  EXPECT_EQ(rate.read("1e-3"), OptionValue(0.001));
  EXPECT_EQ(count.read("12"), OptionValue(std::int64_t{12}));
  EXPECT_EQ(sizes.read("[32, 64]"), OptionValue(Integers{32, 64}));
  EXPECT_EQ(sizes.read("[8]"), OptionValue(Integers{8}));
  EXPECT_EQ(flag.read("true"), OptionValue(true));
  EXPECT_EQ(kind.read("auto"), OptionValue("auto"));
  for (const char* text : {"", " 1", "1x", "0x10", "1,5", "nan", "inf", "1e999"})
    EXPECT_FALSE(rate.read(text)) << text;
  for (const char* text : {"1.0", "1e3", "99999999999999999999", "-1"})
    EXPECT_FALSE(count.read(text)) << text;
  for (const char* text : {"32", "[32", "[32,x]", "[,]", "[1 2]"}) EXPECT_FALSE(sizes.read(text)) << text;
  for (const char* text : {"yes", "1", "True"}) EXPECT_FALSE(flag.read(text)) << text;
}

TEST(Option, SaysWhatItWants) {
  EXPECT_EQ(rate.wanted(), "number in [0, 10]");
  EXPECT_EQ(count.wanted(), "integer >= 1");
  EXPECT_EQ(sizes.wanted(), "list of integers >= 1");
  EXPECT_EQ(flag.wanted(), "true or false");
  EXPECT_EQ(kind.wanted(), "one of auto, onednn");
}

TEST(Option, SpellingsReadBackExactlyWhateverTheLocale) {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::locale before = std::locale::global(std::locale(std::locale(), new Comma));
  const Option any{.name = "any", .fallback = 0.0, .help = ""};
  for (const double value : {0.001, 0.1, 1.0 / 3, 5e-324, 1234567.25, -1e300})
    EXPECT_EQ(any.read(to_string(value)), OptionValue(value));
  EXPECT_EQ(to_string(0.05), "0.05");
  EXPECT_EQ(to_string(std::int64_t{1234567}), "1234567");
  EXPECT_EQ(to_string(Integers{32, 64}), "[32, 64]");
  EXPECT_EQ(to_literal("a\"b\\c\n"), R"("a\"b\\c\u000A")");
  std::locale::global(before);
}

TEST(Options, HoldsDefaultsUntilSet) {
  Options options({rate, count, sizes, flag, kind});
  EXPECT_EQ(options.number("lr"), 0.1);
  options.set("lr", std::int64_t{1});
  options.set("widths", Integers{16});
  EXPECT_EQ(options.number("lr"), 1.0);
  EXPECT_EQ(options.integer("epochs"), 1);
  EXPECT_EQ(options.integers("widths"), Integers{16});
  EXPECT_FALSE(options.flag("nesterov"));
  EXPECT_EQ(options.text("gemm"), "auto");
}

TEST(Options, RefusalsNameTheOptionAndTheRange) {
  Options options({rate, count});
  EXPECT_EQ(message_of([&] { options.set("epochs", std::int64_t{-1}); }),
            "epochs: wanted integer >= 1, found -1");
  EXPECT_EQ(message_of([&] { options.set("epochs", "32"); }), "epochs: wanted integer >= 1, found \"32\"");
  EXPECT_EQ(message_of([&] { options.set("epoch", std::int64_t{1}); }),
            "unknown option 'epoch', nearest: epochs, lr");
  EXPECT_EQ(message_of([&] { options.number("rate"); }).substr(0, 21), "unknown option 'rate'");
}

}  // namespace
}  // namespace actlab
