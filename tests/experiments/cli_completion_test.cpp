// actlab completion: the words that a line may go on with, by the program and in bash.
#include <algorithm>
#include <sstream>

#include "kernels/activation.h"
#include "tests/support/actlab_program.h"

namespace actlab {
namespace {

using Words = std::vector<std::string>;

Words lines_of(const std::string& text) {
  std::istringstream lines(text);
  Words words;
  for (std::string line; std::getline(lines, line);) words.push_back(line);
  return words;
}

Words words(const ActlabProgram& actlab, const std::string& line) {
  const Outcome outcome = actlab.run("completion words '" + line + "'");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  return lines_of(outcome.out);
}

bool has(const Words& all, const std::string& word) {
  return std::find(all.begin(), all.end(), word) != all.end();
}

TEST(CliCompletion, VerbsAndOptions) {
  const ActlabProgram actlab;
  EXPECT_EQ(words(actlab, "actlab ev"), Words{"evaluate"});
  EXPECT_TRUE(has(words(actlab, "actlab "), "bench"));
  EXPECT_EQ(words(actlab, "actlab bench st"), Words{"step"});
  EXPECT_EQ(words(actlab, "actlab run --tr"), Words{"--trace"});
  EXPECT_EQ(words(actlab, "actlab bench step --by"), Words{"--by-layer"});
  EXPECT_EQ(words(actlab, "actlab list --format "), (Words{"table", "md", "csv", "json", "jsonl", "latex"}));
  EXPECT_EQ(words(actlab, "actlab list --format=j"), (Words{"--format=json", "--format=jsonl"}));
  EXPECT_EQ(words(actlab, "actlab list mo"), Words{"models"});
  EXPECT_EQ(words(actlab, "actlab list --format json mo"), Words{"models"}) << "an option's value is passed";
  EXPECT_EQ(words(actlab, "actlab list models "), Words{}) << "nothing comes after it";
  EXPECT_EQ(words(actlab, "actlab nonsense "), words(actlab, "actlab "));
  EXPECT_EQ(words(actlab, "actlab bench step --batch "), Words{}) << "a number";
}

TEST(CliCompletion, Names) {
  const ActlabProgram actlab;
  Words all = activation_names();
  for (const std::string& gated : gated_names()) all.push_back(gated);
  std::erase(all, "rough_silu");  // of the tests alone
  EXPECT_EQ(words(actlab, "actlab probe "), all);
  EXPECT_EQ(words(actlab, "actlab check relu hard"), Words{"hardswish"});
  EXPECT_EQ(words(actlab, "actlab bench step --activation hard"), Words{"hardswish"});
  EXPECT_EQ(words(actlab, "actlab bench step --model small"), Words{"small_cnn"});
  EXPECT_EQ(words(actlab, "actlab data fetch cif"), Words{"cifar10"});
  EXPECT_EQ(words(actlab, "actlab bench ffn --device re"), Words{"reference"});
}

TEST(CliCompletion, FilesAndFolders) {
  const ActlabProgram actlab;
  actlab.write("a.toml", "");
  actlab.write("a.txt", "");
  std::filesystem::create_directories(actlab.folder() / "ab" / "run");
  std::filesystem::create_directories(actlab.folder() / ".hidden");
  EXPECT_EQ(words(actlab, "actlab run "), (Words{"a.toml", "ab/"}));
  EXPECT_EQ(words(actlab, "actlab run ab/"), Words{"ab/run/"});
  EXPECT_EQ(words(actlab, "actlab run ./a."), Words{"./a.toml"});
  EXPECT_EQ(words(actlab, "actlab compare ab/ a"), Words{"ab/"});
  EXPECT_EQ(words(actlab, "actlab probe gelu --input a."), (Words{"a.toml", "a.txt"}));
  EXPECT_EQ(words(actlab, "actlab run none/"), Words{});
}

TEST(CliCompletion, KeysAndTheirValues) {
  const ActlabProgram actlab;
  std::filesystem::create_directories(actlab.folder() / "set");
  EXPECT_EQ(words(actlab, "actlab run e.toml optimizer.n"),
            (Words{"optimizer.name=", "optimizer.nesterov="}));
  EXPECT_EQ(words(actlab, "actlab run e.toml optimizer.name=a"), Words{"optimizer.name=adamw"});
  EXPECT_EQ(words(actlab, "actlab run e.toml data.aug"), Words{"data.augment="});
  EXPECT_EQ(words(actlab, "actlab run e.toml data.augment=t"), Words{"data.augment=true"});
  EXPECT_EQ(words(actlab, "actlab run e.toml activation=mi"), Words{"activation=mish"});
  EXPECT_EQ(words(actlab, "actlab run e.toml swe"), Words{"sweep."});
  EXPECT_EQ(words(actlab, "actlab run e.toml sweep.act"), [] {
    Words keys = {"sweep.activation="};
    for (const ActivationType& type : activation_types())
      for (const ParameterInfo& info : type.parameters)
        keys.push_back(concat("sweep.activation.", type.info.name, ".", info.name, "="));
    std::sort(keys.begin(), keys.end());
    return keys;
  }());
  EXPECT_EQ(words(actlab, "actlab run e.toml sweep.model.activation=relu,mi"),
            Words{"sweep.model.activation=relu,mish"});
  EXPECT_EQ(words(actlab, "actlab run e.toml data.root=s"), Words{"data.root=set/"});
  EXPECT_EQ(words(actlab, "actlab run e.toml train.epochs="), Words{}) << "a number";
  EXPECT_EQ(words(actlab, "actlab run e.toml no.such=x"), Words{});
}

// The script, read by bash, as the shell calls its function when TAB is pressed.
TEST(CliCompletion, InBash) {
  const ActlabProgram actlab;
  actlab.write("script", actlab.run("completion bash").out);
  const auto reply = [&](const std::string& line) {
    actlab.write("asks", concat("set -u\nsource ./script\nCOMP_LINE='", line,
                                "' COMP_POINT=${#COMP_LINE}\n_actlab '" ACTLAB_BINARY_DIR "/actlab'\n"
                                "printf '%s\\n' ${COMPREPLY[@]+\"${COMPREPLY[@]}\"}\ncomplete -p actlab\n"));
    const Outcome outcome = actlab.run("--version >/dev/null && exec bash --norc asks");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    Words lines = lines_of(outcome.out);
    EXPECT_TRUE(has(lines, "complete -F _actlab actlab"));
    std::erase(lines, "complete -F _actlab actlab");
    return lines;
  };
  EXPECT_EQ(reply("actlab evalu"), Words{"evaluate"});
  EXPECT_EQ(reply("actlab run script --tr"), Words{"--trace"});
  // Bash has "optimizer.name", "=" and "a" as words of their own, and replaces the last.
  EXPECT_EQ(reply("actlab run script optimizer.name=a"), Words{"adamw"});
  EXPECT_EQ(reply("actlab run script sweep.activation=relu,mi"), Words{"relu,mish"});
  EXPECT_EQ(reply("actlab run script optimizer.nes"), Words{"optimizer.nesterov="});
  EXPECT_EQ(reply("actlab list nothing-like-it"), Words{""});
}

}  // namespace
}  // namespace actlab
