// Every differentiable operation, one a source file with forward and backward side by side. Operations check
// shapes, types and backends, return new tensors and never write to their inputs. Sums of bf16 and f16 are
// f32 and rounded once.
#pragma once

#include <cstdint>
#include <optional>

#include "framework/core/tensor.h"
#include "kernels/activation.h"
#include "kernels/random.h"

namespace actlab {

/// f(x), any shape. A gated handle is refused: use gate(); a learned one too: give its parameter. Here and
/// below, an activation that observes takes its parameter from x: its largest |x|.
Tensor activate(const Tensor& x, const ActivationHandle& activation);
/// f(x) with trained values in place of the activation's learnable parameter: 1 for all of x (..., C), or C.
/// They are of x's type, f32 beside 16-bit ones, and lie in the parameter's range.
Tensor activate(const Tensor& x, const ActivationHandle& activation, const Tensor& parameter);
/// x (..., 2 * d) is gate | up, the gate first: f(gate) * up, (..., d).
Tensor gate(const Tensor& x, const ActivationHandle& activation);

/// a + b, a * b of equal shapes; x * factor.
Tensor add(const Tensor& a, const Tensor& b);
Tensor multiply(const Tensor& a, const Tensor& b);
Tensor scale(const Tensor& x, double factor);

/// Sum and maximum over one dimension (negative: from the last), which is dropped; sum over all gives a
/// scalar. The gradient of max goes to the first of equals.
Tensor sum(const Tensor& x);
Tensor sum(const Tensor& x, int dimension);
Tensor max(const Tensor& x, int dimension);

/// Copies: dimensions in another order; elements begin, begin + step, ... below end of one dimension.
Tensor transpose(const Tensor& x, int dimension_a, int dimension_b);
Tensor slice(const Tensor& x, int dimension, std::int64_t begin, std::int64_t end, std::int64_t step = 1);
/// Another floating-point type, rounded to nearest even; x itself where it has that type.
Tensor cast(const Tensor& x, DType dtype);

/// a (M, K) times b (K, N).
Tensor matmul(const Tensor& a, const Tensor& b);
/// x (..., in) times the transpose of w (out, in), plus b (out): (..., out).
///
/// Here, in activate_linear and in conv2d w and b are f32 beside x of bf16: w is rounded to bf16 for the
/// products of both passes, dy for those of backward; the gradients of w and b are f32 sums that are not
/// rounded further. `result` is the type of the result: x's without it, f32 if wanted beside bf16.
Tensor linear(const Tensor& x, const Tensor& w, const Tensor& b, std::optional<DType> result = {});
/// linear(activate(x), w, b), or linear(gate(x), w, b) where the activation is gated: the same bits, but
/// backward keeps the pre-activation alone and computes f(x) again; f(x) alone where f' is a function of it.
Tensor activate_linear(const Tensor& x, const ActivationHandle& activation, const Tensor& w, const Tensor& b,
                       std::optional<DType> result = {});

/// Rows of x (rows, d) by number, i32 (M) in [0, rows): (M, d).
Tensor gather_rows(const Tensor& x, const Tensor& places);
/// The row of the table (V, d) for each token, i32 (...) in [0, V): (..., d).
Tensor embedding(const Tensor& table, const Tensor& tokens);
/// x (N, shape of a) + a at each of the N.
Tensor add_to_each(const Tensor& x, const Tensor& a);
/// x (B, L, d), but 0 from row lengths[b], i32 (B), on.
Tensor clear_padding(const Tensor& x, const Tensor& lengths);
/// y[b, i, :] = sum over j of w[i, j] * x[b, j, :]: x (B, L, d), w (L, L).
Tensor mix_window(const Tensor& x, const Tensor& w);
/// Scaled dot-product attention of each head over its part of qkv (B, L, 3 * d) = queries | keys | values:
/// softmax(q k^T / sqrt(d / heads)) v, (B, L, d). Keys from lengths[b], i32 (B), on have probability 0;
/// undefined lengths: every key counts. Keeps qkv and the probabilities (B, heads, L, L). Vaswani et al.
/// 2017, arXiv:1706.03762.
Tensor attention(const Tensor& qkv, std::int64_t heads, const Tensor& lengths);

struct Conv2dOptions {
  std::int64_t stride_h = 1, stride_w = 1;
  std::int64_t pad_h = 0, pad_w = 0;
};

/// x (N, H, W, C), w (out, kernel_h, kernel_w, C), b (out): (N, H', W', out), H' = (H + 2 pad - kernel) /
/// stride + 1.
Tensor conv2d(const Tensor& x, const Tensor& w, const Tensor& b, const Conv2dOptions& options,
              std::optional<DType> result = {});
/// Largest of each kernel x kernel window of x (N, H, W, C); ties go to the first.
Tensor max_pool2d(const Tensor& x, std::int64_t kernel, std::int64_t stride);
/// max_pool2d(activate(x, activation), kernel, kernel) in one pass: the same values, but f(x) never lies in
/// memory and backward keeps x only where f' needs it.
Tensor activate_max_pool2d(const Tensor& x, const ActivationHandle& activation, std::int64_t kernel);
/// Mean of each kernel x kernel window of x (N, H, W, C).
Tensor avg_pool2d(const Tensor& x, std::int64_t kernel, std::int64_t stride);

/// Means, then biased variances of the channels of x (..., C): (2, C), f64, outside the graph. At least two
/// values a channel.
Tensor batch_moments(const Tensor& x);
/// Whether batch_norm's moments are functions of its x, as in training, or constants.
enum class Moments : std::uint8_t { of_batch, constant };
/// (x - mean) / sqrt(variance + epsilon) * weight + bias for each channel of x (..., C); moments (2, C), f64.
/// Ioffe and Szegedy 2015, arXiv:1502.03167.
Tensor batch_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, const Tensor& moments,
                  Moments kind, double epsilon);
/// The same with the moments of each row of the last dimension. Ba, Kiros and Hinton 2016, arXiv:1607.06450.
Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double epsilon);

/// Zero with probability p in [0, 1], else x / (1 - p); `random` decides, and decides the same in backward,
/// so that nothing is saved. x itself where p = 0. Srivastava et al. 2014.
Tensor dropout(const Tensor& x, double p, const Random& random);
/// (N, ...) to (N, rest).
Tensor flatten(const Tensor& x);

/// Softmax over the last dimension; NaN where all of a row is -inf.
Tensor softmax(const Tensor& x);
/// Mean over rows of -log softmax(logits)[label]: logits (N, classes), labels i32 (N); a scalar. The options
/// smooth the labels and name one whose rows count for nothing; the mean of no rows is 0, with gradients of
/// 0.
Tensor cross_entropy(const Tensor& logits, const Tensor& labels, const CrossEntropyOptions& options = {});
/// Rows of logits (N, classes) whose first largest is at their label, i32 (N); a row with a NaN counts as
/// wrong. An i32 scalar outside the graph.
Tensor count_correct(const Tensor& logits, const Tensor& labels);

}  // namespace actlab
