// Trained parameters of activations: gradients summed over what shares a value, one result for both backends
// and any number of threads, what is kept for backward, and what is refused.
#include <gtest/gtest.h>

#include <cmath>

#include "framework/autograd/engine.h"
#include "framework/autograd/gradient_check.h"
#include "framework/nn/layers.h"
#include "framework/ops/ops.h"
#include "kernels/cpu/threads.h"
#include "tests/support/learnable.h"
#include "tests/support/message_of.h"

namespace actlab {
namespace {

Backend& cpu() { return find_backend("cpu"); }
Backend& reference() { return find_backend("reference"); }

// Numbers from 0.5 to 1.5.
Tensor parameter(std::int64_t count) {
  const Tensor half = scale(random_input({count}, 9), 0.5);
  return add(half,
             Tensor::from(std::vector<double>(static_cast<std::size_t>(count), 1), {count}, reference()))
      .detach();
}

template <class T>
Tensor on(Backend& backend, const Tensor& x) {
  const std::vector<double> values = x.to_vector<double>();
  return Tensor::from(std::vector<T>(values.begin(), values.end()), x.shape(), backend);
}

TEST(LearnedGradient, EqualsCentralDifference) {
  for (const ActivationHandle& handle : learnable())
    for (const Shape& shape : {Shape{5, 7}, Shape{2, 3, 2, 5}, Shape{3}})
      for (const std::int64_t values : {std::int64_t{1}, shape[-1]}) {
        const auto f = [&](const std::vector<Tensor>& in) {
          return activate(scale(in[0], 4), handle, in[1]);
        };
        const std::vector<Tensor> inputs = {random_input(shape, 1), parameter(values)};
        const GradientCheck check = check_gradients(f, inputs);
        EXPECT_TRUE(check.passed) << handle.spelled() << ' ' << shape << ": " << check.message;
      }
}

// x sigmoid(1.5 x): one beta for the batch, and for the batch over two channels.
TEST(Learned, GradientOfOneValueIsSummedOverBatchAndChannels) {
  const ActivationHandle swish = ActivationHandle::parse("swish(beta=1.5, learned=layer)");
  for (Backend* backend : {&cpu(), &reference()})
    for (const std::int64_t channels : {1, 2}) {
      std::vector<float> values;
      for (const float v : {-1.0F, 0.0F, 2.0F})
        values.insert(values.end(), static_cast<std::size_t>(channels), v);
      const Tensor x = Tensor::from(values, {3, channels}, *backend);
      Initializer init(0, InitScheme::xavier, *backend);
      Activation layer(swish, channels, init);
      const Tensor y = layer(x);
      sum(y).backward();
      const std::vector<float> got = y.to_vector<float>();
      const double wanted[] = {-0.18242552380635635, 0, 1.9051482536448665};
      for (std::size_t i = 0; i < got.size(); ++i) {
        const double w = wanted[i / static_cast<std::size_t>(channels)];
        EXPECT_NEAR(static_cast<double>(got[i]), w, 2e-6 * std::fabs(w)) << backend->name;
      }
      const double dbeta = channels == 1 ? 0.3298530909939814 : 0.6597061819879628;
      ASSERT_EQ(layer.parameters().size(), 1U);
      EXPECT_NEAR(layer.parameters()[0].tensor.grad().item(), dbeta, 2e-6 * dbeta) << backend->name;
    }
}

// Each channel's gradient is its own column's.
TEST(Learned, GradientOfAChannelIsSummedOverItsRows) {
  const ActivationHandle swish = ActivationHandle::parse("swish");
  const Tensor x = Tensor::from(std::vector<float>{-1, 5, 0, 6, 2, 7}, {3, 2}, cpu());
  Tensor beta = Tensor::from(std::vector<float>{1.5F, 100}, {2}, cpu());
  beta.require_grad();
  sum(activate(x, swish, beta)).backward();
  const std::vector<float> gradient = beta.grad().to_vector<float>();
  EXPECT_NEAR(static_cast<double>(gradient[0]), 0.3298530909939814, 1e-6);
  EXPECT_EQ(gradient[1], 0.0F);
}

struct Gradients {
  std::vector<float> y, x, parameter;
};

Gradients run(Backend& backend, const ActivationHandle& handle, const Tensor& from, const Tensor& values) {
  Tensor x = on<float>(backend, from), trained = on<float>(backend, values);
  x.require_grad(), trained.require_grad();
  const Tensor y = activate(x, handle, trained);
  sum(multiply(y, scale(y, 0.5))).backward();
  return {y.to_vector<float>(), x.grad().to_vector<float>(), trained.grad().to_vector<float>()};
}

TEST(Learned, CpuIsNearTheReference) {
  for (const ActivationHandle& handle : learnable())
    for (const Shape& shape : {Shape{1, 1}, Shape{3, 7}, Shape{67, 17}, Shape{5, 3, 2, 3}, Shape{9, 600}})
      for (const std::int64_t values : {std::int64_t{1}, shape[-1]}) {
        const Tensor x = scale(random_input(shape, 3), 6);
        const Gradients a = run(cpu(), handle, x, parameter(values)),
                        b = run(reference(), handle, x, parameter(values));
        const auto near = [&](const std::vector<float>& got, const std::vector<float>& want, double terms) {
          ASSERT_EQ(got.size(), want.size());
          for (std::size_t i = 0; i < got.size(); ++i)
            EXPECT_NEAR(static_cast<double>(got[i]), static_cast<double>(want[i]),
                        1e-6 * (terms + std::fabs(static_cast<double>(want[i]))))
                << handle.spelled() << ' ' << shape << ", element " << i;
        };
        near(a.y, b.y, 1);
        near(a.x, b.x, 1);
        near(a.parameter, b.parameter, static_cast<double>(shape.count() / values));
      }
}

TEST(Learned, SameBitsForAnyNumberOfThreads) {
  for (const ActivationHandle& handle : learnable())
    for (const std::int64_t values : {1, 37}) {
      const Tensor x = scale(random_input({6007, 37}, 4), 6);
      use_threads(1);
      const Gradients one = run(cpu(), handle, x, parameter(values));
      use_threads(3);
      const Gradients three = run(cpu(), handle, x, parameter(values));
      use_threads(0);
      EXPECT_EQ(one.y, three.y);
      EXPECT_EQ(one.x, three.x);
      EXPECT_EQ(one.parameter, three.parameter);
    }
}

TEST(Learned, KeepsTheInputAlone) {
  Initializer init(0, InitScheme::xavier, cpu());
  for (const char* text : {"swish(learned=layer)", "gelu_scaled(learned=channel)"}) {
    Activation layer(ActivationHandle::parse(text), 8, init);
    const Tensor x = Tensor::zeros({4, 8}, DType::f32, cpu());
    EXPECT_EQ(saved_bytes(sum(layer(x))), x.bytes()) << text;
  }
}

TEST(Learned, ModulesNameTheirParameters) {
  Initializer init(0, InitScheme::xavier, cpu());
  Sequential model;
  model.add("a",
            std::make_unique<Activation>(ActivationHandle::parse("swish(beta=2, learned=layer)"), 8, init));
  model.add("b",
            std::make_unique<Activation>(ActivationHandle::parse("gelu_scaled(learned=channel)"), 8, init));
  model.add("c", std::make_unique<Activation>(ActivationHandle::parse("swish"), 8, init));
  const std::vector<LearnedParameter> learned = model.learned();
  ASSERT_EQ(learned.size(), 2U);
  EXPECT_EQ(learned[0].name, "a.beta");
  EXPECT_EQ(learned[0].tensor.to_vector<float>(), std::vector<float>{2});
  EXPECT_EQ(learned[1].name, "b.sigma");
  EXPECT_EQ(learned[1].tensor.to_vector<float>(), std::vector<float>(8, 1));
  ASSERT_EQ(model.parameters().size(), 2U);
  EXPECT_EQ(model.parameters()[1].name, "b.sigma");
}

TEST(Learned, KeepInRangeBringsBackWhatLeftIt) {
  Initializer init(0, InitScheme::xavier, cpu());
  Activation layer(ActivationHandle::parse("gelu_scaled(learned=channel)"), 3, init);
  Tensor sigma = layer.learned()[0].tensor;
  const Tensor x = Tensor::zeros({2, 3}, DType::f32, cpu());
  const std::vector<float> out = {-1, 2, 1000};
  cpu().memory.copy_from_host(sigma.mutable_data().data, out.data(), sigma.bytes());
  EXPECT_EQ(
      message_of([&] { layer(x); }),
      "activate: gelu_scaled with sigma = -1, which must lie in [0.01, 100]; keep_in_range() brings it back "
      "after an update");
  keep_in_range(layer.learned());
  EXPECT_EQ(sigma.to_vector<float>(), (std::vector<float>{0.01F, 2, 100}));
  EXPECT_EQ(layer(x).shape(), x.shape());
}

TEST(Learned, BadInputIsRefused) {
  const Tensor x = Tensor::zeros({2, 3}, DType::f32, cpu()),
               one = Tensor::from(std::vector<float>{1}, {1}, cpu());
  const ActivationHandle swish = ActivationHandle::parse("swish");
  EXPECT_EQ(message_of([&] { activate(x, ActivationHandle::parse("swish(learned=layer)")); }),
            "activate: 'swish(beta=1, learned=layer)' is learned, its trained parameter must be given: use "
            "activate() "
            "with it");
  EXPECT_EQ(message_of([&] { activate(x, ActivationHandle::parse("gelu"), one); }),
            "activate: 'gelu' is gated or has no learnable parameter");
  const Tensor two = Tensor::from(std::vector<float>{1, 1}, {2}, cpu());
  EXPECT_EQ(message_of([&] { activate(x, swish, two); }),
            "activate: 2 values of beta for x (2, 3), 1 or 3 wanted");
  const Tensor wide = Tensor::from(std::vector<double>{1}, {1}, reference());
  EXPECT_NE(message_of([&] { activate(x, swish, wide); }).find("lie on the backends"), std::string::npos);
  EXPECT_NE(message_of([&] {
              activate(Tensor::zeros({2, 3}, DType::f32, reference()), swish, wide);
            }).find("beta has the type f64; beside x of f32 it must be f32"),
            std::string::npos);
}

// The targets come from beta = 3: gradient descent on beta alone finds it.
TEST(Learned, DescentFindsTheBetaOfItsTargets) {
  const ActivationHandle swish = ActivationHandle::parse("swish");
  const Tensor x = on<float>(cpu(), scale(random_input({256}, 5), 3));
  const Tensor target = activate(x, swish.with("beta", 3));
  Tensor beta = Tensor::from(std::vector<float>{1}, {1}, cpu());
  double first = 0, loss = 0;
  for (int step = 0; step < 1000; ++step) {
    beta.clear_grad();
    beta.require_grad();
    const Tensor error = add(activate(x, swish, beta), scale(target, -1));
    const Tensor squares = sum(multiply(error, error));
    loss = squares.item();
    if (step == 0) first = loss;
    squares.backward();
    const float next = static_cast<float>(beta.item() - 0.03 * beta.grad().item());
    cpu().memory.copy_from_host(beta.mutable_data().data, &next, sizeof next);
  }
  EXPECT_NEAR(beta.item(), 3, 1e-3);
  EXPECT_LT(loss, 1e-6 * first);
}

}  // namespace
}  // namespace actlab
