// What a person sees of a sweep: on a terminal of 80 columns, in a file, without colours, in another locale.
#include <algorithm>
#include <regex>
#include <sstream>

#include "tests/support/actlab_program.h"

namespace actlab {
namespace {

const std::string sweep =
    "run '" ACTLAB_SOURCE_DIR
    "/experiments/configs/synthetic_smoke.toml' data.train=512 data.test=64 model.widths=[8,8] "
    "train.epochs=12 train.eval_every=48 threads=1 sweep.seed=0 ";

// Standard output and error on a terminal of 80 columns; `environment`: "NO_COLOR=1 ".
std::string on_terminal(const ActlabProgram& actlab, const std::string& arguments,
                        const std::string& environment = "") {
  const Outcome outcome =
      actlab.run(arguments, "unset NO_COLOR COLUMNS; TERM=xterm " + environment +
                                "bash -c 'script -qec \"stty cols 80; $(printf \"%q \" \"$@\")\" /dev/null' "
                                "bash");
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  return outcome.out;
}

// What stood on the screen one after the other, lines that were drawn over among it.
std::vector<std::string> screen_lines(const std::string& output) {
  const std::string plain = std::regex_replace(output, std::regex("\x1b\\[[0-9;]*[A-Za-z]"), "");
  std::vector<std::string> lines(1);
  for (const char c : plain) {
    if (c == '\n' || c == '\r')
      lines.emplace_back();
    else
      lines.back() += c;
  }
  std::erase(lines, "");
  return lines;
}

// Times and folders as they are in no two runs.
std::string recorded(std::string text) {
  text = std::regex_replace(text, std::regex("\\d{8}-\\d{6}"), "STAMP");
  text = std::regex_replace(text, std::regex("-[0-9a-f]{8}\\b"), "-ID");
  text = std::regex_replace(text, std::regex("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d"), "TIME");
  return std::regex_replace(text, std::regex("done in \\d+:\\d\\d"), "done in 0:00");
}

std::size_t columns_of(const std::string& line) {
  return static_cast<std::size_t>(
      std::count_if(line.begin(), line.end(), [](char c) { return (c & '\xC0') != '\x80'; }));
}

TEST(CliTerminal, TheBarAndTheTableFit80Columns) {
  const ActlabProgram actlab;
  const std::vector<std::string> lines = screen_lines(on_terminal(actlab, sweep));
  const std::regex bar(
      "\\[1/2\\] relu s0( \\[#*\\.*\\])?  [ \\d]{2}\\d %  (\\d+:\\d\\d left  )?loss \\d\\.\\d{3}(  acc "
      "\\d+\\.\\d %)?"
      "(  \\d+ images/s)?");
  EXPECT_GE(std::count_if(lines.begin(), lines.end(),
                          [&](const std::string& line) { return std::regex_match(line, bar); }),
            1);
  std::size_t table = 0;
  for (const std::string& line : lines) {
    const bool row =
        line.starts_with("activation ") || line.starts_with("gelu ") || line.starts_with("relu ");
    const bool drawn = line.starts_with("[") && line.find(" seed 0: ") == line.npos;
    if (!row && !drawn) continue;  // the log's sentences are as long as they are
    EXPECT_LE(columns_of(line), 80u) << line;
    table += line.starts_with("gelu ");
  }
  EXPECT_GE(table, 2u) << "the table goes on below, under the names again";
}

TEST(CliTerminal, ColoursAreForTerminalsThatWantThem) {
  const ActlabProgram actlab;
  const std::regex colour("\x1b\\[[0-9;]*m");
  EXPECT_TRUE(std::regex_search(on_terminal(actlab, sweep), colour));
  const std::string plain = on_terminal(actlab, sweep + "--force", "NO_COLOR=1 ");
  EXPECT_FALSE(std::regex_search(plain, colour)) << plain;
  const std::string dumb = on_terminal(actlab, sweep + "--force", "TERM=dumb ");
  EXPECT_EQ(dumb.find('\x1b'), std::string::npos) << dumb;
}

TEST(CliTerminal, AFileHoldsWholeLines) {
  const ActlabProgram actlab;
  const Outcome outcome = actlab.run(sweep + "sweep.activation=gelu");
  const std::string wanted =
      "TIME info: [1/1] gelu seed 0: runs/synthetic_smoke/STAMP-gelu-s0-ID\n"
      "TIME info: [1/1] gelu seed 0: step 48/96  train loss ";
  EXPECT_EQ(recorded(outcome.err).substr(0, wanted.size()), wanted);
  EXPECT_TRUE(recorded(outcome.err).ends_with(" %\nTIME info: [1/1] gelu seed 0: done in 0:00\n"))
      << outcome.err;
  EXPECT_EQ((outcome.err + outcome.out).find_first_of("\r\x1b"), std::string::npos);
  EXPECT_TRUE(outcome.out.starts_with("activation  seeds")) << outcome.out;
}

// The decimal mark and all else are the same, whatever the locale.
TEST(CliTerminal, TheLocaleChangesNoByte) {
  const ActlabProgram actlab;
  const auto in_locale = [&](const std::string& locale) {
    const Outcome outcome =
        actlab.run(sweep + "sweep.activation=gelu --force --format csv", "LC_ALL=" + locale);
    std::istringstream cells(outcome.out);
    std::string text = recorded(outcome.err), cell;
    for (int i = 0; i < 25 && std::getline(cells, cell, ','); ++i) text += cell + ",";
    return text;
  };
  EXPECT_EQ(in_locale("C"), in_locale("C.UTF-8"));
}

TEST(CliTerminal, ProgressAsItIsAskedFor) {
  const ActlabProgram actlab;
  const std::string one = sweep + "sweep.activation=gelu --force ";
  EXPECT_EQ(on_terminal(actlab, one + "--progress none").find("images/s"), std::string::npos);
  EXPECT_EQ(on_terminal(actlab, one + "--progress plain").find('\r' + std::string("[1/1]")),
            std::string::npos);
  const Outcome json = actlab.run(one + "--progress json");
  std::istringstream lines(json.err);
  int statuses = 0;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(line.starts_with("{\"event\":\"")) << line;
    statuses += line.starts_with("{\"event\":\"status\"");
  }
  EXPECT_GE(statuses, 1) << json.err;
  expect_refusal(actlab.run(one + "--progress bars"), 2, {"unknown display 'bars'", "nearest: bar"});
}

}  // namespace
}  // namespace actlab
