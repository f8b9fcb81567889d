// Tables in every format, byte by byte.
#include "experiments/results/table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <locale>

#include "kernels/error.h"

namespace actlab {
namespace {

Table example() {
  return {{{"activation"},
           {"accuracy", Unit::percent},
           {"ci95", Unit::percent, true},
           {"delta", Unit::points},
           {"bytes", Unit::bytes},
           {"seconds", Unit::seconds},
           {"reached"}},
          {{"relu", 0.7231, 0.0042, Cell(), std::int64_t{33000000}, 0.0208, "5/5"},
           {"elu(alpha=0.5)", 0.5, std::nan(""), -0.0017, std::int64_t{512}, std::nan(""), Cell()}}};
}

TEST(Table, AlignedText) {
  EXPECT_EQ(render(example(), TableFormat::table),
            "activation            accuracy     delta    bytes  seconds  reached\n"
            "relu            72.31 ± 0.42 %         -  33.0 MB  20.8 ms  5/5\n"
            "elu(alpha=0.5)         50.00 %  -0.17 pp    512 B        -  -\n");
}

TEST(Table, SpreadsHaveNoSign) {
  const Table table{{{"delta", Unit::points}, {"delta_ci95", Unit::points, true}},
                    {{0.0042, 0.0123}, {-0.01, 0.002}}};
  EXPECT_EQ(render(table, TableFormat::md), "| delta |\n|---:|\n| +0.42 ± 1.23 pp |\n| -1.00 ± 0.20 pp |\n");
}

TEST(Table, ControlCharactersReachNoTerminal) {
  const Table table{{{"class"}, {"images"}}, {{"a\nb\x1b[31m\x7f", std::int64_t{2}}, {"é", std::int64_t{1}}}};
  EXPECT_EQ(render(table, TableFormat::table),
            "class             images\n"
            "a\\nb\\x1b[31m\\x7f       2\n"
            "é                      1\n");
  EXPECT_NE(render(table, TableFormat::md).find("| a\\nb\\x1b[31m\\x7f | 2 |"), std::string::npos);
  EXPECT_NE(render(table, TableFormat::csv).find("\"a\nb\x1b[31m\x7f\",2"), std::string::npos) << "as it is";
}

TEST(Table, Markdown) {
  EXPECT_EQ(render(example(), TableFormat::md),
            "| activation | accuracy | delta | bytes | seconds | reached |\n"
            "|---|---:|---:|---:|---:|---|\n"
            "| relu | 72.31 ± 0.42 % | - | 33.0 MB | 20.8 ms | 5/5 |\n"
            "| elu(alpha=0.5) | 50.00 % | -0.17 pp | 512 B | - | - |\n");
}

TEST(Table, CsvHasRawNumbers) {
  EXPECT_EQ(render(example(), TableFormat::csv),
            "activation,accuracy,ci95,delta,bytes,seconds,reached\n"
            "relu,0.7231,0.0042,,33000000,0.0208,5/5\n"
            "elu(alpha=0.5),0.5,,-0.0017,512,,\n");
}

TEST(Table, CsvQuotes) {
  const Table table{{{"a"}, {"b"}}, {{"x,y", "say \"hi\"\n"}}};
  EXPECT_EQ(render(table, TableFormat::csv), "a,b\n\"x,y\",\"say \"\"hi\"\"\n\"\n");
}

TEST(Table, JsonHasNullForWhatIsNotFinite) {
  const std::string first =
      "{\"activation\":\"relu\",\"accuracy\":0.7231,\"ci95\":0.0042,\"delta\":null,\"bytes\":33000000,"
      "\"seconds\":0.0208,\"reached\":\"5/5\"}";
  const std::string second =
      "{\"activation\":\"elu(alpha=0.5)\",\"accuracy\":0.5,\"ci95\":null,\"delta\":-0.0017,\"bytes\":512,"
      "\"seconds\":null,\"reached\":null}";
  EXPECT_EQ(render(example(), TableFormat::json), "[\n  " + first + ",\n  " + second + "\n]\n");
  EXPECT_EQ(render(example(), TableFormat::jsonl), first + "\n" + second + "\n");
}

TEST(Table, WithoutRows) {
  const Table empty{{{"a"}, {"b"}}, {}};
  EXPECT_EQ(render(empty, TableFormat::table), "a  b\n");
  EXPECT_EQ(render(empty, TableFormat::csv), "a,b\n");
  EXPECT_EQ(render(empty, TableFormat::json), "[]\n");
  EXPECT_EQ(render(empty, TableFormat::jsonl), "");
}

TEST(Table, LocaleChangesNothing) {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  for (const auto& name : table_format_names()) {
    const auto format = parse_table_format(name);
    const auto plain = render(example(), format);
    const std::locale before = std::locale::global(std::locale(std::locale(), new Comma));
    const auto other = render(example(), format);
    std::locale::global(before);
    EXPECT_EQ(other, plain) << name;
  }
}

TEST(Table, Formats) {
  EXPECT_EQ(parse_table_format("md"), TableFormat::md);
  EXPECT_THROW(parse_table_format("xml"), ConfigError);
}

TEST(Readable, NumbersKeepThreeDigitsAndTheirUnit) {
  EXPECT_EQ(readable(0.0208, Unit::seconds), "20.8 ms");
  EXPECT_EQ(readable(0.9996, Unit::seconds), "1.00 s");
  EXPECT_EQ(readable(123.4, Unit::seconds), "123 s");
  EXPECT_EQ(readable(3.2e-10, Unit::seconds), "0.32 ns");
  EXPECT_EQ(readable(2.5e-6, Unit::seconds), "2.50 µs");
  EXPECT_EQ(readable(0.0, Unit::seconds), "0.00 ns");
  EXPECT_EQ(readable(std::int64_t{0}, Unit::bytes), "0 B");
  EXPECT_EQ(readable(std::int64_t{999}, Unit::bytes), "999 B");
  EXPECT_EQ(readable(std::int64_t{34603008}, Unit::bytes), "34.6 MB");
  EXPECT_EQ(readable(std::int64_t{999999}, Unit::bytes), "1.00 MB");
  EXPECT_EQ(readable(6150.0, Unit::per_second), "6150 /s");
  EXPECT_EQ(readable(1.94213, Unit::nats), "1.9421 nats");
  EXPECT_EQ(readable(0.02, Unit::nats_difference), "+0.0200 nats");
  EXPECT_EQ(readable(-0.02, Unit::nats_difference), "-0.0200 nats");
  EXPECT_EQ(readable(0.0004, Unit::probability), "< 0.001");
  EXPECT_EQ(readable(0.04, Unit::probability), "0.040");
  EXPECT_EQ(readable(0.0042, Unit::points), "+0.42 pp");
  EXPECT_EQ(readable(1172.5, Unit::plain), "1172.5");
  EXPECT_EQ(readable(std::int64_t{1234567}, Unit::plain), "1234567");
  EXPECT_EQ(readable(true, Unit::plain), "yes");
  EXPECT_EQ(readable("", Unit::plain), "-");
}

}  // namespace
}  // namespace actlab
