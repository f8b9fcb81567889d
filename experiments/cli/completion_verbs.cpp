// actlab completion: words for the shell.
#include <CLI/CLI.hpp>

#include "experiments/cli/completion.h"
#include "experiments/cli/grammar.h"
#include "experiments/cli/output.h"

namespace actlab {
namespace {

// Bash puts a word in place of what stands behind the last of its word breaks, such as '=', in the begun one.
constexpr const char* bash_script = R"(# Completion of actlab's command line, which knows the words itself.
_actlab() {
  local line=${COMP_LINE:0:COMP_POINT} word kept
  word=${line##*[[:space:]]}
  kept=${word%"${word##*[$COMP_WORDBREAKS]}"}
  mapfile -t COMPREPLY < <("${1/#\~/$HOME}" completion words "$line" 2>/dev/null)
  COMPREPLY=("${COMPREPLY[@]#"$kept"}")
  [[ ${COMPREPLY[0]-} == *[=/.] ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -F _actlab actlab
)";

const std::string installing =
    "To have it in every shell, add this line to ~/.bashrc; the program must lie on the PATH:\n"
    "  source <(actlab completion bash)\n\nExamples:\n";

}  // namespace

void add_completion_verbs(CLI::App& app, Action& action) {
  CLI::App* completion = app.add_subcommand("completion", "Complete verbs, options, keys and names in bash");
  completion->require_subcommand(1);
  completion->footer(installing +
                     "  actlab completion bash\n  actlab completion words 'actlab bench step --'");

  CLI::App* bash = completion->add_subcommand("bash", "Print the script that bash reads");
  bash->footer(installing + "  actlab completion bash\n  actlab completion bash > actlab-completion.bash");
  bash->callback([&action] {
    action = [] {
      print(bash_script);
      return 0;
    };
  });

  CLI::App* words = completion->add_subcommand("words", "Print how a line may go on, a word a line");
  words->footer(
      "Examples:\n  actlab completion words 'actlab ben'\n"
      "  actlab completion words 'actlab run experiments/configs/quickstart.toml sweep.activation=gelu,'");
  auto line = std::make_shared<std::string>();
  words->add_option("line", *line, "from its first word, the program's name, to where it ends")->required();
  words->callback([&app, &action, line] {
    action = [&app, line] {
      std::string text;
      for (const std::string& word : completions(app, *line)) text += word + "\n";
      print(text);
      return 0;
    };
  });
}

}  // namespace actlab
