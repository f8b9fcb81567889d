// The parts of an encoder: embeddings, feed-forward networks, attention and window mixing.
#include <gtest/gtest.h>

#include <cmath>

#include "framework/autograd/engine.h"
#include "framework/nn/attention.h"
#include "framework/nn/embedding.h"
#include "framework/nn/feed_forward.h"
#include "framework/nn/window_mixing.h"
#include "kernels/random.h"
#include "tests/support/message_of.h"

namespace actlab {
namespace {

Backend& cpu() { return find_backend("cpu"); }

Initializer initializer(std::uint64_t seed = 1) { return {seed, InitScheme::xavier, cpu()}; }

Tensor normal(const Shape& shape, std::uint64_t stream) {
  const Random random(1, RandomPurpose::synthetic, stream);
  std::vector<float> values(static_cast<std::size_t>(shape.count()));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(random.normal(i));
  Tensor x = Tensor::from(values, shape, cpu());
  return x.require_grad();
}

Tensor integers(const std::vector<std::int32_t>& values, const Shape& shape) {
  return Tensor::from(values, shape, cpu());
}

std::vector<std::string> names_of(const Module& module) {
  std::vector<std::string> names;
  for (const auto& [name, tensor] : module.parameters()) names.push_back(name);
  return names;
}

// Output and gradients of the inputs, of a sum in which every element has another weight.
struct Results {
  std::vector<float> y;
  std::vector<std::vector<float>> gradients;
  bool operator==(const Results&) const = default;
};

Results results_of(const std::function<Tensor()>& f, std::vector<Tensor> inputs) {
  for (Tensor& x : inputs) x.clear_grad();
  const Tensor y = f();
  sum(multiply(y, Tensor::from(normal(y.shape(), 99).to_vector<float>(), y.shape(), y.backend()))).backward();
  Results results{y.to_vector<float>(), {}};
  for (const Tensor& x : inputs) results.gradients.push_back(x.grad().to_vector<float>());
  return results;
}

TEST(ActivateLinear, HasTheBitsOfItsTwoOperations) {
  for (const std::string& name : activation_names()) {
    SCOPED_TRACE(name);
    const auto activation = ActivationHandle::parse(name);
    const Tensor x = normal({5, 17, 67}, 1), w = normal({23, 67}, 2), b = normal({23}, 3);
    EXPECT_EQ(results_of([&] { return activate_linear(x, activation, w, b); }, {x, w, b}),
              results_of([&] { return linear(activate(x, activation), w, b); }, {x, w, b}));
  }
  for (const std::string& name : gated_names()) {
    SCOPED_TRACE(name);
    const auto activation = ActivationHandle::parse(name);
    const Tensor x = normal({5, 17, 134}, 1), w = normal({23, 67}, 2), b = normal({23}, 3);
    EXPECT_EQ(results_of([&] { return activate_linear(x, activation, w, b); }, {x, w, b}),
              results_of([&] { return linear(gate(x, activation), w, b); }, {x, w, b}));
  }
}

TEST(ActivateLinear, KeepsThePreActivationAlone) {
  const Tensor w = normal({3, 8}, 2), b = normal({3}, 3);
  for (const std::string name : {"gelu", "relu", "identity", "geglu"}) {
    const std::int64_t width = name == "geglu" ? 16 : 8;
    const Tensor y = activate_linear(normal({5, width}, 1), ActivationHandle::parse(name), w, b);
    EXPECT_EQ(saved_bytes(sum(y)), 5 * width * 4 + w.bytes()) << name;
  }
}

TEST(ActivateLinear, RefusesOtherShapes) {
  const Tensor w = normal({3, 8}, 2), b = normal({3}, 3);
  const std::string message = message_of([&] {
    activate_linear(normal({5, 8}, 1), ActivationHandle::parse("geglu"), w, b);
  });
  EXPECT_NE(message.find("geglu of x (..., 2 * in)"), std::string::npos) << message;
  EXPECT_NE(message.find("found (5, 8), (3, 8) and (3)"), std::string::npos) << message;
}

TEST(FeedForward, PlainAndGatedShareTheOtherWeights) {
  Initializer plain_init = initializer(), gated_init = initializer();
  const FeedForward plain(24, 96, ActivationHandle::parse("gelu"), plain_init);
  const FeedForward gated(24, gated_width(96), ActivationHandle::parse("geglu"), gated_init);
  EXPECT_EQ(names_of(plain), (std::vector<std::string>{"up.weight", "up.bias", "down.weight", "down.bias"}));
  EXPECT_EQ(names_of(gated),
            (std::vector<std::string>{"gate_up.weight", "gate_up.bias", "down.weight", "down.bias"}));
  EXPECT_EQ(gated.parameters()[0].tensor.shape(), (Shape{128, 24}));
  EXPECT_EQ(plain_init.weight({4, 4}, 1, 1).to_vector<float>(),
            gated_init.weight({4, 4}, 1, 1).to_vector<float>());
}

TEST(FeedForward, LearnedActivationIsALayerOfItsOwn) {
  Initializer fixed_init = initializer(), learned_init = initializer();
  FeedForward fixed(8, 16, ActivationHandle::parse("swish(beta=1.5)"), fixed_init),
      learned(8, 16, ActivationHandle::parse("swish(beta=1.5, learned=channel)"), learned_init);
  EXPECT_EQ(names_of(learned),
            (std::vector<std::string>{"up.weight", "up.bias", "act.beta", "down.weight", "down.bias"}));
  EXPECT_EQ(learned.learned()[0].tensor.count(), 16);
  const Tensor x = normal({5, 8}, 1);
  const Tensor y = learned(x);
  EXPECT_EQ(y.to_vector<float>(), fixed(x).to_vector<float>());
  EXPECT_EQ(saved_bytes(sum(y)), 5 * (8 + 16 + 16) * 4);
  sum(y).backward();
  EXPECT_TRUE(learned.learned()[0].tensor.grad().defined());
}

TEST(FeedForward, GatedWidthKeepsTheParameters) {
  EXPECT_EQ(gated_width(3072), 2048);
  EXPECT_EQ(gated_width(1), 8);
  EXPECT_EQ(gated_width(256), 168);  // 170.67 lies nearer to 168 than to 176
  EXPECT_EQ(gated_width(264), 176);
  for (std::int64_t d_ff = 12; d_ff < 5000; ++d_ff) {
    ASSERT_EQ(gated_width(d_ff) % 8, 0) << d_ff;
    ASSERT_LE(std::abs(static_cast<double>(gated_width(d_ff)) - static_cast<double>(d_ff) * 2 / 3), 4)
        << d_ff;
  }
}

TEST(FeedForward, BytesStandUnderItsName) {
  Initializer init = initializer();
  Sequential model;
  model.add("ffn", std::make_unique<FeedForward>(8, 16, ActivationHandle::parse("swiglu"), init));
  std::vector<std::pair<std::string, std::int64_t>> saved;
  for (const auto& s : saved_bytes_by_layer(sum(model(normal({5, 8}, 1)))))
    saved.emplace_back(s.layer, s.bytes);
  const std::vector<std::pair<std::string, std::int64_t>> expected = {
      {"ffn.gate_up", 5 * 8 * 4}, {"ffn.down", 5 * 32 * 4}, {"", 0}};
  EXPECT_EQ(saved, expected);
}

TEST(Embedding, TakesRowsOfItsTable) {
  Initializer init = initializer();
  Embedding layer(5, 3, init, 0.02);
  const Tensor y = layer(integers({4, 0, 4, 1}, {2, 2}));
  EXPECT_EQ(y.shape(), (Shape{2, 2, 3}));
  const std::vector<float> table = layer.weight().to_vector<float>(), values = y.to_vector<float>();
  EXPECT_TRUE(std::equal(values.begin(), values.begin() + 3, table.begin() + 12));
  EXPECT_TRUE(std::equal(values.begin() + 9, values.end(), table.begin() + 3));
}

TEST(Embedding, HasItsDeviation) {
  Initializer init = initializer();
  const Embedding layer(300, 100, init, 0.02);
  double squares = 0;
  for (const float v : layer.weight().to_vector<float>()) squares += double{v} * double{v};
  EXPECT_NEAR(std::sqrt(squares / 30'000), 0.02, 3e-4);
}

TEST(Embedding, RefusesTokensOutsideAndOtherTypes) {
  Initializer init = initializer();
  Embedding layer(5, 3, init, 0.02);
  const std::string message = message_of([&] { layer(integers({4, 5}, {1, 2})); });
  EXPECT_NE(message.find("index 5 at place 1 is outside [0, 4]"), std::string::npos) << message;
  EXPECT_NE(message_of([&] { layer(normal({2}, 1)); }).find("indices of type i32"), std::string::npos);
}

TEST(Attention, HeadsMustDivideTheWidth) {
  Initializer init = initializer();
  try {
    MultiHeadAttention(10, 4, init);
    FAIL();
  } catch (const ConfigError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("4 heads do not divide the width d = 10"), std::string::npos) << message;
  }
  EXPECT_THROW(MultiHeadAttention(10, 0, init), ConfigError);
}

TEST(Attention, KeepsInputsAndProbabilities) {
  Initializer init = initializer();
  Sequential model;
  model.add("attention", std::make_unique<MultiHeadAttention>(8, 2, init));
  std::vector<std::pair<std::string, std::int64_t>> saved;
  for (const auto& s : saved_bytes_by_layer(sum(model(normal({3, 5, 8}, 1)))))
    saved.emplace_back(s.layer, s.bytes);
  const std::vector<std::pair<std::string, std::int64_t>> expected = {
      {"attention.qkv", 3 * 5 * 8 * 4},
      {"attention", 3 * 5 * 24 * 4 + 3 * 2 * 5 * 5 * 4},  // queries, keys, values; probabilities
      {"attention.out", 3 * 5 * 8 * 4},
      {"", 0}};
  EXPECT_EQ(saved, expected);
}

// Loss over the tokens before the padding only.
TEST(Attention, PaddingChangesNothingAndLearnsNothing) {
  Initializer init = initializer();
  MultiHeadAttention layer(12, 3, init);
  const Tensor lengths = integers({7, 4}, {2});
  const auto run = [&](float in_padding) {
    Tensor x = normal({2, 7, 12}, 1).detach();
    std::vector<float> values = x.to_vector<float>();
    for (std::size_t i = 11 * 12; i < values.size(); ++i) values[i] = in_padding * values[i];
    x = Tensor::from(values, x.shape(), cpu());
    x.require_grad();
    for (auto& [name, tensor] : layer.parameters()) Tensor(tensor).clear_grad();
    const Tensor y = clear_padding(layer.attend(x, lengths), lengths);
    sum(multiply(y, normal(y.shape(), 2).detach())).backward();
    Results results{y.to_vector<float>(), {x.grad().to_vector<float>()}};
    for (const auto& [name, tensor] : layer.parameters())
      results.gradients.push_back(tensor.grad().to_vector<float>());
    return results;
  };
  const Results once = run(1), other = run(-1000);
  EXPECT_EQ(once, other);
  for (std::size_t i = 11 * 12; i < 14 * 12; ++i) EXPECT_EQ(once.gradients[0][i], 0) << i;
  double moved = 0;
  for (const float g : once.gradients[0]) moved += std::abs(double{g});
  EXPECT_GT(moved, 1);
}

TEST(Attention, LongWindowsAgreeWithReference) {
  Backend& reference = find_backend("reference");
  const Tensor x = normal({1, 1024, 3 * 6}, 1).detach(), lengths = integers({1000}, {1});
  const Tensor far = Tensor::from(x.to_vector<float>(), x.shape(), reference);
  const Tensor far_lengths = Tensor::from(std::vector<std::int32_t>{1000}, {1}, reference);
  const std::vector<float> got = attention(x, 2, lengths).to_vector<float>(),
                           want = attention(far, 2, far_lengths).to_vector<float>();
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], want[i], 1e-6) << i;
}

TEST(Attention, CpuGradientsAgreeWithReference) {
  Backend& reference = find_backend("reference");
  const Shape shape{2, 67, 3 * 14};
  const auto run = [&](Backend& backend) {
    Tensor x = Tensor::from(normal(shape, 1).to_vector<float>(), shape, backend);
    x.require_grad();
    const Tensor y = attention(x, 2, Tensor::from(std::vector<std::int32_t>{67, 33}, {2}, backend));
    sum(multiply(y, Tensor::from(normal(y.shape(), 2).to_vector<float>(), y.shape(), backend))).backward();
    return x.grad().to_vector<float>();
  };
  const std::vector<float> got = run(cpu()), want = run(reference);
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], want[i], 5e-6) << i;
}

