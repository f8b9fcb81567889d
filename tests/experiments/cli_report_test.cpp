// actlab report: from trainings to a page that a browser shows.
#include <nlohmann/json.hpp>

#include "tests/support/actlab_program.h"
#include "tests/support/run_folders.h"
#include "tests/support/well_formed.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;

const std::string training =
    "run '" ACTLAB_SOURCE_DIR
    "/experiments/configs/synthetic_smoke.toml' data.train=64 data.test=40 data.size=8 "
    "data.batch=32 model.widths=[4,4] train.epochs=2 ";

TEST(CliReport, WritesThePageOfSomeRuns) {
  const ActlabProgram actlab;
  ASSERT_EQ(actlab.run(training).code, 0);
  const Outcome outcome = actlab.run("report runs --output page.html --title 'a < b' --format json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const auto result = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(result["rows"], 2);
  EXPECT_EQ(result["runs"], 4);
  const std::string html = read_file(actlab.folder() / "page.html");
  EXPECT_EQ(result["bytes"], html.size());
  EXPECT_EQ(markup_fault(html), "");
  EXPECT_EQ(count_of(html, "<th scope=\"row\">"), 2u);
  EXPECT_NE(html.find("<h1>a &lt; b</h1>"), html.npos);
  for (const fs::path& run : run_folders_in(actlab.folder() / "runs/synthetic_smoke"))
    EXPECT_NE(html.find(run.filename()), html.npos);
  ASSERT_EQ(actlab.run("report runs --output again.html --title 'a < b'").code, 0);
  EXPECT_EQ(read_file(actlab.folder() / "again.html"), html);
}

TEST(CliReport, BadInputIsRefused) {
  const ActlabProgram actlab;
  fs::create_directories(actlab.folder() / "runs");
  expect_refusal(actlab.run("report"), 2, {"folders"});
  expect_refusal(actlab.run("report missing"), 2, {"missing", "no such folder of runs"});
  expect_refusal(actlab.run("report runs"), 2, {"no runs"});
  ASSERT_EQ(actlab.run(training + "sweep.activation=relu sweep.seed= train.epochs=1").code, 0);
  expect_refusal(actlab.run("report runs --baseline mish"), 2, {"mish"});
  expect_refusal(actlab.run("report runs --output runs"), 1, {"runs"});
  expect_refusal(actlab.run("report runs --output missing/page.html"), 1,
                 {"missing/page.html", "No such file"});
  actlab.write("page.html", "old");
  const fs::path run = run_folders_in(actlab.folder() / "runs/synthetic_smoke")[0];
  std::ofstream(run / "metrics.jsonl") << "torn\n";
  const Outcome damaged = actlab.run("report runs --output page.html");
  EXPECT_EQ(damaged.code, 0) << damaged.err;
  EXPECT_NE(damaged.err.find("metrics.jsonl:1"), std::string::npos) << damaged.err;
  EXPECT_TRUE(read_file(actlab.folder() / "page.html").starts_with("<!DOCTYPE html>"));
  std::ofstream(run / "summary.json") << "torn\n";
  const Outcome lost = actlab.run("report runs --output page.html");
  EXPECT_EQ(lost.code, 3) << lost.err;
  EXPECT_NE(lost.err.find("every run there is damaged"), std::string::npos) << lost.err;
}

// What a browser makes of the page: `flags` choose the picture or the text of what it holds.
std::string browse(const ActlabProgram& actlab, const std::string& flags) {
  const fs::path folder = actlab.folder();
  const std::string command = concat(
      "cd '", folder.string(),
      "' && timeout 120 chromium --headless --no-sandbox --disable-gpu --user-data-dir=profile ",
      "--enable-logging=stderr --v=0 ", flags, " 'file://", folder.string(), "/page.html' > out 2> err");
  EXPECT_EQ(std::system(command.c_str()), 0) << read_file(folder / "err");
  return read_file(folder / "out");
}

TEST(CliReport, ABrowserShowsIt) {
  if (std::system("chromium --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "chromium is not installed";
  const ActlabProgram actlab;
  ASSERT_EQ(actlab.run(training + "sweep.activation=relu,gelu,'elu(alpha=0.5)' sweep.seed=0,1").code, 0);
  ASSERT_EQ(actlab.run("report runs --output page.html").code, 0);
  const std::string dom = browse(actlab, "--dump-dom");
  EXPECT_EQ(count_of(dom, "<th scope=\"row\">"), 3u);
  EXPECT_NE(dom.find("elu(alpha=0.5)"), dom.npos);
  EXPECT_EQ(count_of(dom, "<svg class=\"chart\""), count_of(dom, "<figure>"));
  EXPECT_EQ(read_file(actlab.folder() / "err").find("CONSOLE"), std::string::npos);
  for (const std::string look : {"1280,1600", "390,1600"}) {
    browse(actlab, "--screenshot=page.png --window-size=" + look);
    EXPECT_GT(fs::file_size(actlab.folder() / "page.png"), 20'000u) << look;
  }
}

}  // namespace
}  // namespace actlab
