// actlab claims: what is told of GELU, what its gate is in the mean, and its series.
#include <algorithm>
#include <cmath>

#include "experiments/analysis/gates.h"
#include "experiments/analysis/gelu_series.h"
#include "experiments/analysis/numeric.h"
#include "experiments/cli/claims_speed.h"
#include "experiments/cli/output.h"
#include "experiments/cli/verbs.h"
#include "kernels/error.h"

namespace actlab {
namespace {

Table claims_table(bool measure) {
  Table table{{{"claim"}, {"quantity"}, {"claimed"}, {"here"}, {"verdict"}, {"how"}, {"note"}}, {}};
  for (const auto& group :
       {mathematical_claims(), speed_claims(measure), memory_claims(), published_claims()})
    for (const Claim& c : group)
      table.rows.push_back({c.claim, c.quantity, c.claimed, c.here, c.verdict, c.how, c.note});
  return table;
}

Table gates_table(std::int64_t samples, std::int64_t seed) {
  Table table{{{"gate"},
               {"equals"},
               {"x"},
               {"sampled"},
               {"standard_error", Unit::plain, true},
               {"exact"},
               {"standard_errors_off"}},
              {}};
  for (const GateMean& m : gate_means({-3, -1, 0, 1, 3}, samples, static_cast<std::uint64_t>(seed)))
    table.rows.push_back({m.gate, m.equals, m.x, m.sampled, m.standard_error, m.exact,
                          m.standard_error == 0 ? Cell() : (m.sampled - m.exact) / m.standard_error});
  return table;
}

Table series_table() {
  Table table{{{"series"}, {"x"}, {"value"}, {"gelu"}, {"error"}, {"relative_error"}}, {}};
  const ScalarFunction gelu = double_bodies("gelu").f;
  const auto add = [&](const std::string& series, double x, double value) {
    const double exact = gelu(x), error = value - exact;
    table.rows.push_back({series, x, value, exact, error, error / std::fabs(exact)});
  };
  for (const int degree : {2, 4, 8})
    for (const double x : {-1.0, 0.1, 0.5, 1.0, 2.0})
      add(concat("Taylor about 0, degree ", degree), x, gelu_taylor(x, degree));
  for (const double x : {2.0, 4.0, 6.0}) add("x, towards inf", x, x);
  for (const int terms : {1, 2, 3})
    for (const double x : {-2.0, -4.0, -8.0, -12.0})
      add(concat("-phi(x) (1 - 1/x^2 + 3/x^4 ...), towards -inf, terms: ", terms), x,
          gelu_left_tail(x, terms));
  return table;
}

void check_options(const ClaimsArguments& arguments) {
  const std::vector<std::string> known = {"claims", "gates", "series"};
  if (std::find(known.begin(), known.end(), arguments.table) == known.end())
    throw ConfigError(
        concat("claims: no table is called '", arguments.table, "'", nearest_names(arguments.table, known)));
  if (arguments.measure && arguments.table != "claims")
    throw ConfigError(concat("claims ", arguments.table, ": times nothing; leave --measure out"));
  if ((arguments.samples || arguments.seed) && arguments.table != "gates")
    throw ConfigError(
        concat("claims: --samples and --seed are of `actlab claims gates`, not of '", arguments.table, "'"));
}

}  // namespace

int claims_verb(const ClaimsArguments& arguments) {
  check_options(arguments);
  print(arguments.table == "gates"
            ? gates_table(arguments.samples.value_or(1'000'000), arguments.seed.value_or(0))
        : arguments.table == "series" ? series_table()
                                      : claims_table(arguments.measure),
        arguments.format);
  return 0;
}

}  // namespace actlab
