// Writes and reads summaries, from one list of their fields.
#include "experiments/results/run_record.h"

#include <algorithm>
#include <array>

#include "experiments/results/record.h"
#include "kernels/error.h"

namespace actlab {
namespace {

constexpr std::array all_statuses = {RunStatus::running, RunStatus::done, RunStatus::diverged,
                                     RunStatus::failed, RunStatus::interrupted};
// Fields that came later: files of older programs lack them.
constexpr std::array<std::string_view, 10> later_fields = {
    "data",        "selected_by",       "validation_accuracy", "metric",       "best_loss", "validation_loss",
    "target_loss", "tokens_per_second", "precision",           "skipped_steps"};

// The maps of a summary stand in its file as "PREFIX.KEY": calls visit("PREFIX.", map) for each.
template <class Summary, class Visit>
void visit_maps(Summary& s, Visit&& visit) {
  visit(std::string("peak_bytes."), s.peak_bytes_by_kind);
  visit(std::string("saved_bytes."), s.saved_bytes_by_layer);
  visit(std::string("learned."), s.learned);
}

// Calls visit(name, field) for every field but the maps.
template <class Summary, class Visit>
void visit_fields(Summary& s, Visit&& visit) {
  visit("status", s.status);
  visit("name", s.name);
  visit("activation", s.activation);
  visit("precision", s.precision);
  visit("seed", s.seed);
  visit("id", s.id);
  visit("version", s.version);
  visit("data", s.data);
  visit("accuracy", s.accuracy);
  visit("loss", s.loss);
  visit("metric", s.metric);
  visit("selected_by", s.selected_by);
  visit("best_accuracy", s.best_accuracy);
  visit("best_loss", s.best_loss);
  visit("validation_accuracy", s.validation_accuracy);
  visit("validation_loss", s.validation_loss);
  visit("train_loss", s.train_loss);
  visit("target", s.target);
  visit("target_loss", s.target_loss);
  visit("convergence_steps", s.convergence_steps);
  visit("steps", s.steps);
  visit("skipped_steps", s.skipped_steps);
  visit("epochs", s.epochs);
  visit("step_seconds", s.step_seconds);
  visit("images_per_second", s.images_per_second);
  visit("tokens_per_second", s.tokens_per_second);
  visit("activation_bytes", s.activation_bytes);
  visit("saved_bytes", s.saved_bytes);
  visit("peak_bytes", s.peak_bytes);
  visit("parameters", s.parameters);
  visit("started", s.started);
  visit("finished", s.finished);
  visit("message", s.message);
}

Cell to_cell(RunStatus status) { return std::string(name_of(status)); }
Cell to_cell(Metric metric) { return std::string(name_of(metric)); }
Cell to_cell(const std::optional<std::int64_t>& value) { return value ? Cell(*value) : Cell(); }
template <class T>
Cell to_cell(const T& value) {
  return value;
}

[[noreturn]] void refuse(std::string_view name, std::string_view wanted) {
  throw Error(concat("field '", name, "': wanted ", wanted));
}

void from_cell(std::string_view name, const Cell& cell, std::string& field) {
  const auto* text = std::get_if<std::string>(&cell);
  if (!text) refuse(name, "text");
  field = *text;
}

// The one of `all` that the cell names.
template <class Named>
void from_name(std::string_view name, const Cell& cell, const auto& all, std::string_view wanted,
               Named& field) {
  std::string text;
  from_cell(name, cell, text);
  for (const Named value : all) {
    if (name_of(value) != text) continue;
    field = value;
    return;
  }
  refuse(name, wanted);
}

void from_cell(std::string_view name, const Cell& cell, RunStatus& field) {
  from_name(name, cell, all_statuses, "running, done, diverged, failed or interrupted", field);
}

void from_cell(std::string_view name, const Cell& cell, Metric& field) {
  from_name(name, cell, all_metrics, "accuracy or loss", field);
}

void from_cell(std::string_view name, const Cell& cell, std::int64_t& field) {
  const auto* integer = std::get_if<std::int64_t>(&cell);
  if (!integer) refuse(name, "an integer");
  field = *integer;
}

void from_cell(std::string_view name, const Cell& cell, std::optional<std::int64_t>& field) {
  if (std::holds_alternative<std::monostate>(cell)) return field.reset();
  from_cell(name, cell, field.emplace());
}

void from_cell(std::string_view name, const Cell& cell, double& field) {
  if (const auto* number = std::get_if<double>(&cell)) {
    field = *number;
  } else if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
    field = static_cast<double>(*integer);
  } else if (std::holds_alternative<std::monostate>(cell)) {
    field = RunSummary::unknown;
  } else {
    refuse(name, "a number or null");
  }
}

// Refuses what no run can have; NaN, "not known", passes.
void check_ranges(const RunSummary& s) {
  for (const auto& [name, value] : {std::pair{"accuracy", s.accuracy},
                                    {"best_accuracy", s.best_accuracy},
                                    {"validation_accuracy", s.validation_accuracy},
                                    {"target", s.target}})
    if (value < 0 || value > 1) refuse(name, concat("a share from 0 to 1, found ", value));
  for (const auto& [name, value] : {std::pair{"step_seconds", s.step_seconds},
                                    {"images_per_second", s.images_per_second},
                                    {"tokens_per_second", s.tokens_per_second},
                                    {"target_loss", s.target_loss}})
    if (value < 0) refuse(name, concat("a number >= 0, found ", value));
  const auto check_count = [](std::string_view name, std::int64_t value) {
    if (value < 0) refuse(name, concat("an integer >= 0, found ", value));
  };
  check_count("seed", s.seed);
  check_count("steps", s.steps);
  check_count("skipped_steps", s.skipped_steps);
  check_count("epochs", s.epochs);
  check_count("saved_bytes", s.saved_bytes);
  check_count("peak_bytes", s.peak_bytes);
  check_count("parameters", s.parameters);
  for (const auto& [prefix, map] : {std::pair{std::string("peak_bytes."), &s.peak_bytes_by_kind},
                                    {std::string("saved_bytes."), &s.saved_bytes_by_layer}})
    for (const auto& [key, bytes] : *map) check_count(prefix + key, bytes);
  if (s.convergence_steps.value_or(0) < 0 || s.convergence_steps.value_or(0) > s.steps)
    refuse("convergence_steps", concat("an integer from 0 to steps, found ", *s.convergence_steps));
  if (s.selected_by != "test" && s.selected_by != "validation")
    refuse("selected_by", concat("test or validation, found ", s.selected_by));
}

}  // namespace

