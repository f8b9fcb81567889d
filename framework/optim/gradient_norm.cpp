// One call for the norms of all gradients, then a sum that cannot overflow.
#include "framework/optim/gradient_norm.h"

#include <cmath>

namespace actlab {

GradientNorm gradient_norm(const std::vector<NamedParameter>& parameters) {
  std::vector<const NamedParameter*> with_gradient;
  std::vector<ConstArray> gradients;
  for (const NamedParameter& p : parameters) {
    if (!p.tensor.grad().defined()) continue;
    with_gradient.push_back(&p);
    gradients.push_back(p.tensor.grad().data());
  }
  GradientNorm result;
  if (gradients.empty()) return result;
  std::vector<double> norms(gradients.size());
  parameters.front().tensor.backend().optimizer.norms(gradients, norms);
  for (std::size_t i = 0; i < norms.size(); ++i) {
    if (!std::isfinite(norms[i]) && result.not_finite.empty()) result.not_finite = with_gradient[i]->name;
    result.norm = std::hypot(result.norm, norms[i]);
  }
  return result;
}

void scale_gradients(const std::vector<NamedParameter>& parameters, double factor) {
  for (const NamedParameter& p : parameters) {
    Tensor gradient = p.tensor.grad();
    if (!gradient.defined()) continue;
    const Array elements = gradient.mutable_data();
    gradient.backend().elementwise.scale(elements, factor, elements);
  }
}

void clip_gradients(const std::vector<NamedParameter>& parameters, double norm, double max_norm) {
  if (norm > max_norm) scale_gradients(parameters, max_norm / norm);
}

void clear_gradients(const std::vector<NamedParameter>& parameters) {
  for (const NamedParameter& p : parameters) Tensor(p.tensor).clear_grad();
}

}  // namespace actlab
