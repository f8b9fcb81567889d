// Holds what is asked for against what the backend has.
#include "experiments/runner/precision.h"

#include <set>

#include "experiments/runner/build.h"
#include "kernels/error.h"

namespace actlab {

DType compute_type(std::string_view precision) {
  if (precision == "f32" || precision == "tf32") return DType::f32;
  if (precision == "bf16" || precision == "bf16_emulated") return DType::bf16;
  if (precision == "f16") return DType::f16;
  throw ConfigError(
      concat("precision: wanted one of f32, tf32, bf16, bf16_emulated, f16, found \"", precision, "\""));
}

Multiplication multiplication_of(std::string_view precision) {
  return precision == "bf16_emulated" ? Multiplication::by_f32
         : precision == "tf32"        ? Multiplication::tf32
                                      : Multiplication::native;
}

std::string usable_precision(const std::string& precision, const Backend& backend,
                             const std::function<void(const std::string&)>& warn) {
  if (precision == "tf32" && backend.memory.on_host())
    throw ConfigError("precision = \"tf32\": is of CUDA devices; use precision = \"f32\"");
  if (precision == "tf32" && !backend.matmul.native(DType::bf16)) {
    warn("precision = \"tf32\": takes a GPU of compute capability 8: this is f32, and recorded so");
    return "f32";
  }
  if (compute_type(precision) == DType::f32) return precision;
  if (multiplication_of(precision) == Multiplication::by_f32) {
    if (backend.memory.on_host()) return precision;
    warn("precision = \"bf16_emulated\": is of the CPU; on a device it is \"bf16\"");
    return usable_precision("bf16", backend, warn);
  }
  const DType type = compute_type(precision);
  if (backend.matmul.native(type) && backend.convolution.native(type)) return precision;
  if (type == DType::f16)
    throw ConfigError(
        concat("precision = \"f16\": ", backend.matmul.implementation(),
               " has no kernels for f16, a CUDA device has; use precision = \"f32\" or \"bf16\""));
  warn(concat("precision = \"bf16\": ", backend.matmul.implementation(),
              " has no kernels for bf16 here (they take oneDNN and a CPU with AVX-512-BF16, or a GPU of "
              "compute capability 8): this computes in f32, and is recorded so; precision = "
              "\"bf16_emulated\" rounds as bf16 does on any CPU, by f32 "
              "arithmetic"));
  return "f32";
}

std::vector<Experiment> with_usable_precision(const std::vector<Experiment>& experiments,
                                              const std::function<void(const std::string&)>& warn) {
  std::vector<Experiment> usable;
  std::set<std::string> seen, warnings;
  for (Experiment experiment : experiments) {
    if (experiment.precision != "f32")
      experiment.precision =
          usable_precision(experiment.precision, backend_of(experiment), [&](const std::string& warning) {
            if (warnings.insert(warning).second) warn(warning);
          });
    if (seen.insert(to_toml(experiment)).second) usable.push_back(std::move(experiment));
  }
  return usable;
}

}  // namespace actlab
