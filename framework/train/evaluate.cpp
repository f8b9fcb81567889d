// Scores: sums over the batches of a split.
#include "framework/train/evaluate.h"

#include <algorithm>
#include <vector>

#include "framework/autograd/grad_mode.h"
#include "framework/ops/ops.h"

namespace actlab {

Score evaluate(Module& model, const Dataset& data, SplitName split, std::int64_t batch, Backend& backend) {
  const NoGrad no_grad;
  const EvaluationMode evaluation(model);
  const auto loader = data.loader(split, {.batch = std::min(batch, data.count(split))});
  struct Part {
    Tensor loss, correct;
    std::int64_t labels;
  };
  std::vector<Part> parts;
  for (std::int64_t i = 0; i < loader->batches(); ++i) {
    const Batch b = loader->load(0, i, backend);
    const Tensor logits = model.logits(b);
    parts.push_back({cross_entropy(logits, b.labels), count_correct(logits, b.labels), b.labels.count()});
  }
  // Read when all batches are on their way: a device works through them without a pause.
  double loss = 0, correct = 0, labels = 0;
  for (const Part& part : parts) {
    loss += part.loss.item() * static_cast<double>(part.labels);
    correct += part.correct.item();
    labels += static_cast<double>(part.labels);
  }
  return {.loss = loss / labels, .accuracy = correct / labels};
}

}  // namespace actlab
