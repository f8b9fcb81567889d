// Which backends this build has: the only place that knows its options. Backends are made on first use and
// live as long as the process, so that tensors of any lifetime can return their memory.
#include <array>
#include <charconv>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>

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
#ifdef ACTLAB_WITH_CUDA
#include "kernels/cuda/families.h"
#endif
#ifdef ACTLAB_WITH_CUDNN
#include "kernels/cuda/cudnn/families.h"
#endif

namespace actlab {
namespace {

/// A way to compute the CPU's matmul and convolution; not built in where the functions are null.
struct Gemm {
  std::string_view name;
  std::string_view packages;  ///< Debian's, that bring it
  std::unique_ptr<MatmulKernels> (*matmul)(Memory&, Multiplication) = nullptr;
  std::unique_ptr<ConvolutionKernels> (*convolution)(Memory&, Multiplication) = nullptr;
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
         .matmul = [](Memory& memory, Multiplication) { return make_openblas_matmul(memory); },
         .convolution = [](Memory& memory, Multiplication) { return make_openblas_convolution(memory); }
#endif
    },
    Gemm{.name = "reference",
         .packages = {},
         .matmul = [](Memory&, Multiplication) { return make_reference_matmul(); },
         .convolution = [](Memory&, Multiplication) { return make_reference_convolution(); }},
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

// Number of a CUDA device: 0 for "cuda", 7 for "cuda:7"; none for other names.
std::optional<int> cuda_index(std::string_view device) {
  if (device == "cuda") return 0;
  constexpr std::string_view prefix = "cuda:";
  int index = 0;
  if (!device.starts_with(prefix)) return {};
  const auto [end, error] =
      std::from_chars(device.data() + prefix.size(), device.data() + device.size(), index);
  if (error != std::errc() || end != device.data() + device.size()) return {};
  return index;
}

struct Families {
  std::unique_ptr<MatmulKernels> matmul;
  std::unique_ptr<ConvolutionKernels> convolution;
  std::unique_ptr<ActivationKernels> activation;
  std::unique_ptr<PoolKernels> pool;
  std::unique_ptr<ImageKernels> images;
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
                .images = *families.images,
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
          .images = make_reference_images(),
          .rows = make_reference_rows(),
          .attention = make_reference_attention(),
          .norm = make_reference_norm(),
          .loss = make_reference_loss(),
          .elementwise = make_reference_elementwise(),
          .optimizer = make_reference_optimizer()};
}

Families make_cpu(const Gemm& gemm, Multiplication multiplication, Memory& memory) {
  return {.matmul = gemm.matmul(memory, multiplication),
          .convolution = gemm.convolution(memory, multiplication),
          .activation = make_cpu_activation(best_isa()),
          .pool = make_cpu_pool(),
          .images = make_cpu_images(),
          .rows = make_cpu_rows(memory),
          .attention = make_cpu_attention(),
          .norm = make_cpu_norm(memory),
          .loss = make_cpu_loss(memory),
          .elementwise = make_cpu_elementwise(memory),
          .optimizer = make_cpu_optimizer(memory)};
}

constexpr std::string_view cudnn_gemm = "cudnn";

#ifdef ACTLAB_WITH_CUDA
std::unique_ptr<ConvolutionKernels> make_device_convolution([[maybe_unused]] bool by_cudnn,
                                                            [[maybe_unused]] Multiplication multiplication,
                                                            Memory& memory) {
#ifdef ACTLAB_WITH_CUDNN
  if (by_cudnn) return make_cudnn_convolution(memory, multiplication);
#endif
  return make_cuda_convolution(memory);
}

Families make_cuda(bool by_cudnn, Multiplication multiplication, Memory& memory) {
  return {.matmul = make_cuda_matmul(memory, multiplication),
          .convolution = make_device_convolution(by_cudnn, multiplication, memory),
          .activation = make_cuda_activation(),
          .pool = make_cuda_pool(),
          .images = make_cuda_images(memory),
          .rows = make_cuda_rows(memory),
          .attention = make_cuda_attention(memory),
          .norm = make_cuda_norm(memory),
          .loss = make_cuda_loss(memory),
          .elementwise = make_cuda_elementwise(memory),
          .optimizer = make_cuda_optimizer(memory)};
}
#endif

// Whether cuDNN is to compute the device's convolutions; throws where this gemm is none of a CUDA device's.
bool chooses_cudnn(std::string_view device, std::string_view gemm) {
  const std::vector<std::string> others = cuda_gemm_names();
  if (gemm == cudnn_gemm && (device == "cpu" || device == "reference"))
    throw ConfigError(concat("gemm = \"", gemm,
                             "\": computes the convolutions of CUDA devices; with device = \"", device,
                             "\" this build has auto, ", joined(gemm_names())));
  if (gemm == cudnn_gemm && others.empty())
    throw ConfigError(concat("gemm = \"", gemm,
                             "\" is not built in; for it install NVIDIA's cuDNN 9, with its headers, "
                             "and build again with ACTLAB_WITH_CUDNN=ON, or leave gemm at auto"));
  if (cuda_index(device) && gemm != "auto" && gemm != cudnn_gemm)
    throw ConfigError(concat("gemm = \"", gemm, "\": is a library of the CPU; with device = \"", device,
                             "\" leave it at auto",
                             others.empty() ? "" : concat(", or choose ", joined(others))));
  return gemm == cudnn_gemm;
}

// A new backend every time.
std::unique_ptr<OwnedBackend> make_backend(const std::string& device, const Gemm& gemm,
                                           Multiplication multiplication, [[maybe_unused]] bool by_cudnn) {
  if (device == "cpu")
    return std::make_unique<OwnedBackend>(device, host_memory(),
                                          make_cpu(gemm, multiplication, host_memory()));
  if (device == "reference") return std::make_unique<OwnedBackend>(device, host_memory(), make_reference());
  const std::optional<int> index = cuda_index(device);
  if (!index)
    throw ConfigError(concat("unknown device '", device, "'; this build has ", joined(device_names())));
#ifdef ACTLAB_WITH_CUDA
  Memory& memory = use_cuda_device(*index);
  return std::make_unique<OwnedBackend>(device, memory, make_cuda(by_cudnn, multiplication, memory));
#else
  throw ConfigError(
      concat("device = \"", device, "\" is not built in; this build has ", joined(device_names())));
#endif
}

}  // namespace

