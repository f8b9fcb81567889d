// Creation of tensors and the way of their elements to and from the host.
#include "framework/core/tensor.h"

#include "framework/autograd/engine.h"
#include "framework/autograd/grad_mode.h"
#include "framework/autograd/node.h"
#include "kernels/math/half.h"

namespace actlab {

MemoryKind Tensor::output_kind() {
  return grad_enabled() ? MemoryKind::activations : MemoryKind::temporaries;
}

Tensor Tensor::empty(const Shape& shape, DType dtype, Backend& backend, MemoryKind kind) {
  Tensor t;
  const std::int64_t bytes = shape.count() * static_cast<std::int64_t>(size_of(dtype));
  t.storage_ = std::make_shared<Storage>(
      Storage{.buffer = {backend.memory, bytes, kind}, .backend = &backend, .kind = kind});
  t.shape_ = shape;
  t.dtype_ = dtype;
  return t;
}

Tensor Tensor::zeros(const Shape& shape, DType dtype, Backend& backend, MemoryKind kind) {
  Tensor t = empty(shape, dtype, backend, kind);
  backend.memory.zero(t.mutable_data().data, t.bytes());
  return t;
}

Tensor Tensor::from_host(ConstArray values, const Shape& shape, Backend& backend, MemoryKind kind) {
  ACTLAB_CHECK(values.count() == shape.count(), "tensor: ", values.count(), " values for the shape ", shape);
  Tensor t = empty(shape, values.dtype, backend, kind);
  if (t.count() > 0) backend.memory.copy_from_host(t.mutable_data().data, values.data, t.bytes());
  return t;
}

void Tensor::to_host(Array values) const {
  ACTLAB_CHECK(values.dtype == dtype_, "tensor of ", dtype_, " read as ", values.dtype);
  if (count() > 0) backend().memory.copy_to_host(values.data, data().data, bytes());
}

Backend& Tensor::backend() const {
  ACTLAB_CHECK(defined(), "tensor: undefined, it has no backend");
  return *storage_->backend;
}

ConstArray Tensor::data() const {
  ACTLAB_CHECK(defined(), "tensor: undefined, it has no elements");
  return {storage_->buffer.data(), dtype_, shape_};
}

Array Tensor::mutable_data() {
  ACTLAB_CHECK(defined(), "tensor: undefined, it has no elements");
  ++storage_->version;
  return {storage_->buffer.data(), dtype_, shape_};
}

double Tensor::item() const {
  ACTLAB_CHECK(count() == 1, "item: the tensor has the shape ", shape_, ", not one element");
  switch (dtype_) {
    case DType::f32:
      return static_cast<double>(to_vector<float>()[0]);
    case DType::bf16:
      return static_cast<double>(math::to_float(to_vector<BFloat16>()[0]));
    case DType::f16:
      return static_cast<double>(math::to_float(to_vector<Float16>()[0]));
    case DType::f64:
      return to_vector<double>()[0];
    case DType::i32:
      return to_vector<std::int32_t>()[0];
    case DType::u8:
      return to_vector<std::uint8_t>()[0];
  }
  throw Error("item: unknown element type");
}

Tensor Tensor::with_grad_state(std::shared_ptr<GradState> state) const {
  Tensor t = *this;
  t.grad_state_ = std::move(state);
  return t;
}

Tensor Tensor::with_shape(const Shape& shape) const {
  ACTLAB_CHECK(shape.count() == count(), "reshape: ", shape_, " has not as many elements as ", shape);
  Tensor t = *this;
  t.shape_ = shape;
  return t;
}

Tensor Tensor::detach() const { return with_grad_state(nullptr); }

Tensor& Tensor::require_grad() {
  ACTLAB_CHECK(defined() && dtype_ != DType::i32 && dtype_ != DType::u8,
               "require_grad: only floating-point tensors have gradients");
  ACTLAB_CHECK(grad_state_ == nullptr || grad_state_->producer == nullptr,
               "require_grad: the tensor was made by '", grad_state_->producer->operation,
               "', it is no leaf");
  if (grad_state_ == nullptr) grad_state_ = std::make_shared<GradState>();
  return *this;
}

Tensor Tensor::grad() const {
  ACTLAB_CHECK(grad_state_ != nullptr, "grad: the tensor does not require a gradient");
  return grad_state_->grad;
}

void Tensor::clear_grad() {
  if (grad_state_ != nullptr) grad_state_->grad = Tensor();
}

void Tensor::backward() const { run_backward(*this); }

}  // namespace actlab
