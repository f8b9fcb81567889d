// Elementwise operations and reductions over f32, and casts.
#include <algorithm>

#include "kernels/cpu/f32.h"
#include "kernels/cpu/families.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/strided_copy.h"
#include "kernels/cpu/sum.h"
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

class CpuElementwise final : public ElementwiseKernels {
 public:
  explicit CpuElementwise(Memory& memory) : memory_(memory) {}

  void fill(double value, Array y) override {
    map(y.count(), f32("fill", y), [v = static_cast<float>(value)](std::int64_t) { return v; });
  }

  void add(ConstArray a, ConstArray b, Array y) override {
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

  void cast(ConstArray x, Array y) override {
    for_float_type(x.dtype, [&](auto from) {
      for_float_type(y.dtype, [&](auto to) {
        const auto* in = x.as<decltype(from)>();
        map(y.count(), y.as<decltype(to)>(),
            [=](std::int64_t i) { return cast_element<decltype(to)>(in[i]); });
      });
    });
  }

  void sum(const AxisSizes& sizes, ConstArray x, Array y) override {
    sum_axis(memory_, sizes, f32("sum", x), f32("sum", y));
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
