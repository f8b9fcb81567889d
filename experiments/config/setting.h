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
  bool in_file = false;
};

/// The text that the setting is or is to be read from; null for a number.
const std::string* text_of(const Setting& setting);

/// A swept key with its values in order.
struct Axis {
  std::string path;
  std::vector<Setting> values;
};

struct Settings {
  std::vector<Setting> settings;  ///< later ones win
  std::vector<Axis> axes;
  std::vector<std::pair<std::string, std::string>> sections;  ///< of the file: name, where
};

/// Throws ConfigError, with the line where there is one, for a file that cannot be read or is no TOML.
Settings read_toml(const std::filesystem::path& file);

/// Adds what `key=value` arguments say.
void add_arguments(const std::vector<std::string>& arguments, Settings& settings);

/// Adds a swept value; text like "0..4" stands for the integers from 0 to 4.
void add_swept_value(const Setting& value, Axis& axis);

/// The full path of a short name: "activation" is "model.activation".
std::string full_path(std::string_view path);

}  // namespace actlab
