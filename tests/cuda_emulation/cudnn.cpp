// The part of cuDNN that the library uses, in place of the loaded one: convolutions of images NHWC and
// filters OHWI of one type, whose sums are in double, in order. What cuDNN refuses, or does otherwise than
// asked, is refused here.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "kernels/cuda/cudnn/library.h"
#include "tests/cuda_emulation/device_calls.h"
#include "tests/cuda_emulation/device_memory.h"
#include "tests/cuda_emulation/elements.h"

namespace {

/// What every pass asks for, and does not use.
constexpr std::size_t workspace_bytes = 512;

/// Of a tensor (n, c, h, w) or of filters (k, c, h, w), c the last in memory.
struct Layout {
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  int n = 0, c = 0, h = 0, w = 0;

  cudaDataType_t element() const {
    return type == CUDNN_DATA_BFLOAT16 ? CUDA_R_16BF : type == CUDNN_DATA_HALF ? CUDA_R_16F : CUDA_R_32F;
  }
  std::size_t count() const { return static_cast<std::size_t>(std::int64_t{n} * h * w * c); }
  std::size_t bytes() const { return count() * (type == CUDNN_DATA_FLOAT ? 4 : 2); }
  std::size_t at(int image, int row, int column) const {
    return static_cast<std::size_t>(((std::int64_t{image} * h + row) * w + column) * c);
  }
};

struct Description {
  int pad_h = 0, pad_w = 0, stride_h = 0, stride_w = 0;
  cudnnMathType_t math = CUDNN_DEFAULT_MATH;
};
struct Handle {
  cudaStream_t stream = nullptr;
};

template <class T, class Opaque>
T& object(Opaque handle) {
  return *reinterpret_cast<T*>(handle);
}
template <class T, class Opaque>
cudnnStatus_t create(Opaque* handle) {
  *handle = reinterpret_cast<Opaque>(new T);
  return CUDNN_STATUS_SUCCESS;
}
template <class T, class Opaque>
cudnnStatus_t destroy(Opaque handle) {
  delete reinterpret_cast<T*>(handle);
  return CUDNN_STATUS_SUCCESS;
}

const char* error_string(cudnnStatus_t status) {
  return status == CUDNN_STATUS_SUCCESS     ? "CUDNN_STATUS_SUCCESS"
         : status == CUDNN_STATUS_BAD_PARAM ? "CUDNN_STATUS_BAD_PARAM"
                                            : "CUDNN_STATUS_NOT_SUPPORTED";
}
void last_error_string(char* message, std::size_t bytes) {
  if (bytes > 0) *message = '\0';
}

cudnnStatus_t set_layout(Layout& layout, cudnnTensorFormat_t format, const Layout& value) {
  if (std::min({value.n, value.c, value.h, value.w}) < 1) return CUDNN_STATUS_BAD_PARAM;
  if (format != CUDNN_TENSOR_NHWC) return CUDNN_STATUS_NOT_SUPPORTED;
  layout = value;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t set_tensor(cudnnTensorDescriptor_t tensor, cudnnTensorFormat_t format, cudnnDataType_t type,
                         int n, int c, int h, int w) {
  return set_layout(object<Layout>(tensor), format, {type, n, c, h, w});
}
cudnnStatus_t set_filter(cudnnFilterDescriptor_t filter, cudnnDataType_t type, cudnnTensorFormat_t format,
                         int k, int c, int h, int w) {
  return set_layout(object<Layout>(filter), format, {type, k, c, h, w});
}
cudnnStatus_t set_convolution(cudnnConvolutionDescriptor_t convolution, int pad_h, int pad_w, int stride_h,
                              int stride_w, int dilation_h, int dilation_w, cudnnConvolutionMode_t mode,
                              cudnnDataType_t sums) {
  if (std::min(pad_h, pad_w) < 0 || std::min({stride_h, stride_w, dilation_h, dilation_w}) < 1)
    return CUDNN_STATUS_BAD_PARAM;
  if (dilation_h != 1 || dilation_w != 1 || mode != CUDNN_CROSS_CORRELATION || sums != CUDNN_DATA_FLOAT)
    return CUDNN_STATUS_NOT_SUPPORTED;
  object<Description>(convolution) = {pad_h, pad_w, stride_h, stride_w};
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t set_math(cudnnConvolutionDescriptor_t convolution, cudnnMathType_t math) {
  object<Description>(convolution).math = math;
  return CUDNN_STATUS_SUCCESS;
}

struct Problem {
  Layout x, w, y;
  Description how;
};

/// Whether there is such a convolution, of these types.
cudnnStatus_t check(const Problem& p) {
  const auto outputs = [](int size, int pad, int kernel, int stride) {
    return (size + 2 * pad - kernel) / stride + 1;
  };
  if (p.y.h != outputs(p.x.h, p.how.pad_h, p.w.h, p.how.stride_h) ||
      p.y.w != outputs(p.x.w, p.how.pad_w, p.w.w, p.how.stride_w) || p.x.n != p.y.n || p.x.c != p.w.c ||
      p.y.c != p.w.n)
    return CUDNN_STATUS_BAD_PARAM;
  const bool types =
      p.x.type == p.w.type && p.x.type == p.y.type &&
      (p.x.type == CUDNN_DATA_FLOAT || p.x.type == CUDNN_DATA_HALF || p.x.type == CUDNN_DATA_BFLOAT16);
  return types ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_NOT_SUPPORTED;
}

/// Calls f(x's place, w's place, y's place) for every pixel of y and place of the kernel that meets x.
template <class F>
void for_each_meeting(const Problem& p, const F& f) {
  for (int image = 0; image < p.y.n; ++image)
    for (int row = 0; row < p.y.h; ++row)
      for (int column = 0; column < p.y.w; ++column)
        for (int down = 0; down < p.w.h; ++down)
          for (int across = 0; across < p.w.w; ++across) {
            const int x_row = row * p.how.stride_h - p.how.pad_h + down,
                      x_column = column * p.how.stride_w - p.how.pad_w + across;
            if (x_row < 0 || x_row >= p.x.h || x_column < 0 || x_column >= p.x.w) continue;
            f(p.x.at(image, x_row, x_column), p.w.at(0, down, across), p.y.at(image, row, column));
          }
}

/// As the products take them: f32 as TF32 where it may be.
std::vector<double> unpack(const void* array, const Layout& layout, cudnnMathType_t math) {
  std::vector<double> values(layout.count());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = emu::load(array, layout.element(), i);
    values[i] = layout.type == CUDNN_DATA_FLOAT && math != CUDNN_FMA_MATH ? emu::as_tf32(value) : value;
  }
  return values;
}

/// The passes by what they make. Their descriptors come in the order of their arguments.
struct Forward {
  using Listed = cudnnConvolutionFwdAlgoPerf_t;
  static constexpr auto good = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM;
  static constexpr auto other = CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED;
  static Problem problem(const Layout& x, const Layout& w, const Layout& y) { return {x, w, y, {}}; }
  template <class V, class S>
  static void term(const V& x, const V& w, S& y, std::size_t i, std::size_t j, std::size_t k) {
    y[k] += x[i] * w[j];
  }
};
struct BackwardData {
  using Listed = cudnnConvolutionBwdDataAlgoPerf_t;
  static constexpr auto good = CUDNN_CONVOLUTION_BWD_DATA_ALGO_1;
  static constexpr auto other = CUDNN_CONVOLUTION_BWD_DATA_ALGO_0;
  static Problem problem(const Layout& w, const Layout& y, const Layout& x) { return {x, w, y, {}}; }
  template <class V, class S>
  static void term(const V& w, const V& y, S& x, std::size_t i, std::size_t j, std::size_t k) {
    x[i] += w[j] * y[k];
  }
};
struct BackwardWeights {
  using Listed = cudnnConvolutionBwdFilterAlgoPerf_t;
  static constexpr auto good = CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1;
  static constexpr auto other = CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0;
  static Problem problem(const Layout& x, const Layout& y, const Layout& w) { return {x, w, y, {}}; }
  template <class V, class S>
  static void term(const V& x, const V& y, S& w, std::size_t i, std::size_t j, std::size_t k) {
    w[j] += x[i] * y[k];
  }
};

template <class Pass, class First, class Second, class Result>
cudnnStatus_t describe(First first, Second second, cudnnConvolutionDescriptor_t how, Result result,
                       Problem& p) {
  p = Pass::problem(object<Layout>(first), object<Layout>(second), object<Layout>(result));
  p.how = object<Description>(how);
  return check(p);
}

/// Of those that are listed the last alone is deterministic, of the types asked for, and there.
template <class Pass, class First, class Second, class Result>
cudnnStatus_t list(cudnnHandle_t, First first, Second second, cudnnConvolutionDescriptor_t how, Result result,
                   int asked, int* found, typename Pass::Listed* all) {
  Problem p;
  if (const cudnnStatus_t status = describe<Pass>(first, second, how, result, p);
      status != CUDNN_STATUS_SUCCESS)
    return status;
  if (asked < 4) return CUDNN_STATUS_NOT_SUPPORTED;
  *found = 4;
  all[0] = {Pass::other, CUDNN_STATUS_SUCCESS, 1, 0, CUDNN_NON_DETERMINISTIC, p.how.math, {}};
  all[1] = {Pass::good, CUDNN_STATUS_NOT_SUPPORTED, -1, 0, CUDNN_DETERMINISTIC, p.how.math, {}};
  all[2] = {
      Pass::good, CUDNN_STATUS_SUCCESS, 2, 0, CUDNN_DETERMINISTIC, CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION, {}};
  all[3] = {Pass::good, CUDNN_STATUS_SUCCESS, 3, workspace_bytes, CUDNN_DETERMINISTIC, p.how.math, {}};
  return CUDNN_STATUS_SUCCESS;
}

template <class Pass, class First, class Second, class Result, class Algorithm>
cudnnStatus_t measure(cudnnHandle_t, First first, Second second, cudnnConvolutionDescriptor_t how,
                      Result result, Algorithm algorithm, std::size_t* bytes) {
  Problem p;
  *bytes = workspace_bytes;
  if (algorithm != Pass::good) return CUDNN_STATUS_NOT_SUPPORTED;
  return describe<Pass>(first, second, how, result, p);
}

template <class Pass, class First, class Second, class Result, class Algorithm>
cudnnStatus_t run(cudnnHandle_t handle, const void* alpha, First first, const void* a, Second second,
                  const void* b, cudnnConvolutionDescriptor_t how, Algorithm algorithm, void* workspace,
                  std::size_t bytes, const void* beta, Result result, void* y) {
  Problem p;
  if (const cudnnStatus_t status = describe<Pass>(first, second, how, result, p);
      status != CUDNN_STATUS_SUCCESS)
    return status;
  if (p.how.math == CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION) return CUDNN_STATUS_NOT_SUPPORTED;
  if (algorithm != Pass::good || *static_cast<const float*>(alpha) != 1 ||
      *static_cast<const float*>(beta) != 0)
    return CUDNN_STATUS_NOT_SUPPORTED;
  const Layout a_layout = object<Layout>(first), b_layout = object<Layout>(second),
               y_layout = object<Layout>(result);
  const auto host = [](const void* array, std::size_t size) {
    return emu::kind_of(array, size) == emu::Kind::host;
  };
  if (bytes < workspace_bytes || host(workspace, bytes) || host(a, a_layout.bytes()) ||
      host(b, b_layout.bytes()) || host(y, y_layout.bytes()))
    return CUDNN_STATUS_BAD_PARAM;
  emu::enqueue(object<Handle>(handle).stream, [=] {
    const emu::Access access;
    const std::vector<double> left = unpack(a, a_layout, p.how.math), right = unpack(b, b_layout, p.how.math);
    std::vector<double> sums(y_layout.count());
    const auto filter = static_cast<std::size_t>(p.w.h * p.w.w * p.w.c);
    for_each_meeting(p, [&](std::size_t in, std::size_t tap, std::size_t out) {
      for (std::size_t k = 0; k < static_cast<std::size_t>(p.w.n); ++k)
        for (std::size_t c = 0; c < static_cast<std::size_t>(p.w.c); ++c)
          Pass::term(left, right, sums, in + c, k * filter + tap + c, out + k);
    });
    for (std::size_t i = 0; i < sums.size(); ++i)
      emu::store(y, y_layout.element(), i, static_cast<float>(sums[i]));
  });
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace

const actlab::cudnn::Library& actlab::cudnn::library() {
  static const Library emulated = {.version = [] { return std::size_t{CUDNN_VERSION}; },
                                   .error_string = error_string,
                                   .last_error_string = last_error_string,
                                   .create = create<Handle>,
                                   .destroy = destroy<Handle>,
                                   .set_stream =
                                       [](cudnnHandle_t handle, cudaStream_t stream) {
                                         object<Handle>(handle).stream = stream;
                                         return CUDNN_STATUS_SUCCESS;
                                       },
                                   .create_tensor = create<Layout>,
                                   .destroy_tensor = destroy<Layout>,
                                   .set_tensor = set_tensor,
                                   .create_filter = create<Layout>,
                                   .destroy_filter = destroy<Layout>,
                                   .set_filter = set_filter,
                                   .create_convolution = create<Description>,
                                   .destroy_convolution = destroy<Description>,
                                   .set_convolution = set_convolution,
                                   .set_math = set_math,
                                   .forward_algorithms = list<Forward>,
                                   .forward_workspace = measure<Forward>,
                                   .forward = run<Forward>,
                                   .data_algorithms = list<BackwardData>,
                                   .data_workspace = measure<BackwardData>,
                                   .data = run<BackwardData>,
                                   .weights_algorithms = list<BackwardWeights>,
                                   .weights_workspace = measure<BackwardWeights>,
                                   .weights = run<BackwardWeights>};
  return emulated;
}