TEST(Attention, RefusesWhatDoesNotFit) {
  EXPECT_NE(message_of([&] {
              attention(normal({2, 3, 10}, 1), 2, {});
            }).find("found (2, 3, 10)"),
            std::string::npos);
  const Tensor qkv = normal({2, 3, 12}, 1);
  EXPECT_NE(message_of([&] { attention(qkv, 2, integers({3}, {1})); }).find("lengths (B) wanted"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              attention(qkv, 2, integers({3, 0}, {2}));
            }).find("length 0 at place 1"),
            std::string::npos);
}

TEST(WindowMixing, BeginsNearTheIdentity) {
  Initializer init = initializer();
  WindowMixing layer(9, init);
  const std::vector<float> w = layer.parameters()[0].tensor.to_vector<float>();
  for (std::size_t i = 0; i < 81; ++i) EXPECT_NEAR(w[i], i % 10 == 0 ? 1 : 0, 0.1) << i;
  EXPECT_NE(w[1], 0);
  EXPECT_NE(message_of([&] {
              layer(normal({2, 8, 3}, 1));
            }).find("w (L, L) wanted, found (2, 8, 3)"),
            std::string::npos);
}

TEST(WindowMixing, CpuAgreesWithReference) {
  Backend& reference = find_backend("reference");
  const auto run = [&](Backend& backend) {
    const auto on = [&](const Shape& shape, std::uint64_t stream) {
      Tensor t = Tensor::from(normal(shape, stream).to_vector<float>(), shape, backend);
      return t.require_grad();
    };
    const Tensor x = on({3, 67, 17}, 1), w = on({67, 67}, 2);
    return results_of([&] { return mix_window(x, w); }, {x, w});
  };
  const auto compare = [](const std::vector<float>& got, const std::vector<float>& want) {
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], want[i], 5e-5) << i;
  };
  const Results got = run(cpu()), want = run(reference);
  compare(got.y, want.y);
  compare(got.gradients[0], want.gradients[0]);
  compare(got.gradients[1], want.gradients[1]);
}

