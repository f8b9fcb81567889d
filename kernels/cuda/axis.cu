// Reductions over an axis: a thread for each result where the axis is short, else a block for each strip of
// neighbours. What reduces is a struct with a State, of which none() is the first, at() that of one element,
// join() that of two, and put() the result.
#include "kernels/cuda/axis.h"

#include <bit>

#include "kernels/cuda/launch.h"
#include "kernels/cuda/places.h"
#include "kernels/cuda/types.h"
#include "kernels/reference/cast.h"

namespace actlab::cuda {
namespace {

// Elements of a partial.
constexpr std::int64_t partial = 4096;
// The longest axis for which one thread a result is enough.
constexpr std::int64_t short_axis = 32;
// Neighbours that a block reduces side by side.
constexpr std::int64_t strip = 32;
constexpr int most_threads = 1024;

template <class T, class Y>
struct Sum {
  using State = double;
  const T* x;
  Y* y;

  ACTLAB_HD State none() const { return 0; }
  ACTLAB_HD State at(std::int64_t i, std::int64_t) const { return cast_element<double>(x[i]); }
  ACTLAB_HD State join(State a, State b) const { return a + b; }
  ACTLAB_HD void put(std::int64_t i, State sum) const { y[i] = static_cast<Y>(sum); }
};

// NaNs count as 0.
template <class T, class Y>
struct LargestSize {
  using State = float;
  const T* x;
  Y* y;

  ACTLAB_HD State none() const { return 0; }
  ACTLAB_HD State at(std::int64_t i, std::int64_t) const {
    const float size = ::fabsf(math::to_float(x[i]));
    return size == size ? size : 0.0f;
  }
  ACTLAB_HD State join(State a, State b) const { return a < b ? b : a; }
  ACTLAB_HD void put(std::int64_t i, State most) const { y[i] = most; }
};

struct Max {
  struct State {
    float value;
    std::int64_t place;
  };
  const float* x;
  float* y;
  std::int32_t* index;

  ACTLAB_HD State none() const { return {-HUGE_VALF, INT64_MAX}; }
  ACTLAB_HD State at(std::int64_t i, std::int64_t place) const { return {x[i], place}; }
  ACTLAB_HD State join(const State& a, const State& b) const {
    if (above(a.value, b.value)) return a;
    return above(b.value, a.value) || b.place < a.place ? b : a;
  }
  ACTLAB_HD void put(std::int64_t i, const State& best) const {
    y[i] = best.value;
    index[i] = static_cast<std::int32_t>(best.place);
  }
  static ACTLAB_HD bool above(float a, float b) { return a > b || (a != a && b == b); }
};

template <class R>
__global__ void __launch_bounds__(block_threads) reduce_short_kernel(R r, AxisSizes s, Divisor inner) {
  for (std::int64_t line = first_piece(); line < s.outer * s.inner; line += piece_step()) {
    const std::int64_t first = line + inner.whole(line) * (s.axis - 1) * s.inner;
    typename R::State state = r.none();
    for (std::int64_t a = 0; a < s.axis; ++a) state = r.join(state, r.at(first + a * s.inner, a));
    r.put(line, state);
  }
}

// A result for each of (outer, partials, inner), the partials of `length` elements. The block's threads lie
// as (rows, width), both powers of 2: thread t begins in row t / width of column t % width.
template <class R>
__global__ void __launch_bounds__(most_threads)
    reduce_kernel(R r, AxisSizes s, std::int64_t length, int width) {
  ACTLAB_SHARED(typename R::State, states, [most_threads]);
  const std::int64_t partials = (s.axis + length - 1) / length, strips = (s.inner + width - 1) / width;
  const int t = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  for (std::int64_t task = blockIdx.x; task < s.outer * partials * strips; task += gridDim.x) {
    const std::int64_t column = task % strips * width + t % width, row = task / strips;
    const std::int64_t first = row % partials * length, end = std::min(first + length, s.axis);
    typename R::State state = r.none();
    if (column < s.inner) {
      const std::int64_t line = row / partials * s.axis * s.inner + column;
#pragma unroll 4
      for (std::int64_t a = first + t / width; a < end; a += threads / width)
        state = r.join(state, r.at(line + a * s.inner, a));
    }
    states[t] = state;
    for (int half = threads / 2; half >= width; half /= 2) {
      __syncthreads();
      if (t < half) states[t] = r.join(states[t], states[t + half]);
    }
    if (t < width && column < s.inner) r.put(row * s.inner + column, states[t]);
    __syncthreads();  // the next task overwrites the states
  }
}

template <class R>
void run(std::string_view operation, const R& r, const AxisSizes& s, std::int64_t length) {
  if (s.axis <= short_axis)
    return launch(operation, reduce_short_kernel<R>, grid_for(s.outer * s.inner), r, s, Divisor(s.inner));
  const auto power_of_two = [](std::int64_t n) {
    return static_cast<int>(std::bit_ceil(static_cast<std::uint64_t>(n)));
  };
  const int width = power_of_two(std::min(s.inner, strip));
  // Eight elements a thread, where there are so many.
  const int threads =
      std::clamp(power_of_two(std::min({s.axis, length, partial}) * width / 8), 32, most_threads);
  const std::int64_t partials = (s.axis + length - 1) / length, strips = (s.inner + width - 1) / width;
  launch(operation, reduce_kernel<R>, block_for_each(s.outer * partials * strips, threads), r, s, length,
         width);
}

// Reduces to partials, and these again, until there is one.
template <template <class, class> class R, class T, class Y>
void reduce(Memory& memory, std::string_view operation, const AxisSizes& s, const T* x, Y* y) {
  if (s.axis <= partial) return run(operation, R<T, Y>{x, y}, s, partial);
  using State = typename R<T, Y>::State;
  const std::int64_t partials = (s.axis + partial - 1) / partial;
  const Buffer scratch(memory, s.outer * partials * s.inner * std::int64_t{sizeof(State)},
                       MemoryKind::workspace);
  State* const states = static_cast<State*>(scratch.data());
  run(operation, R<T, State>{x, states}, s, partial);
  reduce<R>(memory, operation, {s.outer, partials, s.inner}, static_cast<const State*>(states), y);
}

}  // namespace

void sum_axis(Memory& memory, const AxisSizes& sizes, ConstArray x, Array y) {
  float* const out = f32("sum", y);
  for_float("sum", x.dtype, [&]<class T>(T) { reduce<Sum>(memory, "sum", sizes, x.as<T>(), out); });
}

void max_axis(const AxisSizes& sizes, ConstArray x, Array y, Array index) {
  ACTLAB_CHECK(sizes.axis >= 1, "max: the axis is empty");
  run("max", Max{f32("max", x), f32("max", y), index.as<std::int32_t>()}, sizes, sizes.axis);
}

double largest(Memory& memory, ConstArray x) {
  float most = 0;
  for_float("largest", x.dtype, [&]<class T>(T) {
    if (x.count() == 0) return;
    const Buffer result(memory, sizeof(float), MemoryKind::workspace);
    reduce<LargestSize>(memory, "largest", {1, x.count(), 1}, x.as<T>(), static_cast<float*>(result.data()));
    memory.copy_to_host(&most, result.data(), sizeof(float));
  });
  return double{most};
}

}  // namespace actlab::cuda
