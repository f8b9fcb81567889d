// Elementwise operations, casts, dropout, and copies between strided arrays on CUDA devices.
#include <cmath>

#include "kernels/cuda/axis.h"
#include "kernels/cuda/families.h"
#include "kernels/cuda/map.h"
#include "kernels/cuda/places.h"
#include "kernels/cuda/types.h"
#include "kernels/philox.h"
#include "kernels/reference/cast.h"

namespace actlab {
namespace cuda {
namespace {

struct Constant {
  float value;
  ACTLAB_HD float operator()(std::int64_t) const { return value; }
};

struct Same {
  ACTLAB_HD float operator()(std::int64_t, float x) const { return x; }
};

struct Plus {
  ACTLAB_HD float operator()(std::int64_t, float a, float b) const { return a + b; }
};

struct Times {
  ACTLAB_HD float operator()(std::int64_t, float a, float b) const { return a * b; }
};

struct Scaled {
  double factor;
  ACTLAB_HD float operator()(std::int64_t, float x) const { return static_cast<float>(double{x} * factor); }
};

struct Clamped {
  float least, most;
  ACTLAB_HD float operator()(std::int64_t, float x) const { return x < least ? least : x > most ? most : x; }
};

// Of an element of (outer, axis, inner): its place along the axis, and that of what stands for the axis in
// (outer, inner).
class AxisPlaces {
 public:
  struct Place {
    std::int64_t along, reduced;
  };

  explicit AxisPlaces(const AxisSizes& s) : inner_(s.inner), axis_(s.axis) {}

  ACTLAB_HD Place of(std::int64_t i) const {
    const auto [row, column] = inner_.divide(i);
    const auto [outer, along] = axis_.divide(row);
    return {along, outer * inner_.divisor() + column};
  }

 private:
  Divisor inner_, axis_;
};

struct Broadcast {
  AxisPlaces places;
  const float* y;
  double factor;
  ACTLAB_HD float operator()(std::int64_t i) const {
    return static_cast<float>(double{y[places.of(i).reduced]} * factor);
  }
};

struct ScatterAxis {
  AxisPlaces places;
  const float* dy;
  const std::int32_t* index;
  ACTLAB_HD float operator()(std::int64_t i) const {
    const auto [along, reduced] = places.of(i);
    return index[reduced] == along ? dy[reduced] : 0.0f;
  }
};

// x * factor where its number is at least `least`, else 0.
struct Dropped {
  std::uint64_t least;
  double factor;
  ACTLAB_HD float operator()(std::uint32_t number, float x) const {
    return number >= least ? static_cast<float>(double{x} * factor) : 0.0f;
  }
};

// A thread computes the four numbers of a block, and their elements, which are a pack where `packs` says so.
__global__ void __launch_bounds__(block_threads)
    dropout_kernel(std::int64_t n, Philox philox, Dropped dropped, bool packs, const float* x, float* y) {
  for (std::int64_t i = first_piece(); 4 * i < n; i += piece_step()) {
    const auto numbers = philox.block(static_cast<std::uint64_t>(i));
    if (packs && 4 * i + 4 <= n) {
      Pack<float, 4> pack = read_pack<4>(x + 4 * i);
#pragma unroll
      for (unsigned k = 0; k < 4; ++k) pack.values[k] = dropped(numbers[k], pack.values[k]);
      write_pack<4>(y + 4 * i, pack);
    } else {
#pragma unroll
      for (unsigned k = 0; k < 4; ++k)
        if (4 * i + k < n) y[4 * i + k] = dropped(numbers[k], x[4 * i + k]);
    }
  }
}

template <class From, class To>
__global__ void __launch_bounds__(block_threads) cast_kernel(std::int64_t n, const From* x, To* y) {
  for (std::int64_t i = first_piece(); i < n; i += piece_step()) y[i] = cast_element<To>(x[i]);
}

template <class T>
__global__ void __launch_bounds__(block_threads)
    gather_kernel(StridedPlaces places, std::int64_t n, const T* __restrict__ x, T* __restrict__ y) {
  for (std::int64_t i = first_piece(); i < n; i += piece_step()) y[i] = x[places.of(i)];
}

template <class T>
__global__ void __launch_bounds__(block_threads)
    scatter_kernel(StridedPlaces places, std::int64_t n, const T* __restrict__ y, T* __restrict__ x) {
  for (std::int64_t i = first_piece(); i < n; i += piece_step()) x[places.of(i)] = y[i];
}

// Calls f(unit, places, count) with a value of the widest unit that the rows of a strided array and of a
// dense one can be copied by, and with the places and the number of the dense one's units.
template <class F>
void by_units(StridedSizes s, ConstArray strided, ConstArray dense, const F& f) {
  const auto bytes = static_cast<std::int64_t>(size_of(dense.dtype));
  const bool rows = s.strides[3] == 1;
  const std::int64_t apart = rows ? s.sizes[3] | s.strides[0] | s.strides[1] | s.strides[2] | s.offset : 1;
  const auto alignment = static_cast<std::uint64_t>(bytes * apart) |
                         reinterpret_cast<std::uintptr_t>(strided.data) |
                         reinterpret_cast<std::uintptr_t>(dense.data);
  for_unit(alignment, [&]<class Unit>(Unit unit) {
    const std::int64_t elements = std::int64_t{sizeof(Unit)} / bytes;
    for (std::size_t k = 0; k < 3; ++k) s.strides[k] /= elements;
    s.sizes[3] /= elements;
    s.offset /= elements;
    f(unit, StridedPlaces(s), dense.count() / elements);
  });
}

class CudaElementwise final : public ElementwiseKernels {
 public:
  explicit CudaElementwise(Memory& memory) : memory_(memory) {}

