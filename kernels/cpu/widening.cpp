// The way of bf16 through kernels of f32.
#include "kernels/cpu/widening.h"

#include "kernels/cpu/bfloat16.h"

namespace actlab {
namespace {

Buffer floats(Memory& memory, std::int64_t count) {
  return {memory, count * std::int64_t{sizeof(float)}, MemoryKind::workspace};
}

// A bf16 array as f32.
class Widened {
 public:
  Widened(Memory& memory, const ConstArray& x)
      : room_(floats(memory, x.count())), array_{room_.data(), DType::f32, x.shape} {
    widen(x.as<BFloat16>(), x.count(), static_cast<float*>(room_.data()));
  }
  operator ConstArray() const { return array_; }

 private:
  Buffer room_;
  ConstArray array_;
};

// Where an f32 kernel writes a result: its own place, or workspace that store() rounds into it.
class Result {
 public:
  Result(Memory& memory, const Array& y) : y_(y) {
    if (y.dtype == DType::bf16) room_ = floats(memory, y.count());
  }
  operator Array() const { return y_.dtype == DType::bf16 ? Array{room_.data(), DType::f32, y_.shape} : y_; }
  void store() const {
    if (y_.dtype == DType::bf16)
      narrow(static_cast<const float*>(room_.data()), y_.count(), y_.as<BFloat16>());
  }

 private:
  Array y_;
  Buffer room_;
};

void check_types(std::string_view operation, DType a, DType b, DType result) {
  ACTLAB_CHECK(a == b && (result == a || (a == DType::bf16 && result == DType::f32)), operation,
               ": operands of ", a, " and ", b, " and a result of ", result,
               "; operands of one type, and a result of it or, beside bf16, of f32 are needed");
}

}  // namespace

void WideningMatmul::matmul(ConstArray a, bool transpose_a, ConstArray b, bool transpose_b, ConstArray bias,
                            Array y) {
  check_types("matmul", a.dtype, b.dtype, y.dtype);
  // A product over nothing is its bias, and that is f32.
  if (a.dtype != DType::bf16 || (native(DType::bf16) && a.count() > 0))
    return run_matmul(a, transpose_a, b, transpose_b, bias, y);
  const Result result(memory_, y);
  run_matmul(Widened(memory_, a), transpose_a, Widened(memory_, b), transpose_b, bias, result);
  result.store();
}

void WideningConvolution::forward(const ConvolutionSizes& sizes, ConstArray x, ConstArray w, ConstArray bias,
                                  Array y) {
  check_types("convolution", x.dtype, w.dtype, y.dtype);
  if (x.dtype != DType::bf16 || native(DType::bf16)) return run_forward(sizes, x, w, bias, y);
  const Result result(memory_, y);
  run_forward(sizes, Widened(memory_, x), Widened(memory_, w), bias, result);
  result.store();
}

void WideningConvolution::backward_data(const ConvolutionSizes& sizes, ConstArray dy, ConstArray w,
                                        Array dx) {
  check_types("convolution", dy.dtype, w.dtype, dx.dtype);
  if (dy.dtype != DType::bf16 || native(DType::bf16)) return run_backward_data(sizes, dy, w, dx);
  const Result result(memory_, dx);
  run_backward_data(sizes, Widened(memory_, dy), Widened(memory_, w), result);
  result.store();
}

void WideningConvolution::backward_weights(const ConvolutionSizes& sizes, ConstArray x, ConstArray dy,
                                           Array dw, Array dbias) {
  check_types("convolution", x.dtype, dy.dtype, dw.dtype);
  if (x.dtype != DType::bf16 || native(DType::bf16)) return run_backward_weights(sizes, x, dy, dw, dbias);
  run_backward_weights(sizes, Widened(memory_, x), Widened(memory_, dy), dw, dbias);
}

}  // namespace actlab
