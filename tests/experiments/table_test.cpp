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

TEST(Table, LatexCompilesWithBooktabs) {
  EXPECT_EQ(render(example(), TableFormat::latex),
            "\\begin{tabular}{lrrrrl}\n"
            "\\toprule\n"
            "activation & accuracy & delta & bytes & seconds & reached \\\\\n"
            "\\midrule\n"
            "relu & 72.31 $\\pm$ 0.42 \\% & - & 33.0 MB & 20.8 ms & 5/5 \\\\\n"
            "elu(alpha=0.5) & 50.00 \\% & $-$0.17 pp & 512 B & - & - \\\\\n"
            "\\bottomrule\n"
            "\\end{tabular}\n");
  const Table special{{{"a_b"}, {"t", Unit::seconds}}, {{"[4]*&%$#_{}~^\\<|>\"", 2.5e-6}}};
  const std::string text = render(special, TableFormat::latex);
  EXPECT_NE(text.find("\na\\_b & t \\\\\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n{[}4{]}{*}\\&\\%\\$\\#\\_\\{\\}\\textasciitilde{}\\textasciicircum{}"
                      "\\textbackslash{}$<$$|$$>${\"} & 2.50 $\\mu$s \\\\\n"),
            std::string::npos)
      << text;
}

TEST(Table, DigitsAfterThePointAreForPeople) {
  EXPECT_EQ(render(example(), TableFormat::md, {.digits = 0}),
            "| activation | accuracy | delta | bytes | seconds | reached |\n"
            "|---|---:|---:|---:|---:|---|\n"
            "| relu | 72 ± 0 % | - | 33 MB | 21 ms | 5/5 |\n"
            "| elu(alpha=0.5) | 50 % | -0 pp | 512 B | - | - |\n");
  EXPECT_EQ(render(example(), TableFormat::csv, {.digits = 0}), render(example(), TableFormat::csv));
}

TEST(Table, WideOnesGoOnBelow) {
  const std::string blocks =
      "activation            accuracy\n"
      "relu            72.31 ± 0.42 %\n"
      "elu(alpha=0.5)         50.00 %\n"
      "\n"
      "activation         delta    bytes\n"
      "relu                   -  33.0 MB\n"
      "elu(alpha=0.5)  -0.17 pp    512 B\n"
      "\n"
      "activation      seconds  reached\n"
      "relu            20.8 ms  5/5\n"
      "elu(alpha=0.5)        -  -\n";
  EXPECT_EQ(render(example(), TableFormat::table, {.width = 33}), blocks);
  EXPECT_EQ(render(example(), TableFormat::table, {.width = 1000}), render(example(), TableFormat::table));
  EXPECT_EQ(render(example(), TableFormat::md, {.width = 33}), render(example(), TableFormat::md));
  Table two_names = example();
  two_names.names = 2;
  const std::string narrow = render(two_names, TableFormat::table, {.width = 1});
  EXPECT_TRUE(narrow.starts_with("activation            accuracy     delta\n")) << narrow;
  EXPECT_NE(narrow.find("\n\nactivation            accuracy    bytes\n"), std::string::npos) << narrow;
}

TEST(Table, ColoursAreOfHeadersAndVerdicts) {
  const Table table{{{"a"}, {"verdict", Unit::verdict}, {"n"}},
                    {{"better", "better (2 of 3 seeds)", std::int64_t{1}},
                     {"b", "worse", std::int64_t{2}},
                     {"c", "no difference shown", std::int64_t{3}}}};
  EXPECT_EQ(render(table, TableFormat::table, {.colours = true}),
            "\x1b[1ma       verdict                n\x1b[0m\n"
            "better  \x1b[32mbetter (2 of 3 seeds)\x1b[0m  1\n"
            "b       \x1b[31mworse\x1b[0m                  2\n"
            "c       no difference shown    3\n");
  EXPECT_EQ(render(table, TableFormat::md, {.colours = true}), render(table, TableFormat::md));
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
  EXPECT_EQ(readable(-0.5, Unit::standard_deviations), "-0.50");
  EXPECT_EQ(readable("5/5", Unit::reached), "5/5");
  EXPECT_EQ(readable("6/8", Unit::reached), "not reached 2/8");
  EXPECT_EQ(readable("0/8", Unit::reached), "not reached 8/8");
  EXPECT_EQ(readable(1172.5, Unit::plain), "1172.5");
  EXPECT_EQ(readable(std::int64_t{1234567}, Unit::plain), "1234567");
  EXPECT_EQ(readable(true, Unit::plain), "yes");
  EXPECT_EQ(readable("", Unit::plain), "-");
}

TEST(Readable, DigitsAsAskedFor) {
  EXPECT_EQ(readable(0.7231, Unit::percent, 1), "72.3 %");
  EXPECT_EQ(readable(0.0042, Unit::points, 3), "+0.420 pp");
  EXPECT_EQ(readable(0.004, Unit::probability, 2), "< 0.01");
  EXPECT_EQ(readable(0.0412, Unit::probability, 4), "0.0412");
  EXPECT_EQ(readable(0.0208, Unit::seconds, 3), "20.800 ms");
  EXPECT_EQ(readable(4.5071, Unit::plain, 1), "4.5");
  EXPECT_EQ(readable(1200.0, Unit::plain, 2), "1200") << "a whole number stays one";
  EXPECT_EQ(readable(std::int64_t{512}, Unit::bytes, 2), "512 B");
}

}  // namespace
}  // namespace actlab