  void fill(double value, Array y) override {
    for_float("fill", y.dtype, [&]<class T>(T) {
      map("fill", y.count(), Constant{math::to_float(math::from_double<T>(value))}, y.as<T>());
    });
  }

  void add(ConstArray a, ConstArray b, Array y) override {
    for_float("add", y.dtype,
              [&]<class T>(T) { map("add", y.count(), Plus{}, y.as<T>(), a.as<T>(), b.as<T>()); });
  }

  void multiply(ConstArray a, ConstArray b, Array y) override {
    map("multiply", y.count(), Times{}, f32("multiply", y), f32("multiply", a), f32("multiply", b));
  }

  void scale(ConstArray x, double factor, Array y) override {
    map("scale", y.count(), Scaled{factor}, f32("scale", y), f32("scale", x));
  }

  void clamp(ConstArray x, double least, double most, Array y) override {
    map("clamp", y.count(), Clamped{static_cast<float>(least), static_cast<float>(most)}, f32("clamp", y),
        f32("clamp", x));
  }

  void dropout(ConstArray x, double p, const Random& random, Array y) override {
    // 2^32 where p = 1: then no number leaves x.
    const auto least = static_cast<std::uint64_t>(std::ceil(p * 0x1p32));
    const float* const in = f32("dropout", x);
    float* const out = f32("dropout", y);
    launch("dropout", dropout_kernel, grid_for((y.count() + 3) / 4), y.count(), random.philox(),
           Dropped{least, 1 / (1 - p)}, packs_of<4>(in) && packs_of<4>(out), in, out);
  }

  void cast(ConstArray x, Array y) override {
    for_float_type(x.dtype, [&]<class From>(From) {
      for_float_type(y.dtype, [&]<class To>(To) {
        if constexpr (std::is_same_v<From, double> || std::is_same_v<To, double>)
          launch("cast", cast_kernel<From, To>, grid_for(y.count()), y.count(), x.as<From>(), y.as<To>());
        else
          map("cast", y.count(), Same{}, y.as<To>(), x.as<From>());
      });
    });
  }

  void sum(const AxisSizes& sizes, ConstArray x, Array y) override { sum_axis(memory_, sizes, x, y); }

  void max(const AxisSizes& sizes, ConstArray x, Array y, Array index) override {
    max_axis(sizes, x, y, index);
  }

  double largest(ConstArray x) override { return cuda::largest(memory_, x); }

  void broadcast(const AxisSizes& sizes, ConstArray y, double factor, Array x) override {
    map("broadcast", sizes.outer * sizes.axis * sizes.inner,
        Broadcast{AxisPlaces(sizes), f32("broadcast", y), factor}, f32("broadcast", x));
  }

  void scatter_axis(const AxisSizes& sizes, ConstArray dy, ConstArray index, Array dx) override {
    map("scatter_axis", sizes.outer * sizes.axis * sizes.inner,
        ScatterAxis{AxisPlaces(sizes), f32("scatter_axis", dy), index.as<std::int32_t>()},
        f32("scatter_axis", dx));
  }

  void gather(const StridedSizes& sizes, ConstArray x, Array y) override {
    by_units(sizes, x, y, [&]<class Unit>(Unit, const StridedPlaces& places, std::int64_t n) {
      launch("gather", gather_kernel<Unit>, grid_for(n), places, n, static_cast<const Unit*>(x.data),
             static_cast<Unit*>(y.data));
    });
  }

  void scatter(const StridedSizes& sizes, ConstArray dy, Array dx) override {
    memory_.zero(dx.data, dx.count() * static_cast<std::int64_t>(size_of(dx.dtype)));
    by_units(sizes, dx, dy, [&]<class Unit>(Unit, const StridedPlaces& places, std::int64_t n) {
      launch("scatter", scatter_kernel<Unit>, grid_for(n), places, n, static_cast<const Unit*>(dy.data),
             static_cast<Unit*>(dx.data));
    });
  }

 private:
  Memory& memory_;
};

}  // namespace
}  // namespace cuda

std::unique_ptr<ElementwiseKernels> make_cuda_elementwise(Memory& memory) {
  return std::make_unique<cuda::CudaElementwise>(memory);
}

}  // namespace actlab
