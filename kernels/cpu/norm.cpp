// Batch norm and layer norm over f32: sums in double, one pass of float arithmetic for each result. A mean is
// split into a float and the small rest, so that x - mean loses nothing however far from 0 it lies.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/cpu/column_sums.h"
#include "kernels/cpu/families.h"
#include "kernels/cpu/instruction_sets.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/sum_of.h"
#include "kernels/f32.h"
#include "kernels/reference/running.h"

namespace actlab {
namespace {

float rounded(double x) { return static_cast<float>(x); }

// ---- Batch norm: y and dx are linear in x and dy, with factors for each channel.

ACTLAB_EACH_INSTRUCTION_SET
void scale_rows(std::int64_t rows, std::int64_t channels, const float* __restrict x,
                const float* __restrict centre, const float* __restrict scale, const float* __restrict shift,
                float* __restrict y) {
  for (std::int64_t i = 0; i < rows; ++i, x += channels, y += channels)
    for (std::int64_t c = 0; c < channels; ++c) y[c] = (x[c] - centre[c]) * scale[c] + shift[c];
}

ACTLAB_EACH_INSTRUCTION_SET
void combine_rows(std::int64_t rows, std::int64_t channels, const float* __restrict x,
                  const float* __restrict dy, const float* __restrict centre, const float* __restrict scale,
                  const float* __restrict slope, const float* __restrict shift, float* __restrict dx) {
  for (std::int64_t i = 0; i < rows; ++i, x += channels, dy += channels, dx += channels)
    for (std::int64_t c = 0; c < channels; ++c)
      dx[c] = dy[c] * scale[c] + ((x[c] - centre[c]) * slope[c] + shift[c]);
}

// ---- Layer norm: rows one by one, from the first-level cache after the first touch.

ACTLAB_EACH_INSTRUCTION_SET
void normalise_row(std::int64_t n, const float* __restrict x, const float* __restrict weight,
                   const float* __restrict bias, double epsilon, float* __restrict y, double* mean,
                   double* variance) {
  const auto size = static_cast<double>(n);
  const double middle = sum_of(n, [=](std::int64_t i) { return double{x[i]}; }) / size;
  const double spread = sum_of(n,
                               [=](std::int64_t i) {
                                 const double off = double{x[i]} - middle;
                                 return off * off;
                               }) /
                        size;
  const double factor = 1 / std::sqrt(spread + epsilon);
  const auto centre = static_cast<float>(middle), scale = static_cast<float>(factor);
  const auto shift = static_cast<float>((double{centre} - middle) * factor);
  for (std::int64_t i = 0; i < n; ++i) y[i] = ((x[i] - centre) * scale + shift) * weight[i] + bias[i];
  *mean = middle;
  *variance = spread;
}

ACTLAB_EACH_INSTRUCTION_SET
void gradient_of_row(std::int64_t n, const float* __restrict x, const float* __restrict weight, double mean,
                     double factor, const float* __restrict dy, float* __restrict dx) {
  const auto size = static_cast<double>(n);
  const auto gradient = [=](std::int64_t i) { return double{dy[i]} * double{weight[i]}; };
  const double sum = sum_of(n, gradient);
  const double product =
      sum_of(n, [=](std::int64_t i) { return gradient(i) * (double{x[i]} - mean); }) * factor;
  const double steepness = -factor * factor * product / size;
  const auto centre = static_cast<float>(mean), scale = static_cast<float>(factor);
  const auto slope = static_cast<float>(steepness);
  const auto shift = static_cast<float>((double{centre} - mean) * steepness - factor * sum / size);
  for (std::int64_t i = 0; i < n; ++i) dx[i] = dy[i] * weight[i] * scale + ((x[i] - centre) * slope + shift);
}

// For each channel y = (x - centre) * scale + shift, and dx = dy * scale + (x - centre) * slope + shift.
struct ChannelFactors {
  explicit ChannelFactors(std::int64_t channels)
      : centre(static_cast<std::size_t>(channels)), scale(centre), slope(centre), shift(centre) {}
  std::vector<float> centre, scale, slope, shift;
};

void write(const double* values, const Array& out) {
  float* to = f32("norm", out);
  for (std::int64_t i = 0; i < out.count(); ++i) to[i] = rounded(values[i]);
}

class CpuNorm final : public NormKernels {
 public:
  explicit CpuNorm(Memory& memory) : memory_(memory) {}

  void batch_moments(ConstArray x, Array moments) override {
    column_moments(memory_, x.shape[0], x.shape[1], f32("batch-norm", x), moments.as<double>());
  }

  void move_running(ConstArray moments, double momentum, double correction, Array mean,
                    Array variance) override {
    move_running_on_host(moments, momentum, correction, mean, variance);
  }

