// Stochastic gradient descent by its definition.
#include "kernels/reference/families.h"

namespace actlab {
namespace {

class ReferenceOptimizer final : public OptimizerKernels {
 public:
  void sgd(const SgdOptions& o, std::span<const SgdArrays> parameters) override {
    for (const SgdArrays& p : parameters) {
      for_real("sgd", p.w.dtype, [&](auto zero) {
        using T = decltype(zero);
        for (std::int64_t i = 0; i < p.w.count(); ++i) {
          T& w = p.w.as<T>()[i];
          const double g = double{p.dw.as<T>()[i]} + p.weight_decay * double{w};
          double step = g;
          if (o.momentum != 0) {
            T& velocity = p.velocity.as<T>()[i];
            const double v = o.momentum * double{velocity} + g;
            velocity = static_cast<T>(v);
            step = o.nesterov ? g + o.momentum * v : v;
          }
          w = static_cast<T>(double{w} - o.lr * step);
        }
      });
    }
  }
};

}  // namespace

std::unique_ptr<OptimizerKernels> make_reference_optimizer() {
  return std::make_unique<ReferenceOptimizer>();
}

}  // namespace actlab
