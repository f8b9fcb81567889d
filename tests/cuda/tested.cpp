// A CUDA device's kernels as those under test.
#include "tests/kernels/tested.h"

#include <cstdlib>

#include "kernels/cuda/families.h"

namespace actlab {
namespace {

// The tests read results without waiting for them.
const bool synchronous = setenv("ACTLAB_CUDA_SYNCHRONOUS", "1", 1) == 0;

}  // namespace

std::vector<std::string> tested_devices() { return {"cuda"}; }

std::vector<std::string> tested_gemms() { return {"auto"}; }

std::vector<std::string> tested_convolutions() {
  std::vector<std::string> names = cuda_gemm_names();
  names.insert(names.begin(), "auto");
  return names;
}

std::vector<std::string> tested_bf16_gemms() { return tested_convolutions(); }

std::string untested(const std::string& gemm) {
  const std::string version = gemm == "cudnn" ? cudnn_version() : "";
  return version.starts_with("no: ") ? version : "";
}

Backend& tested(const std::string& gemm) { return find_backend("cuda", gemm); }

std::vector<std::string> tested_activation_names() { return {"cuda"}; }

std::unique_ptr<ActivationKernels> make_tested_activation(const std::string& /*name*/) {
  return make_cuda_activation();
}

std::int64_t many_elements() { return 1100; }

}  // namespace actlab
