// Strided copies, row by row of the innermost dimension, by the size of an element.
#include "kernels/cpu/strided_copy.h"

#include "kernels/cpu/parallel.h"
#include "kernels/f32.h"

namespace actlab {
namespace {

// Calls f(i, place) with the number of each row's first element and its place; f must not throw.
template <class F>
void for_each_row(const StridedSizes& s, const F& f) {
  const auto& [n0, n1, n2, n3] = s.sizes;
  const auto& [stride0, stride1, stride2, stride3] = s.strides;
  parallel_for(n0 * n1 * n2, rows_a_part(n3), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row)
      f(row * n3, s.offset + row / (n1 * n2) * stride0 + row / n2 % n1 * stride1 + row % n2 * stride2);
  });
}

template <class F>
void for_element(std::size_t bytes, const F& f) {
  if (bytes == 1) return f(std::uint8_t{});
  if (bytes == 2) return f(std::uint16_t{});
  if (bytes == 4) return f(std::uint32_t{});
  if (bytes == 8) return f(std::uint64_t{});
  throw Error(concat("gather and scatter: no element has ", bytes, " bytes"));
}

}  // namespace

void gather_elements(const StridedSizes& sizes, std::size_t element_bytes, const void* x, void* y) {
  const std::int64_t n = sizes.sizes[3], stride = sizes.strides[3];
  for_element(element_bytes, [&](auto zero) {
    using T = decltype(zero);
    const T* from = static_cast<const T*>(x);
    T* to = static_cast<T*>(y);
    for_each_row(sizes, [=](std::int64_t i, std::int64_t place) {
      if (stride == 1) {
        std::copy_n(from + place, n, to + i);
      } else {
        for (std::int64_t j = 0; j < n; ++j) to[i + j] = from[place + j * stride];
      }
    });
  });
}

void scatter_elements(const StridedSizes& sizes, std::size_t element_bytes, const void* y, void* x) {
  const std::int64_t n = sizes.sizes[3], stride = sizes.strides[3];
  for_element(element_bytes, [&](auto zero) {
    using T = decltype(zero);
    const T* from = static_cast<const T*>(y);
    T* to = static_cast<T*>(x);
    for_each_row(sizes, [=](std::int64_t i, std::int64_t place) {
      for (std::int64_t j = 0; j < n; ++j) to[place + j * stride] = from[i + j];
    });
  });
}

}  // namespace actlab
