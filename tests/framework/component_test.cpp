// Components that a program adds: what their names may be, and how they are found.
#include "framework/core/component.h"

#include <gtest/gtest.h>

#include "framework/optim/optimizer.h"
#include "framework/optim/schedule.h"
#include "tests/support/message_of.h"

namespace actlab {
namespace {

using Answer = Component<int()>;

Option option(const char* name) { return {.name = name, .fallback = 1.0}; }

TEST(Component, IsFoundOnceItIsAdded) {
  std::vector<Answer> all = {{"one", "", {}, [] { return 1; }}};
  add_component("answer", Answer{"two", "", {option("size")}, [] { return 2; }}, all);
  EXPECT_EQ(find_component("answer", "one", all).make(), 1);
  EXPECT_EQ(find_component("answer", "two", all).make(), 2);
}

TEST(Component, NamesAreTakenOnce) {
  std::vector<Answer> all = {{"one", "", {}, {}}};
  EXPECT_EQ(message_of([&] {
              add_component("answer", Answer{"one", "", {}, {}}, all);
            }),
            "two answers are named 'one': give the one that is added another name");
  EXPECT_EQ(message_of([&] {
              add_component("answer", Answer{"two", "", {option("a"), option("b"), option("a")}, {}}, all);
            }),
            "answer 'two': two options are named 'a'");
  EXPECT_EQ(all.size(), 1u);
}

TEST(Component, NamesAreSnakeCase) {
  std::vector<Answer> all;
  for (const char* name :
       {"", "Two", "two-three", "two three", "2two", "_two", "zwölf", "two.three", "a=b"}) {
    const auto refused = [&](const Answer& answer) {
      return message_of([&] { add_component("answer", answer, all); });
    };
    const std::string rule = "a name is made of lower-case letters, digits and _, a letter first";
    EXPECT_EQ(refused({name, "", {}, {}}), concat("answer '", name, "': ", rule));
    EXPECT_EQ(refused({"two", "", {option(name)}, {}}), concat("answer 'two': option '", name, "': ", rule));
  }
  add_component("answer", Answer{"two_3", "", {option("n2_")}, {}}, all);
  EXPECT_EQ(all.size(), 1u);
}

TEST(Component, OptimizersAndSchedulesThatAreRefused) {
  EXPECT_NE(message_of([] {
              add_optimizer({"sgd", "", {option("lr")}, {}});
            }).find("two optimizers"),
            std::string::npos);
  EXPECT_EQ(message_of([] {
              add_optimizer({"mine", "", {option("rate")}, {}});
            }),
            "optimizer 'mine': wanted an option `lr`, the base of the schedule");
  EXPECT_NE(message_of([] {
              add_schedule({"cosine", "", {}, {}});
            }).find("two schedules"),
            std::string::npos);
  EXPECT_EQ(optimizer_types().size(), 2u);
}

}  // namespace
}  // namespace actlab
