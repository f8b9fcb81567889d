// Elementwise operations and reductions over f32, some of bf16 by way of it, casts, and dropout.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

#include "kernels/cpu/bfloat16.h"
#include "kernels/cpu/families.h"
#include "kernels/cpu/instruction_sets.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/strided_copy.h"
#include "kernels/cpu/sum.h"
#include "kernels/f32.h"
#include "kernels/reference/cast.h"

namespace actlab {
namespace {

// y[i] = f(i) for i in [0, n). y may be one of the arrays that f reads at i.
template <class T, class F>
void map(std::int64_t n, T* y, const F& f) {
  parallel_for(n, elements_a_part, [=](std::int64_t begin, std::int64_t end) {
#pragma GCC ivdep
    for (std::int64_t i = begin; i < end; ++i) y[i] = f(i);
  });
}

// One row of (outer, axis, inner) joins the running maximum; a NaN stays.
void max_of_row(const float* x, std::int64_t n, std::int32_t row, float* best, std::int32_t* place) {
  for (std::int64_t i = 0; i < n; ++i) {
    const float value = x[i], most = best[i];
    const bool wins = (!(value <= most)) & (most == most);
    best[i] = wins ? value : most;
    place[i] = wins ? row : place[i];
  }
}

// Bits of the largest |x|: floats without a sign are ordered as their bits are. NaNs count as 0.
template <class T>
std::int32_t largest_size(const T* x, std::int64_t n) {
  constexpr std::int32_t infinity = 0x7f800000;
  std::int32_t most = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int32_t size = math::to_bits(math::to_float(x[i])) & 0x7fffffff;
    most = std::max(most, size <= infinity ? size : 0);
  }
  return most;
}

// y = x * factor where the number is at least `least`, else 0.
ACTLAB_EACH_INSTRUCTION_SET
void drop(const float* __restrict x, std::int64_t n, const std::uint32_t* __restrict numbers,
          std::uint64_t least, double factor, float* __restrict y) {
  for (std::int64_t i = 0; i < n; ++i) {
    const float value = static_cast<float>(double{x[i]} * factor);
    y[i] = numbers[i] >= least ? value : 0.0f;
  }
}

class CpuElementwise final : public ElementwiseKernels {
 public:
  explicit CpuElementwise(Memory& memory) : memory_(memory) {}

  void fill(double value, Array y) override {
    if (y.dtype == DType::bf16)
      return map(y.count(), y.as<BFloat16>(),
                 [v = math::from_double<BFloat16>(value)](std::int64_t) { return v; });
    map(y.count(), f32("fill", y), [v = static_cast<float>(value)](std::int64_t) { return v; });
  }

  void add(ConstArray a, ConstArray b, Array y) override {
    if (y.dtype == DType::bf16)
      return map(y.count(), y.as<BFloat16>(), [l = a.as<BFloat16>(), r = b.as<BFloat16>()](std::int64_t i) {
        return math::from_float<BFloat16>(math::to_float(l[i]) + math::to_float(r[i]));
      });
    const float* left = f32("add", a);
    const float* right = f32("add", b);
    map(y.count(), f32("add", y), [=](std::int64_t i) { return left[i] + right[i]; });
  }

  void multiply(ConstArray a, ConstArray b, Array y) override {
    const float* left = f32("multiply", a);
    const float* right = f32("multiply", b);
    map(y.count(), f32("multiply", y), [=](std::int64_t i) { return left[i] * right[i]; });
  }

  void scale(ConstArray x, double factor, Array y) override {
    const float* in = f32("scale", x);
    map(y.count(), f32("scale", y),
        [=](std::int64_t i) { return static_cast<float>(double{in[i]} * factor); });
  }

  void clamp(ConstArray x, double least, double most, Array y) override {
    const float* in = f32("clamp", x);
    map(y.count(), f32("clamp", y),
        [=, low = static_cast<float>(least), high = static_cast<float>(most)](std::int64_t i) {
          return std::clamp(in[i], low, high);
        });
  }

  void dropout(ConstArray x, double p, const Random& random, Array y) override {
    const float* in = f32("dropout", x);
    float* out = f32("dropout", y);
    // The first number that leaves x: 2^32 where p = 1, then none does.
    const auto least = static_cast<std::uint64_t>(std::ceil(p * 0x1p32));
    const std::int64_t n = y.count();
    parallel_for(n, elements_a_part, [=, factor = 1 / (1 - p)](std::int64_t begin, std::int64_t end) {
      std::array<std::uint32_t, 4096> numbers;  // a part begins with a block of four
      for (std::int64_t first = begin; first < end; first += std::ssize(numbers)) {
        const std::int64_t count = std::min<std::int64_t>(std::ssize(numbers), end - first);
        random.fill(static_cast<std::uint64_t>(first / 4), {numbers.data(), static_cast<std::size_t>(count)});
        drop(in + first, count, numbers.data(), least, factor, out + first);
      }
    });
  }

