// A backend: families of operations over plain arrays. Sizes and types are checked by framework/ops; a family
// checks what only it knows (types it has no kernel for). Images are NHWC, filters OHWI, matrices row-major.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/activation.h"
#include "kernels/array.h"
#include "kernels/memory.h"
#include "kernels/random.h"

namespace actlab {

/// Sizes of a batch of products: y[o, i] (m, n) = a[o, i] (m, k) * b[o, i] (k, n).
struct BatchedSizes {
  std::int64_t outer, inner;
  std::int64_t m, n, k;
};

/// Where the matrices of a batch lie in a larger array: element (row, column) of matrix (o, i) at offset + o
/// * outer + i * inner + row * row_step + column * column_step. One of the two steps is 1; a step of 0 from
/// matrix to matrix is one matrix for all.
struct MatrixPlaces {
  std::int64_t offset, outer, inner;
  std::int64_t row_step, column_step = 1;

  MatrixPlaces transposed() const { return {offset, outer, inner, column_step, row_step}; }
  /// Where matrix number `i` of the batch begins, i in [0, outer * inner).
  std::int64_t matrix(const BatchedSizes& sizes, std::int64_t i) const {
    return offset + i / sizes.inner * outer + i % sizes.inner * inner;
  }
};

/// Matmul and convolution take operands of one type, f32 or bf16 (f64 on the reference backend). Of bf16 ones
/// the sums are f32 and rounded once, where the result's array is bf16; it may be f32, and the bias is f32.
class MatmulKernels {
 public:
  virtual ~MatmulKernels() = default;
  /// Library and version that computes it.
  virtual std::string implementation() const = 0;
  /// Whether it has kernels for operands of that type; else bf16 is widened to f32: the same roundings at
  /// f32's speed.
  virtual bool native(DType dtype) const = 0;
  /// y (M, N) = op(a) (M, K) * op(b) (K, N) + bias (N). op transposes where asked: a is then stored (K, M), b
  /// (N, K). bias.data may be null.
  virtual void matmul(ConstArray a, bool transpose_a, ConstArray b, bool transpose_b, ConstArray bias,
                      Array y) = 0;
  /// All products of a batch, of the matrices at those places; nothing else of y is written. y's column_step
  /// is 1, and its matrices do not overlap. Not of bf16.
  virtual void batched(const BatchedSizes& sizes, ConstArray a, const MatrixPlaces& a_at, ConstArray b,
                       const MatrixPlaces& b_at, Array y, const MatrixPlaces& y_at) = 0;
};

/// Sizes of a convolution: x (batch, height, width, in_channels), w (out_channels, kernel_h, kernel_w,
/// in_channels), y (batch, out_height(), out_width(), out_channels).
struct ConvolutionSizes {
  std::int64_t batch, height, width, in_channels, out_channels;
  std::int64_t kernel_h, kernel_w;
  std::int64_t stride_h = 1, stride_w = 1;
  std::int64_t pad_h = 0, pad_w = 0;

  std::int64_t out_height() const { return (height + 2 * pad_h - kernel_h) / stride_h + 1; }
  std::int64_t out_width() const { return (width + 2 * pad_w - kernel_w) / stride_w + 1; }
  auto operator<=>(const ConvolutionSizes&) const = default;
};

class ConvolutionKernels {
 public:
  virtual ~ConvolutionKernels() = default;
  virtual std::string implementation() const = 0;
  /// As of MatmulKernels.
  virtual bool native(DType dtype) const = 0;
  /// y = x * w + bias (out_channels).
  virtual void forward(const ConvolutionSizes& sizes, ConstArray x, ConstArray w, ConstArray bias,
                       Array y) = 0;
  virtual void backward_data(const ConvolutionSizes& sizes, ConstArray dy, ConstArray w, Array dx) = 0;
  /// dw and dbias are f32 beside bf16 operands.
  virtual void backward_weights(const ConvolutionSizes& sizes, ConstArray x, ConstArray dy, Array dw,
                                Array dbias) = 0;
};

/// A square pooling window over x (batch, height, width, channels).
struct PoolSizes {
  std::int64_t batch, height, width, channels;
  std::int64_t kernel, stride;

