// The activation family on a CUDA device: picks an activation's launches for the element type.
#include "kernels/cuda/activation_table.h"
#include "kernels/cuda/families.h"
#include "kernels/cuda/learned.h"
#include "kernels/cuda/runtime.h"

namespace actlab {
namespace {

class CudaActivation final : public ActivationKernels {
 public:
  std::string implementation() const override {
    const cuda::Device& device = cuda::device();
    return concat("actlab CUDA ", device.major, ".", device.minor, ", ", device.name, ", driver ",
                  device.driver / 1000, ".", device.driver / 10 % 100);
  }

  void forward(const ActivationHandle& activation, ConstArray x, Array y) override {
    launches(activation, y.dtype).forward(activation.values(), data(x, y.dtype), y.data, y.count());
  }

  void backward(const ActivationHandle& activation, ConstArray kept, ConstArray dy, Array dx) override {
    const void* upstream = data(dy, dx.dtype);
    launches(activation, dx.dtype)
        .backward(activation.values(), kept_data(activation, kept, dy), upstream, dx.data, dx.count());
  }

  void learned_forward(const ActivationHandle& activation, ConstArray learned, ConstArray x,
                       Array y) override {
    const CudaActivationLaunches& launches = learnable_launches(activation, y.dtype);
    cuda::check_learned(activation, learned);
    launches.learned_forward(activation.values(), learned.as<float>(), learned.count(), data(x, y.dtype),
                             y.data, y.count());
  }

  void learned_backward(const ActivationHandle& activation, ConstArray learned, ConstArray x, ConstArray dy,
                        Array dx, Array dlearned) override {
    learnable_launches(activation, dx.dtype)
        .learned_backward(activation.values(), learned.as<float>(), learned.count(), data(x, dx.dtype),
                          data(dy, dx.dtype), dx.data, dlearned.as<float>(), dx.count());
  }

  void gate(const ActivationHandle& activation, ConstArray x, Array y) override {
    const std::int64_t columns = y.shape[-1], rows = columns == 0 ? 0 : y.count() / columns;
    gated_launches(activation, y.dtype).gate(activation.values(), data(x, y.dtype), y.data, rows, columns);
  }

  void gate_backward(const ActivationHandle& activation, ConstArray x, ConstArray dy, Array dx) override {
    const std::int64_t columns = dy.shape[-1], rows = columns == 0 ? 0 : dy.count() / columns;
    gated_launches(activation, dx.dtype)
        .gate_backward(activation.values(), data(x, dx.dtype), data(dy, dx.dtype), dx.data, rows, columns);
  }

  void max_pool(const ActivationHandle& activation, const PoolSizes& sizes, ConstArray x, Array y,
                Array argmax) override {
    check_windows(sizes);
    launches(activation, y.dtype)
        .max_pool(activation.values(), sizes, data(x, y.dtype), y.data, argmax.as<std::uint8_t>());
  }

  void max_pool_backward(const ActivationHandle& activation, const PoolSizes& sizes, ConstArray kept,
                         ConstArray dy, ConstArray argmax, Array dx) override {
    check_windows(sizes);
    const void* upstream = data(dy, dx.dtype);
    // The kernel writes what the windows cover.
    if (sizes.height % sizes.kernel != 0 || sizes.width % sizes.kernel != 0)
      cuda::check(cudaMemsetAsync(dx.data, 0, static_cast<std::size_t>(dx.count()) * size_of(dx.dtype),
                                  cuda::stream()),
                  "activation and max-pool");
    launches(activation, dx.dtype)
        .max_pool_backward(activation.values(), sizes, kept_data(activation, kept, dy), upstream,
                           argmax.as<std::uint8_t>(), dx.data);
  }

 private:
  static const void* data(ConstArray array, DType dtype) {
    ACTLAB_CHECK(array.dtype == dtype, "activation: arrays of ", array.dtype, " and ", dtype,
                 "; cast one of them");
    return array.data;
  }

  static const void* kept_data(const ActivationHandle& activation, ConstArray kept, ConstArray dy) {
    return activation.info().backward_reads == Reads::nothing ? dy.data : data(kept, dy.dtype);
  }

  static void check_windows(const PoolSizes& sizes) {
    ACTLAB_CHECK(sizes.stride == sizes.kernel, "activation and max-pool: the stride ", sizes.stride,
                 " is not the window's side ", sizes.kernel);
  }

  static const CudaActivationLaunches& launches(const ActivationHandle& activation, DType dtype) {
    const CudaActivationTable* table = activation.type().cuda;
    ACTLAB_CHECK(table != nullptr, "activation ", activation.info().name,
                 ": this program has no CUDA kernels for it; use device = \"cpu\"");
    switch (dtype) {
      case DType::f32:
        return table->f32;
      case DType::bf16:
        return table->bf16;
      case DType::f16:
        return table->f16;
      default:
        throw Error(concat("activation ", activation.info().name,
                           ": CUDA has kernels for f32, bf16 and f16, not ", dtype,
                           "; use the reference backend for f64"));
    }
  }

  static const CudaActivationLaunches& gated_launches(const ActivationHandle& activation, DType dtype) {
    ACTLAB_CHECK(!activation.info().gated.empty(), "activation ", activation.info().name,
                 " has no gated form");
    return launches(activation, dtype);
  }

  static const CudaActivationLaunches& learnable_launches(const ActivationHandle& activation, DType dtype) {
    ACTLAB_CHECK(activation.type().learnable() != nullptr, "activation ", activation.info().name,
                 " has no learnable parameter");
    return launches(activation, dtype);
  }
};

}  // namespace

std::unique_ptr<ActivationKernels> make_cuda_activation() { return std::make_unique<CudaActivation>(); }

}  // namespace actlab
