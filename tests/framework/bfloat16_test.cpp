// Operations and layers in bf16: what is rounded and what is not, by bounds that follow from the roundings.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "framework/autograd/engine.h"
#include "framework/nn/feed_forward.h"
#include "framework/nn/layers.h"
#include "framework/ops/ops.h"
#include "kernels/random.h"
#include "tests/support/message_of.h"

namespace actlab {
namespace {

Backend& cpu() { return find_backend("cpu"); }
Backend& reference() { return find_backend("reference"); }

std::vector<float> normal_values(const Shape& shape, std::uint64_t stream) {
  const Random random(1, RandomPurpose::synthetic, stream);
  std::vector<float> values(static_cast<std::size_t>(shape.count()));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(random.normal(i));
  return values;
}

// Leaves of f32, and of bf16.
Tensor floats(const Shape& shape, std::uint64_t stream) {
  return Tensor::from(normal_values(shape, stream), shape, cpu()).require_grad();
}
Tensor halves(const Shape& shape, std::uint64_t stream) {
  return cast(floats(shape, stream).detach(), DType::bf16).require_grad();
}

std::vector<float> values_of(const Tensor& t) { return cast(t.detach(), DType::f32).to_vector<float>(); }

Tensor rounded(const Tensor& t) { return cast(cast(t.detach(), DType::bf16), DType::f32); }

// A leaf of f64 on the reference backend with f(element) of each element.
Tensor in_double(
    const Tensor& t, const std::function<double(double)>& f = [](double v) { return v; }) {
  std::vector<double> values;
  for (const float v : values_of(t)) values.push_back(f(static_cast<double>(v)));
  return Tensor::from(values, t.shape(), reference()).require_grad();
}

// An operation of x, w, b; `result` is the type of its result.
using Weighted = std::function<Tensor(const Tensor&, const Tensor&, const Tensor&, std::optional<DType>)>;

struct Case {
  std::string name;
  Weighted f;
  Shape x, w;
};

const std::vector<Case> cases = {
    {"linear",
     [](const Tensor& x, const Tensor& w, const Tensor& b, std::optional<DType> result) {
       return linear(x, w, b, result);
     },
     {3, 17, 67},
     {23, 67}},
    {"conv2d",
     [](const Tensor& x, const Tensor& w, const Tensor& b, std::optional<DType> result) {
       return conv2d(x, w, b, {.stride_h = 2, .pad_h = 1, .pad_w = 1}, result);
     },
     {3, 7, 9, 5},
     {11, 3, 3, 5}}};

// Result and gradients where dy is that of sum(y * dy).
struct Results {
  std::vector<double> y, dx, dw, db;
};

Results results_in_double(const Case& c, const Tensor& x, const Tensor& w, const Tensor& b,
                          const Tensor& dy) {
  const Tensor y = c.f(x, w, b, {});
  sum(multiply(y, dy.detach())).backward();
  return {y.to_vector<double>(), x.grad().to_vector<double>(), w.grad().to_vector<double>(),
          b.grad().to_vector<double>()};
}

void expect_within(const std::vector<float>& got, const std::vector<double>& want,
                   const std::function<double(std::size_t)>& bound, const char* what) {
  ASSERT_EQ(got.size(), want.size()) << what;
  for (std::size_t i = 0; i < got.size(); ++i)
    ASSERT_NEAR(static_cast<double>(got[i]), want[i], bound(i)) << what << " element " << i;
}

// The error of a float sum is at most a rounding a term, of the sum of the sizes; here are at most 128 terms.
constexpr double float_sum = 128 * 0x1p-24;
// Half a unit of bf16's eight bits.
constexpr double half_unit = 0x1p-8;

// Against the same operation in double, of x and w rounded and of dy rounded where a product takes it: only
// the sums and the last rounding are then left. Then of w as it is: its rounding, and dy's, come on top.
TEST(Bfloat16, RoundsOperandsOnceAndResultsOnce) {
  for (const Case& c : cases) {
    for (const DType result : {DType::f32, DType::bf16}) {
      SCOPED_TRACE(concat(c.name, " to ", result));
      const Tensor x = halves(c.x, 1), w = floats(c.w, 2), b = floats({c.w[0]}, 3);
      const Tensor y = c.f(x, w, b, result);
      ASSERT_EQ(y.dtype(), result);
      const Tensor dy = floats(y.shape(), 4).detach();
      sum(multiply(cast(y, DType::f32), dy)).backward();
      ASSERT_EQ(x.grad().dtype(), DType::bf16);
      ASSERT_EQ(w.grad().dtype(), DType::f32);
      ASSERT_EQ(b.grad().dtype(), DType::f32);

      // Gradients of sums of sizes are sums of sizes.
      const auto size = [](double v) { return std::fabs(v); };
      const Results sizes = results_in_double(c, in_double(x, size), in_double(w, size), in_double(b, size),
                                              in_double(dy, size));
      const double last = result == DType::bf16 ? half_unit : 0;
      const Results want =
          results_in_double(c, in_double(x), in_double(rounded(w)), in_double(b), in_double(rounded(dy)));
      expect_within(
          values_of(y), want.y,
          [&](std::size_t i) { return float_sum * sizes.y[i] + last * std::fabs(want.y[i]); }, "y");
      expect_within(
          values_of(x.grad()), want.dx,
          [&](std::size_t i) { return float_sum * sizes.dx[i] + half_unit * std::fabs(want.dx[i]); }, "dx");
      expect_within(
          values_of(w.grad()), want.dw, [&](std::size_t i) { return float_sum * sizes.dw[i]; }, "dw");

      const Results plain = results_in_double(c, in_double(x), in_double(w), in_double(b), in_double(dy));
      expect_within(
          values_of(y), plain.y,
          [&](std::size_t i) {
            return (float_sum + half_unit) * sizes.y[i] + last * (std::fabs(plain.y[i]) + sizes.y[i]);
          },
          "y");
      expect_within(
          values_of(x.grad()), plain.dx, [&](std::size_t i) { return 3.1 * half_unit * sizes.dx[i]; }, "dx");
      expect_within(
          values_of(w.grad()), plain.dw, [&](std::size_t i) { return (float_sum + half_unit) * sizes.dw[i]; },
          "dw");
      expect_within(
          values_of(b.grad()), plain.db, [&](std::size_t i) { return (float_sum + half_unit) * sizes.db[i]; },
          "db");
    }
  }
}

TEST(Bfloat16, GradientsOfParametersAreNotRounded) {
  for (const Case& c : cases) {
    const Tensor x = halves(c.x, 1), w = floats(c.w, 2), b = floats({c.w[0]}, 3);
    sum(cast(c.f(x, w, b, {}), DType::f32)).backward();
    const std::vector<float> dw = w.grad().to_vector<float>(), as_half = values_of(rounded(w.grad()));
    std::size_t others = 0;
    for (std::size_t i = 0; i < dw.size(); ++i) others += std::size_t{dw[i] != as_half[i]};
    EXPECT_GT(others, dw.size() / 2) << c.name;
  }
}

// The bits of an operation and of the gradients of x, w, b.
using Bits = std::vector<std::vector<float>>;
Bits bits_of(const Tensor& y, std::vector<Tensor> inputs) {
  for (Tensor& x : inputs) x.clear_grad();
  sum(multiply(y, floats(y.shape(), 99).detach())).backward();
  Bits bits = {values_of(y)};
  for (const Tensor& x : inputs) bits.push_back(values_of(x.grad()));
  return bits;
}

TEST(Bfloat16, ActivateLinearHasTheBitsOfItsTwoOperations) {
  std::vector<std::string> names = activation_names();
  for (const std::string& name : gated_names()) names.push_back(name);
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const auto activation = ActivationHandle::parse(name);
    const Tensor x = halves({3, 17, activation.gated() ? 134 : 67}, 1), w = floats({23, 67}, 2),
                 b = floats({23}, 3);
    const Bits fused = bits_of(activate_linear(x, activation, w, b, DType::f32), {x, w, b});
    const Tensor hidden = activation.gated() ? gate(x, activation) : activate(x, activation);
    EXPECT_EQ(fused, bits_of(linear(hidden, w, b, DType::f32), {x, w, b}));
  }
}

// Of whole numbers all sums are exact: every backend has the same bits, roundings included.
TEST(Bfloat16, ReferenceHasTheBitsOfAChainOfIntegers) {
  const auto chain = [](Backend& backend) {
    const auto leaf = [&](const Shape& shape, std::uint64_t stream, DType dtype) {
      const Random random(1, RandomPurpose::synthetic, stream);
      std::vector<float> values(static_cast<std::size_t>(shape.count()));
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(random.below(i, 17)) - 8;
      return cast(Tensor::from(values, shape, backend), dtype).detach().require_grad();
    };
    const Tensor x = leaf({17, 67}, 1, DType::bf16), w = leaf({23, 67}, 2, DType::f32),
                 b = leaf({23}, 3, DType::f32), down = leaf({5, 23}, 4, DType::f32),
                 c = leaf({5}, 5, DType::f32);
    const Tensor pre = linear(x, w, b);
    const Tensor y = activate_linear(pre, ActivationHandle::parse("relu"), down, c, DType::f32);
    sum(y).backward();
    Bits bits = {values_of(pre), values_of(y)};
    for (const Tensor& t : {x, w, b, down, c}) bits.push_back(values_of(t.grad()));
    return bits;
  };
  EXPECT_EQ(chain(cpu()), chain(reference()));
}

TEST(Bfloat16, KeepsHalvesAndNoWeights) {
  Tensor w = Tensor::zeros({23, 67}, DType::f32, cpu(), MemoryKind::parameters);
  const Tensor b = Tensor::zeros({23}, DType::f32, cpu(), MemoryKind::parameters);
  w.require_grad();
  EXPECT_EQ(saved_bytes(sum(linear(halves({17, 67}, 1), w, b, DType::f32))), 17 * 67 * 2);
  EXPECT_EQ(saved_bytes(sum(linear(floats({17, 67}, 1), w, b))), 17 * 67 * 4);
}

TEST(Bfloat16, OtherOperationsGoThroughFloats) {
  const Tensor x = halves({2, 5, 4, 3}, 1), as_float = cast(x.detach(), DType::f32);
  const auto compare = [&](const char* name, const std::function<Tensor(const Tensor&)>& f) {
    const Tensor y = f(x);
    EXPECT_EQ(y.dtype(), DType::bf16) << name;
    EXPECT_EQ(values_of(y), values_of(rounded(f(as_float)))) << name;
  };
  compare("max_pool2d", [](const Tensor& t) { return max_pool2d(t, 2, 2); });
  compare("avg_pool2d", [](const Tensor& t) { return avg_pool2d(t, 3, 1); });
  compare("dropout", [](const Tensor& t) { return dropout(t, 0.3, Random(1, RandomPurpose::dropout, 2)); });
  compare("sum", [](const Tensor& t) { return sum(t, 1); });
  compare("sum of all", [](const Tensor& t) { return sum(t); });

  const Tensor y = max_pool2d(x, 2, 2);
  EXPECT_EQ(saved_bytes(sum(y)), 2 * 2 * 2 * 3) << "a byte a pooled value";
  sum(y).backward();
  float ones = 0;
  for (const float v : values_of(x.grad())) ones += v;
  EXPECT_EQ(ones, 24.0F) << "one winner a window";
}

// What two operations read gathers two gradients.
TEST(Bfloat16, GradientsOfOneTensorAddUp) {
  const Tensor x = halves({67}, 1), a = floats({67}, 2).detach(), b = floats({67}, 3).detach();
  add(sum(multiply(cast(x, DType::f32), a)), sum(multiply(cast(x, DType::f32), b))).backward();
  EXPECT_EQ(values_of(x.grad()), values_of(rounded(add(rounded(a), rounded(b)))));
}

// In bf16 a sum of ones stalls at 256.
TEST(Bfloat16, SumsAndMeansAreThoseOfFloats) {
  const std::vector<float> ones(70'000, 1.0F);
  EXPECT_EQ(sum(cast(Tensor::from(ones, {70'000}, cpu()), DType::bf16)).item(), 70'144);
  const Tensor image = cast(Tensor::from(ones, {1, 250, 280, 1}, cpu()), DType::bf16);
  EXPECT_EQ(values_of(avg_pool2d(image, 250, 250)), std::vector<float>{1.0F});
}

TEST(Bfloat16, RefusesOtherTypesOfParametersAndResults) {
  const Tensor x = halves({2, 3}, 1), w = floats({4, 3}, 2), b = floats({4}, 3);
  const std::string weights = message_of([&] { linear(x, cast(w, DType::bf16), cast(b, DType::bf16)); });
  EXPECT_NE(weights.find("linear: parameters have the type bf16; beside x of bf16"), std::string::npos)
      << weights;
  const std::string result = message_of([&] { linear(cast(x, DType::f32), w, b, DType::bf16); });
  EXPECT_NE(result.find("a result of bf16 from x of f32"), std::string::npos) << result;
  EXPECT_NE(message_of([&] { linear(x, w, cast(b, DType::bf16)); }).find("types f32 and bf16"),
            std::string::npos);
  EXPECT_NE(
      message_of([] { Initializer(0, InitScheme::xavier, cpu(), DType::f64); }).find("f32, bf16 or f16"),
      std::string::npos);
}

TEST(Bfloat16Layers, ComputeInThePrecisionOfTheirInitializer) {
  Initializer init(0, InitScheme::xavier, cpu(), DType::bf16);
  const Tensor x = floats({2, 4, 4, 3}, 1);
  Conv2d before_activation(3, 5, 3, {.pad_h = 1, .pad_w = 1}, init, 1.0, init.precision());
  Conv2d before_norm(3, 5, 3, {.pad_h = 1, .pad_w = 1}, init, 1.0);
  EXPECT_EQ(before_activation(x).dtype(), DType::bf16);
  EXPECT_EQ(before_norm(x).dtype(), DType::f32);
  const auto gelu = ActivationHandle::parse("gelu");
  EXPECT_EQ(Activation(gelu, 3, init)(x).dtype(), DType::bf16);
  EXPECT_EQ(ActivationMaxPool2d(gelu, 2, init)(x).dtype(), DType::bf16);
  EXPECT_EQ(Linear(3, 7, init, 1.0)(x).dtype(), DType::f32);
  FeedForward ffn(3, 8, gelu, init);
  const Tensor y = ffn(x);
  EXPECT_EQ(y.dtype(), DType::f32);
  // The input, the pre-activations and both weights, all halves.
  EXPECT_EQ(saved_bytes(sum(y)), (32 * 3 + 32 * 8) * 2);
  sum(y).backward();
  EXPECT_EQ(x.grad().dtype(), DType::f32);
  for (const NamedParameter& parameter : ffn.parameters()) {
    EXPECT_EQ(parameter.tensor.dtype(), DType::f32) << parameter.name;
    EXPECT_EQ(parameter.tensor.grad().dtype(), DType::f32) << parameter.name;
  }
}

}  // namespace
}  // namespace actlab
