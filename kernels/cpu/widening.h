// Matmul and convolution of bf16 where a library has no kernels for it on this CPU, or they are not wanted:
// the operands are widened to f32 in workspace, its f32 kernel runs, and a bf16 result is rounded once.
#pragma once

#include "kernels/backend.h"

namespace actlab {

class WideningMatmul : public MatmulKernels {
 public:
  /// Workspace is taken from `memory`; without `native_bf16` run_matmul() sees f32 only.
  WideningMatmul(Memory& memory, bool native_bf16) : memory_(memory), native_bf16_(native_bf16) {}
  bool native(DType dtype) const final {
    return dtype == DType::f32 || (dtype == DType::bf16 && native_bf16_);
  }
  void matmul(ConstArray a, bool transpose_a, ConstArray b, bool transpose_b, ConstArray bias, Array y) final;

 protected:
  /// matmul() of operands of a native() type, which is for it to check.
  virtual void run_matmul(ConstArray a, bool transpose_a, ConstArray b, bool transpose_b, ConstArray bias,
                          Array y) = 0;
  Memory& memory() const { return memory_; }

 private:
  Memory& memory_;
  bool native_bf16_;
};

class WideningConvolution : public ConvolutionKernels {
 public:
  /// As in WideningMatmul.
  WideningConvolution(Memory& memory, bool native_bf16) : memory_(memory), native_bf16_(native_bf16) {}
  bool native(DType dtype) const final {
    return dtype == DType::f32 || (dtype == DType::bf16 && native_bf16_);
  }
  void forward(const ConvolutionSizes& sizes, ConstArray x, ConstArray w, ConstArray bias, Array y) final;
  void backward_data(const ConvolutionSizes& sizes, ConstArray dy, ConstArray w, Array dx) final;
  void backward_weights(const ConvolutionSizes& sizes, ConstArray x, ConstArray dy, Array dw,
                        Array dbias) final;

 protected:
  /// The passes of operands of a native() type, which is for them to check.
  virtual void run_forward(const ConvolutionSizes& sizes, ConstArray x, ConstArray w, ConstArray bias,
                           Array y) = 0;
  virtual void run_backward_data(const ConvolutionSizes& sizes, ConstArray dy, ConstArray w, Array dx) = 0;
  virtual void run_backward_weights(const ConvolutionSizes& sizes, ConstArray x, ConstArray dy, Array dw,
                                    Array dbias) = 0;
  Memory& memory() const { return memory_; }

 private:
  Memory& memory_;
  bool native_bf16_;
};

}  // namespace actlab
