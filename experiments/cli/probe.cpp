// actlab probe: values of an activation, from the kernels that training uses.
#include <cmath>

#include "experiments/cli/output.h"
#include "experiments/cli/parse_number.h"
#include "experiments/cli/plain_activation.h"
#include "experiments/cli/verbs.h"
#include "experiments/runner/activation_values.h"
#include "framework/core/files.h"
#include "kernels/backend.h"
#include "kernels/cpu/activation.h"
#include "kernels/reference/activation.h"

namespace actlab {
namespace {

std::vector<double> points(const ProbeArguments& arguments) {
  if (arguments.x.empty() == arguments.input.empty())
    throw ConfigError("probe: give the points by --x=-1,0,1 or by --input FILE");
  std::vector<double> values;
  if (!arguments.x.empty()) {
    values = parse_numbers(arguments.x, ',', "--x");
  } else {
    try {
      values = parse_numbers(read_file(arguments.input), '\n', arguments.input);
    } catch (const Error& e) {
      throw ConfigError(e.what());
    }
  }
  if (values.empty())
    throw ConfigError(concat("probe: no points in ", arguments.x.empty() ? arguments.input : "--x"));
  return values;
}

// Nine digits tell any two floats apart; a double is printed whole.
Cell cell_of(double value, DType dtype) {
  if (!std::isfinite(value) || dtype == DType::f64) return number_cell(value);
  return parse_number(nine_digits(value), "probe");
}

}  // namespace

int probe_verb(const ProbeArguments& arguments) {
  const ActivationHandle activation = plain_activation("probe", arguments.activation);
  const DType dtype = parse_dtype(arguments.dtype);
  const Backend& backend = find_backend(arguments.backend);
  const bool reference = backend.name == "reference";
  if (backend.name != "cpu" && !arguments.isa.empty())
    throw ConfigError("probe: --isa chooses kernels of --backend cpu");
  const bool half = dtype == DType::bf16 || dtype == DType::f16;
  if (!(dtype == DType::f32 || half || (reference && dtype == DType::f64)))
    throw ConfigError(concat("probe: --dtype ", dtype, " is not one of f32, bf16, f16 (reference: f64)"));

  const auto of_isa = arguments.isa.empty() ? nullptr : make_cpu_activation(parse_isa(arguments.isa));
  const ActivationValues values = activation_values(of_isa ? *of_isa : backend.activation, backend.memory,
                                                    activation, dtype, points(arguments));
  Table table{{{"x"}, {"f"}, {"df"}}, {}};
  if (reference) table.columns.push_back({"d2f"});
  const bool learned = activation.learned() != Learned::fixed;
  if (learned) table.columns.push_back({concat('d', activation.type().learnable()->name)});
  const auto cell = [dtype](double value) { return cell_of(value, dtype); };
  for (std::size_t i = 0; i < values.x.size(); ++i) {
    table.rows.push_back({cell(values.x[i]), cell(values.f[i]), cell(values.df[i])});
    if (reference) table.rows.back().push_back(cell(activation.type().d2f(activation.values(), values.x[i])));
    if (learned) table.rows.back().push_back(cell(values.dparameter[i]));
  }
  print(table, arguments.format);
  return 0;
}

}  // namespace actlab
