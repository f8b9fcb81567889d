// Optimizers on CUDA devices: one launch updates up to 64 parameters, whose arrays travel with the kernel's
// arguments. In double between loads and stores, as the other backends.
#include <cmath>
#include <limits>

#include "kernels/cuda/families.h"
#include "kernels/cuda/reduce.h"
#include "kernels/f32.h"

namespace actlab {
namespace {

// Elements of a piece of an array: what a block does at once, and of a partial sum.
constexpr std::int64_t piece_elements = 4096;

// Some arrays, each cut into pieces that are numbered through. A describes one: its pointers and `count`
// elements.
template <class A>
struct Chunk {
  static constexpr int most = 64;  // a power of 2

  void add(const A& array) {
    arrays[size] = array;
    first[size + 1] = first[size] + (array.count + piece_elements - 1) / piece_elements;
    ++size;
  }
  ACTLAB_HD std::int64_t pieces() const { return first[size]; }
  // Number of the array that holds a piece.
  ACTLAB_HD int holder(std::int64_t piece) const {
    int array = 0;
    for (int step = most / 2; step > 0; step /= 2)
      if (array + step < size && first[array + step] <= piece) array += step;
    return array;
  }

  A arrays[most];
  std::int64_t first[most + 1];  // number of an array's first piece
  int size;
};

// Calls run(chunk, number of its first array) for all arrays in turn; describe(array) gives an A.
template <class A, class T, class Describe, class Run>
void for_each_chunk(std::span<const T> arrays, const Describe& describe, const Run& run) {
  for (std::size_t begin = 0; begin < arrays.size(); begin += Chunk<A>::most) {
    Chunk<A> chunk{};
    for (const T& array : arrays.subspan(begin, std::min<std::size_t>(Chunk<A>::most, arrays.size() - begin)))
      chunk.add(describe(array));
    run(chunk, begin);
  }
}

struct SgdParameter {
  float* w;
  const float* dw;
  float* velocity;
  double weight_decay;
  std::int64_t count;
};

struct SgdStep {
  ACTLAB_HD void operator()(const SgdParameter& p, std::int64_t i) const {
    const double w = double{p.w[i]}, g = double{p.dw[i]} + p.weight_decay * w;
    double step = g;
    if (momentum != 0) {
      const double v = momentum * double{p.velocity[i]} + g;
      p.velocity[i] = static_cast<float>(v);
      step = nesterov ? g + momentum * v : v;
    }
    p.w[i] = static_cast<float>(w - lr * step);
  }

  double lr, momentum;
  bool nesterov;
};

struct AdamWParameter {
  float* w;
  const float* dw;
  float* first;
  float* second;
  double weight_decay;
  std::int64_t count;
};

// What all elements of an update share.
struct AdamWStep {
  explicit AdamWStep(const AdamWOptions& o)
      : lr(o.lr),
        rate(o.lr / (1 - std::pow(o.beta1, static_cast<double>(o.step)))),
        spread(1 / std::sqrt(1 - std::pow(o.beta2, static_cast<double>(o.step)))),
        beta1(o.beta1),
        beta2(o.beta2),
        eps(o.eps) {}

  ACTLAB_HD void operator()(const AdamWParameter& p, std::int64_t i) const {
    constexpr double most = double{std::numeric_limits<float>::max()};
    const double w = double{p.w[i]}, g = double{p.dw[i]};
    const double m = beta1 * double{p.first[i]} + (1 - beta1) * g;
    const double v = beta2 * double{p.second[i]} + (1 - beta2) * g * g;
    p.first[i] = static_cast<float>(m);
    p.second[i] = static_cast<float>(v > most ? most : v);
    const double decayed = w - lr * p.weight_decay * w;
    p.w[i] = static_cast<float>(decayed - rate * m / (math::sqrt(v) * spread + eps));
  }

