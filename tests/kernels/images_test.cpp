// Views of images: every device against the reference, the reference by hand.
#include "tests/kernels/arrays.h"
#include "tests/support/message_of.h"

namespace actlab {
namespace {

using Pixels = TestArray<std::uint8_t>;

class Images : public EveryDevice {};
INSTANTIATE_TEST_SUITE_P(Devices, Images, testing::ValuesIn(tested_devices()), name_of_param);

// Each value is seen as itself.
TestArray<float> plain_shades(std::int64_t channels) {
  TestArray<float> shades({channels, 256});
  for (std::int64_t i = 0; i < shades.count(); ++i) shades[i] = static_cast<float>(i % 256);
  return shades;
}

TEST_P(Images, AreShiftedAndFlipped) {
  const Pixels pixels({2, 2, 3, 1}, {1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15, 16});
  const std::vector<ImageView> views = {{.image = 1},
                                        {.image = 0, .flipped = 1},
                                        {.image = 0, .down = 1, .right = -1},
                                        {.image = 0, .down = -1, .right = 1, .flipped = 1},
                                        {.image = 0, .right = 3},
                                        {.image = 0, .down = -9, .right = -9, .flipped = 1}};
  TestArray<float> y({6, 2, 3, 1});
  backend().images.view(pixels, plain_shades(1), views, y);
  EXPECT_EQ(y.values(), (std::vector<float>{11, 12, 13, 14, 15, 16, 3, 2, 1, 6, 5, 4,  //
                                            0,  4,  5,  0,  0,  0,  0, 0, 0, 0, 3, 2,  //
                                            0,  0,  0,  0,  0,  0,  0, 0, 0, 0, 0, 0}));
  EXPECT_TRUE(y.guards_hold());
}

TEST_P(Images, HaveTheBitsOfReference) {
  for (const Shape& shape : {Shape{5, 1, 1, 1}, {3, 7, 5, 3}, {2, 16, 16, 4}}) {
    const Random random(1, RandomPurpose::synthetic);
    Pixels pixels(shape);
    for (std::int64_t i = 0; i < pixels.count(); ++i)
      pixels[i] = static_cast<std::uint8_t>(random.below(static_cast<std::uint64_t>(i), 256));
    const TestArray<float> shades = random_array({shape[3], 256}, 3);
    std::vector<ImageView> views;
    for (std::uint64_t i = 0; i < 67; ++i) {
      const auto draw = [&](std::uint64_t which, std::int64_t n) {
        return static_cast<std::int32_t>(
            random.below(1'000'000 + 4 * i + which, static_cast<std::uint32_t>(n)));
      };
      views.push_back({draw(0, shape[0]), draw(1, 9) - 4, draw(2, 9) - 4, draw(3, 2)});
    }
    const Shape seen{67, shape[1], shape[2], shape[3]};
    TestArray<float> got(seen), want(seen);
    backend().images.view(pixels, shades, views, got);
    reference().images.view(pixels, shades, views, want);
    EXPECT_EQ(got.values(), want.values());
    EXPECT_TRUE(got.guards_hold());
  }
}

TEST_P(Images, OfNoImageAreRefused) {
  const Pixels pixels({2, 1, 1, 1}, {1, 2});
  TestArray<float> y({2, 1, 1, 1});
  for (const std::int32_t wrong : {-1, 2}) {
    const std::vector<ImageView> views = {{.image = 1}, {.image = wrong}};
    const std::string message = message_of([&] { backend().images.view(pixels, plain_shades(1), views, y); });
    EXPECT_NE(message.find(concat("image ", wrong, " at place 1 is outside [0, 1]")), std::string::npos)
        << message;
  }
}

}  // namespace
}  // namespace actlab
