// The tensor: a cheap handle to a contiguous, row-major array of a backend. Images are (N, H, W, C).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernels/array.h"
#include "kernels/backend.h"
#include "kernels/memory.h"

namespace actlab {

struct GradState;

/// The bytes of one or several tensors. `version` counts the writes, so that a tensor saved for backward and
/// written since is noticed.
struct Storage {
  Buffer buffer;
  Backend* backend;
  MemoryKind kind;
  std::uint64_t version = 0;
};

/// Copies of a Tensor share its elements and its place in the graph. No operation works in place: elements
/// are written only through mutable_data().
class Tensor {
 public:
  Tensor() = default;  ///< undefined: no elements

  /// Elements undefined. `kind` says what the bytes are counted as.
  static Tensor empty(const Shape& shape, DType dtype, Backend& backend, MemoryKind kind = output_kind());
  static Tensor zeros(const Shape& shape, DType dtype, Backend& backend, MemoryKind kind = output_kind());
  /// A copy of `values` (shape.count() of them).
  template <class T>
  static Tensor from(std::span<const T> values, const Shape& shape, Backend& backend,
                     MemoryKind kind = output_kind()) {
    return from_host({values.data(), dtype_of<T>, Shape{static_cast<std::int64_t>(values.size())}}, shape,
                     backend, kind);
  }
  template <class T>
  static Tensor from(const std::vector<T>& values, const Shape& shape, Backend& backend,
                     MemoryKind kind = output_kind()) {
    return from(std::span<const T>(values), shape, backend, kind);
  }
  /// Activations while gradients are recorded, else temporaries.
  static MemoryKind output_kind();

  bool defined() const { return storage_ != nullptr; }
  const Shape& shape() const { return shape_; }
  std::int64_t size(int dimension) const { return shape_[dimension]; }
  std::int64_t count() const { return shape_.count(); }
  std::int64_t bytes() const { return count() * static_cast<std::int64_t>(size_of(dtype_)); }
  DType dtype() const { return dtype_; }
  Backend& backend() const;
  const std::shared_ptr<Storage>& storage() const { return storage_; }

  /// The elements, to be read by kernels of the tensor's backend.
  ConstArray data() const;
  /// The elements, to be written: the version of the storage rises.
  Array mutable_data();
  /// The elements copied to the host; T must be the tensor's type.
  template <class T>
  std::vector<T> to_vector() const {
    std::vector<T> values(static_cast<std::size_t>(count()));
    to_host({values.data(), dtype_of<T>, shape_});
    return values;
  }
  /// The only element, of any type.
  double item() const;

  /// The same elements in another shape of as many; part of the graph (framework/ops).
  Tensor reshape(const Shape& shape) const;
  /// The same elements outside the graph.
  Tensor detach() const;

  /// Makes a leaf whose gradient backward() accumulates. Only floating-point tensors that no operation made.
  Tensor& require_grad();
  bool requires_grad() const { return grad_state_ != nullptr; }
  /// The accumulated gradient, undefined before the first backward().
  Tensor grad() const;
  void clear_grad();
  /// Gradients of this scalar with respect to every leaf it depends on; the graph is used up.
  void backward() const;

  /// For framework/autograd and framework/ops.
  const std::shared_ptr<GradState>& grad_state() const { return grad_state_; }
  Tensor with_grad_state(std::shared_ptr<GradState> state) const;
  Tensor with_shape(const Shape& shape) const;

 private:
  static Tensor from_host(ConstArray values, const Shape& shape, Backend& backend, MemoryKind kind);
  void to_host(Array values) const;

  std::shared_ptr<Storage> storage_;
  std::shared_ptr<GradState> grad_state_;
  Shape shape_;
  DType dtype_ = DType::f32;
};

}  // namespace actlab
