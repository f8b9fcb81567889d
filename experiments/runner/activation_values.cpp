// Runs forward and backward on arrays of any element type.
#include "experiments/runner/activation_values.h"

namespace actlab {
namespace {

// An array of one element type in the memory of kernels, filled from and read as double; each conversion
// rounds once.
class KernelArray {
 public:
  KernelArray(Memory& memory, DType dtype, std::int64_t count)
      : memory_(memory),
        bytes_(memory, count * static_cast<std::int64_t>(size_of(dtype)), MemoryKind::temporaries),
        array_{bytes_.data(), dtype, {count}} {}
  KernelArray(Memory& memory, DType dtype, const std::vector<double>& values)
      : KernelArray(memory, dtype, std::ssize(values)) {
    std::vector<std::byte> on_host(static_cast<std::size_t>(bytes_.bytes()));
    convert({values.data(), DType::f64, array_.shape}, {on_host.data(), dtype, array_.shape});
    memory.copy_from_host(bytes_.data(), on_host.data(), bytes_.bytes());
  }

  Array array() const { return array_; }
  std::vector<double> values() const {
    std::vector<std::byte> on_host(static_cast<std::size_t>(bytes_.bytes()));
    memory_.copy_to_host(on_host.data(), bytes_.data(), bytes_.bytes());
    std::vector<double> out(static_cast<std::size_t>(array_.count()));
    convert({on_host.data(), array_.dtype, array_.shape}, {out.data(), DType::f64, array_.shape});
    return out;
  }

 private:
  static void convert(ConstArray from, Array to) { find_backend("reference").elementwise.cast(from, to); }

  Memory& memory_;
  Buffer bytes_;
  Array array_;
};

}  // namespace

ActivationHandle without_observing(const ActivationHandle& activation) {
  if (!activation.observes()) return activation;
  return activation.for_data(activation.type().observed()->value);
}

ActivationValues activation_values(ActivationKernels& kernels, Memory& memory,
                                   const ActivationHandle& activation, DType dtype,
                                   const std::vector<double>& points) {
  const std::int64_t count = std::ssize(points);
  const KernelArray x(memory, dtype, points), one(memory, dtype, std::vector<double>(points.size(), 1.0)),
      y(memory, dtype, count), dx(memory, dtype, count);
  kernels.forward(activation, x.array(), y.array());
  const bool reads_output = activation.info().backward_reads == Reads::output;
  kernels.backward(activation, reads_output ? y.array() : x.array(), one.array(), dx.array());
  ActivationValues values{x.values(), y.values(), dx.values(), {}};
  if (activation.type().learnable() == nullptr) return values;
  const DType trained = dtype == DType::f64 ? DType::f64 : DType::f32;
  const KernelArray learned(memory, trained, std::vector<double>{activation.start()}),
      dparameter(memory, trained, count);
  kernels.learned_backward(activation, learned.array(), x.array(), one.array(), dx.array(),
                           dparameter.array());
  values.dparameter = dparameter.values();
  return values;
}

}  // namespace actlab
