// Views of images on CUDA devices: a thread an element.
#include "kernels/cuda/families.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/places.h"
#include "kernels/reference/image_views.h"

namespace actlab {
namespace cuda {
namespace {

__global__ void __launch_bounds__(block_threads)
    view_images_kernel(std::int64_t count, Divisor height, Divisor width, Divisor channels,
                       const std::uint8_t* pixels, const float* shades, const ImageView* views, float* y) {
  for (std::int64_t i = first_piece(); i < count; i += piece_step()) {
    const auto [pixel, channel] = channels.divide(i);
    const auto [line, column] = width.divide(pixel);
    const auto [image, row] = height.divide(line);
    const ImageView view = views[image];
    const std::int64_t rows = height.divisor(), columns = width.divisor();
    const std::int64_t from_row = row + view.down;
    const std::int64_t from_column = (view.flipped == 1 ? columns - 1 - column : column) + view.right;
    const bool inside = from_row >= 0 && from_row < rows && from_column >= 0 && from_column < columns;
    const std::int64_t from = (view.image * rows + from_row) * columns + from_column;
    y[i] = inside ? shades[256 * channel + pixels[from * channels.divisor() + channel]] : 0.0f;
  }
}

class CudaImages final : public ImageKernels {
 public:
  explicit CudaImages(Memory& memory) : memory_(memory) {}

  void view(ConstArray pixels, ConstArray shades, std::span<const ImageView> views, Array y) override {
    check_views(pixels, views);
    const Buffer there(memory_, static_cast<std::int64_t>(views.size_bytes()), MemoryKind::workspace);
    memory_.copy_from_host(there.data(), views.data(), there.bytes());
    launch("view images", view_images_kernel, grid_for(y.count()), y.count(), Divisor(y.shape[1]),
           Divisor(y.shape[2]), Divisor(y.shape[3]), pixels.as<std::uint8_t>(), shades.as<float>(),
           static_cast<const ImageView*>(there.data()), y.as<float>());
  }

 private:
  Memory& memory_;
};

}  // namespace
}  // namespace cuda

std::unique_ptr<ImageKernels> make_cuda_images(Memory& memory) {
  return std::make_unique<cuda::CudaImages>(memory);
}

}  // namespace actlab
