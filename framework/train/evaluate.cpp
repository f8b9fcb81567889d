// Scores: sums over the batches of a split.
#include "framework/train/evaluate.h"

#include <algorithm>
#include <cmath>

#include "framework/autograd/grad_mode.h"
#include "framework/ops/ops.h"

namespace actlab {

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

Score evaluate(Module& model, const Dataset& data, SplitName split, std::int64_t batch, Backend& backend) {
  const NoGrad no_grad;
  const EvaluationMode evaluation(model);
  const auto loader = data.loader(split, {.batch = std::min(batch, data.count(split))});
  double loss = 0;
  std::int64_t correct = 0;
  std::int64_t labels = 0;
  for (std::int64_t i = 0; i < loader->batches(); ++i) {
    const Batch b = loader->load(0, i, backend);
    const Tensor logits = model.logits(b);
    loss += cross_entropy(logits, b.labels).item() * static_cast<double>(b.labels.count());
    correct += count_correct(logits, b.labels);
    labels += b.labels.count();
  }
  return {.loss = loss / static_cast<double>(labels),
          .accuracy = static_cast<double>(correct) / static_cast<double>(labels)};
}

}  // namespace actlab
