// Random batches, and steps on them.
#include "experiments/cli/step_bench.h"

#include "experiments/runner/build.h"
#include "experiments/runner/timing.h"
#include "framework/ops/ops.h"
#include "kernels/random.h"

namespace actlab {
namespace {

// Random images with the classes in turns.
Batch random_batch(const ImageSpec& spec, std::int64_t images, Backend& backend) {
  std::vector<std::int32_t> classes(static_cast<std::size_t>(images));
  for (std::size_t i = 0; i < classes.size(); ++i)
    classes[i] = static_cast<std::int32_t>(i % static_cast<std::size_t>(spec.classes));
  Batch batch;
  batch.inputs = normal_values({images, spec.height, spec.width, spec.channels}, DType::f32, 1, backend);
  batch.labels = Tensor::from(classes, {images}, backend);
  batch.samples = images;
  return batch;
}

// Full windows of random tokens, of which every seventh, 14 %, is to be told from the others.
Batch random_batch(const TextSpec& spec, std::int64_t windows, Backend& backend) {
  const Random random(1, RandomPurpose::synthetic);
  std::vector<std::int32_t> tokens(static_cast<std::size_t>(windows * spec.window)), labels, places;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    tokens[i] = static_cast<std::int32_t>(random.below(i, static_cast<std::uint32_t>(spec.vocabulary)));
    if (i % 7 != 0) continue;
    places.push_back(static_cast<std::int32_t>(i));
    labels.push_back(tokens[i]);
  }
  const std::vector<std::int32_t> lengths(static_cast<std::size_t>(windows),
                                          static_cast<std::int32_t>(spec.window));
  Batch batch;
  batch.inputs = Tensor::from(tokens, {windows, spec.window}, backend);
  batch.labels = Tensor::from(labels, {std::ssize(labels)}, backend);
  batch.places = Tensor::from(places, {std::ssize(places)}, backend);
  batch.lengths = Tensor::from(lengths, {windows}, backend);
  batch.samples = windows * spec.window;
  return batch;
}

}  // namespace

StepBench::StepBench(const Experiment& experiment, const DataSpec& data, std::int64_t count, Backend& backend)
    : model_(build_model(experiment, data, backend)),
      optimizer_(build_optimizer(experiment, *model_)),
      batch_(std::visit([&](const auto& spec) { return random_batch(spec, count, backend); }, data)) {}

Tensor StepBench::loss() { return cross_entropy(model_->logits(batch_), batch_.labels); }

void StepBench::step() {
  loss().backward();
  optimizer_->step(0.01);
}

}  // namespace actlab
