// The activation family of the reference backend: straight loops over the double bodies.
#include "kernels/reference/activation.h"

#include "kernels/math/half.h"

namespace actlab {
namespace {

template <class T>
double read(ConstArray array, std::int64_t i) {
  const T value = array.as<T>()[i];
  if constexpr (dtype_of<T> == DType::f64)
    return value;
  else
    return static_cast<double>(math::to_float(value));
}

template <class T>
void write(Array array, std::int64_t i, double value) {
  array.as<T>()[i] = math::from_double<T>(value);
}

// f(T{}) for the type T that dtype names.
template <class F>
void with_type(DType dtype, const F& f) {
  switch (dtype) {
    case DType::f64:
      return f(double{});
    case DType::f32:
      return f(float{});
    case DType::bf16:
      return f(BFloat16{});
    case DType::f16:
      return f(Float16{});
    default:
      throw Error(concat("activation: no kernels for ", dtype, "; there are f64, f32, bf16 and f16"));
  }
}

// Gate and up of element i of y: (rows, columns) of (rows, 2 * columns).
struct GatePlace {
  std::int64_t gate, up;

  GatePlace(std::int64_t i, std::int64_t columns)
      : gate(i / columns * 2 * columns + i % columns), up(gate + columns) {}
};

void check_gated(const ActivationHandle& activation) {
  ACTLAB_CHECK(!activation.info().gated.empty(), "activation ", activation.info().name, " has no gated form");
}

class ReferenceActivation final : public ActivationKernels {
 public:
  std::string implementation() const override { return "actlab reference"; }

  void forward(const ActivationHandle& activation, ConstArray x, Array y) override {
    with_type(y.dtype, [&]<class T>(T) {
      for (std::int64_t i = 0; i < y.count(); ++i)
        write<T>(y, i, activation.type().f(activation.values(), read<T>(x, i)));
    });
  }

  void backward(const ActivationHandle& activation, ConstArray kept, ConstArray dy, Array dx) override {
    const bool reads = activation.info().backward_reads != Reads::nothing;
    with_type(dx.dtype, [&]<class T>(T) {
      for (std::int64_t i = 0; i < dx.count(); ++i) {
        const double from = reads ? read<T>(kept, i) : 0;
        write<T>(dx, i, read<T>(dy, i) * activation.type().backward(activation.values(), from));
      }
    });
  }

  void gate(const ActivationHandle& activation, ConstArray x, Array y) override {
    check_gated(activation);
    with_type(y.dtype, [&]<class T>(T) {
      for (std::int64_t i = 0; i < y.count(); ++i) {
        const GatePlace at(i, y.shape[-1]);
        write<T>(y, i, activation.type().f(activation.values(), read<T>(x, at.gate)) * read<T>(x, at.up));
      }
    });
  }

  void gate_backward(const ActivationHandle& activation, ConstArray x, ConstArray dy, Array dx) override {
    check_gated(activation);
    const ActivationType& type = activation.type();
    const ParameterValues& values = activation.values();
    with_type(dx.dtype, [&]<class T>(T) {
      for (std::int64_t i = 0; i < dy.count(); ++i) {
        const GatePlace at(i, dy.shape[-1]);
        const double gate = read<T>(x, at.gate), upstream = read<T>(dy, i);
        write<T>(dx, at.gate, upstream * read<T>(x, at.up) * type.df(values, gate));
        write<T>(dx, at.up, upstream * type.f(values, gate));
      }
    });
  }
};

}  // namespace

std::unique_ptr<ActivationKernels> make_reference_activation() {
  return std::make_unique<ReferenceActivation>();
}

}  // namespace actlab
