// Convolution by cuDNN 9, by its calls with descriptors: images NHWC, filters OHWI ("KRSC"), operands and
// result of one type. Of its algorithms only those that are plain sums of products, which cuDNN has for this
// layout, and that it calls deterministic: no Winograd and no Fourier transforms, whose sums round otherwise.
#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <ostream>
#include <span>

#include "kernels/cuda/axis.h"
#include "kernels/cuda/bias.h"
#include "kernels/cuda/cudnn/descriptors.h"
#include "kernels/cuda/cudnn/families.h"
#include "kernels/cuda/families.h"
#include "kernels/cuda/loaded_library.h"
#include "kernels/cuda/operands.h"
#include "kernels/cuda/runtime.h"

namespace actlab {
namespace cudnn {
namespace {

/// Problems whose plans are kept.
constexpr std::size_t most_plans = 1024;

enum class Pass { forward, backward_data, backward_weights };

struct Problem {
  Pass pass;
  ConvolutionSizes sizes;
  DType dtype;           ///< of operands and result
  cudnnMathType_t math;  ///< how f32 or halves are multiplied; sums are f32
  auto operator<=>(const Problem&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Problem& p) {
  static constexpr const char* names[] = {"forward", "backward by data", "backward by weights"};
  const ConvolutionSizes& s = p.sizes;
  return out << "convolution " << names[static_cast<int>(p.pass)] << " of x "
             << Shape{s.batch, s.height, s.width, s.in_channels} << ", w "
             << Shape{s.out_channels, s.kernel_h, s.kernel_w, s.in_channels} << ", stride "
             << Shape{s.stride_h, s.stride_w} << ", padding " << Shape{s.pad_h, s.pad_w} << ", " << p.dtype;
}

/// What cuDNN needs for a problem, its choice of an algorithm among it.
struct Plan {
  Tensor x = create<Tensor>(library().create_tensor), y = create<Tensor>(library().create_tensor);
  Filter w = create<Filter>(library().create_filter);
  Convolution how = create<Convolution>(library().create_convolution);
  std::size_t workspace = 0;  ///< bytes
  /// Enqueues the pass; the operands are x and w, w and dy, or x and dy.
  std::function<cudnnStatus_t(const void* first, const void* second, void* workspace, void* result)> run;
};

// Chooses an algorithm among `allowed`. A pass is three functions that take the descriptors in one order: the
// first that lists algorithms, best first, says what the others are given.
template <class Listed, class List, class Measure, class Run, class First, class Second, class Result>
void choose(Plan& plan, cudnnHandle_t handle, const Problem& problem, const List& list,
            const Measure& measure, const Run& run, std::initializer_list<decltype(Listed::algo)> allowed,
            First first, Second second, Result result) {
  std::array<Listed, 32> all{};
  int found = 0;
  const cudnnConvolutionDescriptor_t how = plan.how.get();
  check(list(handle, first, second, how, result, static_cast<int>(all.size()), &found, all.data()), problem);
  const auto fits = [&](const Listed& one) {
    return one.status == CUDNN_STATUS_SUCCESS && one.determinism == CUDNN_DETERMINISTIC &&
           one.mathType != CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION &&
           std::find(allowed.begin(), allowed.end(), one.algo) != allowed.end();
  };
  const auto end = all.begin() + found, chosen = std::find_if(all.begin(), end, fits);
  ACTLAB_CHECK(chosen != end, problem,
               ": cuDNN has no deterministic algorithm for it; gemm = \"auto\" computes it another way");
  // An algorithm is run by the arithmetic that it is listed with; of f32 that is not to be TF32's.
  if (problem.math != CUDNN_FMA_MATH) check(library().set_math(how, chosen->mathType), problem);
  const auto algorithm = chosen->algo;
  check(measure(handle, first, second, how, result, algorithm, &plan.workspace), problem);
  plan.run = [=, bytes = plan.workspace](const void* a, const void* b, void* workspace, void* y) {
    const float one = 1, zero = 0;
    return run(handle, &one, first, a, second, b, how, algorithm, workspace, bytes, &zero, result, y);
  };
}

Plan make_plan(cudnnHandle_t handle, const Problem& problem) {
  const auto size = [&](std::int64_t value) {
    ACTLAB_CHECK(value <= std::numeric_limits<int>::max(), problem, ": cuDNN counts by 32 bits, not to ",
                 value);
    return static_cast<int>(value);
  };
  const Library& cudnn = library();
  const ConvolutionSizes& s = problem.sizes;
  const cudnnDataType_t type = type_of(problem.dtype);
  Plan plan;
  const auto image = [&](const Tensor& tensor, std::int64_t channels, std::int64_t height,
                         std::int64_t width) {
    check(cudnn.set_tensor(tensor.get(), CUDNN_TENSOR_NHWC, type, size(s.batch), size(channels), size(height),
                           size(width)),
          problem);
  };
  image(plan.x, s.in_channels, s.height, s.width);
  image(plan.y, s.out_channels, s.out_height(), s.out_width());
  check(cudnn.set_filter(plan.w.get(), type, CUDNN_TENSOR_NHWC, size(s.out_channels), size(s.in_channels),
                         size(s.kernel_h), size(s.kernel_w)),
        problem);
  check(cudnn.set_convolution(plan.how.get(), size(s.pad_h), size(s.pad_w), size(s.stride_h),
                              size(s.stride_w), 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT),
        problem);
  check(cudnn.set_math(plan.how.get(), problem.math), problem);
  const auto x = plan.x.get(), y = plan.y.get();
  const auto w = plan.w.get();
  switch (problem.pass) {
    case Pass::forward:
      choose<cudnnConvolutionFwdAlgoPerf_t>(
          plan, handle, problem, cudnn.forward_algorithms, cudnn.forward_workspace, cudnn.forward,
          {CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM}, x, w,
          y);
      break;
    case Pass::backward_data:
      choose<cudnnConvolutionBwdDataAlgoPerf_t>(plan, handle, problem, cudnn.data_algorithms,
                                                cudnn.data_workspace, cudnn.data,
                                                {CUDNN_CONVOLUTION_BWD_DATA_ALGO_1}, w, y, x);
      break;
    case Pass::backward_weights:
      choose<cudnnConvolutionBwdFilterAlgoPerf_t>(plan, handle, problem, cudnn.weights_algorithms,
                                                  cudnn.weights_workspace, cudnn.weights,
                                                  {CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1}, x, y, w);
      break;
  }
  return plan;
}

class CudnnConvolution final : public ConvolutionKernels {
 public:
  CudnnConvolution(Memory& memory, Multiplication multiplication)
      : memory_(memory),
        math_(multiplication == Multiplication::tf32 ? CUDNN_DEFAULT_MATH : CUDNN_FMA_MATH),
        own_(make_cuda_convolution(memory)),
        elementwise_(make_cuda_elementwise(memory)) {
    library();
  }

