// Whose kernels the tests of a binary hold against the reference: the CPU's (tested.cpp) or, in the tests of
// CUDA, those of a device (tests/cuda/tested.cpp).
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/backend.h"

namespace actlab {

std::vector<std::string> tested_devices();

/// Ways to compute the device's matmul, its convolution, and both in bf16: arguments of tested().
std::vector<std::string> tested_gemms();
std::vector<std::string> tested_convolutions();
std::vector<std::string> tested_bf16_gemms();
/// Why this way cannot be tested here; empty where it can be.
std::string untested(const std::string& gemm);

Backend& tested(const std::string& gemm = "auto");

/// Every family of activation kernels under test, also those that this CPU lacks.
std::vector<std::string> tested_activation_names();
/// Null where the CPU lacks it.
std::unique_ptr<ActivationKernels> make_tested_activation(const std::string& name);
/// Those that run here.
inline std::vector<std::unique_ptr<ActivationKernels>> tested_activations() {
  std::vector<std::unique_ptr<ActivationKernels>> all;
  for (const std::string& name : tested_activation_names())
    if (auto kernels = make_tested_activation(name)) all.push_back(std::move(kernels));
  return all;
}
/// The one that training takes.
inline std::unique_ptr<ActivationKernels> best_activation() { return std::move(tested_activations().back()); }

/// Elements enough for more than one thread's part on the CPU; fewer where a device is started for each
/// alone.
std::int64_t many_elements();

}  // namespace actlab
