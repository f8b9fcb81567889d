// Reads the machine's and the libraries' names.
#include "experiments/runner/environment.h"

#include <omp.h>

#include <cstdlib>
#include <fstream>

#include "framework/core/sha256.h"
#include "kernels/activation.h"

namespace actlab {
namespace {

std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

}  // namespace

std::string program_version() { return ACTLAB_VERSION; }

std::string program_build() {
  const std::string commit = ACTLAB_COMMIT;
  return commit.empty() ? program_version() : program_version() + " (" + commit + ")";
}

std::string program_checksum() {
  static const std::string checksum = sha256_of_file("/proc/self/exe");
  return checksum;
}

Record environment(const Backend& backend) {
  const bool native_bf16 = backend.matmul.native(DType::bf16) && backend.convolution.native(DType::bf16);
  Record record = {
      {"version", program_build()},
      {"program_sha256", program_checksum()},
      {"compiler", std::string("g++ " __VERSION__)},
      {"processor", processor()},
      {"cores", static_cast<std::int64_t>(omp_get_num_procs())},
      {"threads", static_cast<std::int64_t>(omp_get_max_threads())},
      {"instruction_set", std::string(name_of(best_isa()))},
      {"backend", backend.name},
      {"matmul", backend.matmul.implementation()},
      {"convolution", backend.convolution.implementation()},
      {"bf16", std::string(native_bf16 ? "native" : "by way of f32")},
      {"activation", backend.activation.implementation()},
  };
  for (const char* name : {"OMP_NUM_THREADS", "OMP_PROC_BIND", "OPENBLAS_CORETYPE", "OPENBLAS_NUM_THREADS",
                           "NVIDIA_TF32_OVERRIDE", "ACTLAB_CUDA_SYNCHRONOUS"})
    if (const char* value = std::getenv(name)) record.emplace_back(name, std::string(value));
  return record;
}

}  // namespace actlab
