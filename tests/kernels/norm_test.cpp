// Batch norm and layer norm: cpu against reference, constant groups, means far from 0, threads.
#include <omp.h>

#include <limits>

#include "tests/kernels/arrays.h"

namespace actlab {
namespace {

constexpr double epsilon = 1e-5;

// What a norm gives and keeps, forward and backward.
struct Normed {
  Normed(const Shape& shape, std::int64_t groups)
      : y(shape), dx(shape), dweight({shape[1]}), dbias({shape[1]}), moments({2, groups}) {}
  TestArray<float> y, dx, dweight, dbias;
  TestArray<double> moments;

  NormGradients gradients() { return {dx, dweight, dbias}; }
  bool guards_hold() const {
    return y.guards_hold() && dx.guards_hold() && dweight.guards_hold() && dbias.guards_hold() &&
           moments.guards_hold();
  }
};

struct NormCase {
  TestArray<float> x, weight, bias, dy;

  explicit NormCase(const Shape& shape)
      : x(random_array(shape, 1)),
        weight(random_array({shape[1]}, 2)),
        bias(random_array({shape[1]}, 3)),
        dy(random_array(shape, 4)) {}
  NormCase(const Shape& shape, std::vector<float> values)
      : x(shape, std::move(values)),
        weight({shape[1]}, std::vector<float>(static_cast<std::size_t>(shape[1]), 1)),
        bias({shape[1]}, std::vector<float>(static_cast<std::size_t>(shape[1]), 0)),
        dy(random_array(shape, 4)) {}