std::string_view name_of(RunStatus status) {
  switch (status) {
    case RunStatus::running:
      return "running";
    case RunStatus::done:
      return "done";
    case RunStatus::diverged:
      return "diverged";
    case RunStatus::failed:
      return "failed";
    case RunStatus::interrupted:
      return "interrupted";
  }
  throw Error("name_of: no such status");
}

std::string to_json(const RunSummary& summary) {
  Record record;
  visit_fields(summary,
               [&](const char* name, const auto& field) { record.emplace_back(name, to_cell(field)); });
  visit_maps(summary, [&](const std::string& prefix, const auto& map) {
    for (const auto& [key, value] : map) record.emplace_back(prefix + key, value);
  });
  return to_json(record, Layout::lines) + "\n";
}

RunSummary parse_summary(std::string_view json) {
  const Record record = parse_json(json);
  RunSummary summary;
  visit_fields(summary, [&](const char* name, auto& field) {
    const Cell* cell = find_cell(record, name);
    if (cell) return from_cell(name, *cell, field);
    if (std::find(later_fields.begin(), later_fields.end(), name) == later_fields.end())
      throw Error(concat("field '", name, "': missing"));
  });
  visit_maps(summary, [&](const std::string& prefix, auto& map) {
    for (const auto& [name, cell] : record)
      if (name.starts_with(prefix)) from_cell(name, cell, map[name.substr(prefix.size())]);
  });
  check_ranges(summary);
  return summary;
}

}  // namespace actlab
