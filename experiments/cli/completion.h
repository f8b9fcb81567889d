// The words that may stand at the end of a command line.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace actlab {

/// How a line may go on whose last word is begun, or about to begin where it ends with a space: "actlab run
/// --tr" gives "--trace". The words are whole ones; a key ends with '=', a folder with '/'.
std::vector<std::string> completions(const CLI::App& app, const std::string& line);

/// What an argument may be whose help shows it as of this type, such as ACTIVATION, FILE.toml or KEY=VALUE,
/// and that begins so; none of other types.
std::vector<std::string> words_of_type(const std::string& type, const std::string& begun);

}  // namespace actlab
