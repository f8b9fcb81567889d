// Batch norm and layer norm over f32 on CUDA devices: sums in double, one pass of float arithmetic for each
// result. A mean is split into a float and the small rest, so that x - mean loses nothing however far from 0
// it lies.
#include "kernels/cuda/column_sums.h"
#include "kernels/cuda/families.h"
#include "kernels/cuda/reduce.h"
#include "kernels/cuda/strips.h"
#include "kernels/f32.h"
#include "kernels/reference/running.h"

namespace actlab {
namespace {

using cuda::for_each_place, cuda::Strips, cuda::team_sum_of;

ACTLAB_HD float rounded(double x) { return static_cast<float>(x); }

// The moments (2, groups) of a norm, in device memory.
struct Moments {
  Moments(const double* means, std::int64_t groups, double added)
      : mean(means), variance(means + groups), epsilon(added) {}
  ACTLAB_HD double scale(std::int64_t group) const { return 1 / math::sqrt(variance[group] + epsilon); }

  const double* mean;
  const double* variance;
  double epsilon;
};

__global__ void __launch_bounds__(cuda::block_threads)
    scales_kernel(std::int64_t groups, Moments moments, double* scales) {
  for (std::int64_t i = cuda::first_piece(); i < groups; i += cuda::piece_step())
    scales[i] = moments.scale(i);
}

// ---- Batch norm: y and dx are linear in x and dy, with factors for each channel.

__global__ void __launch_bounds__(cuda::block_threads)
    batch_forward_kernel(Strips strips, const float* x, Moments moments, const float* weight,
                         const float* bias, float* __restrict__ y) {
  strips.for_each([=](std::int64_t part, std::int64_t c) {
    if (c >= strips.columns()) return;
    const double factor = moments.scale(c) * double{weight[c]}, middle = moments.mean[c];
    const float centre = rounded(middle), scale = rounded(factor);
    const float shift = rounded((double{centre} - middle) * factor + double{bias[c]});
    strips.for_each_row(part, [=](std::int64_t row) {
      const std::int64_t at = row * strips.columns() + c;
      y[at] = (x[at] - centre) * scale + shift;
    });
  });
}

// sums (2, channels) are those of dy and of dy times the normalised x.
__global__ void __launch_bounds__(cuda::block_threads)
    batch_backward_kernel(Strips strips, bool moments_of_batch, const float* x, const double* mean,
                          const double* scales, const float* weight, const double* sums, const float* dy,
                          float* __restrict__ dx) {
  strips.for_each([=](std::int64_t part, std::int64_t c) {
    if (c >= strips.columns()) return;
    const double factor = scales[c] * double{weight[c]};
    const float centre = rounded(mean[c]), scale = rounded(factor);
    float slope = 0, shift = 0;
    if (moments_of_batch) {
      const auto n = static_cast<double>(strips.rows());
      const double steepness = -factor * scales[c] * sums[strips.columns() + c] / n;
      slope = rounded(steepness);
      shift = rounded((double{centre} - mean[c]) * steepness - factor * sums[c] / n);
    }
    strips.for_each_row(part, [=](std::int64_t row) {
      const std::int64_t at = row * strips.columns() + c;
      dx[at] = dy[at] * scale + ((x[at] - centre) * slope + shift);
    });
  });
}

// ---- Layer norm: a team for each row.

__global__ void __launch_bounds__(cuda::block_threads)
    layer_forward_kernel(std::int64_t rows, std::int64_t n, const float* x, const float* weight,
                         const float* bias, double epsilon, float* __restrict__ y, double* moments) {
  const auto size = static_cast<double>(n);
  cuda::for_each_row(rows, [=](std::int64_t row) {
    const float* const in = x + row * n;
    float* const out = y + row * n;
    const double mean = team_sum_of<4>(n, [=](std::int64_t i) { return double{in[i]}; }) / size;
    const double squares = team_sum_of<4>(n, [=](std::int64_t i) {
      const double off = double{in[i]} - mean;
      return off * off;
    });
    const double variance = squares / size, factor = 1 / math::sqrt(variance + epsilon);
    const float centre = rounded(mean), scale = rounded(factor);
    const float shift = rounded((double{centre} - mean) * factor);
    for_each_place(
        n, [=](std::int64_t i) { out[i] = ((in[i] - centre) * scale + shift) * weight[i] + bias[i]; });
    if (threadIdx.x != 0) return;
    moments[row] = mean;
    moments[rows + row] = variance;
  });
}

__global__ void __launch_bounds__(cuda::block_threads)
    layer_backward_kernel(std::int64_t rows, std::int64_t n, const float* x, const double* means,
                          const double* scales, const float* weight, const float* dy,
                          float* __restrict__ dx) {
  const auto size = static_cast<double>(n);
  cuda::for_each_row(rows, [=](std::int64_t row) {
    const float* const in = x + row * n;
    const float* const upstream = dy + row * n;
    float* const out = dx + row * n;
    const double mean = means[row], factor = scales[row];
    const auto gradient = [=](std::int64_t i) { return double{upstream[i]} * double{weight[i]}; };
    const double sum = team_sum_of<2>(n, gradient);
    const double product =
        team_sum_of<2>(n, [=](std::int64_t i) { return gradient(i) * (double{in[i]} - mean); }) * factor;
    const double steepness = -factor * factor * product / size;
    const float centre = rounded(mean), scale = rounded(factor), slope = rounded(steepness);
    const float shift = rounded((double{centre} - mean) * steepness - factor * sum / size);
    for_each_place(n, [=](std::int64_t i) {
      out[i] = upstream[i] * weight[i] * scale + ((in[i] - centre) * slope + shift);
    });
  });
}

__global__ void __launch_bounds__(cuda::block_threads)
    move_running_kernel(std::int64_t columns, const double* moments, double momentum, double correction,
                        float* mean, float* variance) {
  for (std::int64_t c = cuda::first_piece(); c < columns; c += cuda::piece_step()) {
    mean[c] = moved(mean[c], moments[c], momentum);
    variance[c] = moved(variance[c], correction * moments[columns + c], momentum);
  }
}

class CudaNorm final : public NormKernels {
 public:
  explicit CudaNorm(Memory& memory) : memory_(memory) {}

