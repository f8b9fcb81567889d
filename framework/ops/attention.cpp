// Multi-head attention as one node: heads are read and written where they lie in (B, L, 3 * d) and (B, L, d).
#include <cmath>

#include "framework/autograd/node.h"
#include "framework/ops/checks.h"
#include "framework/ops/ops.h"

namespace actlab {
namespace {

struct Sizes {
  std::int64_t batch, heads, length, width;  ///< width of a head

  Shape qkv() const { return {batch, length, 3 * heads * width}; }
  Shape output() const { return {batch, length, heads * width}; }
  Shape probabilities() const { return {batch, heads, length, length}; }
  double scale() const { return 1 / std::sqrt(static_cast<double>(width)); }

  /// The heads of part 0, 1, 2 (queries, keys, values) of qkv, those of the output, and the probabilities.
  MatrixPlaces part(std::int64_t i) const {
    const std::int64_t line = 3 * heads * width;
    return {i * heads * width, length * line, width, line};
  }
  MatrixPlaces outputs() const { return {0, length * heads * width, width, heads * width}; }
  MatrixPlaces squares() const { return {0, heads * length * length, length * length, length}; }

  /// Products whose result is a square (L, L), and those whose result is a head (L, width).
  BatchedSizes to_squares() const { return {batch, heads, length, length, width}; }
  BatchedSizes to_heads() const { return {batch, heads, length, width, length}; }
};

ConstArray data_or_none(const Tensor& t) { return t.defined() ? t.data() : ConstArray{}; }

Tensor probabilities_of(const Sizes& s, const Tensor& qkv, const Tensor& lengths) {
  Tensor p = Tensor::empty(s.probabilities(), qkv.dtype(), qkv.backend());
  Backend& backend = qkv.backend();
  backend.matmul.batched(s.to_squares(), qkv.data(), s.part(0), qkv.data(), s.part(1).transposed(),
                         p.mutable_data(), s.squares());
  backend.attention.softmax(s.scale(), p.data(), data_or_none(lengths), p.mutable_data());
  return p;
}

Tensor gradient(const Sizes& s, const Tensor& qkv, const Tensor& p, const Tensor& lengths, const Tensor& dy) {
  Backend& backend = qkv.backend();
  Tensor dscores = Tensor::empty(s.probabilities(), qkv.dtype(), backend);
  Tensor dqkv = Tensor::empty(s.qkv(), qkv.dtype(), backend);
  const Array out = dqkv.mutable_data();
  MatmulKernels& matmul = backend.matmul;
  matmul.batched(s.to_heads(), p.data(), s.squares().transposed(), dy.data(), s.outputs(), out, s.part(2));
  matmul.batched(s.to_squares(), dy.data(), s.outputs(), qkv.data(), s.part(2).transposed(),
                 dscores.mutable_data(), s.squares());
  backend.attention.softmax_backward(s.scale(), p.data(), data_or_none(lengths), dscores.data(),
                                     dscores.mutable_data());
  matmul.batched(s.to_heads(), dscores.data(), s.squares(), qkv.data(), s.part(1), out, s.part(0));
  matmul.batched(s.to_heads(), dscores.data(), s.squares().transposed(), qkv.data(), s.part(0), out,
                 s.part(1));
  return dqkv;
}

}  // namespace

Tensor attention(const Tensor& qkv, std::int64_t heads, const Tensor& lengths) {
  Backend& backend = check_alike("attention", {qkv});
  ACTLAB_CHECK(qkv.shape().rank() == 3 && qkv.size(1) >= 1 && qkv.size(2) >= 1 && heads >= 1 &&
                   qkv.size(2) % (3 * heads) == 0,
               "attention: qkv (B, L, 3 * d) with ", heads, " heads that divide d wanted, found ",
               qkv.shape());
  if (lengths.defined()) check_lengths("attention", qkv, lengths);
  const Sizes s{qkv.size(0), heads, qkv.size(1), qkv.size(2) / (3 * heads)};
  const Tensor p = probabilities_of(s, qkv, lengths);
  Tensor y = Tensor::empty(s.output(), qkv.dtype(), backend);
  backend.matmul.batched(s.to_heads(), p.data(), s.squares(), qkv.data(), s.part(2), y.mutable_data(),
                         s.outputs());
  const auto backward = [s](const BackwardContext& context, const Tensor& kept_lengths) {
    return std::vector{gradient(s, context.saved(0), context.saved(1), kept_lengths, context.dy)};
  };
  if (!lengths.defined())
    return record("attention", y, {qkv}, {qkv, p},
                  [backward](const BackwardContext& context) { return backward(context, Tensor()); });
  return record("attention", y, {qkv}, {qkv, p, lengths},
                [backward](const BackwardContext& context) { return backward(context, context.saved(2)); });
}

}  // namespace actlab
