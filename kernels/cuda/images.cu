// Views of images on CUDA devices: a thread an element.
#include "kernels/cuda/families.h"
#include "kernels/cuda/launch.h"
#include "kernels/reference/image_views.h"

namespace actlab {
namespace cuda {
namespace {

__global__ void __launch_bounds__(block_threads)
    view_images_kernel(std::int64_t count, int height, int width, int channels, const std::uint8_t* pixels,
                       const float* shades, const ImageView* views, float* y) {
  for (std::int64_t i = first_piece(); i < count; i += piece_step()) {
    const int channel = static_cast<int>(i % channels);
    const std::int64_t pixel = i / channels, line = pixel / width;
    const ImageView view = views[line / height];
    const int column = static_cast<int>(pixel % width);
    const int from_row = static_cast<int>(line % height) + view.down;
    const int from_column = (view.flipped == 1 ? width - 1 - column : column) + view.right;
    const bool inside = from_row >= 0 && from_row < height && from_column >= 0 && from_column < width;
    const std::int64_t row = std::int64_t{view.image} * height + from_row;
    y[i] = inside ? shades[256 * channel + pixels[(row * width + from_column) * channels + channel]] : 0.0f;
  }
}

class CudaImages final : public ImageKernels {
 public:
  explicit CudaImages(Memory& memory) : memory_(memory) {}

  void view(ConstArray pixels, ConstArray shades, std::span<const ImageView> views, Array y) override {
    check_views(pixels, views);
    const Buffer there(memory_, static_cast<std::int64_t>(views.size_bytes()), MemoryKind::workspace);
    memory_.copy_from_host(there.data(), views.data(), there.bytes());
    launch("view images", view_images_kernel, grid_for(y.count()), y.count(), static_cast<int>(y.shape[1]),
           static_cast<int>(y.shape[2]), static_cast<int>(y.shape[3]), pixels.as<std::uint8_t>(),
           shades.as<float>(), static_cast<const ImageView*>(there.data()), y.as<float>());
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
