// Writes the keys of experiment files in Markdown, and as lines of the help.
#include "experiments/cli/key_page.h"

#include "experiments/config/keys.h"
#include "experiments/results/table.h"
#include "kernels/error.h"

namespace actlab {
namespace {

std::string in_code(const std::string& text) { return "`" + text + "`"; }

// The keys of one section and one component, or none of both.
std::string table_of(const std::vector<FileKey>& keys, const std::string& section,
                     const std::string& component) {
  Table table{{{"key"}, {"value"}, {"default"}, {"meaning"}}, {}};
  for (const FileKey& key : keys)
    if (key.section == section && key.component == component)
      table.rows.push_back({in_code(key.option.name), key.option.wanted(),
                            in_code(to_literal(key.option.fallback)), key.option.help});
  return table.rows.empty() ? "" : "\n" + render(table, TableFormat::md);
}

std::string parameter_table(const std::vector<FileKey>& keys) {
  Table table{{{"key"}, {"value"}, {"default"}}, {}};
  for (const FileKey& key : keys)
    if (key.section.starts_with("activation."))
      table.rows.push_back(
          {in_code(key.path()), key.option.wanted(), in_code(to_literal(key.option.fallback))});
  return render(table, TableFormat::md);
}

}  // namespace

std::string key_page(const Schemas& schemas) {
  const std::vector<FileKey> keys = file_keys(schemas);
  std::string page = "## Top level\n" + table_of(keys, "", "");
  for (const std::string& section : section_names()) {
    if (section.empty() || section == "activation" || section == "sweep") continue;
    page += "\n## [" + section + "]\n" + table_of(keys, section, "");
    for (const ComponentSection& part : component_sections())
      if (part.section == section)
        for (const ComponentSchema& component : schemas.*part.schemas)
          page += concat("\n", in_code("name = " + to_literal(component.name)), ": ", component.summary, "\n",
                         table_of(keys, section, component.name));
  }
  return page +
         "\n## [activation.NAME]\n\nA parameter's value where the activation is spelled without it.\n\n" +
         parameter_table(keys);
}

std::string key_overview(const Schemas& schemas) {
  std::string text, section, component;
  for (const FileKey& key : file_keys(schemas)) {
    if (key.section.starts_with("activation.")) continue;
    if (text.empty()) text = " ";
    if (key.component != component && !key.component.empty()) text += "\n    " + key.component + ":";
    if (key.section != section) text += "\n  [" + key.section + "]";
    section = key.section;
    component = key.component;
    text += concat(" ", key.option.name, "=", to_string(key.option.fallback));
  }
  return text + "\n";
}

}  // namespace actlab