  std::string implementation() const override {
    return loaded_cudnn() + (math_ == CUDNN_DEFAULT_MATH ? ", TF32" : "");
  }
  bool native(DType dtype) const override { return cuda::native(dtype); }

  void forward(const ConvolutionSizes& s, ConstArray x, ConstArray w, ConstArray bias, Array y) override {
    cuda::check_operands("convolution", x.dtype, w.dtype, y.dtype);
    if (x.count() == 0 || w.count() == 0) return own_->forward(s, x, w, bias, y);
    if (bias.data == nullptr) return run(Pass::forward, s, x, w, y);
    const Buffer room = room_for_floats(y.dtype == DType::f32 ? 0 : y.count());
    const Array sums{y.dtype == DType::f32 ? y.data : room.data(), DType::f32, y.shape};
    run(Pass::forward, s, x, w, sums);
    cuda::add_bias(sums, bias, y);
  }

  void backward_data(const ConvolutionSizes& s, ConstArray dy, ConstArray w, Array dx) override {
    cuda::check_operands("convolution", dy.dtype, w.dtype, dx.dtype);
    if (dy.count() == 0 || w.count() == 0) return own_->backward_data(s, dy, w, dx);
    run(Pass::backward_data, s, dy, w, dx);
  }

  void backward_weights(const ConvolutionSizes& s, ConstArray x, ConstArray dy, Array dw,
                        Array dbias) override {
    cuda::check_operands("convolution", x.dtype, dy.dtype, dw.dtype);
    if (x.count() == 0 || dy.count() == 0) return own_->backward_weights(s, x, dy, dw, dbias);
    run(Pass::backward_weights, s, x, dy, dw);
    if (dbias.data != nullptr)
      cuda::sum_axis(memory_, {1, s.batch * s.out_height() * s.out_width(), s.out_channels}, dy, dbias);
  }