  void batch_moments(ConstArray x, Array moments) override {
    cuda::column_moments(memory_, x.shape[0], x.shape[1], f32("batch-norm", x), moments.as<double>());
  }

  void move_running(ConstArray moments, double momentum, double correction, Array mean,
                    Array variance) override {
    const std::int64_t columns = mean.count();
    cuda::launch("batch-norm", move_running_kernel, cuda::grid_for(columns), columns, moments.as<double>(),
                 momentum, correction, mean.as<float>(), variance.as<float>());
  }

  void batch_forward(const NormInputs& inputs, ConstArray bias, Array y) override {
    const Strips strips(inputs.x.shape[0], inputs.x.shape[1]);
    cuda::launch("batch-norm", batch_forward_kernel, strips.grid(), strips, f32("batch-norm", inputs.x),
                 moments_of(inputs), f32("batch-norm", inputs.weight), f32("batch-norm", bias),
                 f32("batch-norm", y));
  }

  void batch_backward(const NormInputs& inputs, bool moments_of_batch, ConstArray dy,
                      const NormGradients& gradients) override {
    const Strips strips(inputs.x.shape[0], inputs.x.shape[1]);
    const float* x = f32("batch-norm", inputs.x);
    const float* weight = f32("batch-norm", inputs.weight);
    const float* upstream = f32("batch-norm", dy);
    const double* mean = inputs.moments.as<double>();
    const Buffer scratch = scales_of(inputs);
    const double* scales = static_cast<const double*>(scratch.data());
    const Buffer sums =
        cuda::column_gradients(memory_, strips.rows(), strips.columns(), {x, mean, scales, false}, upstream,
                               f32("batch-norm", gradients.bias), f32("batch-norm", gradients.weight));
    if (gradients.x.data == nullptr) return;
    cuda::launch("batch-norm", batch_backward_kernel, strips.grid(), strips, moments_of_batch, x, mean,
                 scales, weight, static_cast<const double*>(sums.data()), upstream,
                 f32("batch-norm", gradients.x));
  }

  void layer_forward(ConstArray x, ConstArray weight, ConstArray bias, double epsilon, Array y,
                     Array moments) override {
    const std::int64_t rows = x.shape[0], n = x.shape[1];
    cuda::launch("layer-norm", layer_forward_kernel, cuda::teams_for(rows, n), rows, n, f32("layer-norm", x),
                 f32("layer-norm", weight), f32("layer-norm", bias), epsilon, f32("layer-norm", y),
                 moments.as<double>());
  }

  void layer_backward(const NormInputs& inputs, ConstArray dy, const NormGradients& gradients) override {
    const std::int64_t rows = inputs.x.shape[0], n = inputs.x.shape[1];
    const float* x = f32("layer-norm", inputs.x);
    const float* weight = f32("layer-norm", inputs.weight);
    const float* upstream = f32("layer-norm", dy);
    const double* mean = inputs.moments.as<double>();
    const Buffer scratch = scales_of(inputs);
    const double* scales = static_cast<const double*>(scratch.data());
    cuda::column_gradients(memory_, rows, n, {x, mean, scales, true}, upstream,
                           f32("layer-norm", gradients.bias), f32("layer-norm", gradients.weight));
    if (gradients.x.data == nullptr) return;
    cuda::launch("layer-norm", layer_backward_kernel, cuda::teams_for(rows, n), rows, n, x, mean, scales,
                 weight, upstream, f32("layer-norm", gradients.x));
  }

 private:
  static Moments moments_of(const NormInputs& inputs) {
    return {inputs.moments.as<double>(), inputs.moments.shape[1], inputs.epsilon};
  }

  // 1 / sqrt(variance + epsilon) of each group.
  Buffer scales_of(const NormInputs& inputs) const {
    const std::int64_t groups = inputs.moments.shape[1];
    Buffer scales(memory_, groups * std::int64_t{sizeof(double)}, MemoryKind::workspace);
    cuda::launch("norm", scales_kernel, cuda::grid_for(groups), groups, moments_of(inputs),
                 static_cast<double*>(scales.data()));
    return scales;
  }

  Memory& memory_;
};

}  // namespace

std::unique_ptr<NormKernels> make_cuda_norm(Memory& memory) { return std::make_unique<CudaNorm>(memory); }

}  // namespace actlab
