// Views of images, pixel by pixel.
#include "kernels/reference/image_views.h"

#include "kernels/reference/families.h"

namespace actlab {
namespace {

class ReferenceImages final : public ImageKernels {
 public:
  void view(ConstArray pixels, ConstArray shades, std::span<const ImageView> views, Array y) override {
    check_views(pixels, views);
    const std::int64_t height = y.shape[1], width = y.shape[2], channels = y.shape[3];
    const std::uint8_t* const values = pixels.as<std::uint8_t>();
    const float* const shown = shades.as<float>();
    float* out = y.as<float>();
    for (const ImageView& view : views)
      for (std::int64_t row = 0; row < height; ++row)
        for (std::int64_t column = 0; column < width; ++column)
          for (std::int64_t c = 0; c < channels; ++c) {
            const std::int64_t from_row = row + view.down;
            const std::int64_t from_column = (view.flipped == 1 ? width - 1 - column : column) + view.right;
            const bool inside = from_row >= 0 && from_row < height && from_column >= 0 && from_column < width;
            const std::int64_t at = ((view.image * height + from_row) * width + from_column) * channels + c;
            *out++ = inside ? shown[256 * c + values[at]] : 0.0f;
          }
  }
};

}  // namespace

std::unique_ptr<ImageKernels> make_reference_images() { return std::make_unique<ReferenceImages>(); }

}  // namespace actlab
