// Stochastic gradient descent: one pass over each parameter, in double between loads and stores (the pass is
// bound by memory all the same).
#include "kernels/cpu/f32.h"
#include "kernels/cpu/families.h"
#include "kernels/cpu/parallel.h"

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

class CpuOptimizer final : public OptimizerKernels {
 public:
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
};

}  // namespace

std::unique_ptr<OptimizerKernels> make_cpu_optimizer() { return std::make_unique<CpuOptimizer>(); }

}  // namespace actlab
