// What a benchmark prints: what was timed, under which conditions, and what it took; beside an earlier report
// where there is one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/cli/bench.h"
#include "experiments/results/table.h"
#include "kernels/backend.h"

namespace actlab {

class BenchReport {
 public:
  /// Reads the earlier report that `arguments` name. Throws ConfigError for an unknown format, DataError for
  /// a file that is no report.
  explicit BenchReport(const BenchArguments& arguments);

  /// What is timed. Throws ConfigError where the earlier report has another: only the same can be compared.
  void subject(const std::string& name, const Cell& value);
  /// How: threads, libraries. A difference to the earlier report is a warning.
  void condition(const std::string& name, const Cell& value);
  /// What it took; followed by the earlier value and the ratio to it. Throws DataError where that is no
  /// number.
  void measured(const std::string& name, const Cell& value, Unit unit = Unit::plain);
  void print() const;

 private:
  void add(const std::string& name, const Cell& value, Unit unit = Unit::plain);
  Cell earlier(const std::string& name) const;
  double earlier_number(const std::string& name) const;

  std::string format_;
  std::optional<std::string> file_;  ///< of the earlier report
  Record earlier_;
  Record record_;
  std::vector<Column> columns_;
};

/// Device, threads, the library of the products, and the instruction set of the activations.
void add_conditions(BenchReport& report, int threads, const Backend& backend);

}  // namespace actlab
