// Sweeps on the command line: several jobs at once, plans, signals.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/actlab_program.h"
#include "tests/support/run_folders.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::string small =
    "run '" ACTLAB_SOURCE_DIR
    "/experiments/configs/synthetic_smoke.toml' data.train=64 data.test=40 data.size=8 data.batch=32 "
    "model.widths=[4,4] train.epochs=2 threads=1 ";
// Hours, were it not stopped.
const std::string endless = small + "train.epochs=1000000 train.eval_every=1000000000 sweep.seed=0 ";

json without_times(const std::string& text) {
  json rows = json::parse(text, nullptr, false);
  for (json& row : rows)
    for (const char* time : {"step_seconds", "images_per_second"}) row.erase(time);
  return rows;
}

std::string status_of(const fs::path& run) {
  return json::parse(read_file(run / "summary.json")).at("status").get<std::string>();
}

TEST(CliJobs, SeveralAtOnceGiveTheRowsOfOneAfterTheOther) {
  const ActlabProgram actlab;
  const std::string sweep = small + "sweep.activation=relu,gelu 'sweep.seed=0..2' --format json ";
  const Outcome in_turn = actlab.run(sweep + "run.root=a");
  const Outcome at_once = actlab.run(sweep + "run.root=b --jobs 2");
  ASSERT_EQ(in_turn.code, 0) << in_turn.err;
  ASSERT_EQ(at_once.code, 0) << at_once.err;
  EXPECT_EQ(without_times(in_turn.out).size(), 2u);
  EXPECT_EQ(without_times(in_turn.out), without_times(at_once.out));
  EXPECT_NE(at_once.err.find("[6/6] gelu seed 2: step 4/4"), std::string::npos) << at_once.err;
  EXPECT_EQ(run_folders_in(actlab.folder() / "b/synthetic_smoke").size(), 6u);

  const Outcome again = actlab.run(sweep + "run.root=b --jobs 3");
  EXPECT_EQ(again.out, at_once.out);
  EXPECT_NE(again.err.find("[1/6] relu seed 0: done before in b/"), std::string::npos) << again.err;
}

TEST(CliJobs, ADivergedJobAmongSeveralKeepsItsRow) {
  const ActlabProgram actlab;
  const Outcome outcome =
      actlab.run(small + "sweep.seed=0 sweep.optimizer.lr=0.01,1e30 --jobs 2 --format json");
  EXPECT_EQ(outcome.code, 4) << outcome.err;
  EXPECT_EQ(json::parse(outcome.out).size(), 4u);
  EXPECT_NE(outcome.err.find("[2/4] relu seed 0 lr=1e+30: diverged:"), std::string::npos) << outcome.err;
  const Outcome again = actlab.run(small + "sweep.seed=0 sweep.optimizer.lr=0.01,1e30 --format json");
  EXPECT_EQ(again.code, 4);
  EXPECT_NE(again.err.find("diverged before in "), std::string::npos) << again.err;
  EXPECT_EQ(run_folders_in(actlab.folder() / "runs/synthetic_smoke").size(), 4u);
}

// Each line of a plan is one job of the sweep, the same whether it is run by its line or by its number.
TEST(CliJobs, PlansNameEveryJob) {
  const ActlabProgram actlab;
  const std::string sweep =
      small + "'sweep.activation=relu,elu(alpha=0.5)' sweep.seed=3,4 'sweep.model.widths=[4,4],[4,8]' ";
  const Outcome planned = actlab.run(sweep + "--plan plan.txt");
  ASSERT_EQ(planned.code, 0) << planned.err;
  EXPECT_FALSE(fs::exists(actlab.folder() / "runs"));
  std::ifstream plan(actlab.folder() / "plan.txt");
  std::vector<std::string> lines;
  for (std::string line; std::getline(plan, line);) lines.push_back(line);
  ASSERT_EQ(lines.size(), 8u);
  EXPECT_NE(lines[7].find("'activation=elu(alpha=0.5)' seed=4 'model.widths=[4, 8]'"), std::string::npos)
      << lines[7];

  ASSERT_EQ(actlab.run("run " + lines[7]).code, 0);
  const Outcome indexed = actlab.run(sweep + "--index 7");
  EXPECT_EQ(indexed.code, 0);
  EXPECT_NE(indexed.err.find("[8/8] elu(alpha=0.5) seed 4 widths=[4, 8]: done before"), std::string::npos)
      << indexed.err;
  const Outcome one = actlab.run(sweep + "--index 7 --plan one.txt");
  EXPECT_EQ(read_file(actlab.folder() / "one.txt"), lines[7] + "\n") << one.err;
  expect_refusal(actlab.run(sweep + "--index 8"), 2, {"--index 8", "jobs 0 to 7"});
  expect_refusal(actlab.run(sweep + "--plan no/folder/plan.txt"), 1, {"no/folder/plan.txt"});
  expect_refusal(actlab.run(sweep + "--plan p --dry-run"), 2, {"--plan", "--dry-run"});
}

