// Matmul of every library against the reference.
#include <omp.h>

#include "tests/kernels/arrays.h"

namespace actlab {
namespace {

class Matmul : public EveryGemm {};
INSTANTIATE_TEST_SUITE_P(Gemms, Matmul, testing::ValuesIn(tested_gemms()), name_of_param);

void compare(Backend& backend, std::int64_t m, std::int64_t n, std::int64_t k, bool transpose_a,
             bool transpose_b, bool with_bias) {
  SCOPED_TRACE(concat(m, " x ", n, " x ", k, transpose_a ? " a^T" : "", transpose_b ? " b^T" : "",
                      with_bias ? " bias" : ""));
  const auto a = random_array(transpose_a ? Shape{k, m} : Shape{m, k}, 1);
  const auto b = random_array(transpose_b ? Shape{n, k} : Shape{k, n}, 2);
  const auto bias = random_array({n}, 3);
  TestArray<float> got({m, n}), want({m, n});
  const ConstArray row = with_bias ? ConstArray(bias) : ConstArray{};
  backend.matmul.matmul(a, transpose_a, b, transpose_b, row, got);
  reference().matmul.matmul(a, transpose_a, b, transpose_b, row, want);
  expect_close(got, want, sum_tolerance(k));
  EXPECT_TRUE(got.guards_hold());
}

TEST_P(Matmul, AgreesWithReference) {
  for (const std::int64_t m : {1, 2, 3, 17, 64})
    for (const std::int64_t n : {1, 2, 3, 17, 64})
      for (const std::int64_t k : {1, 2, 3, 17, 64})
        for (const int form : {0, 1, 2, 3, 4, 5, 6, 7})
          compare(backend(), m, n, k, (form & 1) != 0, (form & 2) != 0, (form & 4) != 0);
  for (const int form : {0, 1, 2, 3, 4, 5, 6, 7})
    compare(backend(), 127, 65, 259, (form & 1) != 0, (form & 2) != 0, (form & 4) != 0);
  // Larger than the caches near a core: libraries pack such a factor.
  for (const int form : {0, 1, 2, 4})
    compare(backend(), 65, 1033, 1021, (form & 1) != 0, (form & 2) != 0, (form & 4) != 0);
}

TEST_P(Matmul, OfNothingIsNothingOrTheBias) {
  const TestArray<float> a({2, 0}), b({0, 3}), bias({3}, {1, 2, 3});
  TestArray<float> y({2, 3});
  backend().matmul.matmul(a, false, b, false, bias, y);
  EXPECT_EQ(y.values(), (std::vector<float>{1, 2, 3, 1, 2, 3}));
  backend().matmul.matmul(a, false, b, false, {}, y);
  EXPECT_EQ(y.values(), std::vector<float>(6, 0.0f));
  const TestArray<float> no_rows({0, 4}), w({4, 3});
  TestArray<float> nothing({0, 3});
  backend().matmul.matmul(no_rows, false, w, false, bias, nothing);
  EXPECT_TRUE(nothing.guards_hold());
}

TEST_P(Matmul, RunsInsideAParallelRegion) {
  constexpr std::int64_t n = 512;
  const int threads_before = omp_get_max_threads(), levels_before = omp_get_max_active_levels();
  omp_set_max_active_levels(1);
  omp_set_num_threads(2);
  const TestArray<float> ones({n, n}, std::vector<float>(n * n, 1.0f));
  std::vector<TestArray<float>> results(2, TestArray<float>({n, n}));
  Backend& b = backend();
#pragma omp parallel for num_threads(2)
  for (std::size_t i = 0; i < 2; ++i) b.matmul.matmul(ones, false, ones, false, {}, results[i]);
  omp_set_num_threads(threads_before);
  omp_set_max_active_levels(levels_before);
  for (const auto& result : results)
    for (std::int64_t i = 0; i < result.count(); ++i) ASSERT_EQ(result[i], 512.0f) << "element " << i;
}

TEST_P(Matmul, NamesItsImplementation) { EXPECT_FALSE(backend().matmul.implementation().empty()); }

TEST(MatmulOfReference, TakesDoubles) {
  const TestArray<double> a({1, 2}, {1, 1e-12}), b({2, 1}, {1, 1}), bias({1}, {2});
  TestArray<double> y({1, 1});
  reference().matmul.matmul(a, false, b, false, bias, y);
  EXPECT_EQ(y[0], 3 + 1e-12);
}

TEST(MatmulOfCpu, RefusesDoublesAndNamesTheRemedy) {
  const TestArray<double> a({1, 1}, {1});
  TestArray<double> y({1, 1});
  for (const std::string& gemm : tested_gemms()) {
    if (gemm == "reference") continue;
    try {
      tested(gemm).matmul.matmul(a, false, a, false, {}, y);
      FAIL() << gemm;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("device = \"reference\""), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace actlab
