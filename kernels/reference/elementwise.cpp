// Sums, products, reductions and copies by their definitions.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/reference/cast.h"
#include "kernels/reference/families.h"

namespace actlab {
namespace {

// Calls f(i, place of element i in the strided array).
template <class F>
void for_each_place(const StridedSizes& s, const F& f) {
  std::int64_t i = 0;
  for (std::int64_t i0 = 0; i0 < s.sizes[0]; ++i0)
    for (std::int64_t i1 = 0; i1 < s.sizes[1]; ++i1)
      for (std::int64_t i2 = 0; i2 < s.sizes[2]; ++i2)
        for (std::int64_t i3 = 0; i3 < s.sizes[3]; ++i3)
          f(i++, s.offset + i0 * s.strides[0] + i1 * s.strides[1] + i2 * s.strides[2] + i3 * s.strides[3]);
}

void copy_element(DType dtype, void* to, std::int64_t to_at, const void* from, std::int64_t from_at) {
  const auto size = static_cast<std::int64_t>(size_of(dtype));
  std::memcpy(static_cast<char*>(to) + to_at * size, static_cast<const char*>(from) + from_at * size,
              static_cast<std::size_t>(size));
}

// Calls f(o, i) for every place of (outer, inner).
template <class F>
void for_each_line(const AxisSizes& s, const F& f) {
  for (std::int64_t o = 0; o < s.outer; ++o)
    for (std::int64_t i = 0; i < s.inner; ++i) f(o, i);
}

class ReferenceElementwise final : public ElementwiseKernels {
 public:
  void fill(double value, Array y) override {
    for_operands("fill", y.dtype, y.dtype,
                 [&]<class T>(auto, T) { std::fill_n(y.as<T>(), y.count(), cast_element<T>(value)); });
  }

  void add(ConstArray a, ConstArray b, Array y) override {
    for_operands("add", y.dtype, y.dtype, [&]<class T>(auto, T) {
      for (std::int64_t i = 0; i < y.count(); ++i)
        y.as<T>()[i] =
            cast_element<T>(cast_element<double>(a.as<T>()[i]) + cast_element<double>(b.as<T>()[i]));
    });
  }

  void multiply(ConstArray a, ConstArray b, Array y) override {
    for_real("multiply", y.dtype, [&](auto zero) {
      using T = decltype(zero);
      for (std::int64_t i = 0; i < y.count(); ++i)
        y.as<T>()[i] = static_cast<T>(double{a.as<T>()[i]} * double{b.as<T>()[i]});
    });
  }

  void scale(ConstArray x, double factor, Array y) override {
    for_real("scale", y.dtype, [&](auto zero) {
      using T = decltype(zero);
      for (std::int64_t i = 0; i < y.count(); ++i)
        y.as<T>()[i] = static_cast<T>(double{x.as<T>()[i]} * factor);
    });
  }

  void clamp(ConstArray x, double least, double most, Array y) override {
    for_real("clamp", y.dtype, [&](auto zero) {
      using T = decltype(zero);
      for (std::int64_t i = 0; i < y.count(); ++i)
        y.as<T>()[i] = std::clamp(x.as<T>()[i], static_cast<T>(least), static_cast<T>(most));
    });
  }

  void dropout(ConstArray x, double p, const Random& random, Array y) override {
    const double factor = 1 / (1 - p);
    for_real("dropout", y.dtype, [&](auto zero) {
      using T = decltype(zero);
      for (std::int64_t i = 0; i < y.count(); ++i) {
        const auto block = random.block(static_cast<std::uint64_t>(i / 4));
        const bool stays = static_cast<double>(block[static_cast<std::size_t>(i % 4)]) * 0x1p-32 >= p;
        y.as<T>()[i] = stays ? static_cast<T>(double{x.as<T>()[i]} * factor) : T{0};
      }
    });
  }

