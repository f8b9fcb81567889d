// Special values at every lane, tails and borders of arrays, and single values on which activations have
// failed their users elsewhere.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>

#include "kernels/reference/activation.h"
#include "tests/kernels/activation_support.h"

namespace actlab::test {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();

// Every family that runs here: those under test and the reference.
std::vector<std::unique_ptr<ActivationKernels>> families() {
  std::vector<std::unique_ptr<ActivationKernels>> all = tested_activations();
  all.push_back(make_reference_activation());
  return all;
}

template <class T>
std::vector<float> floats(const std::vector<T>& v) {
  std::vector<float> out;
  for (const T value : v) out.push_back(math::to_float(value));
  return out;
}

bool same(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

struct Special {
  const char* activation;
  float x, y, dy;
};

const Special specials[] = {
    {"relu", -inf, 0, 0},
    {"relu", inf, inf, 1},
    {"relu", -1, 0, 0},
    {"relu", 2, 2, 1},
    {"leaky_relu", inf, inf, 1},
    {"leaky_relu(slope=-2)", -1, 2, -2},
    {"elu", -inf, -1, 0},
    {"elu", inf, inf, 1},
    {"elu", -0.0f, 0, 1},
    {"elu", 100, 100, 1},
    {"selu", inf, inf, 1.0507009873554804934f},
    {"relu_squared", -inf, 0, 0},
    {"relu_squared", inf, inf, inf},
    {"silu", -inf, 0, 0},
    {"silu", inf, inf, 1},
    {"silu", 0, 0, 0.5f},
    {"swish(beta=1.5)", -inf, 0, 0},
    {"swish(beta=1.5)", inf, inf, 1},
    {"swish(beta=-1)", -inf, -inf, 1},
    {"swish(beta=-1)", inf, 0, 0},
    {"swish(beta=0)", -inf, -inf, 0.5f},
    {"swish(beta=0)", inf, inf, 0.5f},
    {"swish(beta=0)", -3, -1.5f, 0.5f},
    {"swish(beta=1e-5)", -2e7f, 0, 0},
    {"swish(beta=1e38)", 10, 10, 1},
    {"swish(beta=1e38)", 0, 0, 0.5f},
    {"swish(beta=1e38)", -10, 0, 0},
    {"swish(beta=-1e38)", 10, 0, 0},
    {"swish(beta=-1e38)", 0, 0, 0.5f},
    {"swish(beta=-1e38)", -10, -10, 1},
    {"gelu", -inf, 0, 0},
    {"gelu", inf, inf, 1},
    {"gelu", 0, 0, 0.5f},
    {"gelu", 75, 75, 1},
    {"gelu_tanh", -inf, 0, 0},
    {"gelu_tanh", inf, inf, 1},
    {"gelu_tanh", 75, 75, 1},
    {"gelu_tanh", 256, 256, 1},
    {"gelu_tanh", -256, 0, 0},
    {"gelu_tanh", 60, 60, 1},
    {"gelu_tanh", -60, 0, 0},
    {"gelu_sigmoid", -inf, 0, 0},
    {"gelu_sigmoid", inf, inf, 1},
    {"gelu_sigmoid", 75, 75, 1},
    {"mish", -inf, 0, 0},
    {"mish", inf, inf, 1},
    {"softplus", -inf, 0, 0},
    {"softplus", inf, inf, 1},
    {"softplus", 100, 100, 1},
    {"softplus(beta=5)", 100, 100, 1},
    {"softplus(beta=5)", 50, 50, 1},
    {"hardswish", -inf, 0, 0},
    {"hardswish", inf, inf, 1},
    {"hardswish", -3, 0, 0},
    {"hardswish", 3, 3, 1},
    {"sigmoid", -inf, 0, 0},
    {"sigmoid", inf, 1, 0},
    {"tanh", -inf, -1, 0},
    {"tanh", inf, 1, 0},
    {"tanh", 0, 0, 1},
    {"identity", -inf, -inf, 1},
    {"identity", inf, inf, 1},
};

template <class T>
void expect_special_at_every_lane(const Special& special) {
  const ActivationHandle handle = ActivationHandle::parse(special.activation);
  const float y = math::to_float(math::from_float<T>(special.y));
  const float dy = math::to_float(math::from_float<T>(special.dy));
  for (const auto& family : families()) {
    for (std::size_t lane = 0; lane < 19; ++lane) {
      std::vector<T> x(19, math::from_float<T>(0.25f));
      x[lane] = math::from_float<T>(special.x);
      EXPECT_TRUE(same(floats(forward(*family, handle, x))[lane], y))
          << handle.spelled() << " of " << special.x << " in " << dtype_of<T> << ", lane " << lane << ", "
          << family->implementation() << ": " << floats(forward(*family, handle, x))[lane];
      EXPECT_TRUE(same(floats(derivative(*family, handle, x))[lane], dy))
          << handle.spelled() << "' of " << special.x << " in " << dtype_of<T> << ", lane " << lane << ", "
          << family->implementation() << ": " << floats(derivative(*family, handle, x))[lane];
    }
  }
}

TEST(ActivationValues, SpecialValuesAtEveryLane) {
  for (const Special& special : specials) {
    expect_special_at_every_lane<float>(special);
    expect_special_at_every_lane<BFloat16>(special);
    expect_special_at_every_lane<Float16>(special);
  }
}

TEST(ActivationValues, NanPassesAndZeroStaysZero) {
  for (const ActivationType& type : activation_types()) {
    const Special passes{type.info.name.data(), nan, nan,
                         type.info.backward_reads == Reads::nothing ? 1 : nan};
    expect_special_at_every_lane<float>(passes);
    expect_special_at_every_lane<BFloat16>(passes);
    expect_special_at_every_lane<Float16>(passes);
  }
}

TEST(ActivationValues, ZerosKeepTheirSign) {
  for (const char* name : {"identity", "leaky_relu", "elu", "silu", "swish", "gelu", "gelu_tanh",
                           "gelu_sigmoid", "gelu_scaled", "mish", "hardswish", "tanh"})
    for (const auto& family : tested_activations()) {
      const std::vector<float> zeros = {0.0f, -0.0f},
                               y = forward(*family, ActivationHandle::parse(name), zeros);
      EXPECT_EQ(math::to_bits(y[0]), math::to_bits(0.0f)) << name << ' ' << family->implementation();
      EXPECT_EQ(math::to_bits(y[1]), math::to_bits(-0.0f)) << name << ' ' << family->implementation();
    }
}

TEST(ActivationValues, LargeFloatsPassThroughTheRectifiers) {
  for (const char* name : {"relu", "leaky_relu", "elu", "silu", "swish", "gelu", "gelu_tanh", "gelu_sigmoid",
                           "mish", "softplus", "hardswish"})
    for (const auto& family : families()) {
      const std::vector<float> x = {5e30f, 3.4e38f};
      EXPECT_EQ(forward(*family, ActivationHandle::parse(name), x), x) << name;
      EXPECT_EQ(derivative(*family, ActivationHandle::parse(name), x), std::vector<float>(2, 1.0f)) << name;
    }
}

TEST(ActivationValues, ReluDerivativeAtZeroIsZero) {
  const std::vector<float> x = {0, -0.0f, std::numeric_limits<float>::denorm_min()};
  for (const auto& family : families())
    EXPECT_EQ(derivative(*family, ActivationHandle::parse("relu"), x), (std::vector<float>{0, 0, 1}));
}

TEST(ActivationValues, GeluTanhAtTheLargestHalf) {
  const std::vector<Float16> x = {math::from_float<Float16>(65504), math::from_float<Float16>(-65504)};
  for (const auto& family : families()) {
    EXPECT_EQ(floats(forward(*family, ActivationHandle::parse("gelu_tanh"), x)),
              (std::vector<float>{65504, 0}));
    EXPECT_EQ(floats(derivative(*family, ActivationHandle::parse("gelu_tanh"), x)),
              (std::vector<float>{1, 0}));
  }
}

struct Values {
  const char* activation;
  bool of_derivative;
  std::vector<float> x;
  std::vector<double> y;
  double relative = 3e-7, absolute = 3e-45;
};

TEST(ActivationValues, KnownValues) {
  const Values cases[] = {
      {"gelu",
       false,
       {-4, -5, -5.5f, -6, -8, -10, -13},
       {-0.0001266849673324797, -1.4332578593959695e-06, -1.0444259356238245e-07, -5.9195258702261885e-09,
        -4.976768459417427e-15, -7.619853024160526e-23, -7.952313719414843e-38}},
      {"gelu",
       false,
       {-2, -1, 0, 1, 2, 5},
       {-0.04550026389635842, -0.15865525393145705, 0, 0.8413447460685429, 1.9544997361036416,
        4.999998566742141}},
      {"gelu",
       false,
       {0.1234567f, 1.0001f, -0.7518f, 3.3333f},
       {0.06779344159320719, 0.8414530968022003, -0.16997120746440403, 3.3318697560328827}},
      {"gelu_tanh",
       false,
       {-5, -2, -1, 0, 1, 2, 5},
       {-2.291796196629506e-07, -0.04540230591222498, -0.1588080093917233, 0, 0.8411919906082767,
        1.954597694087775, 4.999999770820381}},
      {"gelu_sigmoid",
       false,
       {-5, -2, -1, 0, 1, 2, 5},
       {-0.0010070162673523689, -0.06434137685579185, -0.1542042340671787, 0, 0.8457957659328212,
        1.9356586231442081, 4.998992983732648}},
      {"silu",
       true,
       {-10000, -100, -88.75f, 88.75f, 100, 10000},
       {0, -3.682875216260628e-42, -2.5096424759200127e-37, 1, 1, 1},
       1e-6},
      {"swish(beta=1.5)", false, {-1, 0, 2}, {-0.18242552380635635, 0, 1.9051482536448665}},
      {"mish",
       false,
       {20, 88.75f, 100, 10000, -2, -10, -20, -50, -88, -100},
       {20, 88.75, 100, 10000, -0.2525014826957089, -0.00045398899185674697, -4.122307240628761e-08,
        -9.643749239819589e-21, -5.328049667953043e-37, -3.720075976020836e-42},
       1e-6},
      {"mish",
       true,
       {20, 88.75f, 100, 10000, -2, -10, -20, -50, -88, -100},
       {1, 1, 1, 1, -0.10835509242039394, -0.00040857978690299194, -3.916191874348969e-08,
        -9.450874255023197e-21, -5.267503648999031e-37, -3.682875216260628e-42},
       1e-6},
      {"softplus", false, {20, 50, 100}, {20.000000002061153, 50, 100}},
      {"elu",
       false,
       {-1e-4f, -1e-6f, -1e-8f, -1e-10f, -1e30f, 100},
       {-9.999499764070263e-05, -9.99999497475412e-07, -9.999999889225291e-09, -1.000000013301432e-10, -1,
        100}},
      {"elu",
       true,
       {-1e-4f, -1e-6f, -1e-8f, -1e-10f, -1e30f, 100},
       {0.9999000050023593, 0.9999990000005026, 0.9999999900000001, 0.9999999999, 0, 1}},
  };
  for (const auto& family : families())
    for (const Values& c : cases) {
      const ActivationHandle handle = ActivationHandle::parse(c.activation);
      const std::vector<float> y =
          c.of_derivative ? derivative(*family, handle, c.x) : forward(*family, handle, c.x);
      for (std::size_t i = 0; i < y.size(); ++i)
        EXPECT_NEAR(static_cast<double>(y[i]), c.y[i], c.relative * std::fabs(c.y[i]) + c.absolute)
            << c.activation << (c.of_derivative ? "' of " : " of ") << c.x[i] << ", "
            << family->implementation();
    }
}

TEST(ActivationValues, SecondDerivativesOfGelu) {
  const double x[] = {-10, -3, 0, 1.5, 3};
  const double of_exact[] = {-7.540706654172292e-21, -0.03102293888356605, 0.7978845608028654,
                             -0.03237939891647293, -0.03102293888356605};
  const double of_tanh[] = {-6.263930626022879e-35, -0.031767658886074704, 0.7978845608028654,
                            -0.030518196484224946, -0.031767658886074704};
  const ActivationHandle gelu = ActivationHandle::parse("gelu"), tanh = ActivationHandle::parse("gelu_tanh");
  for (std::size_t i = 0; i < std::size(x); ++i) {
    EXPECT_NEAR(gelu.type().d2f(gelu.values(), x[i]), of_exact[i], 1e-9 * std::fabs(of_exact[i]));
    EXPECT_NEAR(tanh.type().d2f(tanh.values(), x[i]), of_tanh[i], 1e-9 * std::fabs(of_tanh[i]) + 1e-14);
  }
}

TEST(ActivationValues, FarTailInDouble) {
  const ActivationHandle silu = ActivationHandle::parse("silu"), gelu = ActivationHandle::parse("gelu");
  EXPECT_NEAR(silu.type().df(silu.values(), -709) / -8.614807714413836e-306, 1, 1e-12);
  EXPECT_NEAR(gelu.type().f(gelu.values(), -10) / -7.619853024160526e-23, 1, 1e-12);
}

// The forms of GELU are different functions, by the known gaps.
TEST(ActivationValues, FormsOfGeluDiffer) {
  const ActivationHandle gelu = ActivationHandle::parse("gelu"), tanh = ActivationHandle::parse("gelu_tanh"),
                         sigmoid = ActivationHandle::parse("gelu_sigmoid");
  double tanh_gap = 0, sigmoid_gap = 0;
  for (int i = -1200; i <= 1200; ++i) {
    const double x = i * 0.005, y = gelu.type().f(gelu.values(), x);
    tanh_gap = std::max(tanh_gap, std::fabs(y - tanh.type().f(tanh.values(), x)));
    sigmoid_gap = std::max(sigmoid_gap, std::fabs(y - sigmoid.type().f(sigmoid.values(), x)));
  }
  EXPECT_NEAR(tanh_gap, 0.00047323552068728487, 1e-4 * 0.00047323552068728487);
  EXPECT_NEAR(sigmoid_gap, 0.02033487220923923, 1e-4 * 0.02033487220923923);
}

TEST(ActivationValues, GateIsTheFirstHalf) {
  const ActivationHandle swiglu = ActivationHandle::parse("swiglu");
  const TestArray<float> x({1, 4}, {1, 2, 3, 4}), ones({1, 2}, {1, 1});
  for (const auto& family : families()) {
    TestArray<float> y({1, 2}), dx({1, 4});
    family->gate(swiglu, x, y);
    family->gate_backward(swiglu, x, ones, dx);
    const double wanted_y[] = {2.193175735890015, 7.046376623823059};
    const double wanted_dx[] = {2.78301153561446, 4.363136995139582, 0.7310585786300049, 1.7615941559557649};
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(static_cast<double>(y[i]), wanted_y[i], 1e-6 * wanted_y[i]);
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(static_cast<double>(dx[i]), wanted_dx[i], 1e-6 * wanted_dx[i]);
  }
}

TEST(ActivationValues, FamiliesRefuseWhatTheyLack) {
  const ActivationHandle gelu = ActivationHandle::parse("gelu"), mish = ActivationHandle::parse("mish");
  TestArray<double> x({1}, {1}), y({1});
  EXPECT_THROW(best_activation()->forward(gelu, x, y), Error);
  TestArray<float> gates({2}, {1, 2}), one({1});
  for (const auto& family : families())
    EXPECT_THROW(family->gate(mish, gates, one), Error) << family->implementation();
}

}  // namespace
}  // namespace actlab::test