  double lr, rate, spread, beta1, beta2, eps;
};

// The arguments of a kernel have 4,096 bytes.
static_assert(sizeof(Chunk<AdamWParameter>) + sizeof(AdamWStep) <= 4096);

template <class Step, class A>
__global__ void __launch_bounds__(cuda::block_threads) update_kernel(Step step, Chunk<A> chunk) {
  for (std::int64_t piece = blockIdx.x; piece < chunk.pieces(); piece += gridDim.x) {
    const int holder = chunk.holder(piece);
    const A parameter = chunk.arrays[holder];
    const std::int64_t begin = (piece - chunk.first[holder]) * piece_elements;
    const std::int64_t end = std::min(begin + piece_elements, parameter.count);
    for (std::int64_t i = begin + threadIdx.x; i < end; i += blockDim.x) step(parameter, i);
  }
}

struct Vector {
  const float* x;
  std::int64_t count;
};

// The sum of squares of each piece; the square of a float cannot overflow a double.
__global__ void __launch_bounds__(cuda::block_threads) squares_kernel(Chunk<Vector> chunk, double* squares) {
  for (std::int64_t piece = blockIdx.x; piece < chunk.pieces(); piece += gridDim.x) {
    const int holder = chunk.holder(piece);
    const std::int64_t begin = (piece - chunk.first[holder]) * piece_elements;
    const std::int64_t n = std::min(std::int64_t{piece_elements}, chunk.arrays[holder].count - begin);
    const float* const x = chunk.arrays[holder].x + begin;
    const double sum = cuda::team_sum_of<4>(n, [=](std::int64_t i) { return double{x[i]} * double{x[i]}; });
    if (threadIdx.x == 0) squares[piece] = sum;
  }
}

__global__ void __launch_bounds__(cuda::block_threads)
    norms_kernel(Chunk<Vector> chunk, const double* squares, double* norms) {
  for (int array = static_cast<int>(blockIdx.x); array < chunk.size; array += static_cast<int>(gridDim.x)) {
    const double* const pieces = squares + chunk.first[array];
    const double sum = cuda::team_sum_of(chunk.first[array + 1] - chunk.first[array],
                                         [=](std::int64_t i) { return pieces[i]; });
    if (threadIdx.x == 0) norms[array] = math::sqrt(sum);
  }
}

class CudaOptimizer final : public OptimizerKernels {
 public:
  explicit CudaOptimizer(Memory& memory) : memory_(memory) {}

  void sgd(const SgdOptions& options, std::span<const SgdArrays> parameters) override {
    const SgdStep step{options.lr, options.momentum, options.nesterov};
    const auto describe = [&](const SgdArrays& p) {
      float* velocity = options.momentum == 0 ? nullptr : f32("sgd", p.velocity);
      return SgdParameter{f32("sgd", p.w), f32("sgd", p.dw), velocity, p.weight_decay, p.w.count()};
    };
    for_each_chunk<SgdParameter>(parameters, describe, [&](const auto& chunk, std::size_t) {
      cuda::launch("sgd", update_kernel<SgdStep, SgdParameter>, cuda::block_for_each(chunk.pieces()), step,
                   chunk);
    });
  }

  void adamw(const AdamWOptions& options, std::span<const AdamWArrays> parameters) override {
    const AdamWStep step(options);
    const auto describe = [](const AdamWArrays& p) {
      return AdamWParameter{f32("adamw", p.w),      f32("adamw", p.dw), f32("adamw", p.first),
                            f32("adamw", p.second), p.weight_decay,     p.w.count()};
    };
    for_each_chunk<AdamWParameter>(parameters, describe, [&](const auto& chunk, std::size_t) {
      cuda::launch("adamw", update_kernel<AdamWStep, AdamWParameter>, cuda::block_for_each(chunk.pieces()),
                   step, chunk);
    });
  }

  void norms(std::span<const ConstArray> arrays, std::span<double> norms) override {
    const auto bytes = static_cast<std::int64_t>(norms.size_bytes());
    const Buffer result(memory_, bytes, MemoryKind::workspace);
    const auto describe = [](const ConstArray& x) { return Vector{f32("norm", x), x.count()}; };
    for_each_chunk<Vector>(arrays, describe, [&](const auto& chunk, std::size_t begin) {
      const Buffer scratch(memory_, chunk.pieces() * std::int64_t{sizeof(double)}, MemoryKind::workspace);
      double* squares = static_cast<double*>(scratch.data());
      cuda::launch("norm", squares_kernel, cuda::block_for_each(chunk.pieces()), chunk, squares);
      cuda::launch("norm", norms_kernel, cuda::block_for_each(chunk.size), chunk, squares,
                   static_cast<double*>(result.data()) + begin);
    });
    memory_.copy_to_host(norms.data(), result.data(), bytes);
  }

 private:
  Memory& memory_;
};

}  // namespace

std::unique_ptr<OptimizerKernels> make_cuda_optimizer(Memory& memory) {
  return std::make_unique<CudaOptimizer>(memory);
}

}  // namespace actlab
