// The columns of a comparison.
#include <algorithm>
#include <cmath>
#include <functional>

#include "experiments/results/comparison.h"

namespace actlab {
namespace {

struct Field {
  Column column;
  std::function<Cell(const ComparisonRow&)> cell;
};

std::vector<Field> fields_of(const Comparison& comparison) {
  using Row = ComparisonRow;
  const auto any = [&](auto has) { return std::any_of(comparison.rows.begin(), comparison.rows.end(), has); };
  const bool tokens = any([](const Row& row) { return std::isfinite(row.tokens_per_second); });
  const bool images = !tokens || any([](const Row& row) { return std::isfinite(row.images_per_second); });
  const bool learned = any([](const Row& row) { return !row.learned.empty(); });
  const bool ffn = any([](const Row& row) { return row.ffn_bytes > 0; });

  std::vector<Field> fields;
  const auto add = [&](bool wanted, Column column, std::function<Cell(const Row&)> cell) {
    if (wanted) fields.push_back({std::move(column), std::move(cell)});
  };
  const bool by_loss = comparison.score.metric == Metric::loss;
  const bool validation = comparison.chosen_by_validation || comparison.score.of_validation();
  const auto text_or_none = [](std::string Row::*text) {
    return [text](const Row& row) { return (row.*text).empty() ? Cell() : Cell(row.*text); };
  };
  add(true, {"seeds"}, &Row::seeds);
  add(by_loss, {"loss_mean", Unit::nats}, &Row::loss_mean);
  add(by_loss, {"loss_ci95", Unit::nats, true}, &Row::loss_ci95);
  add(by_loss, {"perplexity"}, &Row::perplexity);
  add(true, {"accuracy_mean", Unit::percent}, &Row::accuracy_mean);
  add(!by_loss, {"accuracy_ci95", Unit::percent, true}, &Row::accuracy_ci95);
  add(validation && by_loss, {"validation_loss_mean", Unit::nats}, &Row::validation_loss_mean);
  add(validation && by_loss, {"validation_loss_ci95", Unit::nats, true}, &Row::validation_loss_ci95);
  add(validation && !by_loss, {"validation_accuracy_mean", Unit::percent}, &Row::validation_accuracy_mean);
  add(validation && !by_loss, {"validation_accuracy_ci95", Unit::percent, true},
      &Row::validation_accuracy_ci95);
  const Unit difference = by_loss ? Unit::nats_difference : Unit::points;
  add(true, {"delta", difference}, &Row::delta);
  add(true, {"delta_ci95", difference, true}, &Row::delta_ci95);
  add(true, {"delta_p", Unit::probability}, &Row::delta_p);
  add(true, {"effect", Unit::standard_deviations}, &Row::effect);
  add(true, {"verdict", Unit::verdict}, text_or_none(&Row::verdict));
  add(!by_loss, {"best_accuracy_mean", Unit::percent}, &Row::best_accuracy_mean);
  add(!by_loss, {"best_accuracy_ci95", Unit::percent, true}, &Row::best_accuracy_ci95);
  add(by_loss, {"best_loss_mean", Unit::nats}, &Row::best_loss_mean);
  add(by_loss, {"best_loss_ci95", Unit::nats, true}, &Row::best_loss_ci95);
  add(true, {"convergence_steps"}, &Row::convergence_steps);
  add(true, {"reached", Unit::reached}, text_or_none(&Row::reached));
  add(true, {"step_seconds", Unit::seconds}, &Row::step_seconds);
  add(images, {"images_per_second", Unit::per_second}, &Row::images_per_second);
  add(tokens, {"tokens_per_second", Unit::per_second}, &Row::tokens_per_second);
  add(true, {"activation_bytes", Unit::bytes}, &Row::activation_bytes);
  add(ffn, {"ffn_bytes", Unit::bytes}, &Row::ffn_bytes);
  add(ffn, {"attention_bytes", Unit::bytes}, &Row::attention_bytes);
  add(true, {"saved_bytes", Unit::bytes}, &Row::saved_bytes);
  add(true, {"peak_bytes", Unit::bytes}, &Row::peak_bytes);
  add(true, {"parameters"}, &Row::parameters);
  add(learned, {"learned"}, text_or_none(&Row::learned));
  add(true, {"status"}, &Row::status);
  return fields;
}

}  // namespace

Table to_table(const Comparison& comparison) {
  const std::vector<Field> fields = fields_of(comparison);
  Table table;
  table.columns.push_back({"activation"});
  for (const auto& key : comparison.keys) table.columns.push_back({key});
  table.names = table.columns.size();
  for (const Field& field : fields) table.columns.push_back(field.column);
  for (const auto& row : comparison.rows) {
    std::vector<Cell> cells = {row.activation};
    cells.insert(cells.end(), row.values.begin(), row.values.end());
    for (const Field& field : fields) cells.push_back(field.cell(row));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace actlab
