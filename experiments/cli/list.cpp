// actlab list: what this build has, and what an experiment file may say.
#include "experiments/cli/key_page.h"
#include "experiments/cli/output.h"
#include "experiments/cli/verbs.h"
#include "experiments/config/keys.h"
#include "experiments/runner/build.h"
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

std::vector<Row> key_rows(const Schemas& schemas) {
  std::vector<Row> rows;
  for (const FileKey& key : file_keys(schemas))
    rows.push_back({"key", key.path() + (key.component.empty() ? "" : concat(" (", key.component, ")")),
                    concat(key.option.help, key.option.help.empty() ? "" : "; ", key.option.wanted(),
                           ", default ", to_literal(key.option.fallback))});
  return rows;
}

// For programs: what key_rows joins into one text.
Table key_table(const Schemas& schemas) {
  Table table{{{"kind"}, {"name"}, {"of"}, {"wanted"}, {"default"}, {"summary"}}, {}};
  for (const FileKey& key : file_keys(schemas))
    table.rows.push_back({"key", key.path(), key.component.empty() ? Cell() : Cell(key.component),
                          key.option.wanted(), to_literal(key.option.fallback), key.option.help});
  return table;
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

std::vector<Row> gemm_rows() {
  std::vector<Row> rows = name_rows("gemm", gemm_names());
  for (const std::string& name : cuda_gemm_names())
    rows.push_back({"gemm", name, concat("convolutions of CUDA devices; here: ", cudnn_version())});
  return rows;
}

struct Kind {
  const char* name;
  std::vector<Row> (*rows)(const Schemas&);
};

constexpr Kind kinds[] = {
    {"keys", key_rows},
    {"activations", [](const Schemas&) { return activation_rows(); }},
    {"models", [](const Schemas& schemas) { return component_rows("model", schemas.models); }},
    {"datasets", [](const Schemas& schemas) { return component_rows("data set", schemas.datasets); }},
    {"optimizers", [](const Schemas& schemas) { return component_rows("optimizer", schemas.optimizers); }},
    {"schedules", [](const Schemas& schemas) { return component_rows("schedule", schemas.schedules); }},
    {"devices", [](const Schemas&) { return device_rows(); }},
    {"gemm", [](const Schemas&) { return gemm_rows(); }},
};

}  // namespace

std::vector<std::string> list_kinds() {
  std::vector<std::string> names;
  for (const Kind& kind : kinds) names.emplace_back(kind.name);
  return names;
}

int list_verb(const ListArguments& arguments) {
  const Schemas schemas = known_schemas();
  if (arguments.what == "keys" && arguments.format == "md") {
    print(key_page(schemas));
    return 0;
  }
  if (arguments.what == "keys" && arguments.format != "table") {
    print(key_table(schemas), arguments.format);
    return 0;
  }
  Table table{{{"kind"}, {"name"}, {"summary"}}, {}};
  for (const Kind& kind : kinds) {
    if (!arguments.what.empty() && arguments.what != kind.name) continue;
    const std::vector<Row> rows = kind.rows(schemas);
    table.rows.insert(table.rows.end(), rows.begin(), rows.end());
  }
  print(table, arguments.format);
  return 0;
}

}  // namespace actlab
