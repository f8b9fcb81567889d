// Matrices and rows that lie more than 2^31 elements into their array: no place is narrower than 64 bits.
#include <sys/mman.h>

#include "tests/kernels/arrays.h"

namespace actlab {
namespace {

// Zeros that take memory only where they are written.
class FarFloats {
 public:
  FarFloats() : block_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0)) {}
  ~FarFloats() {
    if (mapped()) munmap(block_, bytes);
  }
  FarFloats(const FarFloats&) = delete;
  FarFloats& operator=(const FarFloats&) = delete;

  static constexpr std::int64_t count = (std::int64_t{1} << 31) + 64;
  bool mapped() const { return block_ != MAP_FAILED; }
  float* data() { return static_cast<float*>(block_); }

 private:
  static constexpr std::size_t bytes = static_cast<std::size_t>(count) * sizeof(float);
  static constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* block_;
};

class FarPlaces : public EveryGemm {};
INSTANTIATE_TEST_SUITE_P(Gemms, FarPlaces, testing::ValuesIn(tested_gemms()), name_of_param);

TEST_P(FarPlaces, OfMatrices) {
  FarFloats x, y;
  if (!x.mapped() || !y.mapped()) GTEST_SKIP() << "needs 16 GiB of addresses";
  constexpr std::int64_t far = std::int64_t{1} << 30;  // matrices 0 and 2 are 2^31 apart
  x.data()[2 * far] = 3, x.data()[2 * far + 1] = 5;
  const Array in{x.data(), DType::f32, {FarFloats::count}}, out{y.data(), DType::f32, {FarFloats::count}};
  backend().matmul.batched({3, 1, 1, 2, 1}, in, {1, far, 0, 1}, in, {0, far, 0, 2}, out, {7, far, 0, 2});
  EXPECT_EQ(y.data()[2 * far + 7], 15);
  EXPECT_EQ(y.data()[2 * far + 8], 25);
}

TEST(FarPlacesOfRows, AreGathered) {
  FarFloats x;
  if (!x.mapped()) GTEST_SKIP() << "needs 8 GiB of addresses";
  constexpr std::int64_t rows = FarFloats::count / 32;
  x.data()[FarFloats::count - 1] = 7;
  for (const std::string& device : tested_devices()) {
    TestArray<float> y({1, 32});
    find_backend(device).rows.gather({x.data(), DType::f32, {rows, 32}},
                                     TestArray<std::int32_t>({1}, {static_cast<std::int32_t>(rows - 1)}), y);
    EXPECT_EQ(y[31], 7) << device;
  }
}

}  // namespace
}  // namespace actlab
