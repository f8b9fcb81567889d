// Puts the report's page together.
#include "experiments/report/report.h"

#include <algorithm>
#include <set>

#include "experiments/charts/markup.h"
#include "experiments/report/circumstances.h"
#include "experiments/report/figures.h"
#include "experiments/report/page_style.h"
#include "experiments/results/table_columns.h"
#include "experiments/runner/environment.h"
#include "kernels/error.h"

namespace actlab {
namespace {

std::string joined(const std::set<std::string>& texts) {
  std::string all;
  for (const auto& text : texts) all += (all.empty() ? "" : ", ") + text;
  return all;
}

void add_header(Markup& page, const std::vector<StoredRun>& runs, const std::vector<Arm>& arms,
                const std::string& title) {
  std::set<std::string> models, data, days;
  for (const StoredRun& run : runs) {
    const auto setting = [&](const char* key) {
      const auto found = run.config.find(key);
      return found == run.config.end() ? std::string("unknown") : found->second;
    };
    models.insert(setting("model.name")), data.insert(setting("data.name"));
    if (run.summary.started.size() >= 10) days.insert(run.summary.started.substr(0, 10));
  }
  const std::string when = days.empty()       ? ""
                           : days.size() == 1 ? *days.begin()
                                              : *days.begin() + " to " + *days.rbegin();
  std::size_t shown = 0;
  for (const Arm& arm : arms) shown += arm.runs.size();
  page.open("header");
  page.element("h1", {}, title);
  page.element("p", {{"class", "quiet"}},
               concat(joined(models), " on ", joined(data), " \u00b7 ", arms.size(),
                      arms.size() == 1 ? " row" : " rows", ", ", shown, shown == 1 ? " run" : " runs",
                      " \u00b7 ", when));
  page.close();
}

// Runs that are not done, each with why.
void add_troubles(Markup& page, const std::vector<Arm>& arms) {
  std::vector<std::string> troubles;
  for (const Arm& arm : arms)
    for (const ReportedRun& run : arm.runs) {
      const RunSummary& summary = run.stored->summary;
      if (summary.status != RunStatus::done)
        troubles.push_back(concat(arm.name, ", seed ", summary.seed, ": ", name_of(summary.status),
                                  summary.message.empty() ? "" : ": ", summary.message));
    }
  if (troubles.empty()) return;
  page.open("section", {{"class", "troubles"}});
  page.element("h2", {}, concat("Not done: ", troubles.size(), troubles.size() == 1 ? " run" : " runs"));
  page.open("ul");
  for (const std::string& trouble : troubles) page.element("li", {}, trouble);
  page.close();
  page.close();
}

std::string spaced(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

void add_swatch(Markup& page, const Look& look) {
  page.element("span", {{"class", concat("swatch k", look.colour, " stroke", look.dash)}}, "");
}

void add_table(Markup& page, const Comparison& comparison, const std::vector<Arm>& arms,
               const std::vector<std::string>& notes) {
  const Table table = to_table(comparison);
  const std::vector<ReadableColumn> columns = readable_columns(table, {});
  const auto side = [](const ReadableColumn& column) { return column.right ? "number" : "text"; };
  page.open("section");
  page.element("h2", {}, "Results");
  page.open("div", {{"class", "scroll"}, {"tabindex", "0"}});
  page.open("table", {{"class", "results"}});
  page.open("thead");
  page.open("tr");
  for (const ReadableColumn& column : columns)
    page.element("th", {{"class", side(column)}, {"scope", "col"}}, spaced(column.name));
  page.close();
  page.close();
  page.open("tbody");
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    page.open("tr", {{"class", concat("series-", arms[i].look.key)}});
    page.open("th", {{"scope", "row"}});
    add_swatch(page, arms[i].look);
    page.raw(escape_markup(columns[0].cells[i]));
    page.close();
    for (std::size_t j = 1; j < columns.size(); ++j)
      page.element("td", {{"class", side(columns[j])}}, columns[j].cells[i]);
    page.close();
  }
  page.close();
  page.close();
  page.close();
  if (!notes.empty()) {
    page.open("ul", {{"class", "quiet"}});
    for (const std::string& note : notes) page.element("li", {}, note);
    page.close();
  }
  page.close();
}

void add_figures(Markup& page, const std::vector<Arm>& arms, Metric metric) {
  page.open("section", {{"class", "charts"}});
  page.element("h2", {}, "Charts");
  page.open("ul", {{"class", "legend"}});
  for (const Arm& arm : arms) {
    page.open("li", {{"class", concat("series series-", arm.look.key)}});
    add_swatch(page, arm.look);
    page.raw(escape_markup(arm.name));
    page.close();
  }
  page.close();
  page.open("div", {{"class", "figures"}});
  for (const Figure& figure : figures_of(arms, metric)) {
    page.open("figure");
    page.open("figcaption");
    page.element("h3", {}, figure.title);
    page.element("p", {{"class", "quiet"}}, figure.explanation);
    page.close();
    page.raw(figure.svg);
    page.close();
  }
  page.close();
  page.close();
}

}  // namespace

Report make_report(const std::vector<StoredRun>& runs, const Comparison& comparison,
                   const std::string& title) {
  Report report;
  const std::vector<Arm> arms = arms_of(runs, comparison, report.messages);
  std::vector<std::string> notes = comparison.notes;
  notes.insert(notes.end(), report.messages.begin(), report.messages.end());
  std::set<std::string> names;
  for (const StoredRun& run : runs) names.insert(run.summary.name);
  const std::string heading = title.empty() ? joined(names) : title;

  Markup page;
  page.open("html", {{"lang", "en"}});
  page.open("head");
  page.raw(
      "<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n");
  page.element("title", {}, heading);
  page.raw(concat("<style>\n", chart_style(), page_style(arms.size()), "</style>\n"));
  page.close();
  page.open("body");
  add_header(page, runs, arms, heading);
  page.open("main");
  add_troubles(page, arms);
  add_table(page, comparison, arms, notes);
  add_figures(page, arms, comparison.score.metric);
  add_circumstances(page, arms);
  page.close();
  page.element("footer", {{"class", "quiet"}}, "Made by actlab " + program_build());
  page.close();
  page.close();
  report.html = "<!DOCTYPE html>\n" + std::move(page).text();
  return report;
}

}  // namespace actlab