 private:
  // cuDNN's result is of its operands' type. Sums of products of halves that are wanted in f32 are those of
  // the same numbers in f32: a half is a TF32 number too, so that tensor cores multiply it exactly.
  void run(Pass pass, const ConvolutionSizes& s, const ConstArray& a, const ConstArray& b,
           const Array& result) {
    if (a.dtype == DType::f32) return call({pass, s, DType::f32, math_}, a.data, b.data, result.data);
    const bool halves = result.dtype == a.dtype;
    if (halves && cuda::native(a.dtype))
      return call({pass, s, a.dtype, CUDNN_TENSOR_OP_MATH}, a.data, b.data, result.data);
    const Buffer wide_a = widened(a), wide_b = widened(b),
                 room = room_for_floats(halves ? result.count() : 0);
    const Array sums{halves ? room.data() : result.data, DType::f32, result.shape};
    call({pass, s, DType::f32, CUDNN_DEFAULT_MATH}, wide_a.data(), wide_b.data(), sums.data);
    if (halves) elementwise_->cast(sums, result);
  }

  void call(const Problem& problem, const void* a, const void* b, void* result) {
    const std::lock_guard lock(mutex_);
    const Plan& plan = plan_for(problem);
    const Buffer workspace(memory_, static_cast<std::int64_t>(plan.workspace), MemoryKind::workspace);
    // Backward by data takes its filters first.
    if (problem.pass == Pass::backward_data) std::swap(a, b);
    check(plan.run(a, b, workspace.data(), result), problem);
    cuda::check_launch(cudaSuccess, "convolution");
  }

  const Plan& plan_for(const Problem& problem) {
    if (handle_ == nullptr) {
      cuda::stream();  // the device is in use before cuDNN takes it
      handle_ = create<Handle>(library().create);
      check(library().set_stream(handle_.get(), cuda::stream()), "convolution");
    }
    if (const auto at = plans_.find(problem); at != plans_.end()) return at->second;
    if (plans_.size() == most_plans) plans_.clear();
    return plans_.emplace(problem, make_plan(handle_.get(), problem)).first->second;
  }

  Buffer room_for_floats(std::int64_t count) {
    return {memory_, count * std::int64_t{sizeof(float)}, MemoryKind::workspace};
  }
  Buffer widened(const ConstArray& x) {
    Buffer wide = room_for_floats(x.count());
    elementwise_->cast(x, {wide.data(), DType::f32, x.shape});
    return wide;
  }

  Memory& memory_;
  cudnnMathType_t math_;                     ///< of f32
  std::unique_ptr<ConvolutionKernels> own_;  ///< for what has no elements
  std::unique_ptr<ElementwiseKernels> elementwise_;
  std::mutex mutex_;  ///< of all below; a handle is one thread's at a time
  Handle handle_;
  std::map<Problem, Plan> plans_;
};

}  // namespace
}  // namespace cudnn

std::unique_ptr<ConvolutionKernels> make_cudnn_convolution(Memory& memory, Multiplication multiplication) {
  return std::make_unique<cudnn::CudnnConvolution>(memory, multiplication);
}

std::string loaded_cudnn() {
  return cuda::version_text("cuDNN", [] { return cudnn::library().version(); });
}

}  // namespace actlab