Backend& find_backend(std::string_view device, std::string_view gemm_name, Multiplication multiplication) {
  static std::mutex mutex;
  static auto& backends =
      *new std::map<std::tuple<std::string, std::string, Multiplication>, std::unique_ptr<OwnedBackend>>;

  const Gemm& gemm = find_gemm(gemm_name == cudnn_gemm ? "auto" : gemm_name);
  const bool by_cudnn = chooses_cudnn(device, gemm_name);
  const std::string name(device == "cuda:0" ? "cuda" : device);
  // What the device does not know means nothing there.
  if (multiplication != (name == "cpu" ? Multiplication::by_f32 : Multiplication::tf32))
    multiplication = Multiplication::native;
  const std::lock_guard lock(mutex);
  const std::string library = name == "cpu" ? std::string(gemm.name) : by_cudnn ? "cudnn" : "";
  auto& found = backends[{name, library, multiplication}];
  if (found == nullptr) found = make_backend(name, gemm, multiplication, by_cudnn);
  return found->backend;
}

DeviceChoice best_device() {
#ifdef ACTLAB_WITH_CUDA
  std::string missing = missing_cuda_device();
  constexpr std::string_view no = "no: ";
  if (missing.empty() && loaded_cublaslt().starts_with(no)) missing = loaded_cublaslt().substr(no.size());
  return {missing.empty() ? "cuda" : "cpu", std::move(missing)};
#else
  return {"cpu", "this build is without CUDA"};
#endif
}

std::vector<std::string> device_names() {
  std::vector<std::string> names = {"cpu", "reference"};
#ifdef ACTLAB_WITH_CUDA
  names.emplace_back("cuda");
#endif
  return names;
}

std::vector<std::string> gemm_names() {
  std::vector<std::string> names;
  for (const Gemm& gemm : gemms)
    if (gemm.matmul != nullptr) names.emplace_back(gemm.name);
  return names;
}

std::vector<std::string> cuda_gemm_names() {
#ifdef ACTLAB_WITH_CUDNN
  return {std::string(cudnn_gemm)};
#else
  return {};
#endif
}

std::string cublaslt_version() {
#ifdef ACTLAB_WITH_CUDA
  return loaded_cublaslt();
#else
  return "no: this build is without CUDA";
#endif
}

std::string cudnn_version() {
#ifdef ACTLAB_WITH_CUDNN
  return loaded_cudnn();
#else
  return "no: this build is without it";
#endif
}

}  // namespace actlab
