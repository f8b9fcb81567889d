// Batches of matrices inside larger arrays, by every library, against the reference and against single
// products.
#include "kernels/cpu/threads.h"
#include "tests/kernels/arrays.h"

namespace actlab {
namespace {

class BatchedMatmul : public EveryGemm {};
INSTANTIATE_TEST_SUITE_P(Gemms, BatchedMatmul, testing::ValuesIn(tested_gemms()), name_of_param);

// (batch, rows, 3, heads, columns), all but the last two as lines of one matrix: matrices of part `part`.
MatrixPlaces part_of(std::int64_t part, std::int64_t heads, std::int64_t rows, std::int64_t columns) {
  const std::int64_t line = 3 * heads * columns;
  return {part * heads * columns, rows * line, columns, line};
}

// Transposed operands are stored (k, m) and (n, k).
void compare(Backend& backend, const BatchedSizes& s, bool transpose_a, bool transpose_b) {
  SCOPED_TRACE(concat(s.outer, " x ", s.inner, " of ", s.m, " x ", s.n, " x ", s.k, transpose_a ? " a^T" : "",
                      transpose_b ? " b^T" : ""));
  const std::int64_t a_rows = transpose_a ? s.k : s.m, a_columns = transpose_a ? s.m : s.k;
  const std::int64_t b_rows = transpose_b ? s.n : s.k, b_columns = transpose_b ? s.k : s.n;
  const MatrixPlaces a_at = part_of(1, s.inner, a_rows, a_columns),
                     b_at = part_of(2, s.inner, b_rows, b_columns), y_at = part_of(0, s.inner, s.m, s.n);
  const auto a = random_array({s.outer, a_rows, 3, s.inner * a_columns}, 1);
  const auto b = random_array({s.outer, b_rows, 3, s.inner * b_columns}, 2);
  const Shape shape{s.outer, s.m, 3, s.inner * s.n};
  TestArray<float> got(shape, std::vector<float>(static_cast<std::size_t>(shape.count()), -7.0f)),
      want(shape, got.values());
  for (auto [family, y] : {std::pair(&backend.matmul, &got), std::pair(&reference().matmul, &want)})
    family->batched(s, a, transpose_a ? a_at.transposed() : a_at, b, transpose_b ? b_at.transposed() : b_at,
                    *y, y_at);
  expect_close(got, want, sum_tolerance(s.k));
  EXPECT_TRUE(got.guards_hold());
  for (std::int64_t i = 0; i < got.count(); ++i) {
    const bool written = i / (s.inner * s.n) % 3 == 0;
    ASSERT_TRUE(written || got[i] == -7.0f) << "element " << i << " is another part's";
  }
}

TEST_P(BatchedMatmul, AgreesWithReference) {
  for (const std::int64_t m : {1, 3, 17, 67})
    for (const std::int64_t n : {1, 7, 64})
      for (const std::int64_t k : {1, 5, 33})
        for (const int form : {0, 1, 2, 3})
          compare(backend(), {2, 3, m, n, k}, (form & 1) != 0, (form & 2) != 0);
  for (const int form : {0, 1, 2, 3})
    compare(backend(), {1, 1, 130, 65, 259}, (form & 1) != 0, (form & 2) != 0);
}

TEST_P(BatchedMatmul, IsTheSingleProducts) {
  const auto a = random_array({2, 5, 4}, 1), b = random_array({2, 4, 3}, 2);
  TestArray<float> got({2, 5, 3}), want({5, 3});
  backend().matmul.batched({2, 1, 5, 3, 4}, a, {0, 20, 0, 4}, b, {0, 12, 0, 3}, got, {0, 15, 0, 3});
  for (std::int64_t i = 0; i < 2; ++i) {
    const TestArray<float> left({5, 4}, std::vector<float>(a.data() + i * 20, a.data() + i * 20 + 20)),
        right({4, 3}, std::vector<float>(b.data() + i * 12, b.data() + i * 12 + 12));
    reference().matmul.matmul(left, false, right, false, {}, want);
    for (std::int64_t j = 0; j < 15; ++j) EXPECT_NEAR(got[i * 15 + j], want[j], sum_tolerance(4));
  }
}

TEST_P(BatchedMatmul, OneMatrixServesAll) {
  for (const std::int64_t columns : {1, 9}) {
    const auto w = random_array({7, 7}, 1), x = random_array({5, 7, columns}, 2);
    const MatrixPlaces shared{0, 0, 0, 7}, windows{0, 7 * columns, 0, columns};
    TestArray<float> got({5, 7, columns}), want({5, 7, columns});
    for (const MatrixPlaces& one : {shared, shared.transposed()}) {
      backend().matmul.batched({5, 1, 7, columns, 7}, w, one, x, windows, got, windows);
      reference().matmul.batched({5, 1, 7, columns, 7}, w, one, x, windows, want, windows);
      expect_close(got, want, sum_tolerance(7));
    }
  }
}

// Where a matrix has one line both steps can be 1.
TEST_P(BatchedMatmul, LinesOfOneElement) {
  for (const std::int64_t depth : {1, 2}) {
    const auto a = random_array({2, 5, depth}, 1), b = random_array({2, 3, depth}, 2);
    TestArray<float> got({2, 5, 3}), want({2, 5, 3});
    const MatrixPlaces a_at{0, 5 * depth, 0, depth}, b_at{0, 3 * depth, 0, depth}, y_at{0, 15, 0, 3};
    backend().matmul.batched({2, 1, 5, 3, depth}, a, a_at, b, b_at.transposed(), got, y_at);
    reference().matmul.batched({2, 1, 5, 3, depth}, a, a_at, b, b_at.transposed(), want, y_at);
    expect_close(got, want, sum_tolerance(depth));
  }
}

TEST_P(BatchedMatmul, BitsDoNotDependOnTheThreads) {
  const auto a = random_array({6, 65, 33}, 1), b = random_array({6, 33, 70}, 2);
  std::vector<std::vector<float>> results;
  for (const int threads : {1, 2, 4}) {
    use_threads(threads);
    TestArray<float> y({6, 65, 70});
    backend().matmul.batched({6, 1, 65, 70, 33}, a, {0, 65 * 33, 0, 33}, b, {0, 33 * 70, 0, 70}, y,
                             {0, 65 * 70, 0, 70});
    results.push_back(y.values());
  }
  use_threads(0);
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST_P(BatchedMatmul, OfNoMatricesIsNothing) {
  const TestArray<float> none({0, 3, 3});
  TestArray<float> y({0, 3, 3});
  backend().matmul.batched({0, 1, 3, 3, 3}, none, {0, 9, 0, 3}, none, {0, 9, 0, 3}, y, {0, 9, 0, 3});
  EXPECT_TRUE(y.guards_hold());
}

TEST(BatchedMatmulOfReference, TakesDoubles) {
  const TestArray<double> a({1, 1, 2}, {1, 1e-12}), b({1, 2, 1}, {3, 1});
  TestArray<double> y({1, 1, 1});
  reference().matmul.batched({1, 1, 1, 1, 2}, a, {0, 2, 0, 2}, b, {0, 2, 0, 1}, y, {0, 1, 0, 1});
  EXPECT_EQ(y[0], 3 + 1e-12);
}

}  // namespace
}  // namespace actlab