  void batch_forward(const NormInputs& inputs, ConstArray bias, Array y) override {
    const std::int64_t rows = inputs.x.shape[0], channels = inputs.x.shape[1];
    const float* x = f32("batch-norm", inputs.x);
    const float* weight = f32("batch-norm", inputs.weight);
    const float* offset = f32("batch-norm", bias);
    const double* mean = inputs.moments.as<double>();
    const Buffer scales = scales_of(inputs);
    ChannelFactors factors(channels);
    for (std::size_t c = 0; c < factors.centre.size(); ++c) {
      const double scale = static_cast<const double*>(scales.data())[c] * double{weight[c]};
      factors.centre[c] = rounded(mean[c]);
      factors.scale[c] = rounded(scale);
      factors.shift[c] = rounded((double{factors.centre[c]} - mean[c]) * scale + double{offset[c]});
    }
    float* out = f32("batch-norm", y);
    parallel_for(rows, rows_a_part(channels), [&](std::int64_t begin, std::int64_t end) {
      scale_rows(end - begin, channels, x + begin * channels, factors.centre.data(), factors.scale.data(),
                 factors.shift.data(), out + begin * channels);
    });
  }

  void batch_backward(const NormInputs& inputs, bool moments_of_batch, ConstArray dy,
                      const NormGradients& gradients) override {
    const std::int64_t rows = inputs.x.shape[0], channels = inputs.x.shape[1];
    const float* x = f32("batch-norm", inputs.x);
    const float* gradient = f32("batch-norm", dy);
    const float* weight = f32("batch-norm", inputs.weight);
    const double* mean = inputs.moments.as<double>();
    const Buffer buffer = scales_of(inputs);
    const double* scales = static_cast<const double*>(buffer.data());
    std::vector<double> sums(static_cast<std::size_t>(2 * channels));
    column_gradients(memory_, rows, channels, {x, mean, scales, false}, gradient, sums.data());
    write(sums.data(), gradients.bias);
    write(sums.data() + channels, gradients.weight);
    if (gradients.x.data == nullptr) return;

    ChannelFactors factors(channels);
    for (std::size_t c = 0; c < factors.centre.size(); ++c) {
      const double scale = scales[c] * double{weight[c]};
      factors.centre[c] = rounded(mean[c]);
      factors.scale[c] = rounded(scale);
      if (!moments_of_batch) continue;
      const auto n = static_cast<double>(rows);
      const double slope = -scale * scales[c] * sums[static_cast<std::size_t>(channels) + c] / n;
      factors.slope[c] = rounded(slope);
      factors.shift[c] = rounded((double{factors.centre[c]} - mean[c]) * slope - scale * sums[c] / n);
    }
    float* out = f32("batch-norm", gradients.x);
    parallel_for(rows, rows_a_part(channels), [&](std::int64_t begin, std::int64_t end) {
      combine_rows(end - begin, channels, x + begin * channels, gradient + begin * channels,
                   factors.centre.data(), factors.scale.data(), factors.slope.data(), factors.shift.data(),
                   out + begin * channels);
    });
  }

  void layer_forward(ConstArray x, ConstArray weight, ConstArray bias, double epsilon, Array y,
                     Array moments) override {
    const std::int64_t rows = x.shape[0], n = x.shape[1];
    const float* in = f32("layer-norm", x);
    const float* factor = f32("layer-norm", weight);
    const float* offset = f32("layer-norm", bias);
    float* out = f32("layer-norm", y);
    double* mean = moments.as<double>();
    parallel_for(rows, rows_a_part(n), [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row)
        normalise_row(n, in + row * n, factor, offset, epsilon, out + row * n, mean + row, mean + rows + row);
    });
  }

  void layer_backward(const NormInputs& inputs, ConstArray dy, const NormGradients& gradients) override {
    const std::int64_t rows = inputs.x.shape[0], n = inputs.x.shape[1];
    const float* x = f32("layer-norm", inputs.x);
    const float* gradient = f32("layer-norm", dy);
    const float* weight = f32("layer-norm", inputs.weight);
    const double* mean = inputs.moments.as<double>();
    const Buffer buffer = scales_of(inputs);
    const double* scales = static_cast<const double*>(buffer.data());
    std::vector<double> sums(static_cast<std::size_t>(2 * n));
    column_gradients(memory_, rows, n, {x, mean, scales, true}, gradient, sums.data());
    write(sums.data(), gradients.bias);
    write(sums.data() + n, gradients.weight);
    if (gradients.x.data == nullptr) return;
    float* out = f32("layer-norm", gradients.x);
    parallel_for(rows, rows_a_part(n), [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row)
        gradient_of_row(n, x + row * n, weight, mean[row], scales[row], gradient + row * n, out + row * n);
    });
  }

 private:
  // 1 / sqrt(variance + epsilon) of each group.
  Buffer scales_of(const NormInputs& inputs) const {
    const std::int64_t groups = inputs.moments.shape[1];
    const double* variance = inputs.moments.as<double>() + groups;
    Buffer buffer(memory_, groups * std::int64_t{sizeof(double)}, MemoryKind::workspace);
    for (std::int64_t i = 0; i < groups; ++i)
      static_cast<double*>(buffer.data())[i] = 1 / std::sqrt(variance[i] + inputs.epsilon);
    return buffer;
  }

  Memory& memory_;
};

}  // namespace

std::unique_ptr<NormKernels> make_cpu_norm(Memory& memory) { return std::make_unique<CpuNorm>(memory); }

}  // namespace actlab
