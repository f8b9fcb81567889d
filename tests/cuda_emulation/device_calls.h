// What emulated device code asks of the scheduler, and what a launch asks of the runtime.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <source_location>
#include <type_traits>

inline uint3 threadIdx{}, blockIdx{};
inline dim3 blockDim{}, gridDim{};
inline constexpr int warpSize = 32;

namespace emu {

/// Where in a kernel a synchronising call was made.
using Site = std::source_location;

/// What the lanes of a warp do together.
enum class Op { sync, shuffle, ballot, any, all };

/// Waits for all threads of the block; the number of those with a predicate that is not 0.
int barrier(int predicate, Site at);
/// The same operation by all lanes of the mask; a shuffle returns the value of lane `source`.
std::uint64_t collective(Op op, unsigned mask, std::uint64_t value, int source, Site at);
int lane();
void fence();
/// The array of this declaration (`key`) in the shared memory of the block, filled with NaN when the block
/// starts.
void* shared_array(const void* key, std::size_t bytes, std::size_t alignment);

/// Whether the pointer is null or points into memory of the device or to its end.
bool reachable(const void* pointer);
void check_reachable(const void* pointer);
/// The same of every pointer in an object, whose padding is clear.
void check_words(const void* object, std::size_t bytes);
/// Throws KernelError where a pointer among a kernel's arguments, or in one of them, is the host's.
template <class... P>
void check_arguments(P... arguments) {
  const auto check = [](auto& argument) {
    if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(argument)>>) {
      check_reachable(argument);
    } else {
      __builtin_clear_padding(&argument);  // what lies there by chance is no pointer
      check_words(&argument, sizeof argument);
    }
  };
  (check(arguments), ...);
}

/// Puts work on a stream: a launch, or what a library does on the device.
void enqueue(cudaStream_t stream, std::function<void()> work);
cudaError_t submit(dim3 blocks, dim3 threads, cudaStream_t stream, std::function<void()> kernel);

}  // namespace emu
