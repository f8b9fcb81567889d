// actlab data check: what a data set holds, by split, and what is wrong with it.
#include <algorithm>

#include "datasets/datasets.h"
#include "experiments/cli/exit_codes.h"
#include "experiments/cli/image_report.h"
#include "experiments/cli/log.h"
#include "experiments/cli/output.h"
#include "experiments/cli/text_report.h"
#include "experiments/cli/verbs.h"

namespace actlab {
namespace {

// As the [data] section of an experiment file would set them.
Options read_options(const DatasetType& type, const DataCheckArguments& arguments) {
  Options options(type.options);
  const auto set = [&](const std::string& name, const std::string& text) {
    const Option& option = find_component("option of " + type.name, name, type.options);
    const auto value = option.read(text);
    if (!value)
      throw ConfigError(concat("data.", name, ": wanted ", option.wanted(), ", found '", text, "'"));
    options.set(name, *value);
  };
  std::vector<std::string> settings = arguments.settings;
  if (arguments.root.find('=') != std::string::npos) {
    settings.insert(settings.begin(), arguments.root);
  } else if (!arguments.root.empty()) {
    const std::vector<std::string> names = names_of(type.options);
    const bool is_file = std::find(names.begin(), names.end(), "file") != names.end();
    set(is_file ? "file" : "root", arguments.root);
  }
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos) throw ConfigError(concat("'", setting, "': wanted key=value"));
    const std::size_t key = setting.starts_with("data.") ? 5 : 0;
    set(setting.substr(key, equals - key), setting.substr(equals + 1));
  }
  return options;
}

Table report_of(const Dataset& data) {
  if (const auto* images = dynamic_cast<const ImageDataset*>(&data)) return image_report(*images);
  if (const auto* text = dynamic_cast<const TextDataset*>(&data)) return text_report(*text);
  throw Error(concat("data check: does not know how to describe ", data.name));
}

// A column of its own for faults, a row each.
void add_faults(const std::vector<std::string>& faults, Table& table) {
  table.columns.push_back({"fault"});
  for (std::vector<Cell>& row : table.rows) row.emplace_back();
  for (const std::string& fault : faults) {
    table.rows.emplace_back(table.columns.size());
    table.rows.back().back() = fault;
  }
}

}  // namespace

int data_check_verb(const DataCheckArguments& arguments) {
  parse_table_format(arguments.format);
  const DatasetType& type = find_component("data set", arguments.dataset, dataset_types());
  const Options options = read_options(type, arguments);
  std::shared_ptr<const Dataset> data;
  std::vector<std::string> faults;
  try {
    data = type.make(options);
  } catch (const FaultyFiles& faulty) {
    data = faulty.rest();
    faults = faulty.faults();
  }

  for (const std::string& note : data->notes) log_info(note);
  Table report = report_of(*data);
  add_faults(faults, report);
  print(report, arguments.format);
  if (faults.empty()) return 0;
  log_warning(concat(faults.size(), " files cannot be used"));
  return exit_data;
}

}  // namespace actlab
