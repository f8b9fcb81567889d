// Batches onto the backend, and scores.
#include "framework/train/evaluate.h"

#include <algorithm>
#include <cmath>

#include "framework/autograd/grad_mode.h"
#include "framework/ops/ops.h"

namespace actlab {

Batch load_batch(Loader& loader, const ImageSpec& spec, std::int64_t epoch, std::int64_t index,
                 Backend& backend) {
  const std::int64_t n = loader.batch_size(index);
  Batch batch{Tensor::empty({n, spec.height, spec.width, spec.channels}, DType::f32, backend),
              Tensor::empty({n}, DType::i32, backend)};
  loader.fill(epoch, index,
              {batch.images.mutable_data().as<float>(), static_cast<std::size_t>(batch.images.count())},
              {batch.labels.mutable_data().as<std::int32_t>(), static_cast<std::size_t>(n)});
  return batch;
}

std::int64_t count_correct(const Tensor& logits, const Tensor& labels) {
  const std::vector<float> scores = logits.to_vector<float>();
  const std::vector<std::int32_t> wanted = labels.to_vector<std::int32_t>();
  const auto classes = static_cast<std::ptrdiff_t>(logits.size(1));
  std::int64_t correct = 0;
  for (std::size_t row = 0; row < wanted.size(); ++row) {
    const auto first = scores.begin() + static_cast<std::ptrdiff_t>(row) * classes;
    if (std::any_of(first, first + classes, [](float s) { return std::isnan(s); })) continue;
    if (std::max_element(first, first + classes) - first == wanted[row]) ++correct;
  }
  return correct;
}

Score evaluate(Module& model, const ImageDataset& data, const ImageSplit& split, std::int64_t batch,
               Backend& backend) {
  const NoGrad no_grad;
  const EvaluationMode evaluation(model);
  Loader loader(data, split, {.batch = std::min(batch, split.count())});
  double loss = 0;
  std::int64_t correct = 0;
  for (std::int64_t i = 0; i < loader.batches(); ++i) {
    const Batch b = load_batch(loader, data.spec, 0, i, backend);
    const Tensor logits = model(b.images);
    loss += cross_entropy(logits, b.labels).item() * static_cast<double>(b.labels.count());
    correct += count_correct(logits, b.labels);
  }
  const auto samples = static_cast<double>(split.count());
  return {.loss = loss / samples, .accuracy = static_cast<double>(correct) / samples};
}

}  // namespace actlab
