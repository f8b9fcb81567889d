// actlab data check: what a data set holds, by split, and what is wrong with it.
#include "datasets/datasets.h"
#include "experiments/cli/component_options.h"
#include "experiments/cli/image_report.h"
#include "experiments/cli/log.h"
#include "experiments/cli/output.h"
#include "experiments/cli/verbs.h"

namespace actlab {
namespace {

constexpr int exit_data = 3;

Table report_of(const Dataset& data) {
  if (const auto* images = dynamic_cast<const ImageDataset*>(&data)) return image_report(*images);
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
  std::vector<std::string> settings = arguments.settings;
  if (!arguments.root.empty()) settings.insert(settings.begin(), "root=" + arguments.root);
  const Options options = read_component_options("data", type.options, settings);
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
