// The models in bf16: what they keep, that they learn, that they are the same every time and not f32.
#include <gtest/gtest.h>

#include "framework/autograd/engine.h"
#include "framework/ops/ops.h"
#include "framework/optim/adamw.h"
#include "kernels/random.h"
#include "models/models.h"

namespace actlab {
namespace {

Backend& cpu() { return find_backend("cpu"); }

Batch images(const ImageSpec& spec, std::int64_t count) {
  const Random random(1, RandomPurpose::synthetic);
  const Shape shape{count, spec.height, spec.width, spec.channels};
  std::vector<float> values(static_cast<std::size_t>(shape.count()));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(random.normal(i));
  std::vector<std::int32_t> labels(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < labels.size(); ++i)
    labels[i] = static_cast<std::int32_t>(i % static_cast<std::size_t>(spec.classes));
  return {.inputs = Tensor::from(values, shape, cpu()),
          .labels = Tensor::from(labels, {count}, cpu()),
          .places = {},
          .lengths = {},
          .samples = count};
}

// Three windows, the last with three tokens only.
Batch windows() {
  std::vector<std::int32_t> tokens(24);
  for (std::size_t i = 0; i < tokens.size(); ++i) tokens[i] = static_cast<std::int32_t>(i * 7 % 17);
  return {.inputs = Tensor::from(tokens, {3, 8}, cpu()),
          .labels = Tensor::from(std::vector<std::int32_t>{1, 2, 3, 4, 5, 6}, {6}, cpu()),
          .places = Tensor::from(std::vector<std::int32_t>{0, 3, 9, 15, 16, 18}, {6}, cpu()),
          .lengths = Tensor::from(std::vector<std::int32_t>{8, 8, 3}, {3}, cpu()),
          .samples = 19};
}

struct Arm {
  std::string model, activation;
};

// A model of small sizes with a batch for it.
struct Trained {
  Trained(const Arm& arm, DType precision, bool fuse = true) {
    const ModelType& type = find_component("model", arm.model, model_types());
    Options options(type.options);
    const bool cnn = arm.model == "small_cnn";
    if (cnn) {
      options.set("widths", std::vector<std::int64_t>{4, 8});
    } else {
      options.set("d", std::int64_t{12});
      options.set("d_ff", std::int64_t{48});
    }
    const ImageSpec small{.height = 8, .width = 8, .channels = 3, .classes = 5};
    const DataSpec data = cnn ? DataSpec(small) : DataSpec(TextSpec{.window = 8, .vocabulary = 19});
    batch = cnn ? images(small, 10) : windows();
    model = make_model(type, options, data,
                       {.activation = ActivationHandle::parse(arm.activation),
                        .seed = 0,
                        .backend = cpu(),
                        .fuse = fuse,
                        .precision = precision});
  }
  Tensor loss() const { return cross_entropy(model->logits(batch), batch.labels); }

  Batch batch;
  std::unique_ptr<Module> model;
};

const std::vector<Arm> arms = {{"small_cnn", "gelu"},    {"small_cnn", "swish(learned=layer)"},
                               {"bert_ffn", "gelu"},     {"bert_ffn", "geglu"},
                               {"small_cnn", "relu"},    {"small_cnn", "gelu_int8"},
                               {"bert_encoder", "gelu"}, {"bert_encoder", "swish(learned=channel)"}};

std::string name_of(const Arm& arm) { return arm.model + " " + arm.activation; }

TEST(ModelsInBf16, LearnABatch) {
  for (const Arm& arm : arms) {
    const Trained trained(arm, DType::bf16);
    const auto optimizer = adamw().make(Options(adamw().options), trained.model->parameters());
    double loss = 1;
    for (int step = 0; step < 300 && loss > 0.01; ++step) {
      for (NamedParameter& parameter : trained.model->parameters()) parameter.tensor.clear_grad();
      const Tensor of_batch = trained.loss();
      loss = of_batch.item();
      of_batch.backward();
      optimizer->step(0.01);
      keep_in_range(trained.model->learned());
    }
    EXPECT_LE(loss, 0.01) << name_of(arm);
  }
}

// The loss and the gradients of all parameters, all f32.
std::vector<std::vector<float>> gradients_of(const Trained& trained) {
  const Tensor loss = trained.loss();
  EXPECT_EQ(loss.dtype(), DType::f32);
  loss.backward();
  std::vector<std::vector<float>> all = {loss.to_vector<float>()};
  for (const auto& [name, tensor] : trained.model->parameters()) {
    EXPECT_EQ(tensor.dtype(), DType::f32) << name;
    EXPECT_EQ(tensor.grad().dtype(), DType::f32) << name;
    all.push_back(tensor.grad().to_vector<float>());
  }
  return all;
}

TEST(ModelsInBf16, HaveTheirOwnBitsEveryTime) {
  for (const Arm& arm : arms) {
    const auto halves = gradients_of(Trained(arm, DType::bf16)),
               floats = gradients_of(Trained(arm, DType::f32));
    EXPECT_EQ(halves, gradients_of(Trained(arm, DType::bf16))) << name_of(arm);
    for (std::size_t i = 0; i < halves.size(); ++i)
      EXPECT_NE(halves[i], floats[i]) << name_of(arm) << ", parameter " << i;
  }
}

TEST(ModelsInBf16, AreTheSameWhetherFusedOrNot) {
  for (const Arm& arm : arms)
    EXPECT_EQ(gradients_of(Trained(arm, DType::bf16)), gradients_of(Trained(arm, DType::bf16, false)))
        << name_of(arm);
}

// Of a batch of 128: images, pre-activations and pooled values in halves, a byte for each of these, and
// the loss's logits and labels.
TEST(ModelsInBf16, SmallCnnKeepsHalfTheBytes) {
  constexpr ImageSpec cifar{.height = 32, .width = 32, .channels = 3, .classes = 10};
  const ModelType& type = find_component("model", "small_cnn", model_types());
  const Batch batch = images(cifar, 128);
  const auto saved = [&](DType precision) {
    const auto model = make_model(
        type, Options(type.options), cifar,
        {.activation = ActivationHandle::parse("gelu"), .seed = 0, .backend = cpu(), .precision = precision});
    return saved_bytes(cross_entropy(model->logits(batch), batch.labels));
  };
  constexpr std::int64_t pooled = 16 * 16 * 32 + 8 * 8 * 64;
  constexpr std::int64_t values = 32 * 32 * 3 + 4 * pooled + pooled;
  constexpr std::int64_t loss = 10 * 4 + 4;
  EXPECT_EQ(saved(DType::f32), 128 * (values * 4 + pooled + loss));
  EXPECT_EQ(saved(DType::bf16), 128 * (values * 2 + pooled + loss));
  EXPECT_LE(saved(DType::bf16), 18'500'000);
}

// Weights are no part of it, however wide the vocabulary.
TEST(ModelsInBf16, BertKeepsFewerBytes) {
  for (const char* name : {"bert_ffn", "bert_encoder"}) {
    const auto saved = [&](DType precision) {
      const Trained trained({name, "gelu"}, precision);
      return saved_bytes(trained.loss());
    };
    EXPECT_LT(saved(DType::bf16), saved(DType::f32)) << name;
  }
}

}  // namespace
}  // namespace actlab
