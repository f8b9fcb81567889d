// One call for the norms of all gradients, and of the losses, whose norms are their values; then a sum that
// cannot overflow.
#include "framework/optim/gradient_norm.h"

#include <cmath>

namespace actlab {

GradientNorm gradient_norm(const std::vector<NamedParameter>& parameters, const std::vector<Tensor>& losses) {
  std::vector<const NamedParameter*> with_gradient;
  std::vector<ConstArray> arrays;
  for (const NamedParameter& p : parameters) {
    if (!p.tensor.grad().defined()) continue;
    with_gradient.push_back(&p);
    arrays.push_back(p.tensor.grad().data());
  }
  for (const Tensor& loss : losses) arrays.push_back(loss.data());
  GradientNorm result;
  if (arrays.empty()) return result;
  std::vector<double> norms(arrays.size());
  const Tensor& any = parameters.empty() ? losses.front() : parameters.front().tensor;
  any.backend().optimizer.norms(arrays, norms);
  const std::size_t gradients = with_gradient.size();
  for (std::size_t i = 0; i < gradients; ++i) {
    if (!std::isfinite(norms[i]) && result.not_finite.empty()) result.not_finite = with_gradient[i]->name;
    result.norm = std::hypot(result.norm, norms[i]);
  }
  result.losses.assign(norms.begin() + static_cast<std::ptrdiff_t>(gradients), norms.end());
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