TEST(CliJobs, DryRunsPrintEveryJobAndTrainNothing) {
  const ActlabProgram actlab;
  const Outcome outcome = actlab.run(small + "sweep.optimizer.lr=0.1,0.2 --dry-run --format json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(fs::exists(actlab.folder() / "runs"));
  const json rows = json::parse(outcome.out);
  ASSERT_EQ(rows.size(), 8u);
  EXPECT_EQ(rows[7]["job"], 7);
  EXPECT_EQ(rows[7]["optimizer.lr"], "0.2");
  EXPECT_EQ(rows[0]["steps"], 4);
  EXPECT_EQ(rows[0]["state"], "to do");
  EXPECT_GT(rows[0]["seconds"], 4 * rows[0]["step_seconds"].get<double>());
  EXPECT_NE(outcome.err.find("8 of 8 jobs to do, about "), std::string::npos) << outcome.err;

  // Its bytes are those that the run will have.
  ASSERT_EQ(actlab.run(small + "sweep.optimizer.lr=0.1").code, 0);
  const json again =
      json::parse(actlab.run(small + "sweep.optimizer.lr=0.1,0.2 --dry-run --format json").out);
  EXPECT_EQ(again[0]["state"], "stays, done before");
  EXPECT_EQ(again[1]["state"], "to do");
  const json done = json::parse(actlab.run(small + "sweep.optimizer.lr=0.1 sweep.seed=0 --format json").out);
  EXPECT_EQ(done[0]["saved_bytes"], rows[0]["saved_bytes"]);
  EXPECT_EQ(done[0]["activation_bytes"], rows[0]["activation_bytes"]);
  EXPECT_EQ(done[0]["parameters"], rows[0]["parameters"]);
  // But for the few bytes of a scaled loss.
  EXPECT_NEAR(done[0]["peak_bytes"].get<double>(), rows[0]["peak_bytes"].get<double>(), 64);
}

// Sends the program a signal once a job has trained some steps.
Outcome signalled(const ActlabProgram& actlab, const std::string& arguments, const std::string& signal) {
  return actlab.run(
      arguments + " --progress json",
      "sh -c '\"$@\" 2> err.txt & for i in $(seq 3000); do grep -q event.:.status err.txt && break; "
      "sleep 0.02; done; kill -" +
          signal + " $!; wait $!; code=$?; cat err.txt >&2; exit $code' sh");
}

TEST(CliJobs, SignalsSaveAndTheSameCommandGoesOn) {
  for (const auto& [signal, code] : {std::pair{"TERM", 143}, {"USR1", 138}}) {
    const ActlabProgram actlab;
    const Outcome stopped = signalled(actlab, endless + "sweep.activation=gelu", signal);
    EXPECT_EQ(stopped.code, code) << stopped.err;
    EXPECT_EQ(stopped.out, "");
    const fs::path run = run_folders_in(actlab.folder() / "runs/synthetic_smoke").at(0);
    ASSERT_EQ(status_of(run), "interrupted");
    const auto steps = json::parse(read_file(run / "summary.json")).at("steps").get<std::int64_t>();
    EXPECT_TRUE(fs::exists(run / concat("checkpoints/step-", steps))) << steps;
    EXPECT_EQ(actlab.run("evaluate runs/synthetic_smoke/latest").code, 0);

    const Outcome resumed = signalled(actlab, "resume runs/synthetic_smoke/latest", signal);
    EXPECT_EQ(resumed.code, code) << resumed.err;
    EXPECT_NE(resumed.err.find(concat("goes on after step ", steps)), std::string::npos) << resumed.err;
    const Outcome again = signalled(actlab, endless + "sweep.activation=gelu", signal);
    EXPECT_NE(again.err.find("goes on after step "), std::string::npos) << again.err;
    EXPECT_EQ(run_folders_in(actlab.folder() / "runs/synthetic_smoke").size(), 1u);
  }
}

TEST(CliJobs, ASignalStopsAllJobsThatRunAtOnce) {
  const ActlabProgram actlab;
  const Outcome stopped = signalled(actlab, endless + "--jobs 2", "TERM");
  EXPECT_EQ(stopped.code, 143) << stopped.err;
  for (const fs::path& run : run_folders_in(actlab.folder() / "runs/synthetic_smoke"))
    EXPECT_EQ(status_of(run), "interrupted") << run;
}

// Ctrl-Z, and `fg`.
TEST(CliJobs, AllJobsThatRunAtOnceStopForAWhile) {
  const ActlabProgram actlab;
  actlab.write("pause.sh", R"sh(
state() { cut -d' ' -f3 "/proc/$1/stat"; }
states_of_jobs() { for job in $(cat "/proc/$1/task/$1/children"); do state "$job"; done | sort -u | xargs; }
"$@" 2>err.txt &
for i in $(seq 300); do grep -q '"event":"status"' err.txt && break; sleep 0.1; done
kill -TSTP $!
for i in $(seq 300); do [ "$(state $!) $(states_of_jobs $!)" = "T T" ] && break; sleep 0.1; done
states_of_jobs $! >stopped
kill -CONT $!
for i in $(seq 300); do case $(states_of_jobs $!) in *T*) sleep 0.1 ;; *) break ;; esac done
states_of_jobs $! >going
kill -TERM $!
wait $!
)sh");
  EXPECT_EQ(actlab.run(endless + "--jobs 2 --progress json", "bash pause.sh").code, 143);
  EXPECT_EQ(read_file(actlab.folder() / "stopped"), "T\n");
  const std::string going = read_file(actlab.folder() / "going");
  EXPECT_TRUE(going != "\n" && going.find('T') == std::string::npos) << going;
}

