// Optimizers: one pass over each parameter, in double between loads and stores (the pass is bound by memory
// all the same).
#include <cmath>
#include <limits>

#include "kernels/cpu/families.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/sum.h"
#include "kernels/f32.h"

namespace actlab {
namespace {

void step_plain(const SgdOptions& o, double decay, std::int64_t n, const float* dw, float* w) {
  const double lr = o.lr;
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) {
    const double g = double{dw[i]} + decay * double{w[i]};
    w[i] = static_cast<float>(double{w[i]} - lr * g);
  }
}

template <bool nesterov>
void step_momentum(const SgdOptions& o, double decay, std::int64_t n, const float* dw, float* velocity,
                   float* w) {
  const double lr = o.lr, momentum = o.momentum;
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) {
    const double g = double{dw[i]} + decay * double{w[i]};
    const double v = momentum * double{velocity[i]} + g;
    velocity[i] = static_cast<float>(v);
    w[i] = static_cast<float>(double{w[i]} - lr * (nesterov ? g + momentum * v : v));
  }
}

// What all elements of an update share.
struct AdamWStep {
  explicit AdamWStep(const AdamWOptions& o)
      : lr(o.lr),
        rate(o.lr / (1 - std::pow(o.beta1, static_cast<double>(o.step)))),
        spread(1 / std::sqrt(1 - std::pow(o.beta2, static_cast<double>(o.step)))),
        beta1(o.beta1),
        beta2(o.beta2),
        eps(o.eps) {}
  double lr, rate, spread, beta1, beta2, eps;
};

void step_adamw(const AdamWStep& o, double weight_decay, std::int64_t n, const float* dw, float* first,
                float* second, float* w) {
  constexpr double most = double{std::numeric_limits<float>::max()};
  const double rate = o.rate, spread = o.spread, beta1 = o.beta1, beta2 = o.beta2, eps = o.eps;
  const double decay = o.lr * weight_decay;
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) {
    const double g = double{dw[i]};
    const double m = beta1 * double{first[i]} + (1 - beta1) * g;
    const double v = beta2 * double{second[i]} + (1 - beta2) * g * g;
    first[i] = static_cast<float>(m);
    second[i] = static_cast<float>(v > most ? most : v);
    const double decayed = double{w[i]} - decay * double{w[i]};
    w[i] = static_cast<float>(decayed - rate * m / (std::sqrt(v) * spread + eps));
  }
}

class CpuOptimizer final : public OptimizerKernels {
 public:
  explicit CpuOptimizer(Memory& memory) : memory_(memory) {}

  void sgd(const SgdOptions& options, std::span<const SgdArrays> parameters) override {
    for (const SgdArrays& p : parameters) {
      float* w = f32("sgd", p.w);
      const float* dw = f32("sgd", p.dw);
      float* velocity = options.momentum == 0 ? nullptr : f32("sgd", p.velocity);
      const double decay = p.weight_decay;
      parallel_for(p.w.count(), elements_a_part, [=](std::int64_t begin, std::int64_t end) {
        if (velocity == nullptr) {
          step_plain(options, decay, end - begin, dw + begin, w + begin);
        } else {
          const auto step = options.nesterov ? step_momentum<true> : step_momentum<false>;
          step(options, decay, end - begin, dw + begin, velocity + begin, w + begin);
        }
      });
    }
  }

  void adamw(const AdamWOptions& options, std::span<const AdamWArrays> parameters) override {
    const AdamWStep step(options);
    for (const AdamWArrays& p : parameters) {
      float* w = f32("adamw", p.w);
      const float* dw = f32("adamw", p.dw);
      float* first = f32("adamw", p.first);
      float* second = f32("adamw", p.second);
      const double decay = p.weight_decay;
      parallel_for(p.w.count(), elements_a_part, [=](std::int64_t begin, std::int64_t end) {
        step_adamw(step, decay, end - begin, dw + begin, first + begin, second + begin, w + begin);
      });
    }
  }

  void norms(std::span<const ConstArray> arrays, std::span<double> norms) override {
    for (std::size_t i = 0; i < arrays.size(); ++i)
      norms[i] = std::sqrt(sum_of_squares(memory_, arrays[i].count(), f32("norm", arrays[i])));
  }

 private:
  Memory& memory_;
};

}  // namespace

std::unique_ptr<OptimizerKernels> make_cpu_optimizer(Memory& memory) {
  return std::make_unique<CpuOptimizer>(memory);
}

}  // namespace actlab
