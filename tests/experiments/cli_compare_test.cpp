// The options of `actlab compare`, and its tables on terminals.
#include <fcntl.h>
#include <pty.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "tests/experiments/made_up_runs.h"
#include "tests/support/actlab_program.h"

namespace actlab {
namespace {

using nlohmann::json;

// Writes made-up runs as folders that the program finds.
void store(const ActlabProgram& actlab, const std::vector<StoredRun>& runs) {
  for (const StoredRun& run : runs) {
    const std::string folder = "runs/" + run.folder.string();
    std::filesystem::create_directories(actlab.folder() / folder);
    actlab.write(folder + "/summary.json", to_json(run.summary));
    actlab.write(folder + "/config.toml", "[optimizer]\nlr = " + run.config.at("optimizer.lr") + "\n");
    actlab.write(folder + "/metrics.jsonl", "");
  }
}

// Standard output of the program where that is a terminal so many columns wide.
std::string on_terminal(const ActlabProgram& actlab, const std::string& arguments, unsigned short columns,
                        const std::string& setup) {
  winsize size = {.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    const std::string command = concat("cd '", actlab.folder().string(),
                                       "' && unset COLUMNS NO_COLOR; stty -onlcr; export TERM=xterm; ", setup,
                                       " '" ACTLAB_BINARY_DIR "/actlab' ", arguments, " 2>/dev/null");
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  std::string text;
  char part[4096];
  for (ssize_t count = 0; (count = read(terminal, part, sizeof part)) > 0;)
    text.append(part, static_cast<std::size_t>(count));
  close(terminal);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0) << text;
  return text;
}

std::size_t widest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t width = 0;
  for (std::string line; std::getline(lines, line);)
    width = std::max(width, static_cast<std::size_t>(std::count_if(
                                line.begin(), line.end(), [](char c) { return (c & '\xC0') != '\x80'; })));
  return width;
}

TEST(CliCompare, RowsAndColumnsAsAskedFor) {
  const ActlabProgram actlab;
  store(actlab, three_seeds());
  const Outcome plain = actlab.run("compare runs");
  ASSERT_EQ(plain.code, 0) << plain.err;
  EXPECT_NE(plain.err.find("too few seeds: as many as"), std::string::npos) << plain.err;
  EXPECT_NE(plain.out.find("too few seeds: needs about 34"), std::string::npos) << plain.out;
  EXPECT_EQ(plain.out.find('\x1b'), std::string::npos);
  const json sorted = json::parse(actlab.run("compare runs --sort accuracy_mean --format json").out);
  EXPECT_EQ(sorted[0]["activation"], "relu");
  EXPECT_EQ(sorted[1]["delta"], json::parse(actlab.run("compare runs --format json").out)[0]["delta"]);
  const Outcome changed =
      actlab.run("compare runs --only-changed --precision 0 --sort accuracy_mean:desc --format md");
  EXPECT_EQ(changed.out,
            "| activation | accuracy_mean | delta | delta_p | effect | verdict | best_accuracy_mean |\n"
            "|---|---:|---:|---:|---:|---|---:|\n"
            "| gelu | 73 ± 5 % | +2 ± 2 pp | < 1 | +1 | too few seeds: needs about 34 | 74 ± 5 % |\n"
            "| relu | 71 ± 2 % | - | - | - | baseline | 72 ± 2 % |\n");
  EXPECT_EQ(
      json::parse(actlab.run("compare runs --difference 10 --format jsonl --by optimizer.lr | head -n 1")
                      .out)["verdict"],
      "no difference shown");
  EXPECT_TRUE(actlab.run("compare runs --format latex").out.starts_with("\\begin{tabular}"));
}

TEST(CliCompare, RefusesWhatItCannotDo) {
  const ActlabProgram actlab;
  store(actlab, three_seeds());
  expect_refusal(actlab.run("compare runs --sort delt"), 2, {"no column 'delt'", "nearest: delta"});
  expect_refusal(actlab.run("compare runs --by optimizer.l"), 2,
                 {"--by optimizer.l:", "nearest: optimizer.lr"});
  expect_refusal(actlab.run("compare runs --metric validation_loss"), 2, {"held out", "data.validation"});
  expect_refusal(actlab.run("compare none --metric bst_loss"), 2, {"'bst_loss'", "nearest: best_loss"});
  for (const char* wrong : {"--precision=-1", "--precision 16", "--precision x", "--difference 0",
                            "--difference nan", "--difference inf", "--format tex"})
    expect_refusal(actlab.run(concat("compare runs ", wrong)), 2, {std::string(wrong).substr(0, 8)});
}

TEST(CliCompare, FitsTheTerminal) {
  const ActlabProgram actlab;
  store(actlab, three_seeds());
  const std::string pipe = actlab.run("compare runs").out;
  EXPECT_GT(widest_line(pipe), 150u);
  const std::string blocks = on_terminal(actlab, "compare runs", 80, "export NO_COLOR=1;");
  EXPECT_LE(widest_line(blocks), 80u) << blocks;
  EXPECT_NE(blocks.find("\n\nactivation  "), std::string::npos) << blocks;
  EXPECT_EQ(on_terminal(actlab, "compare runs", 400, "export NO_COLOR=1;"), pipe);
  EXPECT_EQ(on_terminal(actlab, "compare runs", 80, "export NO_COLOR=1 COLUMNS=400;"), pipe);
  EXPECT_EQ(on_terminal(actlab, "compare runs --format md", 80, ""),
            actlab.run("compare runs --format md").out);
}

TEST(CliCompare, ColoursAreForTerminalsThatWantThem) {
  const ActlabProgram actlab;
  auto runs = three_seeds();
  for (auto& run : runs)
    if (run.summary.activation == "gelu")
      run.summary.accuracy = 0.8 + 0.0101 * static_cast<double>(run.summary.seed);
  store(actlab, runs);
  const std::string coloured = on_terminal(actlab, "compare runs", 400, "");
  EXPECT_TRUE(coloured.starts_with("\x1b[1mactivation")) << coloured;
  EXPECT_NE(coloured.find("\x1b[32mbetter\x1b[0m"), std::string::npos) << coloured;
  EXPECT_NE(on_terminal(actlab, "compare runs", 400, "export NO_COLOR=;").find('\x1b'), std::string::npos);
  for (const char* without : {"export NO_COLOR=1;", "export TERM=dumb;", "unset TERM;"})
    EXPECT_EQ(on_terminal(actlab, "compare runs", 400, without).find('\x1b'), std::string::npos) << without;
}

TEST(CliCompare, EachActivationHasItsBestLearningRate) {
  const ActlabProgram actlab;
  const Outcome trained = actlab.run(
      "run '" ACTLAB_SOURCE_DIR
      "/experiments/configs/synthetic_smoke.toml' data.train=64 data.test=40 data.size=8 data.batch=32 "
      "model.widths=[4,4] train.epochs=1 data.validation=0.25 sweep.optimizer.lr=0.05,1e-9 --format json");
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_NE(trained.err.find("each activation's best by validation_accuracy"), std::string::npos)
      << trained.err;
  const json chosen = json::parse(trained.out);
  EXPECT_EQ(chosen.size(), 2u) << trained.out;
  const json all = json::parse(actlab.run("compare runs --by activation,optimizer.lr --format json").out);
  ASSERT_EQ(all.size(), 4u);
  for (const json& row : chosen) {
    double best = 0;
    for (const json& other : json::parse(
             actlab.run("compare runs --by optimizer.lr --metric validation_accuracy --format json").out))
      if (other["activation"] == row["activation"])
        best = std::max<double>(best, other["validation_accuracy_mean"]);
    EXPECT_EQ(row["validation_accuracy_mean"], best) << row.dump();
  }
}

}  // namespace
}  // namespace actlab
