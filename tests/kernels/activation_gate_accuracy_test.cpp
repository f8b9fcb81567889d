// Gated forms against exact products: y = f(gate) up, and both gradients, in every element type.
//
// With u = 2^-24 the float results are within
//   |f up| 3 ulp + u       of y = f up, and likewise of dup = dy f;
//   |dy up| 4 units + 2 u  of dgate = (dy up) f',
// where ulp and units are those of the contract and each u is a product's rounding; the 16-bit types add half
// a unit of theirs.
#include <gtest/gtest.h>

#include "kernels/random.h"
#include "tests/kernels/activation_support.h"
#include "tests/kernels/arrays.h"

namespace actlab::test {
namespace {

// The rounding of a float product near `value`, and that of the result to T.
template <class T>
double roundings(double value) {
  const double half = dtype_of<T> == DType::f32 ? 0 : ulp_of<T>(value) / 2;
  return ulp_of<float>(value) / 2 + half;
}

template <class T>
double error_of(T found, double wanted) {
  return std::fabs(bounded<T>(double{math::to_float(found)}) - bounded<T>(wanted));
}

// Every finite value of a 16-bit type, or as many floats, from small to where f is 0 or x.
template <class T>
std::vector<T> gates() {
  std::vector<T> values;
  for (std::uint32_t i = 0; i < 0x10000; ++i) {
    if constexpr (dtype_of<T> == DType::f32) {
      const std::uint32_t bits = math::float_bits(0x1p-20f) + (i / 2) * 6997;
      values.push_back(math::float_of(bits | (i % 2) << 31));
    } else {
      const T value{static_cast<std::uint16_t>(i)};
      if (std::isfinite(math::to_float(value))) values.push_back(value);
    }
  }
  return values;
}

template <class T>
void expect_exact_products(ActivationKernels& kernels, const ActivationHandle& handle, std::int64_t columns) {
  std::vector<T> gate = gates<T>();
  gate.resize(gate.size() / static_cast<std::size_t>(columns) * static_cast<std::size_t>(columns));
  const std::int64_t rows = static_cast<std::int64_t>(gate.size()) / columns;
  const TestArray<float> normal = random_array({2, rows, columns}, 1);
  TestArray<T> x({rows, 2 * columns}), dy({rows, columns}), y({rows, columns}), dx({rows, 2 * columns});
  for (std::int64_t i = 0; i < rows * columns; ++i) {
    const std::int64_t at = i / columns * 2 * columns + i % columns;
    x[at] = gate[static_cast<std::size_t>(i)];
    x[at + columns] = math::from_float<T>(normal[i]);
    dy[i] = math::from_float<T>(normal[rows * columns + i]);
  }
  kernels.gate(handle, x, y);
  kernels.gate_backward(handle, x, dy, dx);
  EXPECT_TRUE(y.guards_hold() && dx.guards_hold());
  const ExactFunction exact = exact_function(handle.info().name);
  for (std::int64_t i = 0; i < rows * columns; ++i) {
    const std::int64_t at = i / columns * 2 * columns + i % columns;
    const double g = double{math::to_float(x[at])}, up = double{math::to_float(x[at + columns])};
    const double d = double{math::to_float(dy[i])};
    const Exact e = exact(g, handle.values()[0].as<double>());
    const double f_slack = 3 * ulp_of<float>(e.f);
    const double df_slack = 4 * derivative_unit(g, e.df, e.d2f) + 0x1p-149;
    const auto where = [&] {
      return concat(kernels.implementation(), ' ', handle.info().gated, " in ", dtype_of<T>, ", gate ", g,
                    ", up ", up, ", dy ", d);
    };
    const double wanted = e.f * up, dgate = d * up * e.df, dup = d * e.f;
    EXPECT_LE(error_of(y[i], wanted), std::fabs(up) * f_slack + roundings<T>(wanted)) << where();
    EXPECT_LE(error_of(dx[at], dgate),
              std::fabs(d * up) * df_slack + std::fabs(dgate) * 0x1p-24 + roundings<T>(dgate))
        << where();
    EXPECT_LE(error_of(dx[at + columns], dup), std::fabs(d) * f_slack + roundings<T>(dup)) << where();
  }
}

TEST(ActivationGateAccuracy, ExactProducts) {
  for (const auto& kernels : tested_activations()) {
    for (const std::string& name : gated_names())
      for (const std::int64_t columns : {1, 3, 17, 67, 515}) {
        const ActivationHandle handle = ActivationHandle::parse(name);
        expect_exact_products<float>(*kernels, handle, columns);
        expect_exact_products<BFloat16>(*kernels, handle, columns);
        expect_exact_products<Float16>(*kernels, handle, columns);
      }
  }
}

}  // namespace
}  // namespace actlab::test
