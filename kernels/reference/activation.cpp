// The activation family of the reference backend: straight loops over the double bodies.
#include "kernels/reference/activation.h"

#include <cmath>
#include <type_traits>

#include "kernels/math/half.h"
#include "kernels/reference/learned.h"
#include "kernels/reference/windows.h"

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

// The type of trained parameters, and of their gradients, beside elements of type T.
template <class T>
using Trained = std::conditional_t<std::is_same_v<T, double>, double, float>;

// Calls f(i, the parameters' values of element i): `learned` has one for all, or one a place of the last
// dimension.
template <class T, class F>
void for_each_learned(const ActivationHandle& activation, ConstArray learned, std::int64_t count,
                      const F& f) {
  for (std::int64_t i = 0; i < count; ++i)
    f(i, activation.trained(read<Trained<T>>(learned, i % learned.count())).values());
}

void check_side_by_side(const PoolSizes& s) {
  ACTLAB_CHECK(s.stride == s.kernel, "activation and max-pool: the stride ", s.stride,
               " is not the window's side ", s.kernel);
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

  void learned_forward(const ActivationHandle& activation, ConstArray learned, ConstArray x,
                       Array y) override {
    check_learned(activation, learned);
    with_type(y.dtype, [&]<class T>(T) {
      for_each_learned<T>(activation, learned, y.count(), [&](std::int64_t i, const ParameterValues& values) {
        write<T>(y, i, activation.type().f(values, read<T>(x, i)));
      });
    });
  }

  void learned_backward(const ActivationHandle& activation, ConstArray learned, ConstArray x, ConstArray dy,
                        Array dx, Array dlearned) override {
    const ActivationType& type = activation.type();
    with_type(dx.dtype, [&]<class T>(T) {
      for_each_learned<T>(activation, learned, dx.count(),
                          [&](std::int64_t i, const ParameterValues& values) {
                            const double at = read<T>(x, i), upstream = read<T>(dy, i);
                            write<T>(dx, i, upstream * type.df(values, at));
                            write<Trained<T>>(dlearned, i, upstream * type.dparameter(values, at));
                          });
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

  void max_pool(const ActivationHandle& activation, const PoolSizes& sizes, ConstArray x, Array y,
                Array argmax) override {
    check_side_by_side(sizes);
    with_type(y.dtype, [&]<class T>(T) {
      for_each_window(sizes, [&](std::int64_t at, const auto& input) {
        for (std::int64_t tap = 0; tap < sizes.kernel * sizes.kernel; ++tap) {
          const double most = tap == 0 ? 0 : read<T>(y, at);
          write<T>(y, at, activation.type().f(activation.values(), read<T>(x, input(tap))));
          const double value = read<T>(y, at);
          if (tap == 0 || value > most || (std::isnan(value) && !std::isnan(most)))
            argmax.as<std::uint8_t>()[at] = static_cast<std::uint8_t>(tap);
          else
            write<T>(y, at, most);
        }
      });
    });
  }

  void max_pool_backward(const ActivationHandle& activation, const PoolSizes& sizes, ConstArray kept,
                         ConstArray dy, ConstArray argmax, Array dx) override {
    check_side_by_side(sizes);
    const Reads reads = activation.info().backward_reads;
    with_type(dx.dtype, [&]<class T>(T) {
      for (std::int64_t i = 0; i < dx.count(); ++i) write<T>(dx, i, 0);
      for_each_window(sizes, [&](std::int64_t at, const auto& input) {
        const std::int64_t place = input(argmax.as<std::uint8_t>()[at]);
        const double from = reads == Reads::nothing ? 0 : read<T>(kept, reads == Reads::input ? place : at);
        write<T>(dx, place, read<T>(dy, at) * activation.type().backward(activation.values(), from));
      });
    });
  }
};

}  // namespace

std::unique_ptr<ActivationKernels> make_reference_activation() {
  return std::make_unique<ReferenceActivation>();
}

}  // namespace actlab
