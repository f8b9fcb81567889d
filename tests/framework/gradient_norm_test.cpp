// The norm of all gradients, and clipping by it.
#include "framework/optim/gradient_norm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "framework/ops/ops.h"

namespace actlab {
namespace {

// A parameter "w<i>" for each list of numbers, which is its gradient.
template <class T>
std::vector<NamedParameter> with_gradients(const std::vector<std::vector<T>>& gradients, Backend& backend) {
  std::vector<NamedParameter> parameters;
  for (const auto& gradient : gradients) {
    const Shape shape{std::ssize(gradient)};
    Tensor w = Tensor::zeros(shape, dtype_of<T>, backend, MemoryKind::parameters);
    parameters.push_back({concat("w", parameters.size()), w.require_grad()});
    sum(multiply(w, Tensor::from(gradient, shape, backend))).backward();
  }
  return parameters;
}

class Clipping : public testing::TestWithParam<std::string> {
 protected:
  std::vector<NamedParameter> parameters(const std::vector<std::vector<float>>& gradients) const {
    return with_gradients(gradients, find_backend(GetParam()));
  }
};
INSTANTIATE_TEST_SUITE_P(Devices, Clipping, testing::Values("cpu", "reference"),
                         [](const auto& tested) { return tested.param; });

TEST_P(Clipping, IsByTheNormOfAllGradientsTogether) {
  const auto all = parameters({{3}, {0, -4}});
  EXPECT_DOUBLE_EQ(gradient_norm(all).norm, 5);
  clip_gradients(all, 5, 2.5);
  EXPECT_EQ(all[0].tensor.grad().to_vector<float>(), (std::vector<float>{1.5f}));
  EXPECT_EQ(all[1].tensor.grad().to_vector<float>(), (std::vector<float>{0, -2}));
  clip_gradients(all, gradient_norm(all).norm, 2.5);
  EXPECT_EQ(all[1].tensor.grad().to_vector<float>(), (std::vector<float>{0, -2})) << "at the bound";
  clip_gradients(all, gradient_norm(all).norm, 1000);
  EXPECT_EQ(all[0].tensor.grad().to_vector<float>(), (std::vector<float>{1.5f})) << "below the bound";
}

TEST_P(Clipping, HugeGradientsKeepTheirDirection) {
  std::vector<std::vector<float>> huge(100, {1e20f});
  for (const auto& all : {parameters(huge), parameters({std::vector<float>(100, 1e20f)})}) {
    const GradientNorm found = gradient_norm(all);
    EXPECT_EQ(found.not_finite, "");
    EXPECT_NEAR(found.norm, 1e21, 1e16);
    clip_gradients(all, found.norm, 1);
    for (const NamedParameter& p : all)
      for (const float g : p.tensor.grad().to_vector<float>()) EXPECT_NEAR(g, 0.1f, 1e-6f);
  }
}

TEST_P(Clipping, TheFirstGradientThatIsNotFiniteIsNamed) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(gradient_norm(parameters({{1, 2}, {3, inf}, {-inf}})).not_finite, "w1");
  EXPECT_EQ(gradient_norm(parameters({{1, 2}, {3}, {std::nanf(""), inf}})).not_finite, "w2");
  EXPECT_EQ(gradient_norm(parameters({{1, 3e38f}, {-3e38f}})).not_finite, "");
}

TEST_P(Clipping, LossesComeWithTheNormAndAreNoPartOfIt) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  Backend& backend = find_backend(GetParam());
  const auto scalar = [&](float value) { return Tensor::from(std::vector{value}, {}, backend); };
  const GradientNorm found = gradient_norm(parameters({{3}, {4}}), {scalar(0.1f), scalar(inf)});
  EXPECT_DOUBLE_EQ(found.norm, 5);
  EXPECT_EQ(found.not_finite, "");
  EXPECT_EQ(found.losses, (std::vector{double{0.1f}, double{inf}}));
  EXPECT_EQ(gradient_norm({}, {scalar(2)}).losses, std::vector{2.0});
}

TEST(ClippingInDouble, DoesNotOverflow) {
  const auto all = with_gradients<double>({{3e200, 0}, {-4e200}}, find_backend("reference"));
  const GradientNorm found = gradient_norm(all);
  EXPECT_DOUBLE_EQ(found.norm, 5e200);
  clip_gradients(all, found.norm, 1);
  EXPECT_DOUBLE_EQ(all[1].tensor.grad().to_vector<double>()[0], -0.8);
}

TEST(GradientNorm, ParametersWithoutGradientCountForNothing) {
  auto all = with_gradients<float>({{3}, {4}}, find_backend("cpu"));
  all[1].tensor.clear_grad();
  EXPECT_EQ(gradient_norm(all).norm, 3);
  clip_gradients(all, 3, 1);
  clear_gradients(all);
  EXPECT_FALSE(all[0].tensor.grad().defined());
  EXPECT_EQ(gradient_norm(all).norm, 0);
  EXPECT_EQ(gradient_norm({}).norm, 0);
}

}  // namespace
}  // namespace actlab
