// Activation and gated activation of tensors, and their gradients.
#include "framework/ops/activated.h"

#include "framework/ops/checks.h"

namespace actlab {
namespace {

// (..., width) as (rows, width).
Tensor flat(const Tensor& t, std::int64_t width) {
  return t.with_shape({width == 0 ? 0 : t.count() / width, width});
}

}  // namespace

Tensor activated(const Tensor& x, const ActivationHandle& activation, MemoryKind kind) {
  ActivationKernels& kernels = x.backend().activation;
  if (!activation.gated()) {
    Tensor y = Tensor::empty(x.shape(), x.dtype(), x.backend(), kind);
    kernels.forward(activation, x.data(), y.mutable_data());
    return y;
  }
  const int last = x.shape().rank() - 1;
  const std::int64_t columns = x.size(last) / 2;
  Tensor y = Tensor::empty(with_size(x.shape(), last, columns), x.dtype(), x.backend(), kind);
  kernels.gate(activation, flat(x, 2 * columns).data(), flat(y, columns).mutable_data());
  return y;
}

ActivationHandle activation_for(const ActivationHandle& activation, const Tensor& x) {
  if (!activation.observes()) return activation;
  return activation.for_data(x.backend().elementwise.largest(x.data()));
}

Reads reads_of(const ActivationHandle& activation) {
  return activation.gated() ? Reads::input : activation.info().backward_reads;
}

Tensor activated_gradient(const Tensor& kept, const Tensor& dy, const ActivationHandle& activation) {
  ActivationKernels& kernels = dy.backend().activation;
  if (!activation.gated()) {
    Tensor dx = Tensor::empty(dy.shape(), dy.dtype(), dy.backend());
    const bool reads = reads_of(activation) != Reads::nothing;
    kernels.backward(activation, reads ? kept.data() : ConstArray{}, dy.data(), dx.mutable_data());
    return dx;
  }
  const std::int64_t columns = dy.size(dy.shape().rank() - 1);
  Tensor dx = Tensor::empty(kept.shape(), dy.dtype(), dy.backend());
  kernels.gate_backward(activation, flat(kept, 2 * columns).data(), flat(dy, columns).data(),
                        flat(dx, 2 * columns).mutable_data());
  return dx;
}

}  // namespace actlab
