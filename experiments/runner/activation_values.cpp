// Runs forward and backward on host arrays of any element type.
#include "experiments/runner/activation_values.h"

namespace actlab {
namespace {

// A host array of one element type, filled from and read as double; each conversion rounds once.
class HostArray {
 public:
  HostArray(DType dtype, std::int64_t count)
      : bytes_(static_cast<std::size_t>(count) * size_of(dtype)), array_{bytes_.data(), dtype, {count}} {}
  HostArray(DType dtype, const std::vector<double>& values)
      : HostArray(dtype, static_cast<std::int64_t>(values.size())) {
    convert({values.data(), DType::f64, array_.shape}, array_);
  }
  HostArray(const HostArray&) = delete;
  HostArray& operator=(const HostArray&) = delete;

  Array array() const { return array_; }
  std::vector<double> values() const {
    std::vector<double> out(static_cast<std::size_t>(array_.count()));
    convert(array_, {out.data(), DType::f64, array_.shape});
    return out;
  }

 private:
  static void convert(ConstArray from, Array to) { find_backend("reference").elementwise.cast(from, to); }

  std::vector<std::byte> bytes_;
  Array array_;
};

}  // namespace

ActivationHandle without_observing(const ActivationHandle& activation) {
  if (!activation.observes()) return activation;
  return activation.for_data(activation.type().observed()->value);
}

ActivationValues activation_values(ActivationKernels& kernels, const ActivationHandle& activation,
                                   DType dtype, const std::vector<double>& points) {
  const auto count = static_cast<std::int64_t>(points.size());
  const HostArray x(dtype, points), one(dtype, std::vector<double>(points.size(), 1.0)), y(dtype, count),
      dx(dtype, count);
  kernels.forward(activation, x.array(), y.array());
  const bool reads_output = activation.info().backward_reads == Reads::output;
  kernels.backward(activation, reads_output ? y.array() : x.array(), one.array(), dx.array());
  ActivationValues values{x.values(), y.values(), dx.values(), {}};
  if (activation.type().learnable() == nullptr) return values;
  const DType trained = dtype == DType::f64 ? DType::f64 : DType::f32;
  const HostArray learned(trained, std::vector<double>{activation.start()}), dparameter(trained, count);
  kernels.learned_backward(activation, learned.array(), x.array(), one.array(), dx.array(),
                           dparameter.array());
  values.dparameter = dparameter.values();
  return values;
}

}  // namespace actlab
