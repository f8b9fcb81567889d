// What a program adds before the command line runs, and the errors of that.
#include <gtest/gtest.h>

#include "datasets/datasets.h"
#include "experiments/cli/cli.h"
#include "experiments/config/schema.h"
#include "models/models.h"
#include "tests/support/message_of.h"

namespace actlab {
namespace {

// Exit code and standard error of `actlab list models` in a program that adds.
std::pair<int, std::string> list_models(const std::function<void()>& add) {
  char program[] = "actlab", verb[] = "list", what[] = "models";
  char* arguments[] = {program, verb, what, nullptr};
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  const int code = cli_main(3, arguments, add);
  testing::internal::GetCapturedStdout();
  return {code, testing::internal::GetCapturedStderr()};
}

ModelType model(const char* name, std::vector<Option> options = {}) {
  return {name, "", std::move(options), MakeModel<ImageSpec>()};
}

TEST(AddedComponents, ErrorsAreALineAndAnExitCode) {
  const auto refused = [](const std::string& line) { return std::pair(1, "actlab: " + line + "\n"); };
  EXPECT_EQ(list_models({}), std::pair(0, std::string()));
  EXPECT_EQ(list_models([] { add_model(model("small_cnn")); }),
            refused("two models are named 'small_cnn': give the one that is added another name"));
  EXPECT_EQ(list_models([] { add_model(model("MyModel")); }),
            refused("model 'MyModel': a name is made of lower-case letters, digits and _, a letter first"));
  EXPECT_EQ(list_models([] {
              add_dataset({"text", "", {}, {}});
            }),
            refused("two data sets are named 'text': give the one that is added another name"));
}

TEST(AddedComponents, OptionsAreNoKeysOfEveryExperiment) {
  const auto refusal = [](const char* option) {
    return message_of([&] {
      check_options({{{"mine", "", {{.name = option, .fallback = 1.0}}}}, {}, {}, {}});
    });
  };
  EXPECT_EQ(refusal("activation"),
            "model 'mine': its option 'activation' is a key of every experiment, "
            "model.activation: give it another name");
  EXPECT_EQ(refusal("batch"), "no error");  // data.batch is another section's
}

}  // namespace
}  // namespace actlab
