// Softmax and cross-entropy.
#include "framework/autograd/node.h"
#include "framework/ops/checks.h"
#include "framework/ops/ops.h"

namespace actlab {
namespace {

Backend& check_logits(std::string_view operation, const Tensor& logits, const Tensor& labels) {
  Backend& backend = check_alike(operation, {logits});
  ACTLAB_CHECK(
      logits.shape().rank() == 2 && labels.dtype() == DType::i32 && labels.shape() == Shape{logits.size(0)},
      operation, ": logits (N, classes) and i32 labels (N) wanted, found ", logits.shape(), " and ",
      labels.dtype(), " ", labels.shape());
  return backend;
}

}  // namespace

Tensor softmax(const Tensor& x) {
  Backend& backend = check_alike("softmax", {x});
  const int last = check_dimension("softmax", -1, x.shape().rank());
  const std::int64_t columns = x.size(last);
  const Shape rows{columns == 0 ? 0 : x.count() / columns, columns};
  Tensor y = Tensor::empty(x.shape(), x.dtype(), backend);
  backend.loss.softmax(x.with_shape(rows).data(), y.with_shape(rows).mutable_data());
  return record("softmax", y, {x}, {y}, [rows](const BackwardContext& context) {
    Tensor dx = Tensor::empty(context.dy.shape(), context.dy.dtype(), context.dy.backend());
    dx.backend().loss.softmax_backward(context.saved(0).with_shape(rows).data(),
                                       context.dy.with_shape(rows).data(),
                                       dx.with_shape(rows).mutable_data());
    return std::vector{dx};
  });
}

Tensor cross_entropy(const Tensor& logits, const Tensor& labels, const CrossEntropyOptions& options) {
  Backend& backend = check_logits("cross_entropy", logits, labels);
  ACTLAB_CHECK(logits.size(0) > 0, "cross_entropy: the batch is empty, its mean is undefined");
  ACTLAB_CHECK(options.label_smoothing >= 0 && options.label_smoothing < 1,
               "cross_entropy: label smoothing in [0, 1) wanted, found ", options.label_smoothing);
  Tensor loss = Tensor::empty({}, logits.dtype(), backend);
  backend.loss.cross_entropy(options, logits.data(), labels.data(), loss.mutable_data());
  return record("cross_entropy", loss, {logits}, {logits, labels}, [options](const BackwardContext& context) {
    const Tensor& saved = context.saved(0);
    Tensor dlogits = Tensor::empty(saved.shape(), saved.dtype(), saved.backend());
    dlogits.backend().loss.cross_entropy_backward(options, saved.data(), context.saved(1).data(),
                                                  context.dy.data(), dlogits.mutable_data());
    return std::vector{dlogits};
  });
}

Tensor count_correct(const Tensor& logits, const Tensor& labels) {
  Backend& backend = check_logits("count_correct", logits, labels);
  Tensor correct = Tensor::empty({}, DType::i32, backend);
  backend.loss.count_correct(logits.data(), labels.data(), correct.mutable_data());
  return correct;
}

}  // namespace actlab
