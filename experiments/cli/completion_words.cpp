// What the arguments of each type may be: names, files, keys with their values.
#include <algorithm>
#include <filesystem>

#include "experiments/cli/completion.h"
#include "experiments/config/keys.h"
#include "experiments/config/setting.h"
#include "experiments/runner/build.h"

namespace actlab {
namespace {

using Words = std::vector<std::string>;
constexpr std::string_view sweep = "sweep.";

// The folders there, and the files with this ending.
Words paths(const std::string& begun, bool with_files, const std::string& ending = "") {
  const std::string folder = begun.substr(0, begun.rfind('/') + 1);
  std::error_code ignored;
  Words found;
  for (const auto& entry : std::filesystem::directory_iterator(folder.empty() ? "." : folder, ignored)) {
    const std::string name = entry.path().filename().string();
    const bool hidden = name.starts_with('.') && !begun.substr(folder.size()).starts_with('.');
    if (hidden) continue;
    if (entry.is_directory(ignored))
      found.push_back(folder + name + "/");
    else if (with_files && name.ends_with(ending))
      found.push_back(folder + name);
  }
  std::sort(found.begin(), found.end());
  return found;
}

Words activations() {
  Words names = activation_names();
  const Words gated = gated_names();
  names.insert(names.end(), gated.begin(), gated.end());
  return names;
}

Words component_names(const std::string& section) {
  const Schemas schemas = known_schemas();
  Words names;
  for (const ComponentSection& part : component_sections())
    if (part.section == section)
      for (const ComponentSchema& component : schemas.*part.schemas) names.push_back(component.name);
  return names;
}

// The names among an option's choices: not "cuda:N".
Words choices_of(const Option& option) {
  Words names = option.choices;
  std::erase_if(names, [](const std::string& name) { return name.ends_with(":N"); });
  return names;
}

Words values_of(const std::string& path, const std::string& begun) {
  if (path == "model.activation") return activations();
  for (const FileKey& key : file_keys(known_schemas())) {
    if (key.path() != path) continue;
    if (key.option.name == "name") return component_names(key.section);
    if (key.option.name == "root" || key.option.name.ends_with("file"))
      return paths(begun, key.option.name != "root");
    if (std::holds_alternative<bool>(key.option.fallback)) return {"true", "false"};
    if (!key.option.choices.empty()) return choices_of(key.option);
  }
  return {};
}

Words keys(const std::string& begun) {
  const std::string prefix(begun.starts_with(sweep) ? sweep : "");
  Words names = {prefix + "activation="};
  if (prefix.empty()) names.emplace_back(sweep);
  for (const FileKey& key : file_keys(known_schemas())) names.push_back(prefix + key.path() + "=");
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

// A key, or the last of the values behind it.
Words settings(const std::string& begun) {
  const auto equals = begun.find('=');
  if (equals == std::string::npos) return keys(begun);
  const bool swept = begun.starts_with(sweep);
  const std::size_t key_at = swept ? sweep.size() : 0;
  const std::size_t value_at = (swept ? begun.find_last_of("=,") : equals) + 1;
  Words words = values_of(full_path(begun.substr(key_at, equals - key_at)), begun.substr(value_at));
  for (std::string& word : words) word.insert(0, begun, 0, value_at);
  return words;
}

// Types whose words are the values of a key.
constexpr std::pair<std::string_view, const char*> keys_of_types[] = {{"ACTIVATION", "model.activation"},
                                                                      {"MODEL", "model.name"},
                                                                      {"DATASET", "data.name"},
                                                                      {"DEVICE", "device"},
                                                                      {"GEMM", "gemm"},
                                                                      {"PRECISION", "precision"}};

}  // namespace

Words words_of_type(const std::string& type, const std::string& begun) {
  if (type.starts_with("FILE")) return paths(begun, true, type.substr(4));
  if (type == "PATH") return paths(begun, true);
  if (type == "FOLDER") return paths(begun, false);
  if (type == "KEY=VALUE") return settings(begun);
  for (const auto& [name, key] : keys_of_types)
    if (type == name) return values_of(key, begun);
  return {};
}

}  // namespace actlab
