// actlab list and info: what this build has, and where it runs.
#include "datasets/datasets.h"
#include "experiments/cli/output.h"
#include "experiments/cli/verbs.h"
#include "experiments/runner/build.h"
#include "experiments/runner/environment.h"
#include "kernels/activation.h"
#include "kernels/backend.h"

namespace actlab {
namespace {

using Row = std::vector<Cell>;

std::vector<Row> activation_rows() {
  std::vector<Row> rows;
  for (const ActivationType& type : activation_types()) {
    const ActivationHandle handle = ActivationHandle::parse(type.info.name);
    std::string summary(type.info.formula);
    if (!type.info.gated.empty()) summary += concat("; gated form: ", type.info.gated);
    if (const ParameterInfo* learnable = type.learnable())
      summary += concat("; learnable: ", learnable->name);
    rows.push_back({"activation", handle.spelled(), summary});
  }
  return rows;
}

std::vector<Row> component_rows(const std::string& kind, const std::vector<ComponentSchema>& components) {
  std::vector<Row> rows;
  for (const ComponentSchema& c : components) {
    std::string options;
    for (const Option& option : c.options)
      options +=
          concat(options.empty() ? "; options: " : ", ", option.name, " = ", to_string(option.fallback));
    rows.push_back({kind, c.name, c.summary + options});
  }
  return rows;
}

Row key_row(const std::string& path, const std::string& owner, const Option& option) {
  return {"key", path,
          concat(owner, option.help, "; ", option.wanted(), ", default ", to_literal(option.fallback))};
}

// The keys of every experiment file, then those of the components that it can name.
std::vector<Row> key_rows(const Schemas& schemas) {
  std::vector<Row> rows;
  for (const ExperimentKey& key : experiment_keys()) rows.push_back(key_row(key.path(), "", key.option));
  for (const ComponentSection& section : component_sections())
    for (const ComponentSchema& component : schemas.*section.schemas)
      for (const Option& option : component.options)
        rows.push_back(key_row(concat(section.section, '.', option.name), component.name + ": ", option));
  return rows;
}

std::vector<Row> name_rows(const std::string& kind, const std::vector<std::string>& names) {
  std::vector<Row> rows;
  for (const std::string& name : names) rows.push_back({kind, name, ""});
  return rows;
}

std::vector<Row> device_rows() {
  std::vector<Row> rows = name_rows("device", device_names());
  const DeviceChoice best = best_device();
  for (Row& row : rows)
    if (row[1] == Cell("cuda"))
      row[2] = best.reason.empty() ? "the first device; cuda:N is another"
                                   : concat("cannot be used here: ", best.reason);
  return rows;
}

}  // namespace

int list_verb(const ListArguments& arguments) {
  const Schemas schemas = known_schemas();
  const std::vector<std::pair<std::string, std::vector<Row>>> all = {
      {"keys", key_rows(schemas)},
      {"activations", activation_rows()},
      {"models", component_rows("model", schemas.models)},
      {"datasets", component_rows("data set", schemas.datasets)},
      {"optimizers", component_rows("optimizer", schemas.optimizers)},
      {"schedules", component_rows("schedule", schemas.schedules)},
      {"devices", device_rows()},
      {"gemm", name_rows("gemm", gemm_names())},
  };
  Table table{{{"kind"}, {"name"}, {"summary"}}, {}};
  std::vector<std::string> known;
  bool found = arguments.what.empty();
  for (const auto& [what, rows] : all) {
    known.push_back(what);
    if (!arguments.what.empty() && arguments.what != what) continue;
    found = true;
    table.rows.insert(table.rows.end(), rows.begin(), rows.end());
  }
  if (!found)
    throw ConfigError(
        concat("list: nothing is called '", arguments.what, "'", nearest_names(arguments.what, known)));
  print(table, arguments.format);
  return 0;
}

int info_verb(const InfoArguments& arguments) {
  Record record = environment(find_backend("cpu"));
  const DeviceChoice best = best_device();
  record.emplace_back("cuda", best.reason.empty() ? find_backend(best.device).activation.implementation()
                                                  : concat("no: ", best.reason));
  std::vector<Column> columns;
  for (const auto& entry : record) columns.push_back({entry.first});
  print(record, columns, arguments.format);
  return 0;
}

}  // namespace actlab
