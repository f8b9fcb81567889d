// Matmul and convolution that count.
#include "experiments/cli/counted_backend.h"

namespace actlab {
namespace {

class CountedMatmul final : public MatmulKernels {
 public:
  CountedMatmul(MatmulKernels& inner, std::int64_t& operations) : inner_(inner), operations_(operations) {}

  std::string implementation() const override { return inner_.implementation(); }
  bool native(DType dtype) const override { return inner_.native(dtype); }

  void matmul(ConstArray a, bool transpose_a, ConstArray b, bool transpose_b, ConstArray bias,
              Array y) override {
    operations_ += 2 * y.count() * a.shape[transpose_a ? 0 : 1];
    inner_.matmul(a, transpose_a, b, transpose_b, bias, y);
  }
  void batched(const BatchedSizes& s, ConstArray a, const MatrixPlaces& a_at, ConstArray b,
               const MatrixPlaces& b_at, Array y, const MatrixPlaces& y_at) override {
    operations_ += 2 * s.outer * s.inner * s.m * s.n * s.k;
    inner_.batched(s, a, a_at, b, b_at, y, y_at);
  }

 private:
  MatmulKernels& inner_;
  std::int64_t& operations_;
};

class CountedConvolution final : public ConvolutionKernels {
 public:
  CountedConvolution(ConvolutionKernels& inner, std::int64_t& operations)
      : inner_(inner), operations_(operations) {}

  std::string implementation() const override { return inner_.implementation(); }
  bool native(DType dtype) const override { return inner_.native(dtype); }

  void forward(const ConvolutionSizes& sizes, ConstArray x, ConstArray w, ConstArray bias, Array y) override {
    count(sizes);
    inner_.forward(sizes, x, w, bias, y);
  }
  void backward_data(const ConvolutionSizes& sizes, ConstArray dy, ConstArray w, Array dx) override {
    count(sizes);
    inner_.backward_data(sizes, dy, w, dx);
  }
  void backward_weights(const ConvolutionSizes& sizes, ConstArray x, ConstArray dy, Array dw,
                        Array dbias) override {
    count(sizes);
    inner_.backward_weights(sizes, x, dy, dw, dbias);
  }

 private:
  // Each pass is the same products summed another way.
  void count(const ConvolutionSizes& s) {
    operations_ += 2 * s.batch * s.out_height() * s.out_width() * s.out_channels * s.kernel_h * s.kernel_w *
                   s.in_channels;
  }

  ConvolutionKernels& inner_;
  std::int64_t& operations_;
};

}  // namespace

CountedBackend::CountedBackend(Backend& inner)
    : matmul_(std::make_unique<CountedMatmul>(inner.matmul, operations_)),
      convolution_(std::make_unique<CountedConvolution>(inner.convolution, operations_)),
      backend_{.name = inner.name,
               .memory = inner.memory,
               .matmul = *matmul_,
               .convolution = *convolution_,
               .activation = inner.activation,
               .pool = inner.pool,
               .images = inner.images,
               .rows = inner.rows,
               .attention = inner.attention,
               .norm = inner.norm,
               .loss = inner.loss,
               .elementwise = inner.elementwise,
               .optimizer = inner.optimizer} {}

CountedBackend::~CountedBackend() = default;

}  // namespace actlab
