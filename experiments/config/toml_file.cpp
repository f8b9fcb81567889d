// Reads experiment files; the only place that knows the TOML library.
#include <toml++/toml.h>
#include <algorithm>
#include <set>
#include <system_error>

#include "experiments/config/setting.h"
#include "framework/core/files.h"
#include "kernels/error.h"

namespace actlab {
namespace {

std::string text_of(const std::filesystem::path& file, const std::string& named_at) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    throw ConfigError(concat(named_at, file.string(), ": is a folder; wanted an experiment file (.toml)"));
  try {
    return read_file(file);
  } catch (const Error& error) {
    throw ConfigError(concat(named_at, error.what(), "; wanted an experiment file (.toml)"));
  }
}

// A key of thousands of parts would exhaust the stack of whoever walks its tables.
void check_line_lengths(const std::string& text, const std::string& file) {
  constexpr std::size_t longest = 4096;
  std::size_t line = 1;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end - begin > longest)
      throw ConfigError(concat(file, ":", line, ": the line has more than ", longest, " characters"));
    begin = end + 1;
  }
}

class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  Settings read(const std::string& text) {
    check_line_lengths(text, file_);
    const toml::table root = toml::parse(text, file_);
    for (const auto& [key, node] : root)
      if (node.is_table()) result_.sections.emplace_back(key.str(), where(key.source()));
    add_table(root, "");
    std::stable_sort(axes_.begin(), axes_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [line, axis] : axes_) result_.axes.push_back(std::move(axis));
    return std::move(result_);
  }

  std::string where(const toml::source_region& source) const {
    return file_ + ":" + std::to_string(source.begin.line) + ": ";
  }

 private:
  static constexpr std::string_view sweep = "sweep.";

  void add_table(const toml::table& table, const std::string& prefix) {
    for (const auto& [key, node] : table) {
      const std::string path = prefix + std::string(key.str());
      if (const auto* inner = node.as_table()) {
        add_table(*inner, path + ".");
      } else if (path.starts_with(sweep)) {
        add_axis(path.substr(sweep.size()), key, node);
      } else {
        claim(full_path(path), key);
        result_.settings.push_back({full_path(path), value_of(node), where(key.source()), 1});
      }
    }
  }

  // A key may stand under its short and its full name, but not under both.
  void claim(const std::string& path, const toml::key& key) {
    if (!claimed_.insert(path).second)
      throw ConfigError(concat(where(key.source()), path, ": is given twice"));
  }

  void add_axis(const std::string& path, const toml::key& key, const toml::node& node) {
    Axis axis{full_path(path), {}, where(key.source())};
    claim("sweep." + axis.path, key);
    if (const auto* list = node.as_array()) {
      for (const auto& item : *list) axis.values.push_back({axis.path, value_of(item), where(item.source())});
    } else if (node.is_string()) {
      add_swept_value({axis.path, value_of(node), where(key.source())}, axis);
    } else {
      throw ConfigError(concat(where(key.source()), "sweep.", path, ": wanted a list or a range \"0..4\""));
    }
    axes_.emplace_back(key.source().begin.line, std::move(axis));
  }

  static decltype(Setting::value) value_of(const toml::node& node) {
    if (const auto* flag = node.as_boolean()) return OptionValue(flag->get());
    if (const auto* integer = node.as_integer()) return OptionValue(integer->get());
    if (const auto* number = node.as_floating_point()) return OptionValue(number->get());
    if (const auto* text = node.as_string()) return OptionValue(text->get());
    const auto* list = node.as_array();
    if (!list) return Unfit{node.is_table() ? "a table" : "a date or time"};
    std::vector<std::int64_t> integers;
    for (const auto& item : *list) {
      if (!item.is_integer()) return Unfit{"a list of other things"};
      integers.push_back(item.as_integer()->get());
    }
    return OptionValue(std::move(integers));
  }

  std::string file_;
  Settings result_;
  std::set<std::string> claimed_;
  std::vector<std::pair<toml::source_index, Axis>> axes_;
};

}  // namespace

Settings read_toml(const std::filesystem::path& file, const std::string& named_at) {
  const std::string text = text_of(file, named_at);
  Reader reader(file.string());
  try {
    return reader.read(text);
  } catch (const toml::parse_error& error) {
    throw ConfigError(concat(reader.where(error.source()), error.description()));
  }
}

}  // namespace actlab
