// Puts a benchmark's report together.
#include "experiments/cli/bench_report.h"

#include "experiments/cli/log.h"
#include "experiments/cli/output.h"
#include "framework/core/files.h"
#include "kernels/activation.h"
#include "kernels/error.h"

namespace actlab {
namespace {

Record read_report(const std::string& file) {
  try {
    return parse_json(read_file(file));
  } catch (const Error& error) {
    throw DataError(concat("--compare ", file, ": ", error.what(),
                           "; wanted what a benchmark printed with --format json"));
  }
}

std::string text_of(const Cell& cell) { return readable(cell, Unit::plain); }

double number_of(const Cell& cell) {
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*integer);
  const auto* real = std::get_if<double>(&cell);
  return real == nullptr ? 0 : *real;
}

}  // namespace

BenchReport::BenchReport(const BenchArguments& arguments)
    : format_(arguments.format), file_(arguments.compare) {
  parse_table_format(format_);
  if (file_) earlier_ = read_report(*file_);
}

void BenchReport::add(const std::string& name, const Cell& value, Unit unit) {
  record_.emplace_back(name, value);
  columns_.push_back({name, unit});
}

Cell BenchReport::earlier(const std::string& name) const {
  const Cell* found = find_cell(earlier_, name);
  return found == nullptr ? Cell() : *found;
}

// 0 where there is none.
double BenchReport::earlier_number(const std::string& name) const {
  const Cell cell = earlier(name);
  if (std::holds_alternative<bool>(cell) || std::holds_alternative<std::string>(cell))
    throw DataError(concat("--compare ", *file_, ": ", name, ": wanted a number, found ", text_of(cell)));
  return number_of(cell);
}

void BenchReport::subject(const std::string& name, const Cell& value) {
  add(name, value);
  if (file_ && text_of(earlier(name)) != text_of(value))
    throw ConfigError(concat(*file_, ": is a benchmark with ", name, " = ", text_of(earlier(name)),
                             ", this one has ", text_of(value), "; only the same can be compared"));
}

void BenchReport::condition(const std::string& name, const Cell& value) {
  add(name, value);
  if (file_ && text_of(earlier(name)) != text_of(value))
    log_warning(
        concat(*file_, ": there ", name, " was ", text_of(earlier(name)), ", here it is ", text_of(value)));
}

void BenchReport::measured(const std::string& name, const Cell& value, Unit unit) {
  add(name, value, unit);
  if (!file_) return;
  const double before = earlier_number(name);
  add(name + "_before", earlier(name), unit);
  add(name + "_ratio", before == 0 ? Cell() : number_of(value) / before);
}

void BenchReport::print() const { actlab::print(record_, columns_, format_); }

void add_conditions(BenchReport& report, int threads, const Backend& backend) {
  report.condition("device", backend.name);
  report.condition("threads", std::int64_t{threads});
  report.condition("gemm", backend.matmul.implementation());
  report.condition("isa", backend.memory.on_host() ? std::string(name_of(best_isa()))
                                                   : backend.activation.implementation());
}

}  // namespace actlab
