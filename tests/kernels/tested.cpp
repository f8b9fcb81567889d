// The CPU's kernels as those under test.
#include "tests/kernels/tested.h"

#include <new>

#include "kernels/cpu/activation.h"
#include "tests/kernels/test_memory.h"

namespace actlab {

std::vector<std::string> tested_devices() { return {"cpu", "reference"}; }

std::vector<std::string> tested_gemms() { return gemm_names(); }

std::vector<std::string> tested_convolutions() { return gemm_names(); }

// "onednn_by_f32" does without instructions for bf16.
std::vector<std::string> tested_bf16_gemms() {
  std::vector<std::string> names = gemm_names();
  if (names.front() == "onednn") names.emplace_back("onednn_by_f32");
  return names;
}

std::string untested(const std::string& /*gemm*/) { return {}; }

Backend& tested(const std::string& gemm) {
  if (gemm == "onednn_by_f32") return find_backend("cpu", "onednn", Multiplication::by_f32);
  return find_backend("cpu", gemm);
}

std::vector<std::string> tested_activation_names() { return {"baseline", "avx2", "avx512"}; }

std::unique_ptr<ActivationKernels> make_tested_activation(const std::string& name) {
  const Isa isa = parse_isa(name);
  return cpu_supports(isa) ? make_cpu_activation(isa) : nullptr;
}

std::int64_t many_elements() { return 40000; }

void* allocate_for_test(std::size_t bytes) { return ::operator new(bytes); }

void free_of_test(void* memory, std::size_t /*bytes*/) noexcept { ::operator delete(memory); }

}  // namespace actlab
