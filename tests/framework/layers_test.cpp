// Layers: shapes, initial weights, names of parameters, and the sizes that convolution and pooling refuse.
#include "framework/nn/layers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "framework/autograd/engine.h"
#include "tests/support/message_of.h"

namespace actlab {
namespace {

Backend& cpu() { return find_backend("cpu"); }

double deviation(const Tensor& t) {
  double squares = 0;
  for (const float v : t.to_vector<float>()) squares += static_cast<double>(v) * static_cast<double>(v);
  return std::sqrt(squares / static_cast<double>(t.count()));
}

TEST(Init, HasTheDeviationOfItsScheme) {
  Initializer kaiming(1, InitScheme::kaiming, cpu());
  EXPECT_NEAR(deviation(kaiming.weight({200, 3, 3, 50}, 9, std::numbers::sqrt2)), std::sqrt(2.0 / 450), 3e-4);
  Initializer xavier(1, InitScheme::xavier, cpu());
  EXPECT_NEAR(deviation(xavier.weight({200, 3, 3, 50}, 9, 1.0)), std::sqrt(2.0 / (450 + 1800)), 2e-4);
  for (const float v : xavier.bias(5).to_vector<float>()) EXPECT_EQ(v, 0.0F);
}

TEST(Init, SeedAndLayerDecide) {
  const auto draw = [](std::uint64_t seed, int layer) {
    Initializer init(seed, InitScheme::kaiming, cpu());
    Tensor weight;
    for (int i = 0; i <= layer; ++i) weight = init.weight({4, 8}, 1, 1.0);
    return weight.to_vector<float>();
  };
  EXPECT_EQ(draw(7, 0), draw(7, 0));
  EXPECT_NE(draw(7, 0), draw(7, 1));
  EXPECT_NE(draw(7, 0), draw(8, 0));
}

TEST(Layers, SequentialNamesItsParameters) {
  Initializer init(0, InitScheme::kaiming, cpu());
  Sequential model;
  model.add("conv", std::make_unique<Conv2d>(3, 8, 3, Conv2dOptions{.pad_h = 1, .pad_w = 1}, init, 1.0));
  model.add("act", std::make_unique<Activation>(ActivationHandle::parse("gelu"), 8, init));
  model.add("pool", std::make_unique<MaxPool2d>(2));
  model.add("flatten", std::make_unique<Flatten>());
  model.add("head", std::make_unique<Linear>(8 * 4 * 4, 10, init, 1.0));
  std::vector<std::string> names;
  for (const auto& p : model.parameters()) names.push_back(p.name);
  EXPECT_EQ(names, (std::vector<std::string>{"conv.weight", "conv.bias", "head.weight", "head.bias"}));

  const Tensor y = model(Tensor::zeros({2, 8, 8, 3}, DType::f32, cpu()));
  EXPECT_EQ(y.shape(), (Shape{2, 10}));
  std::vector<std::pair<std::string, std::int64_t>> saved;
  for (const auto& s : saved_bytes_by_layer(sum(y))) saved.emplace_back(s.layer, s.bytes);
  const std::vector<std::pair<std::string, std::int64_t>> expected = {
      {"conv", 2 * 8 * 8 * 3 * 4},  // the images
      {"act", 2 * 8 * 8 * 8 * 4},   // the pre-activation
      {"pool", 2 * 4 * 4 * 8},      // a byte a pooled value
      {"flatten", 0},
      {"head", 2 * 4 * 4 * 8 * 4},  // its input
      {"", 0}};
  EXPECT_EQ(saved, expected);
}

TEST(Layers, ConvolutionRefusesWhatItCannotDo) {
  const auto zeros = [](const Shape& shape) { return Tensor::zeros(shape, DType::f32, cpu()); };
  const auto convolve = [&](const Shape& x, const Shape& w, const Conv2dOptions& options) {
    return message_of([&] { conv2d(zeros(x), zeros(w), zeros({w[0]}), options); });
  };
  for (const std::int64_t stride : {1, 2}) {
    const std::string message =
        convolve({1, 2, 2, 1}, {1, 3, 3, 1}, {.stride_h = stride, .stride_w = stride});
    EXPECT_NE(message.find("kernel 3 x 3 does not fit the padded input 2 x 2"), std::string::npos) << message;
  }
  EXPECT_EQ(convolve({1, 2, 2, 1}, {1, 3, 3, 1}, {.pad_h = 1, .pad_w = 1}), "no error");
  EXPECT_NE(convolve({1, 4, 4, 4}, {2, 3, 3, 2}, {}).find("groups are not supported"), std::string::npos);
  EXPECT_NE(convolve({1, 4, 4, 1}, {1, 3, 3, 1}, {.stride_h = 0}).find("stride"), std::string::npos);
  EXPECT_NE(convolve({1, 4, 4, 1}, {1, 3, 3, 1}, {.pad_w = -1}).find("padding"), std::string::npos);
  EXPECT_NE(message_of([&] {
              max_pool2d(zeros({1, 2, 2, 1}), 3, 1);
            }).find("does not fit"),
            std::string::npos);
}

TEST(Layers, ConvolutionOfOnes) {
  std::vector<float> image(16);
  for (std::size_t i = 0; i < 16; ++i) image[i] = static_cast<float>(i + 1);
  Tensor x = Tensor::from(image, {1, 4, 4, 1}, cpu());
  Tensor w = Tensor::from(std::vector<float>(9, 1.0F), {1, 3, 3, 1}, cpu());
  x.require_grad(), w.require_grad();
  const Tensor y = conv2d(x, w, Tensor::zeros({1}, DType::f32, cpu()), {.pad_h = 1, .pad_w = 1});
  EXPECT_EQ(y.to_vector<float>(),
            (std::vector<float>{14, 24, 30, 22, 33, 54, 63, 45, 57, 90, 99, 69, 46, 72, 78, 54}));
  sum(y).backward();
  EXPECT_EQ(w.grad().to_vector<float>(), (std::vector<float>{54, 78, 63, 96, 136, 108, 90, 126, 99}));
  const std::vector<float> dx = x.grad().to_vector<float>();
  EXPECT_EQ(dx[0], 4.0F);
  EXPECT_EQ(dx[1], 6.0F);
  EXPECT_EQ(dx[5], 9.0F);
}

TEST(Layers, PoolingGivesOneWinnerAWindow) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const auto pooled = [](const std::vector<float>& window) {
    Tensor x = Tensor::from(window, {1, 2, 2, 1}, cpu());
    x.require_grad();
    const Tensor y = max_pool2d(x, 2, 2);
    sum(y).backward();
    return std::pair{y.to_vector<float>()[0], x.grad().to_vector<float>()};
  };
  EXPECT_EQ(pooled({1, 2, 2, 1}), (std::pair{2.0F, std::vector<float>{0, 1, 0, 0}}));
  EXPECT_EQ(pooled({0, 0, 0, 0}), (std::pair{0.0F, std::vector<float>{1, 0, 0, 0}}));
  EXPECT_EQ(pooled({-inf, -inf, -inf, -inf}), (std::pair{-inf, std::vector<float>{1, 0, 0, 0}}));
  const auto [y, dx] = pooled({1, nan, 2, 3});
  EXPECT_TRUE(std::isnan(y));
  EXPECT_EQ(dx, (std::vector<float>{0, 1, 0, 0}));
}

TEST(Layers, ActivationRefusesGatedForms) {
  const Tensor x = Tensor::zeros({2, 5}, DType::f32, cpu());
  EXPECT_NE(message_of([&] { activate(x, ActivationHandle::parse("swiglu")); }).find("gated"),
            std::string::npos);
}

// Its steps are those of the data: twice the data, twice the steps.
TEST(Layers, ActivationsThatObserveGoByTheirInput) {
  const auto observing = ActivationHandle::parse("gelu_int8");
  Backend& backend = find_backend("cpu");
  std::vector<float> values(2 * 4 * 4 * 3);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<float>(i));
  values[5] = -7.25f;
  const Tensor x = Tensor::from(values, {2, 4, 4, 3}, backend);
  const auto fixed = ActivationHandle::parse("gelu_int8(range=7.25)"),
             other = ActivationHandle::parse("gelu_int8(range=30)");
  const auto y = [&](const ActivationHandle& a) { return activate(x, a).to_vector<float>(); };
  EXPECT_EQ(y(observing), y(fixed));
  EXPECT_NE(y(observing), y(other));
  const auto pooled = [&](const ActivationHandle& a) {
    return activate_max_pool2d(x, a, 2).to_vector<float>();
  };
  EXPECT_EQ(pooled(observing), pooled(fixed));
  EXPECT_NE(pooled(observing), pooled(other));
  const Tensor w = Tensor::from(std::vector<float>{1, -1, 2}, {1, 3}, backend),
               b = Tensor::zeros({1}, DType::f32, backend);
  const auto linear_of = [&](const ActivationHandle& a) {
    return activate_linear(x, a, w, b).to_vector<float>();
  };
  EXPECT_EQ(linear_of(observing), linear_of(fixed));
  EXPECT_NE(linear_of(observing), linear_of(other));
}

