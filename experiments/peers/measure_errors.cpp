// peer_errors: the largest errors of an activation on every instruction set of this CPU, and of values that
// another program computed at the same floats.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <span>

#include "experiments/cli/output.h"
#include "experiments/peers/activation_errors.h"
#include "experiments/peers/peer_main.h"
#include "experiments/runner/activation_values.h"
#include "kernels/cpu/activation.h"

namespace actlab {
namespace {

struct Arguments {
  std::string activation = "gelu", points, values, format = "table";
  std::uint32_t stride = 509;
  float most = std::numeric_limits<float>::max();
};

void write_floats(const std::string& path, const std::vector<float>& values) {
  std::ofstream file(path, std::ios::binary);
  const auto bytes = std::as_bytes(std::span(values));
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) throw Error(concat("peer_errors: cannot write ", path));
}

// n floats for f, then n for f'.
std::vector<float> read_floats(const std::string& path, std::size_t count) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff end = file.tellg();
  if (end < 0 || std::filesystem::is_directory(path)) throw Error(concat("cannot read ", path));
  const auto size = static_cast<std::size_t>(end);
  if (size != count * sizeof(float))
    throw Error(concat("peer_errors: ", path, " has ", size, " bytes, not the ", count * sizeof(float),
                       " of f and f' at the points of this --stride and --most"));
  std::vector<float> values(count);
  file.seekg(0);
  file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(size));
  if (!file) throw Error(concat("peer_errors: cannot read ", path));
  return values;
}

void measure(const Arguments& arguments) {
  const std::vector<float> x = sampled_floats(arguments.stride, arguments.most);
  if (!arguments.points.empty()) return write_floats(arguments.points, x);
  const ActivationHandle activation = without_observing(ActivationHandle::parse(arguments.activation));
  if (activation.gated())
    throw ConfigError(
        concat("'", arguments.activation, "' is a gated form; name '", activation.info().name, "'"));
  Table table{{{"activation"}, {"promised"}, {"by"}, {"f"}, {"f_at"}, {"df"}, {"df_at"}}, {}};
  const bool promised = activation.info().accuracy == Accuracy::exact;
  const auto add = [&](std::string_view by, const LargestErrors& e) {
    table.rows.push_back({activation.spelled(), promised, std::string(by), number_cell(e.f), e.f_at,
                          number_cell(e.df), e.df_at});
  };
  for (const Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512})
    if (cpu_supports(isa)) add(name_of(isa), largest_errors(activation, x, *make_cpu_activation(isa)));
  if (!arguments.values.empty()) {
    const std::vector<float> both = read_floats(arguments.values, 2 * x.size());
    const auto middle = both.begin() + static_cast<std::ptrdiff_t>(x.size());
    add("values", largest_errors(activation, x, {both.begin(), middle}, {middle, both.end()}));
  }
  print(table, arguments.format);
}

}  // namespace
}  // namespace actlab

int main(int argc, char** argv) {
  actlab::Arguments arguments;
  CLI::App app("Largest errors of an activation: f in units in the last place, f' in units of the contract",
               "peer_errors");
  app.add_option("--activation", arguments.activation, "its name, with parameters")->capture_default_str();
  app.add_option("--stride", arguments.stride, "every which float of both signs is a point")
      ->check(CLI::Range(1, 1 << 30))
      ->capture_default_str();
  app.add_option("--most", arguments.most, "the largest |x|")->check(CLI::Range(1e-30, 3.4e38));
  app.add_option("--points", arguments.points, "write the points to this file, as float32, and stop");
  app.add_option("--values", arguments.values,
                 "measure these values too: float32, f at every point, then f' at every point");
  app.add_option("--format", arguments.format, "how the result is printed")
      ->check(CLI::IsMember(actlab::table_format_names()))
      ->capture_default_str();
  return actlab::peer_main(app, argc, argv, [&] { actlab::measure(arguments); });
}
