// The windows of a pooling. Kernels take neighbouring channels at once, as packs: a window here is one pack
// of channels of a window of pixels, numbered as the packs of y (batch, out_height, out_width, channels).
// For .cu files.
#pragma once

#include <cmath>

#include "kernels/cuda/map.h"
#include "kernels/cuda/places.h"

namespace actlab::cuda {

/// Where windows lie in x, in packs.
class PoolWindows {
 public:
  /// s.channels counts packs.
  explicit PoolWindows(const PoolSizes& s)
      : first_({{s.batch, s.out_height(), s.out_width(), s.channels},
                {s.height * s.width * s.channels, s.stride * s.width * s.channels, s.stride * s.channels, 1},
                0}),
        count_(s.batch * s.out_height() * s.out_width() * s.channels),
        line_(s.width * s.channels),
        channels_(s.channels),
        next_line_(line_ - s.kernel * channels_),
        kernel_(static_cast<int>(s.kernel)),
        taps_(static_cast<int>(s.kernel * s.kernel)) {}

  ACTLAB_HD std::int64_t count() const { return count_; }
  /// Of window i, in x.
  ACTLAB_HD std::int64_t first_element(std::int64_t i) const { return first_.of(i); }
  /// Of a tap from the window's first element.
  ACTLAB_HD std::int64_t offset(int tap) const {
    const auto [row, column] = kernel_.divide(tap);
    return row * line_ + column * channels_;
  }
  /// Calls f(tap, its offset) for the taps in turn.
  template <class F>
  __device__ void for_each_tap(const F& f) const {
    std::int64_t offset = 0;
    for (int tap = 0, column = 0; tap < taps_; ++tap) {
      f(tap, offset);
      offset += channels_;
      if (++column < kernel_.divisor()) continue;
      column = 0;
      offset += next_line_;
    }
  }

 private:
  StridedPlaces first_;
  std::int64_t count_, line_, channels_, next_line_;
  DivisorOf<int> kernel_;
  int taps_;
};

/// The largest values of a window so far, and their taps: the first of equals and the first NaN stay.
template <int n>
struct Largest {
  __device__ Largest() {
    for (float& value : values.values) value = -HUGE_VALF;
  }
  __device__ void meet(int tap, Pack<float, n> others) {
#pragma unroll
    for (int k = 0; k < n; ++k) {
      float& value = values.values[k];
      if (others.values[k] <= value || value != value) continue;
      value = others.values[k];
      taps.values[k] = static_cast<std::uint8_t>(tap);
    }
  }

  Pack<float, n> values;
  Pack<std::uint8_t, n> taps{};
};

namespace {

template <int n, class T>
const Pack<T, n>* as_packs(const T* array) {
  return reinterpret_cast<const Pack<T, n>*>(array);
}
template <int n, class T>
Pack<T, n>* as_packs(T* array) {
  return reinterpret_cast<Pack<T, n>*>(array);
}

/// Calls f(sizes, arrays...) with packs of four channels where the sizes and the arrays' alignment allow it,
/// else with packs of one; the sizes' channels are packs.
template <class F, class... T>
void by_packs(PoolSizes s, const F& f, T*... arrays) {
  if (s.channels % 4 != 0 || !(packs_of<4>(arrays) && ...)) return f(s, as_packs<1>(arrays)...);
  s.channels /= 4;
  f(s, as_packs<4>(arrays)...);
}

}  // namespace
}  // namespace actlab::cuda
