// The report's tables of runs, settings and environments.
#include "experiments/report/circumstances.h"

#include <algorithm>

#include "experiments/results/table.h"
#include "framework/core/sha256.h"
#include "kernels/error.h"

namespace actlab {
namespace {

// What runs have under each key: the values in order of appearance.
class Values {
 public:
  void add(const std::string& key, const std::string& value) {
    auto entry =
        std::find_if(entries_.begin(), entries_.end(), [&](const auto& e) { return e.first == key; });
    if (entry == entries_.end()) entry = entries_.insert(entry, {key, {}});
    auto& values = entry->second;
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  const auto& entries() const { return entries_; }

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> entries_;
};

void add_values(Markup& page, const std::string& title, const Values& values) {
  if (values.entries().empty()) return;
  page.open("section");
  page.element("h2", {}, title);
  page.open("dl");
  for (const auto& [key, all] : values.entries()) {
    std::string text;
    for (const std::string& value : all) text += (text.empty() ? "" : " \u00b7 ") + value;
    page.open("div", {{"class", all.size() > 1 ? "differs" : "same"}});
    page.element("dt", {}, key);
    page.element("dd", {}, text.empty() ? "\u2013" : text);
    page.close();
  }
  page.close();
  page.close();
}

void add_runs(Markup& page, const std::vector<Arm>& arms) {
  page.open("section");
  page.element("h2", {}, "Runs");
  page.open("div", {{"class", "scroll"}, {"tabindex", "0"}});
  page.open("table", {{"class", "runs"}});
  page.open("thead");
  page.open("tr");
  for (const char* name :
       {"activation", "seed", "status", "accuracy", "loss", "steps", "folder", "summary.json, sha256"})
    page.element("th", {{"scope", "col"}}, name);
  page.close();
  page.close();
  page.open("tbody");
  for (const Arm& arm : arms) {
    for (const ReportedRun& run : arm.runs) {
      const RunSummary& summary = run.stored->summary;
      const auto& folder = run.stored->folder;
      page.open("tr");
      for (const std::string& text :
           {summary.activation, readable(summary.seed, Unit::plain), std::string(name_of(summary.status)),
            readable(summary.accuracy, Unit::percent), readable(summary.loss, Unit::nats),
            readable(summary.steps, Unit::plain),
            (folder.parent_path().filename() / folder.filename()).string()})
        page.element("td", {}, text);
      page.element("td", {{"class", "checksum"}}, sha256_of_file(folder / "summary.json"));
      page.close();
    }
  }
  page.close();
  page.close();
  page.close();
  page.close();
}

}  // namespace

void add_circumstances(Markup& page, const std::vector<Arm>& arms) {
  Values settings, environments;
  for (const Arm& arm : arms) {
    for (const ReportedRun& run : arm.runs) {
      for (const auto& [key, value] : run.stored->config) settings.add(key, value);
      for (const auto& [key, cell] : run.environment) environments.add(key, readable(cell, Unit::plain));
    }
  }
  add_values(page, "Settings", settings);
  add_values(page, "Environment", environments);
  add_runs(page, arms);
}

}  // namespace actlab
