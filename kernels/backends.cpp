// Which backends this build has: the only place that knows its options. Backends are made on first use and
// live as long as the process, so that tensors of any lifetime can return their memory.
#include <array>
#include <map>
#include <memory>
#include <mutex>

#include "kernels/backend.h"
#include "kernels/cpu/activation.h"
#include "kernels/cpu/families.h"
#include "kernels/cpu/host_memory.h"
#include "kernels/reference/activation.h"
#include "kernels/reference/families.h"
#ifdef ACTLAB_WITH_ONEDNN
#include "kernels/cpu/onednn/families.h"
#endif
#ifdef ACTLAB_WITH_OPENBLAS
#include "kernels/cpu/openblas/families.h"
#endif

namespace actlab {
namespace {

/// A way to compute the CPU's matmul and convolution; not built in where the functions are null.
struct Gemm {
  std::string_view name;
  std::string_view packages;  ///< Debian's, that bring it
  std::unique_ptr<MatmulKernels> (*matmul)(Memory&, Bf16Products) = nullptr;
  std::unique_ptr<ConvolutionKernels> (*convolution)(Memory&, Bf16Products) = nullptr;
};

/// In the order of preference.
constexpr std::array gemms = {
    Gemm{.name = "onednn",
         .packages = "libdnnl-dev ocl-icd-opencl-dev",
#ifdef ACTLAB_WITH_ONEDNN
         .matmul = make_onednn_matmul,
         .convolution = make_onednn_convolution
#endif
    },
    Gemm{.name = "openblas",
         .packages = "libopenblas-openmp-dev",
#ifdef ACTLAB_WITH_OPENBLAS
         .matmul = [](Memory& memory, Bf16Products) { return make_openblas_matmul(memory); },
         .convolution = [](Memory& memory, Bf16Products) { return make_openblas_convolution(memory); }
#endif
    },
    Gemm{.name = "reference",
         .packages = {},
         .matmul = [](Memory&, Bf16Products) { return make_reference_matmul(); },
         .convolution = [](Memory&, Bf16Products) { return make_reference_convolution(); }},
};

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

const Gemm& find_gemm(std::string_view name) {
  for (const Gemm& gemm : gemms) {
    if (name != "auto" && name != gemm.name) continue;
    if (gemm.matmul != nullptr) return gemm;
    if (name == gemm.name) {
      throw ConfigError(concat("gemm = \"", name, "\" is not built in; this build has ", joined(gemm_names()),
                               "; install ", gemm.packages, " and build again for it"));
    }
  }
  throw ConfigError(concat("unknown gemm '", name, "'; this build has auto, ", joined(gemm_names())));
}

struct Families {
  std::unique_ptr<MatmulKernels> matmul;
  std::unique_ptr<ConvolutionKernels> convolution;
  std::unique_ptr<ActivationKernels> activation;
  std::unique_ptr<PoolKernels> pool;
  std::unique_ptr<RowKernels> rows;
  std::unique_ptr<AttentionKernels> attention;
  std::unique_ptr<NormKernels> norm;
  std::unique_ptr<LossKernels> loss;
  std::unique_ptr<ElementwiseKernels> elementwise;
  std::unique_ptr<OptimizerKernels> optimizer;
};

/// A backend with the families that it refers to.
struct OwnedBackend {
  OwnedBackend(std::string name, Memory& memory, Families made)
      : families(std::move(made)),
        backend{.name = std::move(name),
                .memory = memory,
                .matmul = *families.matmul,
                .convolution = *families.convolution,
                .activation = *families.activation,
                .pool = *families.pool,
                .rows = *families.rows,
                .attention = *families.attention,
                .norm = *families.norm,
                .loss = *families.loss,
                .elementwise = *families.elementwise,
                .optimizer = *families.optimizer} {}

  Families families;
  Backend backend;
};

Memory& host_memory() {
  static Memory& memory = *new HostMemory;
  return memory;
}

Families make_reference() {
  return {.matmul = make_reference_matmul(),
          .convolution = make_reference_convolution(),
          .activation = make_reference_activation(),
          .pool = make_reference_pool(),
          .rows = make_reference_rows(),
          .attention = make_reference_attention(),
          .norm = make_reference_norm(),
          .loss = make_reference_loss(),
          .elementwise = make_reference_elementwise(),
          .optimizer = make_reference_optimizer()};
}

Families make_cpu(const Gemm& gemm, Bf16Products bf16, Memory& memory) {
  return {.matmul = gemm.matmul(memory, bf16),
          .convolution = gemm.convolution(memory, bf16),
          .activation = make_cpu_activation(best_isa()),
          .pool = make_cpu_pool(),
          .rows = make_cpu_rows(memory),
          .attention = make_cpu_attention(),
          .norm = make_cpu_norm(memory),
          .loss = make_cpu_loss(memory),
          .elementwise = make_cpu_elementwise(memory),
          .optimizer = make_cpu_optimizer(memory)};
}

}  // namespace

Backend& find_backend(std::string_view device, std::string_view gemm_name, Bf16Products bf16) {
  static std::mutex mutex;
  static auto& backends = *new std::map<std::string, std::unique_ptr<OwnedBackend>>;

  const Gemm& gemm = find_gemm(gemm_name);
  if (device == "cuda") {
    throw ConfigError(concat("device = \"cuda\" is not built in; this build has ", joined(device_names())));
  }
  if (device != "cpu" && device != "reference") {
    throw ConfigError(concat("unknown device '", device, "'; this build has ", joined(device_names())));
  }
  const std::lock_guard lock(mutex);
  const bool cpu = device == "cpu";
  auto& found = backends[cpu ? concat("cpu/", gemm.name, bf16 == Bf16Products::native ? "" : "/by_f32")
                             : std::string(device)];
  if (found == nullptr) {
    Memory& memory = host_memory();
    found = std::make_unique<OwnedBackend>(std::string(device), memory,
                                           cpu ? make_cpu(gemm, bf16, memory) : make_reference());
  }
  return found->backend;
}

std::vector<std::string> device_names() { return {"cpu", "reference"}; }

std::vector<std::string> gemm_names() {
  std::vector<std::string> names;
  for (const Gemm& gemm : gemms)
    if (gemm.matmul != nullptr) names.emplace_back(gemm.name);
  return names;
}

}  // namespace actlab
