// Views of images, a row of the source at a time.
#include <algorithm>

#include "kernels/cpu/families.h"
#include "kernels/cpu/parallel.h"
#include "kernels/reference/image_views.h"

namespace actlab {
namespace {

struct Image {
  std::int64_t height, width, channels;
  std::int64_t count() const { return height * width * channels; }
};

void view_image(const Image& image, const std::uint8_t* pixels, const float* shades, const ImageView& view,
                float* out) {
  const auto [height, width, channels] = image;
  // Column x shows the source's column start + step * x, which exists for x in [first, last).
  const std::int64_t step = view.flipped == 1 ? -1 : 1;
  const std::int64_t start = view.right + (view.flipped == 1 ? width - 1 : 0);
  const std::int64_t first = std::clamp<std::int64_t>(-step * view.right, 0, width);
  const std::int64_t last = std::clamp<std::int64_t>(width - step * view.right, first, width);
  for (std::int64_t y = 0; y < height; ++y, out += width * channels) {
    const std::int64_t source_y = y + view.down;
    std::fill_n(out, width * channels, 0.0f);
    if (source_y < 0 || source_y >= height) continue;
    const std::int64_t row = source_y * width + start;
    for (std::int64_t c = 0; c < channels; ++c)
      for (std::int64_t x = first; x < last; ++x)
        out[x * channels + c] = shades[256 * c + pixels[(row + step * x) * channels + c]];
  }
}

class CpuImages final : public ImageKernels {
 public:
  void view(ConstArray pixels, ConstArray shades, std::span<const ImageView> views, Array y) override {
    check_views(pixels, views);
    const Image image{y.shape[1], y.shape[2], y.shape[3]};
    const std::uint8_t* const values = pixels.as<std::uint8_t>();
    const float* const shown = shades.as<float>();
    float* const out = y.as<float>();
    parallel_for(std::ssize(views), 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const ImageView& seen = views[static_cast<std::size_t>(i)];
        view_image(image, values + seen.image * image.count(), shown, seen, out + i * image.count());
      }
    });
  }
};

}  // namespace

std::unique_ptr<ImageKernels> make_cpu_images() { return std::make_unique<CpuImages>(); }

}  // namespace actlab
