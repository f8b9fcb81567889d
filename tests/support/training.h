// A small CNN in training on generated images, put together as the runner does.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "datasets/datasets.h"
#include "framework/train/trainer.h"
#include "models/models.h"
#include "tests/support/as_images.h"

namespace actlab {

struct TrainingParts {
  std::string activation = "gelu";
  std::uint64_t seed = 0;
  std::int64_t train = 48;
  std::int64_t test = 20;
  std::int64_t size = 8;  ///< of an image's side
  std::string optimizer = "sgd";
  std::string schedule = "cosine";
  bool batch_norm = false;
  double dropout = 0;
  DType precision = DType::f32;
};

struct Training {
  explicit Training(const TrainingParts& parts = {}) : schedule(parts.schedule) {
    const auto& synthetic = find_component("data set", "synthetic", dataset_types());
    Options images(synthetic.options);
    images.set("train", parts.train), images.set("test", parts.test), images.set("size", parts.size);
    data = as_images(synthetic.make(images));
    const auto& cnn = find_component("model", "small_cnn", model_types());
    Options shape(cnn.options);
    shape.set("widths", std::vector<std::int64_t>{4, 8});
    shape.set("batch_norm", parts.batch_norm), shape.set("dropout", parts.dropout);
    model = make_model(cnn, shape, data->spec(),
                       {.activation = ActivationHandle::parse(parts.activation),
                        .seed = parts.seed,
                        .backend = backend,
                        .precision = parts.precision});
    const auto& type = find_component("optimizer", parts.optimizer, optimizer_types());
    optimizer = type.make(Options(type.options), model->parameters());
  }

  TrainResult run(const TrainSettings& settings, TrainObserver& observer, Progress start = {}) {
    const std::int64_t total = total_steps(settings, *data);
    const auto& type = find_component("schedule", schedule, schedule_types());
    Trainer trainer(*model, *optimizer, type.make(Options(type.options), total), *data, backend, settings);
    return trainer.run(observer, std::move(start));
  }
  TrainResult run(const TrainSettings& settings, Progress start = {}) {
    TrainObserver silent;
    return run(settings, silent, std::move(start));
  }

  Backend& backend = find_backend("cpu");
  std::unique_ptr<ImageDataset> data;
  std::unique_ptr<Module> model;
  std::unique_ptr<Optimizer> optimizer;
  std::string schedule;
};

/// Calls a function after each step with the number of finished updates and the mean loss since the last
/// evaluation.
class OnStep : public TrainObserver {
 public:
  explicit OnStep(std::function<void(std::int64_t, double)> f) : f_(std::move(f)) {}
  void on_step(std::int64_t step, std::int64_t, double loss, std::int64_t) override { f_(step, loss); }

 private:
  std::function<void(std::int64_t, double)> f_;
};

/// The elements of all tensors, one after the other; an optimizer's count of steps as a float.
inline std::vector<float> elements_of(const std::vector<NamedParameter>& tensors) {
  std::vector<float> all;
  for (const auto& [name, tensor] : tensors) {
    if (tensor.dtype() == DType::i32) {
      all.push_back(static_cast<float>(tensor.item()));
      continue;
    }
    const auto values = tensor.to_vector<float>();
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}
inline std::vector<float> weights_of(const Module& model) { return elements_of(model.parameters()); }

}  // namespace actlab
