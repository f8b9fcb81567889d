// Rows by number: gathered, summed back, and cleared where they are padding.
#include "kernels/cpu/threads.h"
#include "tests/kernels/arrays.h"
#include "tests/support/message_of.h"

namespace actlab {
namespace {

class RowsTest : public EveryDevice {};
INSTANTIATE_TEST_SUITE_P(Devices, RowsTest, testing::ValuesIn(tested_devices()), name_of_param);

using Indices = TestArray<std::int32_t>;

TEST_P(RowsTest, GatherTakesRowsInOrder) {
  const TestArray<float> x({3, 2}, {1, 2, 3, 4, 5, 6});
  TestArray<float> y({4, 2});
  backend().rows.gather(x, Indices({4}, {2, 0, 2, 1}), y);
  EXPECT_EQ(y.values(), (std::vector<float>{5, 6, 1, 2, 5, 6, 3, 4}));
  EXPECT_TRUE(y.guards_hold());
}

TEST_P(RowsTest, ScatterSumsWhatNamesTheSameRow) {
  const TestArray<float> dy({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  TestArray<float> dx({4, 2});
  backend().rows.scatter_add(dy, Indices({4}, {2, 0, 2, 1}), dx);
  EXPECT_EQ(dx.values(), (std::vector<float>{3, 4, 7, 8, 6, 8, 0, 0}));
  EXPECT_TRUE(dx.guards_hold());
}

TEST_P(RowsTest, ManyTermsLoseNothing) {
  // In float 2^24 + 1 is 2^24: the ones would be lost.
  constexpr std::int64_t n = 1001;
  TestArray<float> dy({n, 1}, std::vector<float>(n, 1.0f)), dx({2, 1});
  dy[0] = 0x1p24f;
  backend().rows.scatter_add(dy, Indices({n}, std::vector<std::int32_t>(n, 1)), dx);
  EXPECT_EQ(dx[1], 0x1p24f + 1000);
  EXPECT_EQ(dx[0], 0);
}

TEST_P(RowsTest, AnIndexOutsideIsNamed) {
  TestArray<float> x({3, 2}, std::vector<float>(6, 1)), y({2, 2});
  for (const std::int32_t wrong : {-1, 3, std::numeric_limits<std::int32_t>::min()}) {
    const Indices index({2}, {0, wrong});
    const std::string want = concat("index ", wrong, " at place 1 is outside [0, 2]");
    for (const std::string& message : {message_of([&] { backend().rows.gather(x, index, y); }),
                                       message_of([&] { backend().rows.scatter_add(y, index, x); })})
      EXPECT_NE(message.find(want), std::string::npos) << message;
  }
}

TEST_P(RowsTest, PaddingIsClearedWhateverItHolds) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const TestArray<float> x({3, 2, 1}, {1, nan, 2, 3, nan, nan});
  TestArray<float> y({3, 2, 1});
  backend().rows.clear_padding(x, Indices({3}, {1, 2, 0}), y);
  EXPECT_EQ(y.values(), (std::vector<float>{1, 0, 2, 3, 0, 0}));
  for (const std::int32_t wrong : {-1, 3}) {
    const std::string message = message_of([&] {
      backend().rows.clear_padding(x, Indices({3}, {1, wrong, 0}), y);
    });
    EXPECT_NE(message.find(concat("length ", wrong, " at place 1")), std::string::npos) << message;
  }
}

TEST_P(RowsTest, NothingIsNothing) {
  const TestArray<float> x({3, 2}, std::vector<float>(6, 1));
  TestArray<float> none({0, 2}), dx({3, 2});
  backend().rows.gather(x, Indices({0}), none);
  backend().rows.scatter_add(none, Indices({0}), dx);
  EXPECT_EQ(dx.values(), std::vector<float>(6, 0.0f));
}

TEST(RowsOfCpu, AgreesWithReferenceForAnyThreads) {
  for (const std::int64_t columns : {1, 3, 63, 64, 65, 200}) {
    for (const std::int64_t rows : {1, 2, 67, 300}) {
      constexpr std::int64_t n = 517;
      const auto x = random_array({rows, columns}, 1), dy = random_array({n, columns}, 2);
      Indices index({n});
      for (std::int64_t i = 0; i < n; ++i) index[i] = static_cast<std::int32_t>(i * i % rows);
      TestArray<float> y({n, columns}), y_want({n, columns}), dx({rows, columns}), dx_want({rows, columns});
      reference().rows.gather(x, index, y_want);
      reference().rows.scatter_add(dy, index, dx_want);
      for (const int threads : {1, 3}) {
        use_threads(threads);
        tested().rows.gather(x, index, y);
        tested().rows.scatter_add(dy, index, dx);
        expect_same_bits(y, y_want);
        expect_same_bits(dx, dx_want);
      }
      use_threads(0);
    }
  }
}

}  // namespace
}  // namespace actlab
