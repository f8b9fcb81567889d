// Short trainings of the models on a device, of images and of text.
#pragma once

#include <ostream>

#include "datasets/datasets.h"
#include "framework/optim/optimizer.h"
#include "framework/train/trainer.h"
#include "models/models.h"
#include "tests/support/fake_text.h"

namespace actlab {

struct TrainingSetup {
  std::string model;
  std::vector<std::pair<std::string, OptionValue>> options;
  std::string activation = "gelu";
  std::string optimizer = "sgd";
  DType precision = DType::f32;
  std::string gemm = "auto";  ///< of a CUDA device
};

inline void PrintTo(const TrainingSetup& setup, std::ostream* out) {
  *out << setup.model << " with " << setup.activation;
}

// 16 x 16 pixels.
inline const Dataset& few_images() {
  static const std::unique_ptr<Dataset> data = [] {
    const auto& synthetic = find_component("data set", "synthetic", dataset_types());
    Options options(synthetic.options);
    options.set("train", std::int64_t{20}), options.set("test", std::int64_t{6});
    options.set("size", std::int64_t{16});
    return synthetic.make(options);
  }();
  return *data;
}
inline const Dataset& few_words() {
  static const FakeText data;
  return data;
}

inline const TrainingSetup cnn{"small_cnn", {{"widths", std::vector<std::int64_t>{4, 8}}}};
inline const TrainingSetup cnn_with_norm{
    "small_cnn",
    {{"widths", std::vector<std::int64_t>{4, 8}}, {"batch_norm", true}, {"dropout", 0.2}},
    "silu"};
inline const TrainingSetup learned_cnn{
    "small_cnn", {{"widths", std::vector<std::int64_t>{4, 8}}}, "swish(learned=channel)"};
inline TrainingSetup by_cudnn(TrainingSetup setup) {
  setup.gemm = "cudnn";
  return setup;
}
inline const TrainingSetup ffn{
    "bert_ffn",
    {{"d", std::int64_t{8}}, {"d_ff", std::int64_t{16}}, {"layers", std::int64_t{2}}},
    "geglu",
    "adamw"};
inline const TrainingSetup encoder{"bert_encoder",
                                   {{"d", std::int64_t{8}},
                                    {"d_ff", std::int64_t{16}},
                                    {"layers", std::int64_t{1}},
                                    {"heads", std::int64_t{2}},
                                    {"dropout", 0.1}},
                                   "gelu",
                                   "adamw"};

struct Training {
  Training(const TrainingSetup& setup, const std::string& device)
      : backend(find_backend(device, device == "cuda" ? setup.gemm : "auto")),
        data(setup.model == "small_cnn" ? few_images() : few_words()) {
    const auto& type = find_component("model", setup.model, model_types());
    Options options(type.options);
    for (const auto& [name, value] : setup.options) options.set(name, value);
    model = make_model(type, options, data.spec(),
                       {.activation = ActivationHandle::parse(setup.activation),
                        .seed = 3,
                        .backend = backend,
                        .precision = setup.precision});
    const auto& optimizer_type = find_component("optimizer", setup.optimizer, optimizer_types());
    optimizer = optimizer_type.make(Options(optimizer_type.options), model->parameters());
    settings.scale_loss = setup.precision == DType::f16;
  }

  TrainResult run(Progress start = {}) {
    struct Losses : TrainObserver {
      explicit Losses(std::vector<double>& to) : losses(to) {}
      void on_step(std::int64_t, std::int64_t, double loss, std::int64_t) override { losses.push_back(loss); }
      std::vector<double>& losses;
    } observer(losses);
    return Trainer(
               *model, *optimizer, [](std::int64_t) { return 1.0; }, data, backend, settings)
        .run(observer, std::move(start));
  }

  Backend& backend;
  const Dataset& data;
  std::unique_ptr<Module> model;
  std::unique_ptr<Optimizer> optimizer;
  TrainSettings settings{.steps = 10, .batch = 4, .eval_every = 1, .lr = 0.01, .seed = 3};
  std::vector<double> losses;
};

}  // namespace actlab
