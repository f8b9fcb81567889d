// The small CNN: shapes, parameters, initial weights, and what it refuses.
#include "models/small_cnn.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "framework/autograd/engine.h"
#include "framework/ops/ops.h"
#include "kernels/error.h"
#include "models/models.h"
#include "tests/support/message_of.h"

namespace actlab {
namespace {

constexpr ImageSpec cifar{.height = 32, .width = 32, .channels = 3, .classes = 10};
constexpr ImageSpec fashion{.height = 28, .width = 28, .channels = 1, .classes = 10};

std::unique_ptr<Module> make(const ImageSpec& data, const std::string& activation = "gelu",
                             const std::vector<std::pair<std::string, OptionValue>>& settings = {}) {
  const ModelType& type = find_component("model", "small_cnn", model_types());
  Options options(type.options);
  for (const auto& [name, value] : settings) options.set(name, value);
  return make_model(type, options, data, {ActivationHandle::parse(activation), 0, find_backend("cpu")});
}

std::int64_t parameters_of(const Module& model) {
  std::int64_t count = 0;
  for (const auto& [name, tensor] : model.parameters()) count += tensor.count();
  return count;
}

Shape output_shape(const ImageSpec& data, std::int64_t batch) {
  return (*make(data))(
             Tensor::zeros({batch, data.height, data.width, data.channels}, DType::f32, find_backend("cpu")))
      .shape();
}

std::string refusal(const ImageSpec& data, const std::string& activation = "gelu",
                    const std::vector<std::pair<std::string, OptionValue>>& settings = {}) {
  try {
    make(data, activation, settings);
  } catch (const ConfigError& e) {
    return e.what();
  }
  return "no error";
}

std::vector<std::vector<float>> weights(const std::string& activation, const std::string& init) {
  std::vector<std::vector<float>> all;
  for (const auto& [name, tensor] : make(cifar, activation, {{"init", init}})->parameters())
    all.push_back(tensor.to_vector<float>());
  return all;
}

bool reads_output(const std::string& activation) {
  return ActivationHandle::parse(activation).info().backward_reads == Reads::output;
}

// 3*3*3*32 + 32 = 896, 3*3*32*64 + 64 = 18,496, 64*8*8*10 + 10 = 40,970.
TEST(SmallCnn, HasItsParameters) {
  EXPECT_EQ(parameters_of(*make(cifar)), 896 + 18'496 + 40'970);
  EXPECT_EQ(896 + 18'496 + 40'970, 60'362);
  // 3*3*1*32 + 32, 18,496, 64*7*7*10 + 10.
  EXPECT_EQ(parameters_of(*make(fashion)), 320 + 18'496 + 31'370);

  std::vector<std::pair<std::string, Shape>> named;
  for (const auto& [name, tensor] : make(cifar)->parameters()) named.emplace_back(name, tensor.shape());
  const std::vector<std::pair<std::string, Shape>> expected = {
      {"conv1.weight", {32, 3, 3, 3}},  {"conv1.bias", {32}},
      {"conv2.weight", {64, 3, 3, 32}}, {"conv2.bias", {64}},
      {"head.weight", {10, 4096}},      {"head.bias", {10}}};
  ASSERT_EQ(named.size(), expected.size());
  for (std::size_t i = 0; i < named.size(); ++i) {
    EXPECT_EQ(named[i].first, expected[i].first);
    EXPECT_EQ(named[i].second, expected[i].second) << named[i].first;
  }
}

TEST(SmallCnn, TakesImagesOfAnySizeFromFour) {
  EXPECT_EQ(output_shape(cifar, 3), (Shape{3, 10}));
  EXPECT_EQ(output_shape(fashion, 1), (Shape{1, 10}));
  for (const std::int64_t height : {4, 5, 6, 7, 9, 13})
    for (const std::int64_t width : {4, 7, 10, 11})
      EXPECT_EQ(output_shape({.height = height, .width = width, .channels = 2, .classes = 3}, 2),
                (Shape{2, 3}))
          << height << " x " << width;
}

TEST(SmallCnn, WidthsAreItsOwn) {
  // 3*3*3*5 + 5, 3*3*5*7 + 7, 7*8*8*10 + 10.
  EXPECT_EQ(parameters_of(*make(cifar, "gelu", {{"widths", std::vector<std::int64_t>{5, 7}}})),
            140 + 322 + 4490);
}

TEST(SmallCnn, SharedSchemesGiveEveryActivationTheSameWeights) {
  for (const std::string init : {"xavier", "kaiming"}) {
    EXPECT_EQ(weights("relu", init), weights("gelu", init)) << init;
    EXPECT_EQ(weights("relu", init), weights("mish", init)) << init;
  }
  EXPECT_NE(weights("relu", "activation"), weights("gelu", "activation"));
  EXPECT_EQ(weights("relu", "kaiming").back(), weights("gelu", "activation").back());
}

TEST(SmallCnn, HasBatchNormWhereAskedFor) {
  const auto with = make(cifar, "gelu", {{"batch_norm", true}}), without = make(cifar);
  EXPECT_EQ(parameters_of(*with), parameters_of(*without) + 2 * (32 + 64));
  std::vector<std::string> buffers;
  for (const auto& [name, tensor] : with->buffers()) buffers.push_back(name);
  EXPECT_EQ(buffers, (std::vector<std::string>{"norm1.running_mean", "norm1.running_var",
                                               "norm2.running_mean", "norm2.running_var"}));
  EXPECT_TRUE(without->buffers().empty());
  EXPECT_EQ(with->parameters()[2].name, "norm1.weight");
  EXPECT_EQ(with->parameters()[4].tensor.to_vector<float>(),
            without->parameters()[2].tensor.to_vector<float>());
}

// What backward keeps beyond the plain model: the inputs of both norms and the moments of their channels.
TEST(SmallCnn, CountsWhatItsNormsKeep) {
  const auto saved = [](const std::vector<std::pair<std::string, OptionValue>>& settings) {
    const Tensor x = Tensor::zeros({4, 32, 32, 3}, DType::f32, find_backend("cpu"));
    return saved_bytes(sum((*make(cifar, "gelu", settings))(x)));
  };
  const std::int64_t plain = saved({});
  EXPECT_EQ(saved({{"batch_norm", true}}), plain + 4 * (32 * 32 * 32 + 16 * 16 * 64) * 4 + 2 * (32 + 64) * 8);
  EXPECT_EQ(saved({{"dropout", 0.3}}), plain);
}

// One value a layer, or one a channel; the pooling is then a layer of its own, and keeps what it chose.
TEST(SmallCnn, TrainsAParameterOfItsActivation) {
  const auto names = [](const std::string& activation) {
    std::vector<std::string> all;
    for (const LearnedParameter& p : make(cifar, activation)->learned())
      all.push_back(p.name + " " + std::to_string(p.tensor.count()));
    return all;
  };
  EXPECT_EQ(names("swish"), std::vector<std::string>{});
  EXPECT_EQ(names("swish(learned=layer)"), (std::vector<std::string>{"act1.beta 1", "act2.beta 1"}));
  EXPECT_EQ(names("gelu_scaled(learned=channel)"),
            (std::vector<std::string>{"act1.sigma 32", "act2.sigma 64"}));
  EXPECT_EQ(parameters_of(*make(cifar, "swish(learned=channel)")), parameters_of(*make(cifar)) + 32 + 64);
  const auto logits = [](const std::string& activation) {
    const Tensor x = Tensor::from(std::vector<float>(2 * 3072, 0.5F), {2, 32, 32, 3}, find_backend("cpu"));
    return (*make(cifar, activation))(x).to_vector<float>();
  };
  EXPECT_EQ(logits("swish(beta=1.5, learned=layer)"), logits("swish(beta=1.5)"));
  EXPECT_EQ(logits("swish(beta=1.5, learned=channel)"), logits("swish(beta=1.5)"));
}

TEST(SmallCnn, FusedOrNotItHasTheSameGradients) {
  Backend& backend = find_backend("cpu");
  std::vector<float> pixels(3 * 7 * 9 * 2);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = std::sin(static_cast<float>(i)) * 3;
  const Tensor images = Tensor::from(pixels, {3, 7, 9, 2}, backend),
               labels = Tensor::from(std::vector<std::int32_t>{2, 0, 1}, {3}, backend);
  const ModelType& type = find_component("model", "small_cnn", model_types());
  Options options(type.options);
  options.set("widths", std::vector<std::int64_t>{5, 9});
  for (const std::string& activation : activation_names()) {
    const auto saved_and_gradients = [&](bool fuse) {
      const ImageSpec data{.height = 7, .width = 9, .channels = 2, .classes = 3};
      const auto model =
          make_model(type, options, data, {ActivationHandle::parse(activation), 0, backend, fuse});
      model->train(0);
      const Tensor loss = cross_entropy((*model)(images), labels);
      const std::int64_t saved = saved_bytes(loss);
      loss.backward();
      std::vector<std::vector<float>> gradients;
      for (const auto& parameter : model->parameters())
        gradients.push_back(parameter.tensor.grad().to_vector<float>());
      return std::pair(saved, gradients);
    };
    const auto fused = saved_and_gradients(true), plain = saved_and_gradients(false);
    EXPECT_EQ(fused.second, plain.second) << activation;
    // What f' needs of the output is kept pooled, and the next layer keeps that anyway.
    if (reads_output(activation))
      EXPECT_LT(fused.first, plain.first) << activation;
    else
      EXPECT_EQ(fused.first, plain.first) << activation;
  }
}

TEST(SmallCnn, DropoutIsAProbability) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double p : {-0.1, 1.5, nan})
    EXPECT_NE(refusal(cifar, "gelu", {{"dropout", p}}).find("dropout: wanted number in [0, 1]"),
              std::string::npos)
        << p;
  const auto forward = [](Module& model) {
    return model(Tensor::from(std::vector<float>(3072, 1), {1, 32, 32, 3}, find_backend("cpu")))
        .to_vector<float>();
  };
  const auto none = make(cifar), half = make(cifar, "gelu", {{"dropout", 0.5}});
  EXPECT_NE(forward(*half), forward(*none));
  half->eval();
  EXPECT_EQ(forward(*half), forward(*none));
}

TEST(SmallCnn, RefusesWhatItCannotTake) {
  const std::string gated = refusal(cifar, "geglu");
  EXPECT_NE(gated.find("model.activation: 'geglu' is gated"), std::string::npos) << gated;
  EXPECT_NE(gated.find("bert_ffn"), std::string::npos) << gated;
  const ModelType& type = find_component("model", "small_cnn", model_types());
  const auto of_text = [&] {
    make_model(type, Options(type.options), TextSpec{16, 50},
               {ActivationHandle::parse("gelu"), 0, find_backend("cpu")});
  };
  EXPECT_EQ(message_of(of_text),
            "model.name: small_cnn does not take text, which the data set gives; models for it: bert_ffn, "
            "bert_encoder");
  const std::string small = refusal({.height = 3, .width = 8, .channels = 1, .classes = 2});
  EXPECT_NE(small.find("at least 4 x 4 pixels, the data has 3 x 8"), std::string::npos) << small;
  for (const auto& widths : {std::vector<std::int64_t>{}, {8}, {8, 8, 8}, {0, 8}, {8, -1}})
    EXPECT_NE(refusal(cifar, "gelu", {{"widths", widths}}).find("widths: "), std::string::npos);
  EXPECT_NE(refusal(cifar, "gelu", {{"init", std::string("he")}}).find("one of xavier, kaiming, activation"),
            std::string::npos);
}

TEST(Models, AreFoundByName) {
  EXPECT_EQ(find_component("model", "small_cnn", model_types()).name, "small_cnn");
  EXPECT_THROW(find_component("model", "small_cn", model_types()), ConfigError);
}

}  // namespace
}  // namespace actlab
