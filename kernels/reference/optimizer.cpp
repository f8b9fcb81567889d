// Optimizers and norms by their definitions.
#include <algorithm>
#include <cmath>
#include <limits>

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

  void adamw(const AdamWOptions& o, std::span<const AdamWArrays> parameters) override {
    const double rate = o.lr / (1 - std::pow(o.beta1, static_cast<double>(o.step)));
    const double spread = 1 / std::sqrt(1 - std::pow(o.beta2, static_cast<double>(o.step)));
    for (const AdamWArrays& p : parameters) {
      for_real("adamw", p.w.dtype, [&](auto zero) {
        using T = decltype(zero);
        constexpr double most = std::numeric_limits<T>::max();
        for (std::int64_t i = 0; i < p.w.count(); ++i) {
          T& w = p.w.as<T>()[i];
          T& first = p.first.as<T>()[i];
          T& second = p.second.as<T>()[i];
          const double g = double{p.dw.as<T>()[i]};
          const double m = o.beta1 * double{first} + (1 - o.beta1) * g;
          const double v = o.beta2 * double{second} + (1 - o.beta2) * g * g;
          first = static_cast<T>(m);
          second = static_cast<T>(std::min(v, most));
          const double decayed = double{w} - o.lr * p.weight_decay * double{w};
          w = static_cast<T>(decayed - rate * m / (std::sqrt(v) * spread + o.eps));
        }
      });
    }
  }

  void norms(std::span<const ConstArray> arrays, std::span<double> norms) override {
    for (std::size_t a = 0; a < arrays.size(); ++a) {
      norms[a] = 0;
      for_real("norm", arrays[a].dtype, [&, x = arrays[a]](auto zero) {
        for (std::int64_t i = 0; i < x.count(); ++i)
          norms[a] = std::hypot(norms[a], double{x.as<decltype(zero)>()[i]});
      });
    }
  }
};

}  // namespace

std::unique_ptr<OptimizerKernels> make_reference_optimizer() {
  return std::make_unique<ReferenceOptimizer>();
}

}  // namespace actlab
