// The help of all verbs, whose examples work when pasted.
#include <algorithm>
#include <sstream>

#include "tests/support/actlab_program.h"

namespace actlab {
namespace {

// The lines of a part of the help, which begins with a title and ends with an empty line.
std::vector<std::string> part_of(const std::string& help, const std::string& title) {
  std::vector<std::string> part;
  const auto begin = help.find("\n" + title + "\n");
  if (begin == std::string::npos) return part;
  std::istringstream lines(help.substr(begin + title.size() + 2));
  for (std::string line; std::getline(lines, line) && !line.empty();) part.push_back(line);
  return part;
}

// "", "run", ..., "bench", "bench step", ...: a verb, and those below it.
void add_verbs(const ActlabProgram& actlab, const std::string& verb, std::vector<std::string>& verbs) {
  verbs.push_back(verb);
  for (const std::string& line : part_of(actlab.run(verb + " --help").out, "Subcommands:")) {
    const std::string name = line.substr(2, line.find(' ', 2) - 2);
    add_verbs(actlab, verb.empty() ? name : verb + " " + name, verbs);
  }
}

// The examples at the end of a verb's help, without their "actlab".
std::vector<std::string> examples_of(const std::string& help) {
  std::vector<std::string> examples;
  for (const std::string& line : part_of(help, "Examples:")) {
    EXPECT_TRUE(line.starts_with("  actlab ")) << line;
    examples.push_back(line.substr(9));
  }
  return examples;
}

// Examples are read by the program itself: with a last word that no verb takes, the complaint is about that
// word alone, and nothing runs. The quick ones run.
TEST(CliHelp, ExamplesOfEveryVerbWork) {
  const ActlabProgram actlab;
  std::vector<std::string> verbs;
  add_verbs(actlab, "", verbs);
  EXPECT_GE(verbs.size(), 20u);
  for (const std::string& verb : verbs) {
    const Outcome help = actlab.run(verb + " --help");
    EXPECT_EQ(help.code, 0) << verb;
    EXPECT_EQ(help.err, "") << verb;
    const auto examples = examples_of(help.out);
    EXPECT_EQ(examples.size(), 2u) << help.out;
    for (const std::string& example : examples) {
      expect_refusal(actlab.run(example + " --no-such-option"), 2, {"unknown option '--no-such-option'"});
      const std::string first = example.substr(0, example.find(' '));
      const bool trains = first == "run";
      if (!trains && first != "list" && first != "info" && first != "probe" && first != "completion")
        continue;
      const bool says_so = example.find("--print-config") != std::string::npos;
      const Outcome outcome = actlab.run(example + (trains && !says_so ? " --print-config" : ""),
                                         trains ? "cd '" ACTLAB_SOURCE_DIR "' &&" : "");
      EXPECT_EQ(outcome.code, 0) << example << "\n" << outcome.err;
      EXPECT_NE(outcome.out.empty(), example.find('>') == std::string::npos) << example;
    }
  }
}

TEST(CliHelp, RunShowsEveryKeyWithItsDefault) {
  const std::string help = ActlabProgram().run("run --help").out;
  for (const char* line : {"\n  name= seed=0 device=cpu ", "\n  [train] epochs=1 steps=0 ",
                           "\n  [optimizer] name=sgd\n    sgd: lr=0.05 ", "\n    adamw: lr=0.001 beta1=0.9 ",
                           "\n    small_cnn: widths=[32, 64] "})
    EXPECT_NE(help.find(line), std::string::npos) << line << "\nin " << help;
}

TEST(CliHelp, TypesAndNamesOfArguments) {
  const ActlabProgram actlab;
  const std::string run = actlab.run("run --help").out;
  for (const char* text : {"config FILE.toml REQUIRED", "settings KEY=VALUE ...", "--trace FILE",
                           "--format FORMAT:{table,md,csv,json,jsonl,latex}=table"})
    EXPECT_NE(run.find(text), std::string::npos) << text;
  EXPECT_NE(actlab.run("list --help").out.find("what KIND:{keys,activations,models,"), std::string::npos);
}

}  // namespace
}  // namespace actlab
