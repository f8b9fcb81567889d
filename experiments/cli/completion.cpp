// Finds the place in the command line's grammar where a line ends.
#include "experiments/cli/completion.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace actlab {
namespace {

std::vector<std::string> words_in(const std::string& line) {
  std::vector<std::string> words(1);
  for (const char c : line) {
    if (c != ' ' && c != '\t') {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  return words;
}

std::vector<std::string> beginning_with(const std::string& begun, std::vector<std::string> words) {
  std::erase_if(words, [&](const std::string& word) { return !word.starts_with(begun); });
  return words;
}

/// Where the words read so far have led.
struct Place {
  const CLI::App* verb;
  const CLI::Option* awaited = nullptr;  ///< the option whose value comes next
  std::size_t positionals = 0;           ///< read of the verb's
};

const CLI::App* verb_called(const std::string& name, const CLI::App& parent) {
  const auto verbs = parent.get_subcommands(nullptr);
  const auto found = std::find_if(verbs.begin(), verbs.end(),
                                  [&](const CLI::App* verb) { return verb->get_name() == name; });
  return found == verbs.end() ? nullptr : *found;
}

void read_word(const std::string& word, Place& place) {
  if (place.awaited != nullptr) {
    place.awaited = nullptr;
  } else if (word.starts_with("-")) {
    const CLI::Option* option = place.verb->get_option_no_throw(word);
    if (option != nullptr && option->get_items_expected_max() > 0) place.awaited = option;
  } else if (const CLI::App* verb = verb_called(word, *place.verb)) {
    place = {verb};
  } else {
    ++place.positionals;
  }
}

// The type that the help shows, or the names that the option takes: "FORMAT:{table,md}".
std::vector<std::string> values_of(const CLI::Option& option, const std::string& begun) {
  const std::string type = option.get_type_name();
  const auto open = type.find(":{");
  if (open == std::string::npos) return words_of_type(type, begun);
  std::vector<std::string> names(1);
  for (const char c : type.substr(open + 2, type.find('}', open) - open - 2)) {
    if (c == ',') names.emplace_back();
    if (c != ',') names.back() += c;
  }
  return names;
}

std::vector<std::string> option_names(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// The verb's positional argument that comes next; the last may be several.
const CLI::Option* next_positional(const Place& place) {
  const auto all =
      place.verb->get_options([](const CLI::Option* option) { return option->get_positional(); });
  if (place.positionals < all.size()) return all[place.positionals];
  return !all.empty() && all.back()->get_items_expected_max() > 1 ? all.back() : nullptr;
}

std::vector<std::string> words_at(const Place& place, const std::string& begun) {
  if (place.awaited != nullptr) return values_of(*place.awaited, begun);
  const auto equals = begun.find('=');
  if (begun.starts_with("--") && equals != std::string::npos) {
    const CLI::Option* option = place.verb->get_option_no_throw(begun.substr(0, equals));
    std::vector<std::string> words;
    if (option != nullptr) words = values_of(*option, begun.substr(equals + 1));
    for (std::string& word : words) word.insert(0, begun, 0, equals + 1);
    return words;
  }
  if (begun.starts_with("-")) return option_names(*place.verb);
  std::vector<std::string> words;
  for (const CLI::App* verb : place.verb->get_subcommands(nullptr)) words.push_back(verb->get_name());
  if (!words.empty()) return words;
  const CLI::Option* positional = next_positional(place);
  return positional == nullptr ? words : values_of(*positional, begun);
}

}  // namespace

std::vector<std::string> completions(const CLI::App& app, const std::string& line) {
  const std::vector<std::string> words = words_in(line);
  Place place{&app};
  for (std::size_t i = 1; i + 1 < words.size(); ++i) read_word(words[i], place);
  return beginning_with(words.back(), words_at(place, words.back()));
}

}  // namespace actlab
