// Errors, device and stream of the CUDA runtime.
#include "kernels/cuda/runtime.h"

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include "kernels/cuda/fault.h"
#include "kernels/error.h"

namespace actlab::cuda {
namespace {

bool synchronous() {
  static const char* const wanted = std::getenv("ACTLAB_CUDA_SYNCHRONOUS");
  return wanted != nullptr && std::strcmp(wanted, "1") == 0;
}

// 0 where there is none.
int driver_version() {
  int version = 0;
  return cudaDriverGetVersion(&version) == cudaSuccess ? version : 0;
}

// The device in use, its stream and the fault that its kernels found, in memory that host and device reach;
// all live as long as the process.
struct InUse {
  explicit InUse(int index) {
    check(cudaSetDevice(index), "device");
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, index), "device");
    device = {.name = properties.name,
              .index = index,
              .multiprocessors = properties.multiProcessorCount,
              .major = properties.major,
              .minor = properties.minor,
              .bytes = static_cast<std::int64_t>(properties.totalGlobalMem),
              .driver = driver_version()};
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "device");
    void* memory = nullptr;
    check(cudaMallocHost(&memory, sizeof(Fault)), "device");
    fault = new (memory) Fault{};
  }

  Device device;
  cudaStream_t stream = nullptr;
  Fault* fault = nullptr;
};

std::mutex mutex;
std::optional<InUse>& in_use() {
  static auto& state = *new std::optional<InUse>;
  return state;
}

// Each thread of the host has a current device of its own.
const InUse& used() {
  thread_local bool current = false;
  const std::lock_guard lock(mutex);
  if (!in_use()) in_use().emplace(0);
  if (!current) check(cudaSetDevice(in_use()->device.index), "device");
  current = true;
  return *in_use();
}

}  // namespace

void check(cudaError_t status, std::string_view operation) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // a launch that is refused leaves its error behind
  throw Error(concat(operation, ": CUDA: ", cudaGetErrorString(status), " (", cudaGetErrorName(status), ")"));
}

cudaStream_t stream() { return used().stream; }

Fault* fault_record() { return used().fault; }

void synchronize(std::string_view operation) {
  const InUse& use = used();
  check(cudaStreamSynchronize(use.stream), operation);
  if (use.fault->text == nullptr) return;
  const Fault found = std::exchange(*use.fault, {});
  throw Error(found.text(found));
}

void check_launch(cudaError_t status, std::string_view operation) {
  check(status, operation);
  if (synchronous()) synchronize(operation);
}

DeviceCount device_count() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && count > 0) return {count, {}};
  cudaGetLastError();
  if (driver_version() == 0) return {0, "no NVIDIA driver is installed"};
  return {0, status == cudaSuccess ? "the driver lists no device" : cudaGetErrorString(status)};
}

void use_device(int index) {
  const auto [count, reason] = device_count();
  const std::string name = index == 0 ? "cuda" : concat("cuda:", index);
  if (count == 0) throw ConfigError(concat("device = \"", name, "\": ", reason, "; use device = \"cpu\""));
  if (index < 0 || index >= count)
    throw ConfigError(concat("device = \"cuda:", index, "\": there ", count == 1 ? "is 1 device" : "are ",
                             count == 1 ? "" : concat(count, " devices"), ", counted from 0"));
  const std::lock_guard lock(mutex);
  if (!in_use()) in_use().emplace(index);
  const std::string missing = missing_code();
  if (!missing.empty())
    throw ConfigError(concat("device = \"cuda:", index, "\" (", in_use()->device.name,
                             "): this build has no code for it: ", missing,
                             "; build again with CMAKE_CUDA_ARCHITECTURES=native"));
  if (const int used = in_use()->device.index; used != index)
    throw ConfigError(concat("device = \"cuda:", index, "\": this process uses device ", used,
                             " already; run one program for each device"));
}

const Device& device() { return used().device; }

}  // namespace actlab::cuda