TEST(Layers, GatesRefuseWhatHasNoHalves) {
  for (const Shape& shape : {Shape{2, 5}, Shape{4, 1}, Shape{7}, Shape{2, 2, 3}, Shape{}}) {
    const std::string message =
        message_of([&] { gate(Tensor::zeros(shape, DType::f32, cpu()), ActivationHandle::parse("swiglu")); });
    EXPECT_NE(message.find("'swiglu'"), std::string::npos) << message;
    EXPECT_NE(message.find(concat("the shape is ", shape)), std::string::npos) << message;
  }
}

TEST(Layers, TheFirstHalfIsTheGate) {
  Tensor x = Tensor::from(std::vector<float>{1, 2, 3, 4}, {1, 4}, cpu());
  x.require_grad();
  const Tensor y = gate(x, ActivationHandle::parse("swiglu"));
  EXPECT_FLOAT_EQ(y.to_vector<float>()[0], 2.19317574F);
  EXPECT_FLOAT_EQ(y.to_vector<float>()[1], 7.04637662F);
  sum(y).backward();
  const std::vector<float> expected = {2.78301154F, 4.363137F, 0.731058579F, 1.76159416F};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_FLOAT_EQ(x.grad().to_vector<float>()[i], expected[i]);
}

}  // namespace
}  // namespace actlab