  void cast(ConstArray x, Array y) override {
    if (x.dtype == DType::f32 && y.dtype == DType::bf16)
      return narrow(x.as<float>(), y.count(), y.as<BFloat16>());
    if (x.dtype == DType::bf16 && y.dtype == DType::f32)
      return widen(x.as<BFloat16>(), y.count(), y.as<float>());
    for_float_type(x.dtype, [&](auto from) {
      for_float_type(y.dtype, [&](auto to) {
        const auto* in = x.as<decltype(from)>();
        map(y.count(), y.as<decltype(to)>(),
            [=](std::int64_t i) { return cast_element<decltype(to)>(in[i]); });
      });
    });
  }

  void sum(const AxisSizes& sizes, ConstArray x, Array y) override {
    float* out = f32("sum", y);
    if (x.dtype == DType::bf16) return sum_axis(memory_, sizes, x.as<BFloat16>(), out);
    sum_axis(memory_, sizes, f32("sum", x), out);
  }

  void max(const AxisSizes& s, ConstArray x, Array y, Array index) override {
    ACTLAB_CHECK(s.axis >= 1, "max: the axis is empty");
    const float* in = f32("max", x);
    float* out = f32("max", y);
    std::int32_t* places = index.as<std::int32_t>();
    parallel_for(s.outer, rows_a_part(s.axis * s.inner), [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t o = begin; o < end; ++o) {
        const float* rows = in + o * s.axis * s.inner;
        float* best = out + o * s.inner;
        std::int32_t* place = places + o * s.inner;
        std::copy_n(rows, s.inner, best);
        std::fill_n(place, s.inner, 0);
        for (std::int64_t a = 1; a < s.axis; ++a)
          max_of_row(rows + a * s.inner, s.inner, static_cast<std::int32_t>(a), best, place);
      }
    });
  }

  double largest(ConstArray x) override {
    std::atomic<std::int32_t> most = 0;
    for_float_type(x.dtype, [&]<class T>(T) {
      if constexpr (std::is_same_v<T, double>)
        check_f32("largest", x.dtype);
      else
        parallel_for(x.count(), elements_a_part, [&, in = x.as<T>()](std::int64_t begin, std::int64_t end) {
          const std::int32_t size = largest_size(in + begin, end - begin);
          for (std::int32_t seen = most; seen < size && !most.compare_exchange_weak(seen, size);) continue;
        });
    });
    return double{math::from_bits(most)};
  }

  void broadcast(const AxisSizes& s, ConstArray y, double factor, Array x) override {
    const float* in = f32("broadcast", y);
    float* out = f32("broadcast", x);
    parallel_for(s.outer * s.axis, rows_a_part(s.inner), [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) {
        const float* from = in + row / s.axis * s.inner;
        for (std::int64_t i = 0; i < s.inner; ++i)
          out[row * s.inner + i] = static_cast<float>(double{from[i]} * factor);
      }
    });
  }

  void scatter_axis(const AxisSizes& s, ConstArray dy, ConstArray index, Array dx) override {
    const float* gradient = f32("scatter_axis", dy);
    float* out = f32("scatter_axis", dx);
    const std::int32_t* places = index.as<std::int32_t>();
    parallel_for(s.outer * s.axis, rows_a_part(s.inner), [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) {
        const std::int64_t from = row / s.axis * s.inner;
        const auto a = static_cast<std::int32_t>(row % s.axis);
        for (std::int64_t i = 0; i < s.inner; ++i) {
          const float value = gradient[from + i];
          out[row * s.inner + i] = places[from + i] == a ? value : 0.0f;
        }
      }
    });
  }

  void gather(const StridedSizes& sizes, ConstArray x, Array y) override {
    gather_elements(sizes, size_of(y.dtype), x.data, y.data);
  }

  void scatter(const StridedSizes& sizes, ConstArray dy, Array dx) override {
    memory_.zero(dx.data, dx.count() * static_cast<std::int64_t>(size_of(dx.dtype)));
    scatter_elements(sizes, size_of(dx.dtype), dy.data, dx.data);
  }

 private:
  Memory& memory_;
};

}  // namespace

std::unique_ptr<ElementwiseKernels> make_cpu_elementwise(Memory& memory) {
  return std::make_unique<CpuElementwise>(memory);
}

}  // namespace actlab