  std::int64_t out_height() const { return (height - kernel) / stride + 1; }
  std::int64_t out_width() const { return (width - kernel) / stride + 1; }
};

class ActivationKernels {
 public:
  virtual ~ActivationKernels() = default;
  virtual std::string implementation() const = 0;
  /// y = f(x), any shape.
  virtual void forward(const ActivationHandle& activation, ConstArray x, Array y) = 0;
  /// dx = dy * f'; `kept` is x or y as info().backward_reads says (unread for Reads::nothing).
  virtual void backward(const ActivationHandle& activation, ConstArray kept, ConstArray dy, Array dx) = 0;
  /// The same with trained values of the learnable parameter, f32 (f64 where x is): one, or one for each
  /// place of the last dimension. dlearned = dy * dparameter(x), of their type and not summed. Throws Error
  /// where there is no learnable parameter and, forward, for a value outside its range: on a device at the
  /// next wait.
  virtual void learned_forward(const ActivationHandle& activation, ConstArray learned, ConstArray x,
                               Array y) = 0;
  virtual void learned_backward(const ActivationHandle& activation, ConstArray learned, ConstArray x,
                                ConstArray dy, Array dx, Array dlearned) = 0;
  /// x (rows, 2 * columns) = gate | up: y (rows, columns) = f(gate) * up. Throws Error where there is no
  /// gated form.
  virtual void gate(const ActivationHandle& activation, ConstArray x, Array y) = 0;
  virtual void gate_backward(const ActivationHandle& activation, ConstArray x, ConstArray dy, Array dx) = 0;
  /// y, argmax = PoolKernels::max_forward of f(x), for windows side by side (stride = kernel), without f(x)
  /// in memory.
  virtual void max_pool(const ActivationHandle& activation, const PoolSizes& sizes, ConstArray x, Array y,
                        Array argmax) = 0;
  /// dx = 0 but dy * f' at the places that won; `kept` is x or the pooled y, as info().backward_reads says.
  virtual void max_pool_backward(const ActivationHandle& activation, const PoolSizes& sizes, ConstArray kept,
                                 ConstArray dy, ConstArray argmax, Array dx) = 0;
};

class PoolKernels {
 public:
  virtual ~PoolKernels() = default;
  /// y = the largest of each window; argmax (u8) = its place in the window, row by row. The first of equals
  /// wins, a NaN wins over numbers. kernel * kernel <= 256.
  virtual void max_forward(const PoolSizes& sizes, ConstArray x, Array y, Array argmax) = 0;
  /// dx = 0 but dy at the places that won; where windows overlap the sums run in the order of the windows.
  virtual void max_backward(const PoolSizes& sizes, ConstArray dy, ConstArray argmax, Array dx) = 0;
  /// y = the mean of each window.
  virtual void average_forward(const PoolSizes& sizes, ConstArray x, Array y) = 0;
  /// dx = dy / kernel^2, summed over the windows that hold the place, in their order.
  virtual void average_backward(const PoolSizes& sizes, ConstArray dy, Array dx) = 0;
};

/// How an image is seen: pixel (y, x) shows the source's (y + down, x + right), x counted from the right
/// where `flipped` is 1, else 0; beyond the source's edges it is 0.
struct ImageView {
  std::int32_t image = 0, down = 0, right = 0, flipped = 0;
};

class ImageKernels {
 public:
  virtual ~ImageKernels() = default;
  /// y (n, height, width, channels), f32: image i is views[i] of pixels (images, height, width, channels),
  /// u8; value v of channel c is seen as shades[c][v], f32 (channels, 256). A view of no image is an Error.
  virtual void view(ConstArray pixels, ConstArray shades, std::span<const ImageView> views, Array y) = 0;
};

/// Rows of matrices chosen by number. An index (i32) outside the rows is an Error that names it.
class RowKernels {
 public:
  virtual ~RowKernels() = default;
  /// y (n, columns) = x[index] (rows, columns), index (n). Any element type.
  virtual void gather(ConstArray x, ConstArray index, Array y) = 0;
  /// dx (rows, columns) = 0, and at each index the sum of its rows of dy (n, columns), in double, in order.
  virtual void scatter_add(ConstArray dy, ConstArray index, Array dx) = 0;
  /// y = x (batch, length, columns), but 0 from row lengths[b] (i32, in [0, length]) on.
  virtual void clear_padding(ConstArray x, ConstArray lengths, Array y) = 0;
};

/// Softmax of attention's scores (batch, heads, queries, keys). From key lengths[b] (i32 (batch), each in [1,
/// keys]) on, all is exactly 0, whatever stands there; lengths.data may be null: every key counts.
class AttentionKernels {
 public:
  virtual ~AttentionKernels() = default;
  /// probabilities = softmax of scale * scores over the keys, scale > 0. May be written over the scores.
  virtual void softmax(double scale, ConstArray scores, ConstArray lengths, Array probabilities) = 0;
  /// The gradient of the scores; it may be written over that of the probabilities.
  virtual void softmax_backward(double scale, ConstArray probabilities, ConstArray lengths,
                                ConstArray dprobabilities, Array dscores) = 0;
};

/// What a norm made y from: x (rows, columns), the moments of its groups, weight (columns).
struct NormInputs {
  ConstArray x;
  ConstArray moments;
  ConstArray weight;
  double epsilon;
};

struct NormGradients {
  Array x;  ///< data is null where it is not wanted
  Array weight;
  Array bias;
};

/// y = (x - mean) / sqrt(variance + epsilon) * weight + bias, the moments being those of a column (batch
/// norm: columns are channels, rows their places) or of a row (layer norm). Moments (2, groups) are the
/// means, then the biased variances; f64 on every backend, so that a mean far from 0 costs no digits. Sums
/// over rows are fixed partials of at most 4,096 rows, joined in order.
class NormKernels {
 public:
  virtual ~NormKernels() = default;
  virtual void batch_moments(ConstArray x, Array moments) = 0;
  /// mean and variance (columns), f32, move by `momentum` towards the moments, of which the variance counts
  /// `correction` times.
  virtual void move_running(ConstArray moments, double momentum, double correction, Array mean,
                            Array variance) = 0;
  virtual void batch_forward(const NormInputs& inputs, ConstArray bias, Array y) = 0;
  /// The gradient goes through the moments where they are those of the batch; else they are constants.
  virtual void batch_backward(const NormInputs& inputs, bool moments_of_batch, ConstArray dy,
                              const NormGradients& gradients) = 0;
  /// Writes the moments (2, rows) too.
  virtual void layer_forward(ConstArray x, ConstArray weight, ConstArray bias, double epsilon, Array y,
                             Array moments) = 0;
  virtual void layer_backward(const NormInputs& inputs, ConstArray dy, const NormGradients& gradients) = 0;
};

/// What cross-entropy compares a row's softmax with, and which rows count.
struct CrossEntropyOptions {
  /// Share of the wanted probability that is spread over all classes, in [0, 1); the label has the rest.
  double label_smoothing = 0;
  /// Rows with this label count for nothing; none: every label must be a class.
  std::optional<std::int32_t> ignored_label = {};
};

class LossKernels {
 public:
  virtual ~LossKernels() = default;
  /// y = softmax of each row of x (rows, columns); NaN throughout where all of a row is -inf.
  virtual void softmax(ConstArray x, Array y) = 0;
  virtual void softmax_backward(ConstArray y, ConstArray dy, Array dx) = 0;
  /// loss (scalar) = mean over the rows that count of -sum(wanted * log softmax(logits)), wanted = smoothing
  /// / columns everywhere, and 1 - smoothing more at the label; labels i32 (rows), each in [0, columns) or
  /// the ignored one. 0 where no row counts.
  virtual void cross_entropy(const CrossEntropyOptions& options, ConstArray logits, ConstArray labels,
                             Array loss) = 0;
  /// dlogits = dloss (scalar) * (softmax - wanted) / rows that count; 0 in ignored rows.
  virtual void cross_entropy_backward(const CrossEntropyOptions& options, ConstArray logits,
                                      ConstArray labels, ConstArray dloss, Array dlogits) = 0;
  /// correct (scalar, i32) = rows of logits whose first largest is at their label, i32 (rows). A row with a
  /// NaN or a label outside [0, columns) is wrong.
  virtual void count_correct(ConstArray logits, ConstArray labels, Array correct) = 0;
};

/// An array seen as (outer, axis, inner), the middle one reduced or broadcast.
struct AxisSizes {
  std::int64_t outer, axis, inner;
};

/// Element (i0, i1, i2, i3) of `sizes` lies at offset + sum of i_k * strides_k of the other array.
struct StridedSizes {
  std::array<std::int64_t, 4> sizes;
  std::array<std::int64_t, 4> strides;
  std::int64_t offset;
};

/// Sums are fixed partials of 4,096 elements, added in order: the same bits for any number of threads.
class ElementwiseKernels {
 public:
  virtual ~ElementwiseKernels() = default;
  virtual void fill(double value, Array y) = 0;
  /// y = a + b, a * b, x * factor; y may be one of the inputs. Filling and adding take bf16 too.
  virtual void add(ConstArray a, ConstArray b, Array y) = 0;
  virtual void multiply(ConstArray a, ConstArray b, Array y) = 0;
  virtual void scale(ConstArray x, double factor, Array y) = 0;
  /// y = x, but `least` where x is below it and `most` where it is above; a NaN stays.
  virtual void clamp(ConstArray x, double least, double most, Array y) = 0;
  /// y[i] = 0 with probability p in [0, 1], else x[i] / (1 - p): zero where number i of `random` is below p.
  /// The gradient is the same function of dy.
  virtual void dropout(ConstArray x, double p, const Random& random, Array y) = 0;
  /// Between f32, bf16, f16, f64; rounds to nearest even, keeps subnormals.
  virtual void cast(ConstArray x, Array y) = 0;
  /// y (outer, inner) = sum over axis of x (outer, axis, inner), in f32 where x is bf16.
  virtual void sum(const AxisSizes& sizes, ConstArray x, Array y) = 0;
  /// y (outer, inner) = largest over axis, index (i32) its place: the first of equals, a NaN wins. axis >= 1.
  virtual void max(const AxisSizes& sizes, ConstArray x, Array y, Array index) = 0;
  /// The largest |x| of any floating-point type, on the host; NaNs do not count, and no element gives 0.
  virtual double largest(ConstArray x) = 0;
  /// x (outer, axis, inner) = y (outer, inner) * factor at every place of the axis.
  virtual void broadcast(const AxisSizes& sizes, ConstArray y, double factor, Array x) = 0;
  /// dx (outer, axis, inner) = 0 but dy (outer, inner) at `index`.
  virtual void scatter_axis(const AxisSizes& sizes, ConstArray dy, ConstArray index, Array dx) = 0;
  /// y[i] = x[place of i]: transposes and slices as copies. Any element type.
  virtual void gather(const StridedSizes& sizes, ConstArray x, Array y) = 0;
  /// dx = 0 but dx[place of i] = dy[i]; the places are distinct.
  virtual void scatter(const StridedSizes& sizes, ConstArray dy, Array dx) = 0;
};

struct SgdOptions {
  double lr;
  double momentum = 0;
  bool nesterov = false;
};

/// One parameter's arrays, all of its size and type.
struct SgdArrays {
  Array w;
  ConstArray dw;
  Array velocity;           ///< unread where momentum is 0
  double weight_decay = 0;  ///< its own: biases may have none
};

struct AdamWOptions {
  double lr;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  std::int64_t step = 1;  ///< the number of this update, from 1
};

/// One parameter's arrays, all of its size and type.
struct AdamWArrays {
  Array w;
  ConstArray dw;
  Array first;  ///< moments, 0 before the first update
  Array second;
  double weight_decay = 0;
};

class OptimizerKernels {
 public:
  virtual ~OptimizerKernels() = default;
  /// g = dw + weight_decay * w; v = momentum * v + g; w -= lr * (nesterov ? g + momentum * v : v).
  virtual void sgd(const SgdOptions& options, std::span<const SgdArrays> parameters) = 0;
  /// m = beta1 * m + (1 - beta1) * dw; v = beta2 * v + (1 - beta2) * dw^2; w -= lr * weight_decay * w + lr *
  /// m' / (sqrt(v') + eps), where m' = m / (1 - beta1^step), v' = v / (1 - beta2^step). A v beyond the type's
  /// range stays at its end, so that it can fall again.
  virtual void adamw(const AdamWOptions& options, std::span<const AdamWArrays> parameters) = 0;
  /// norms[i] (on the host) = Euclidean norm of arrays[i]: finite where all elements are, but for f64 beyond
  /// its range. The same bits for any number of threads.
  virtual void norms(std::span<const ConstArray> arrays, std::span<double> norms) = 0;
};

struct Backend {
  std::string name;
  Memory& memory;
  MatmulKernels& matmul;
  ConvolutionKernels& convolution;
  ActivationKernels& activation;
  PoolKernels& pool;
  ImageKernels& images;
  RowKernels& rows;
  AttentionKernels& attention;
  NormKernels& norm;
  LossKernels& loss;
  ElementwiseKernels& elementwise;
  OptimizerKernels& optimizer;
};

/// How matmul and convolution multiply: by the instructions of their type; bf16 by those of f32, on any CPU;
/// f32 on CUDA devices by cuBLASLt and cuDNN as TF32, whose factors have 11 bits.
enum class Multiplication { native, by_f32, tf32 };

/// The backend of a device name ("cpu", "reference", "cuda", "cuda:1"); `gemm` chooses the CPU's matmul and
/// convolution: "auto" (oneDNN, else OpenBLAS, else reference), "onednn", "openblas", "reference"; or the
/// convolution of CUDA devices: "auto" (actlab's own), "cudnn". Throws ConfigError for what is not built in
/// or is another device's, with what there is.
Backend& find_backend(std::string_view device, std::string_view gemm = "auto",
                      Multiplication multiplication = Multiplication::native);

/// What "auto" stands for here: "cuda" where this build has CUDA and the machine a device for it, else "cpu",
/// and why.
struct DeviceChoice {
  std::string device;
  std::string reason;
};
DeviceChoice best_device();

std::vector<std::string> device_names();
/// Those of the CPU that this build has; the first is what "auto" takes.
std::vector<std::string> gemm_names();
/// Those of CUDA devices beside "auto" that this build has.
std::vector<std::string> cuda_gemm_names();
/// "cuBLASLt 13.1.0" and "cuDNN 9.19.0", or why there is none after "no: "; they ask no device.
std::string cublaslt_version();
std::string cudnn_version();

}  // namespace actlab