TEST(WindowMixing, PaddingCountsAsNothing) {
  Initializer init = initializer();
  WindowMixing layer(4, init);
  const Tensor lengths = integers({2}, {1});
  const auto run = [&](float in_padding) {
    Tensor x = Tensor::from(std::vector<float>{1, -2, in_padding, in_padding}, {1, 4, 1}, cpu());
    x.require_grad();
    const Tensor y = layer.mix(x, lengths);
    sum(y).backward();
    return std::pair{y.to_vector<float>(), x.grad().to_vector<float>()};
  };
  const auto [y, dx] = run(0);
  EXPECT_EQ(run(1e6F), std::pair(y, dx));
  EXPECT_NE(dx[1], 0);
  EXPECT_EQ(dx[2], 0);
  EXPECT_EQ(dx[3], 0);
  EXPECT_EQ(layer.mix(normal({1, 4, 1}, 1), {}).to_vector<float>(),
            layer(normal({1, 4, 1}, 1)).to_vector<float>());
}

TEST(Operations, AddToEachAddsWhatIsTheSameForAll) {
  const Tensor p = normal({2, 2}, 2), x = normal({3, 2, 2}, 1);
  const std::vector<float> y = add_to_each(x, p).to_vector<float>(), each = p.to_vector<float>();
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(y[i], x.to_vector<float>()[i] + each[i % 4]);
  EXPECT_NE(message_of([&] {
              add_to_each(normal({3, 1, 2}, 1), p);
            }).find("found (3, 1, 2) for a (2, 2)"),
            std::string::npos);
}

}  // namespace
}  // namespace actlab