  void cast(ConstArray x, Array y) override {
    for_float_type(x.dtype, [&](auto from) {
      for_float_type(y.dtype, [&](auto to) {
        using From = decltype(from);
        using To = decltype(to);
        for (std::int64_t i = 0; i < y.count(); ++i) y.as<To>()[i] = cast_element<To>(x.as<From>()[i]);
      });
    });
  }

  void sum(const AxisSizes& s, ConstArray x, Array y) override {
    for_operands("sum", x.dtype, y.dtype, [&]<class T, class Result>(T, Result) {
      for_each_line(s, [&](std::int64_t o, std::int64_t i) {
        double total = 0;
        for (std::int64_t a = 0; a < s.axis; ++a)
          total += cast_element<double>(x.as<T>()[(o * s.axis + a) * s.inner + i]);
        y.as<Result>()[o * s.inner + i] = cast_element<Result>(total);
      });
    });
  }

  void max(const AxisSizes& s, ConstArray x, Array y, Array index) override {
    ACTLAB_CHECK(s.axis >= 1, "max: the axis is empty");
    for_real("max", y.dtype, [&](auto zero) {
      using T = decltype(zero);
      for_each_line(s, [&](std::int64_t o, std::int64_t i) {
        const auto value = [&](std::int64_t a) { return x.as<T>()[(o * s.axis + a) * s.inner + i]; };
        std::int64_t best = 0;
        for (std::int64_t a = 1; a < s.axis; ++a)
          if (value(a) > value(best) || (std::isnan(value(a)) && !std::isnan(value(best)))) best = a;
        y.as<T>()[o * s.inner + i] = value(best);
        index.as<std::int32_t>()[o * s.inner + i] = static_cast<std::int32_t>(best);
      });
    });
  }

  double largest(ConstArray x) override {
    double most = 0;
    for_float_type(x.dtype, [&]<class T>(T) {
      for (std::int64_t i = 0; i < x.count(); ++i)
        most = std::fmax(most, std::fabs(cast_element<double>(x.as<T>()[i])));
    });
    return most;
  }

  void broadcast(const AxisSizes& s, ConstArray y, double factor, Array x) override {
    for_real("broadcast", x.dtype, [&](auto zero) {
      using T = decltype(zero);
      for_each_line(s, [&](std::int64_t o, std::int64_t i) {
        for (std::int64_t a = 0; a < s.axis; ++a)
          x.as<T>()[(o * s.axis + a) * s.inner + i] =
              static_cast<T>(double{y.as<T>()[o * s.inner + i]} * factor);
      });
    });
  }

  void scatter_axis(const AxisSizes& s, ConstArray dy, ConstArray index, Array dx) override {
    for_real("scatter_axis", dx.dtype, [&](auto zero) {
      using T = decltype(zero);
      for_each_line(s, [&](std::int64_t o, std::int64_t i) {
        const std::int64_t at = o * s.inner + i;
        for (std::int64_t a = 0; a < s.axis; ++a)
          dx.as<T>()[(o * s.axis + a) * s.inner + i] =
              index.as<std::int32_t>()[at] == a ? dy.as<T>()[at] : T{0};
      });
    });
  }

  void gather(const StridedSizes& sizes, ConstArray x, Array y) override {
    for_each_place(
        sizes, [&](std::int64_t i, std::int64_t place) { copy_element(y.dtype, y.data, i, x.data, place); });
  }

  void scatter(const StridedSizes& sizes, ConstArray dy, Array dx) override {
    if (dx.count() > 0) std::memset(dx.data, 0, static_cast<std::size_t>(dx.count()) * size_of(dx.dtype));
    for_each_place(sizes, [&](std::int64_t i, std::int64_t place) {
      copy_element(dx.dtype, dx.data, place, dy.data, i);
    });
  }
};

}  // namespace

std::unique_ptr<ElementwiseKernels> make_reference_elementwise() {
  return std::make_unique<ReferenceElementwise>();
}

}  // namespace actlab
