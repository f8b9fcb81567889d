// Convolution as matrix products over patches, some images at a time.
#include <algorithm>

#include "kernels/cpu/bias.h"
#include "kernels/cpu/openblas/families.h"
#include "kernels/cpu/openblas/gemm.h"
#include "kernels/cpu/openblas/im2col.h"
#include "kernels/cpu/sum.h"
#include "kernels/cpu/widening.h"

namespace actlab {
namespace {

// Patches held at a time: 4 MiB, or one image's.
constexpr std::int64_t chunk_elements = std::int64_t{1} << 20;

// Sizes of one image's matrices: y (pixels, out_channels) = patches (pixels, patch) * w^T (patch,
// out_channels).
struct Matrices {
  explicit Matrices(const ConvolutionSizes& s)
      : pixels(s.out_height() * s.out_width()),
        patch(s.kernel_h * s.kernel_w * s.in_channels),
        image(s.height * s.width * s.in_channels),
        chunk(std::clamp<std::int64_t>(chunk_elements / std::max<std::int64_t>(1, pixels * patch), 1,
                                       std::max<std::int64_t>(1, s.batch))) {}
  std::int64_t patch_bytes() const { return chunk * pixels * patch * std::int64_t{sizeof(float)}; }

  std::int64_t pixels, patch, image;
  std::int64_t chunk;  ///< images at a time
};

class OpenBlasConvolution final : public WideningConvolution {
 public:
  explicit OpenBlasConvolution(Memory& memory) : WideningConvolution(memory, false) {}

  std::string implementation() const override { return openblas_version() + ", im2col"; }

 protected:
  void run_forward(const ConvolutionSizes& s, ConstArray x, ConstArray w, ConstArray bias, Array y) override {
    const Matrices m(s);
    const float* in = f32("convolution", x);
    const float* filters = f32("convolution", w);
    const float* row = f32("convolution", bias);
    float* out = f32("convolution", y);
    if (row != nullptr) fill_rows(row, s.batch * m.pixels, s.out_channels, out);
    for_each_chunk(s, m, [&](std::int64_t first, std::int64_t images, float* patches) {
      gather_patches(s, images, in + first * m.image, patches);
      gemm(false, true, images * m.pixels, s.out_channels, m.patch, patches, filters,
           row == nullptr ? 0.0f : 1.0f, out + first * m.pixels * s.out_channels);
    });
  }

  void run_backward_data(const ConvolutionSizes& s, ConstArray dy, ConstArray w, Array dx) override {
    const Matrices m(s);
    const float* gradient = f32("convolution", dy);
    const float* filters = f32("convolution", w);
    float* out = f32("convolution", dx);
    for_each_chunk(s, m, [&](std::int64_t first, std::int64_t images, float* patches) {
      gemm(false, false, images * m.pixels, m.patch, s.out_channels,
           gradient + first * m.pixels * s.out_channels, filters, 0.0f, patches);
      add_patches(s, images, patches, out + first * m.image);
    });
  }

  void run_backward_weights(const ConvolutionSizes& s, ConstArray x, ConstArray dy, Array dw,
                            Array dbias) override {
    const Matrices m(s);
    const float* in = f32("convolution", x);
    const float* gradient = f32("convolution", dy);
    float* out = f32("convolution", dw);
    fill_rows(nullptr, s.out_channels, m.patch, out);
    for_each_chunk(s, m, [&](std::int64_t first, std::int64_t images, float* patches) {
      gather_patches(s, images, in + first * m.image, patches);
      gemm(true, false, s.out_channels, m.patch, images * m.pixels,
           gradient + first * m.pixels * s.out_channels, patches, 1.0f, out);
    });
    if (dbias.data != nullptr)
      sum_axis(memory(), {1, s.batch * m.pixels, s.out_channels}, gradient, f32("convolution", dbias));
  }

 private:
  // Calls f(first image, images, patches) over the batch, in order.
  template <class F>
  void for_each_chunk(const ConvolutionSizes& s, const Matrices& m, const F& f) {
    const Buffer patches(memory(), m.patch_bytes(), MemoryKind::workspace);
    for (std::int64_t first = 0; first < s.batch; first += m.chunk)
      f(first, std::min(m.chunk, s.batch - first), static_cast<float*>(patches.data()));
  }
};

}  // namespace

std::unique_ptr<ConvolutionKernels> make_openblas_convolution(Memory& memory) {
  return std::make_unique<OpenBlasConvolution>(memory);
}

}  // namespace actlab
