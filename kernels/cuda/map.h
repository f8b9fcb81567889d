// Elementwise kernels: y[i] = f(i, x[i]...), computed in float, sixteen bytes at a time where the arrays'
// alignment allows it. For .cu files.
#pragma once

#include "kernels/cuda/launch.h"
#include "kernels/math/half.h"
#include "kernels/math/ptx.h"

namespace actlab::cuda {
namespace {

/// n elements of T, read and written at once.
template <class T, int n>
struct alignas(sizeof(T) * n) Pack {
  T values[n];
};

/// Elements of a pack of which the widest type fills sixteen bytes.
template <class... T>
inline constexpr int pack_size = 16 / static_cast<int>(std::max({sizeof(T)...}));

template <int n, class T>
bool packs_of(const T* array) {
  return reinterpret_cast<std::uintptr_t>(array) % sizeof(Pack<T, n>) == 0;
}

template <int n, class T>
ACTLAB_HD Pack<T, n> read_pack(const T* from) {
  return *reinterpret_cast<const Pack<T, n>*>(from);
}
/// In one store: the compiler may take a struct's apart into those of its elements.
template <int n, class T>
ACTLAB_HD void write_pack(T* to, const Pack<T, n>& pack) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(pack) >= 8)
    ptx::store(to, __builtin_bit_cast(std::conditional_t<sizeof(pack) == 8, uint2, uint4>, pack));
  else
#endif
    *reinterpret_cast<Pack<T, n>*>(to) = pack;
}

template <int n, class F, class T, class... X>
__global__ void __launch_bounds__(block_threads) map_kernel(std::int64_t count, F f, T* y, const X*... x) {
  for (std::int64_t i = first_piece(); i < count / n; i += piece_step()) {
    const auto compute = [&](const Pack<X, n>&... in) {
      Pack<T, n> out;
#pragma unroll
      for (int k = 0; k < n; ++k)
        out.values[k] = math::from_float<T>(f(i * n + k, math::to_float(in.values[k])...));
      return out;
    };
    write_pack<n>(y + i * n, compute(read_pack<n>(x + i * n)...));
  }
  for (std::int64_t i = count / n * n + first_piece(); i < count; i += piece_step())
    y[i] = math::from_float<T>(f(i, math::to_float(x[i])...));
}

/// y[i] = f(i, x[i]...) for i in [0, count); y may be one of the x. f is a struct whose operator() takes the
/// index and floats.
template <class F, class T, class... X>
void map(std::string_view operation, std::int64_t count, const F& f, T* y, const X*... x) {
  constexpr int n = pack_size<T, X...>;
  if (packs_of<n>(y) && (packs_of<n>(x) && ...))
    launch(operation, map_kernel<n, F, T, X...>, grid_for((count + n - 1) / n), count, f, y, x...);
  else
    launch(operation, map_kernel<1, F, T, X...>, grid_for(count), count, f, y, x...);
}

}  // namespace
}  // namespace actlab::cuda
