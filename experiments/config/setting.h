// Settings as a user gave them, before the types of their keys are known.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "framework/core/options.h"

namespace actlab {

/// Text of an argument, to be read by its key's type.
struct Unread {
  std::string text;
};

/// A value that no key takes, such as a date; `text` says what it is.
struct Unfit {
  std::string text;
};

struct Setting {
  std::string path;  ///< "optimizer.lr"
  std::variant<OptionValue, Unread, Unfit> value;
  std::string where;  ///< "file.toml:12: " or "argument 'train.epochs=1': "
  int layer = 0;      ///< of a file: 1 of the lowest, one more of each that is based on it; 0: of no file
};

/// The text that the setting is or is to be read from; null for a number.
const std::string* text_of(const Setting& setting);

/// A swept key with its values in order; none: it ends the sweep of the file below.
struct Axis {
  std::string path;
  std::vector<Setting> values;
  std::string where;
};

struct Settings {
  std::vector<Setting> settings;  ///< later ones win
  std::vector<Axis> axes;
  std::vector<std::pair<std::string, std::string>> sections;  ///< of the files: name, where
};

/// What one file says. Throws ConfigError, with the line where there is one, for a file that cannot be read
/// or is no TOML; `named_at` is the `where` of what names the file, if something does.
Settings read_toml(const std::filesystem::path& file, const std::string& named_at = "");

/// What a file says together with the one that its `base` names, and so on: keys and sweeps of a file replace
/// those of its base, and a key's value ends the base's sweep of that key. The experiment is called after the
/// file itself. Throws ConfigError as read_toml does, and for files that are based on each other.
Settings read_with_bases(const std::filesystem::path& file);

/// The key that names the other file.
Option base_option();

/// What a file with its bases and arguments say; its sections are checked.
Settings read_settings(const std::filesystem::path& file, const std::vector<std::string>& arguments);

/// Adds what `key=value` arguments say.
void add_arguments(const std::vector<std::string>& arguments, Settings& settings);

/// Adds a swept value; text like "0..4" stands for the integers from 0 to 4.
void add_swept_value(const Setting& value, Axis& axis);

/// Ends the sweep of a key; false where there is none.
bool end_sweep(const std::string& path, Settings& settings);
/// Replaces the sweep of a key, which keeps its place in the order, or adds it.
void set_sweep(Axis axis, Settings& settings);

/// The full path of a short name: "activation" is "model.activation".
std::string full_path(std::string_view path);

}  // namespace actlab