  Shape shape() const { return ConstArray(x).shape; }
  Normed batch(Backend& backend, bool moments_of_batch = true) const {
    Normed r(shape(), shape()[1]);
    backend.norm.batch_moments(x, r.moments);
    const NormInputs inputs{x, r.moments, weight, epsilon};
    backend.norm.batch_forward(inputs, bias, r.y);
    backend.norm.batch_backward(inputs, moments_of_batch, dy, r.gradients());
    return r;
  }
  Normed layer(Backend& backend) const {
    Normed r(shape(), shape()[0]);
    backend.norm.layer_forward(x, weight, bias, epsilon, r.y, r.moments);
    backend.norm.layer_backward({x, r.moments, weight, epsilon}, dy, r.gradients());
    return r;
  }
};

void expect_alike(const Normed& got, const Normed& want, std::int64_t group) {
  for (std::int64_t i = 0; i < got.moments.count(); ++i)
    ASSERT_NEAR(got.moments[i], want.moments[i], 1e-12 * (1 + std::fabs(want.moments[i]))) << i;
  // A group of few values may lie close together: then 1 / deviation, and with it every error, is large.
  double largest = 1;
  for (std::int64_t i = got.moments.count() / 2; i < got.moments.count(); ++i)
    largest = std::max(largest, 1 / std::sqrt(want.moments[i] + epsilon));
  expect_close(got.y, want.y, 1e-6 * (4 + largest));
  expect_close(got.dx, want.dx, 2e-6 * largest * (4 + largest));
  const auto rows = static_cast<double>(got.dx.count() / got.dbias.count());
  expect_close(got.dbias, want.dbias, 1e-6 * (1 + std::sqrt(rows)));
  expect_close(got.dweight, want.dweight, 1e-6 * (1 + std::sqrt(rows)));
  EXPECT_TRUE(got.guards_hold()) << "groups of " << group;
}

TEST(Norm, OfCpuAgreesWithReference) {
  std::vector<Shape> shapes;
  for (const std::int64_t n : odd_counts()) {
    shapes.push_back({n, 3});
    shapes.push_back({5, n});
    shapes.push_back({n, 17});
  }
  shapes.insert(shapes.end(), {{2, 1}, {4096, 2}, {4097, 2}, {9000, 33}, {300, 5000}, {3, 8193}, {64, 1025}});
  for (const Shape& shape : shapes) {
    SCOPED_TRACE(concat(shape));
    const NormCase c(shape);
    expect_alike(c.batch(tested()), c.batch(reference()), shape[0]);
    expect_alike(c.batch(tested(), false), c.batch(reference(), false), shape[0]);
    expect_alike(c.layer(tested()), c.layer(reference()), shape[1]);
  }
}

TEST(Norm, HasTheSameBitsForAnyNumberOfThreads) {
  if (tested_devices().front() != "cpu") GTEST_SKIP() << "these are threads of the CPU";
  const int before = omp_get_max_threads();
  for (const Shape& shape : {Shape{20'000, 33}, Shape{700, 768}, Shape{100'000, 1}}) {
    const NormCase c(shape);
    omp_set_num_threads(1);
    const Normed batch = c.batch(tested()), layer = c.layer(tested());
    for (const int threads : {2, 3, 4}) {
      omp_set_num_threads(threads);
      for (const auto& [got, want] :
           {std::pair{c.batch(tested()), batch}, std::pair{c.layer(tested()), layer}}) {
        EXPECT_EQ(got.moments.values(), want.moments.values());
        expect_same_bits(got.y, want.y);
        expect_same_bits(got.dx, want.dx);
        expect_same_bits(got.dweight, want.dweight);
        expect_same_bits(got.dbias, want.dbias);
      }
    }
  }
  omp_set_num_threads(before);
}

TEST(Norm, WithoutTheGradientOfXGivesTheOthers) {
  const NormCase c({70, 9});
  for (const std::string& device : tested_devices()) {
    Backend& backend = find_backend(device);
    const Normed want = c.batch(backend), want_layer = c.layer(backend);
    Normed got({70, 9}, 9);
    const NormGradients gradients{Array{}, got.dweight, got.dbias};
    backend.norm.batch_backward({c.x, want.moments, c.weight, epsilon}, true, c.dy, gradients);
    expect_same_bits(got.dweight, want.dweight);
    expect_same_bits(got.dbias, want.dbias);
    backend.norm.layer_backward({c.x, want_layer.moments, c.weight, epsilon}, c.dy, gradients);
    expect_same_bits(got.dweight, want_layer.dweight);
    expect_same_bits(got.dbias, want_layer.dbias);
  }
}

class Norms : public EveryDevice {};
INSTANTIATE_TEST_SUITE_P(Devices, Norms, testing::ValuesIn(tested_devices()), name_of_param);

TEST_P(Norms, AConstantGroupBecomesZero) {
  for (const float value : {1234.0f, 0.1f, 1e10f, -3.3e38f, 1e-40f}) {
    for (const std::int64_t n : {2, 3, 256, 5000}) {
      SCOPED_TRACE(concat(value, " x ", n));
      const std::vector<float> values(static_cast<std::size_t>(n), value);
      for (const Normed& r :
           {NormCase({n, 1}, values).batch(backend()), NormCase({1, n}, values).layer(backend())}) {
        for (std::int64_t i = 0; i < n; ++i) {
          ASSERT_NEAR(r.y[i], 0, 1e-3);
          ASSERT_TRUE(std::isfinite(r.dx[i]));
        }
      }
    }
  }
}

TEST_P(Norms, AMeanFarFromZeroCostsNoDigits) {
  const std::vector<float> values{2000.125f, 1999.5f, 2001, 1999.25f};
  const std::vector<double> want{0.23136987, -0.69410961, 1.52704114, -1.0643014};
  for (const Normed& r :
       {NormCase({4, 1}, values).batch(backend()), NormCase({1, 4}, values).layer(backend())})
    for (std::int64_t i = 0; i < 4; ++i) EXPECT_NEAR(double{r.y[i]}, want[static_cast<std::size_t>(i)], 1e-6);
}

// x + 2^20 is exact for these x, so that nothing but the mean changes.
TEST_P(Norms, DoNotChangeWithTheMean) {
  const Shape shape{500, 7};
  NormCase near(shape), far(shape);
  for (std::int64_t i = 0; i < near.x.count(); ++i) {
    near.x[i] = std::round(near.x[i] * 8) / 8;
    far.x[i] = near.x[i] + 0x1p20f;
  }
  for (const auto& [a, b] : {std::pair{near.batch(backend()), far.batch(backend())},
                             std::pair{near.layer(backend()), far.layer(backend())}}) {
    expect_close(a.y, b.y, 1e-5);
    expect_close(a.dx, b.dx, 1e-5);
    expect_close(a.dweight, b.dweight, 1e-4);
  }
}

TEST_P(Norms, ANanSpoilsItsGroupOnly) {
  NormCase c({20, 2});
  c.x[6] = std::numeric_limits<float>::quiet_NaN();
  const Normed r = c.batch(backend());
  for (std::int64_t i = 0; i < 20; ++i) {
    EXPECT_TRUE(std::isnan(r.y[2 * i]) && std::isnan(r.dx[2 * i]));
    EXPECT_TRUE(std::isfinite(r.y[2 * i + 1]) && std::isfinite(r.dx[2 * i + 1]));
  }
}

}  // namespace
}  // namespace actlab