TEST(CliJobs, AFolderThatCannotBeMadeIsSaidBeforeAnyJob) {
  const ActlabProgram actlab;
  actlab.write("blocked", "");
  for (const std::string jobs : {"1", "2"}) {
    expect_refusal(actlab.run(small + "sweep.seed=0 sweep.run.root=runs,blocked --jobs " + jobs), 1,
                   {"blocked/synthetic_smoke: cannot create the folder", "run.root=FOLDER"});
    EXPECT_TRUE(run_folders_in(actlab.folder() / "runs/synthetic_smoke").empty());
  }
}

// Two processes that are given the same sweep at the same time share its jobs.
TEST(CliJobs, TwoProcessesTrainNoJobTwice) {
  const ActlabProgram actlab;
  const Outcome both =
      actlab.run(small + "train.epochs=40", "sh -c '\"$@\" > a.txt 2>&1 & \"$@\" > b.txt 2>&1; wait' sh");
  EXPECT_EQ(run_folders_in(actlab.folder() / "runs/synthetic_smoke").size(), 4u) << both.err;
}

TEST(CliJobs, DamagedFilesOfARunDoNotEndIt) {
  const ActlabProgram actlab;
  const std::string job = small + "sweep.seed=0 sweep.activation=gelu train.epochs=4 ";
  ASSERT_EQ(actlab.run(job).code, 0);
  const fs::path run = actlab.folder() / "runs/synthetic_smoke/latest";
  std::string summary = read_file(run / "summary.json");
  summary.replace(summary.find("\"done\""), 6, "\"running\"");
  write_file_atomically(run / "summary.json", summary);
  write_file_atomically(run / "environment.json", "{");
  write_file_atomically(run / "metrics.jsonl", "{\"step\":\n");
  const Outcome again = actlab.run(job);
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_NE(again.err.find("environment.json: is damaged"), std::string::npos) << again.err;
  EXPECT_NE(again.err.find("metrics.jsonl: 1 damaged lines are left out"), std::string::npos) << again.err;
}

TEST(CliJobs, ResumeSaysWhatItCannotDo) {
  const ActlabProgram actlab;
  ASSERT_EQ(actlab.run(small + "sweep.seed=0 sweep.activation=gelu").code, 0);
  expect_refusal(actlab.run("resume runs"), 2, {"runs: is no run folder"});
  expect_refusal(actlab.run("resume runs/synthetic_smoke/latest"), 2, {"is done, after 4 steps"});
  expect_refusal(actlab.run("resume runs/synthetic_smoke/latest optimizer.lr=1"), 2,
                 {"takes no settings, found 'optimizer.lr=1'", "actlab run"});
  expect_refusal(actlab.run(small + "--retry --force"), 2, {"--retry", "--force"});
  expect_refusal(actlab.run(small + "--jobs 0"), 2, {"--jobs"});
}

// The script kills 200 times when it is called by itself.
TEST(CliJobs, KilledRunsGoOnToTheSameBytes) {
  const ActlabProgram actlab;
  const Outcome outcome = actlab.run("", "bash '" ACTLAB_SOURCE_DIR "/tests/kill_and_resume.sh' 6");
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
}

TEST(CliJobs, TheLogIsKeptWithTheRun) {
  const ActlabProgram actlab;
  const Outcome quiet = actlab.run(small + "sweep.seed=0 sweep.activation=gelu --log-level error");
  ASSERT_EQ(quiet.code, 0);
  EXPECT_EQ(quiet.err, "");
  const std::string log = read_file(actlab.folder() / "runs/synthetic_smoke/latest/log.txt");
  EXPECT_NE(log.find("info: [1/1] gelu seed 0: step 4/4  train loss"), std::string::npos) << log;
  EXPECT_NE(log.find("done in"), std::string::npos) << log;
}

}  // namespace
}  // namespace actlab
