// Whose kernels the tests of a binary hold against the reference: the CPU's or, in the tests of CUDA, those
// of a device. Also memory that both these kernels and the tests reach.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "kernels/backend.h"

#ifdef ACTLAB_TEST_CUDA
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "kernels/cuda/families.h"
#include "kernels/cuda/runtime.h"
#else
#include "kernels/cpu/activation.h"
#endif

namespace actlab {

#ifdef ACTLAB_TEST_CUDA

inline constexpr const char* tested_device = "cuda";
inline constexpr bool one_launch_an_element = true;
// The tests read results without waiting for them.
inline const bool synchronous = setenv("ACTLAB_CUDA_SYNCHRONOUS", "1", 1) == 0;
inline std::vector<std::string> tested_devices() { return {"cuda"}; }
/// Ways to compute the device's matmul, and its convolution.
inline std::vector<std::string> tested_gemms() { return {"cuda"}; }
inline std::vector<std::string> tested_convolutions() {
  std::vector<std::string> names = cuda_gemm_names();
  names.insert(names.begin(), "cuda");
  return names;
}
inline std::vector<std::string> tested_bf16_gemms() { return tested_convolutions(); }
inline Backend& tested(const std::string& gemm = "cuda") {
  return find_backend("cuda", gemm == "cudnn" ? gemm : "auto");
}
/// Why it cannot be tested here, after "no: ".
inline std::string untested(const std::string& gemm) {
  const std::string version = gemm == "cudnn" ? cudnn_version() : "";
  return version.starts_with("no: ") ? version : "";
}

inline std::vector<std::string> tested_activation_names() { return {"cuda"}; }
inline std::unique_ptr<ActivationKernels> make_tested_activation(const std::string& /*name*/) {
  return make_cuda_activation();
}

class TestMemory {
 public:
  TestMemory(std::size_t bytes, unsigned char value) : bytes_(bytes) {
    cuda::check(cudaMallocManaged(reinterpret_cast<void**>(&data_), bytes), "memory of a test");
    std::fill_n(data_, bytes, value);
  }
  TestMemory(const TestMemory& other) : TestMemory(other.bytes_, 0) {
    std::copy_n(other.data_, bytes_, data_);
  }
  TestMemory& operator=(TestMemory other) {
    std::swap(bytes_, other.bytes_);
    std::swap(data_, other.data_);
    return *this;
  }
  ~TestMemory() { cudaFree(data_); }

  unsigned char* begin() { return data_; }
  const unsigned char* begin() const { return data_; }
  const unsigned char* end() const { return data_ + bytes_; }

 private:
  std::size_t bytes_;
  unsigned char* data_ = nullptr;
};

#else

inline constexpr const char* tested_device = "cpu";
inline constexpr bool one_launch_an_element = false;
inline std::vector<std::string> tested_devices() { return {"cpu", "reference"}; }
/// Ways to compute the device's matmul and convolution.
inline std::vector<std::string> tested_gemms() { return gemm_names(); }
inline std::vector<std::string> tested_convolutions() { return gemm_names(); }
/// Those of bf16; "onednn_by_f32" does without instructions for it.
inline std::vector<std::string> tested_bf16_gemms() {
  std::vector<std::string> names = gemm_names();
  if (names.front() == "onednn") names.emplace_back("onednn_by_f32");
  return names;
}
inline Backend& tested(const std::string& gemm = "auto") {
  if (gemm == "onednn_by_f32") return find_backend("cpu", "onednn", Bf16Products::by_f32);
  return find_backend("cpu", gemm);
}
inline std::string untested(const std::string& /*gemm*/) { return {}; }

/// The instruction sets, also those that this CPU lacks.
inline std::vector<std::string> tested_activation_names() { return {"baseline", "avx2", "avx512"}; }
/// Null where the CPU lacks it.
inline std::unique_ptr<ActivationKernels> make_tested_activation(const std::string& name) {
  const Isa isa = parse_isa(name);
  return cpu_supports(isa) ? make_cpu_activation(isa) : nullptr;
}

class TestMemory {
 public:
  TestMemory(std::size_t bytes, unsigned char value) : bytes_(bytes, value) {}

  unsigned char* begin() { return bytes_.data(); }
  const unsigned char* begin() const { return bytes_.data(); }
  const unsigned char* end() const { return bytes_.data() + bytes_.size(); }

 private:
  std::vector<unsigned char> bytes_;
};

#endif

/// Every family of activation kernels under test that runs here.
inline std::vector<std::unique_ptr<ActivationKernels>> tested_activations() {
  std::vector<std::unique_ptr<ActivationKernels>> all;
  for (const std::string& name : tested_activation_names())
    if (auto kernels = make_tested_activation(name)) all.push_back(std::move(kernels));
  return all;
}
/// The one that training takes.
inline std::unique_ptr<ActivationKernels> best_activation() { return std::move(tested_activations().back()); }

}  // namespace actlab
