// What a terminal of 80 columns shows of jobs, and what programs read of them.
#include "experiments/cli/display.h"

#include <gtest/gtest.h>

#include "experiments/cli/events.h"
#include "experiments/cli/terminal_line.h"
#include "framework/core/files.h"

namespace actlab {
namespace {

TEST(TerminalLine, TheBarTakesWhatTheNumbersLeave) {
  const std::vector<std::string> pieces = {"1:05 left", "loss 0.431", "acc 71.2 %", "1200 images/s"};
  EXPECT_EQ(progress_line("[2/10] gelu s0", 0.45, pieces, 79),
            "[2/10] gelu s0 [##...]   45 %  1:05 left  loss 0.431  acc 71.2 %  1200 images/s");
  EXPECT_EQ(
      progress_line("[2/10] gelu s0", 0.5, pieces, 100),
      "[2/10] gelu s0 [#############.............]   50 %  1:05 left  loss 0.431  acc 71.2 %  1200 images/s");
  EXPECT_EQ(progress_line("cifar10", 1, {"0:00 left"}, 40), "cifar10 [############]  100 %  0:00 left");
}

TEST(TerminalLine, NoLineIsLongerThanTheTerminal) {
  const std::string name(100, 'x');
  for (std::size_t width = 10; width < 140; ++width)
    EXPECT_LE(progress_line(name, 0.3, {"1:05 left", "loss 0.431"}, width).size(),
              std::max<std::size_t>(width, 47))
        << width;
}

TEST(TerminalLine, TimesAsClocksShowThem) {
  EXPECT_EQ(clock_text(65), "1:05");
  EXPECT_EQ(clock_text(3600 + 120 + 3.4), "1:02:03");
  EXPECT_EQ(time_left(0.25, 10), "0:30 left");
  EXPECT_EQ(time_left(0, 10), "");
}

struct Diary : Display {
  void begin(std::size_t job, const std::string& name, const std::filesystem::path& folder) override {
    text += "begin " + std::to_string(job) + " " + name + " " + folder.string() + "; ";
  }
  void show(std::size_t job, const JobStatus& s) override {
    text += "show " + std::to_string(job) + " " + std::to_string(s.step) + "/" + std::to_string(s.total) +
            " " + s.unit + "; ";
    status = s;
  }
  void end(std::size_t job) override { text += "end " + std::to_string(job) + "; "; }
  std::string text;
  JobStatus status;
};

TEST(Events, WhatOneProcessWritesAnotherShows) {
  Diary diary;
  const JobStatus status{.first_step = 2,
                         .step = 5,
                         .total = 10,
                         .loss = 0.25,
                         .accuracy = 0.5,
                         .per_second = 100,
                         .unit = "images"};
  EXPECT_EQ(replay(to_json(begin_event(0, "", "runs/x")), 3, "gelu", diary), "runs/x");
  EXPECT_FALSE(replay(to_json(status_event(0, status)), 3, "gelu", diary));
  EXPECT_FALSE(replay(to_json(end_event(0)), 3, "gelu", diary));
  EXPECT_EQ(diary.text, "begin 3 gelu runs/x; show 3 5/10 images; end 3; ");
  EXPECT_EQ(diary.status.first_step, 2);
  EXPECT_EQ(diary.status.loss, 0.25);
  EXPECT_EQ(diary.status.accuracy, 0.5);
  EXPECT_EQ(diary.status.per_second, 100);
  EXPECT_EQ(diary.status.share_of_rest(), 3.0 / 8.0);
}

}  // namespace
}  // namespace actlab
