// Arrays of every length: the vector loop, its rest and a thread's part give the same bits as one element at
// a time, and nothing outside the array is written.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "tests/kernels/activation_support.h"

namespace actlab::test {
namespace {

template <class T>
TestArray<T> random_values(const Shape& shape, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, 4);
  TestArray<T> values(shape);
  for (std::int64_t i = 0; i < values.count(); ++i) values[i] = math::from_float<T>(normal(random));
  return values;
}

// Of the first elements.
template <class T>
bool same_bits(const TestArray<T>& a, const TestArray<T>& b) {
  return std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.count()) * sizeof(T)) == 0;
}

const std::int64_t most = many_elements();

std::vector<std::int64_t> sizes() {
  std::vector<std::int64_t> all = {255, 512, 513, 1023, most};
  for (std::int64_t n = 0; n <= 67; ++n) all.push_back(n);
  return all;
}

template <class T>
void expect_same_at_every_size(ActivationKernels& kernels, const ActivationHandle& handle) {
  const TestArray<T> x = random_values<T>({most}, 1), dy = random_values<T>({most}, 2);
  TestArray<T> y({most}), dx({most});
  const bool reads_output = handle.info().backward_reads == Reads::output;
  const auto one = [](const TestArray<T>& array, std::int64_t i) {
    return ConstArray{array.data() + i, dtype_of<T>, {1}};
  };
  const auto one_of = [](TestArray<T>& array, std::int64_t i) {
    return Array{array.data() + i, dtype_of<T>, {1}};
  };
  for (std::int64_t i = 0; i < most; ++i) {
    kernels.forward(handle, one(x, i), one_of(y, i));
    kernels.backward(handle, one(reads_output ? y : x, i), one(dy, i), one_of(dx, i));
  }
  for (const std::int64_t n : sizes()) {
    TestArray<T> out({n}), gradient({n});
    const auto first = [n](const TestArray<T>& array) { return ConstArray{array.data(), dtype_of<T>, {n}}; };
    kernels.forward(handle, first(x), out);
    kernels.backward(handle, first(reads_output ? y : x), first(dy), gradient);
    EXPECT_TRUE(same_bits(out, y)) << handle.spelled() << ", n = " << n;
    EXPECT_TRUE(same_bits(gradient, dx)) << handle.spelled() << ", n = " << n;
    EXPECT_TRUE(out.guards_hold() && gradient.guards_hold()) << handle.spelled() << ", n = " << n;
  }
}

// The gated form is the product of what the plain kernels give: f(gate) up, rounded once more.
template <class T>
void expect_gated(ActivationKernels& kernels, const ActivationHandle& handle, std::int64_t rows,
                  std::int64_t columns) {
  const TestArray<T> x = random_values<T>({rows, 2 * columns}, 3), dy = random_values<T>({rows, columns}, 4);
  TestArray<T> got({rows, columns}), got_dx({rows, 2 * columns});
  kernels.gate(handle, x, got);
  kernels.gate_backward(handle, x, dy, got_dx);
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t column = 0; column < columns; ++column) {
      const std::int64_t at = row * columns + column, gate_at = row * 2 * columns + column;
      const std::int64_t up_at = gate_at + columns;
      const std::vector<float> gate = {math::to_float(x[gate_at])};
      const float up = math::to_float(x[up_at]), d = math::to_float(dy[at]);
      const float f = forward(kernels, handle, gate)[0];
      // relu's derivative from its output is that from its input.
      const float df = derivative(kernels, handle, gate)[0];
      EXPECT_EQ(math::to_float(got[at]), math::to_float(math::from_float<T>(f * up)));
      EXPECT_EQ(math::to_float(got_dx[gate_at]), math::to_float(math::from_float<T>(d * up * df)));
      EXPECT_EQ(math::to_float(got_dx[up_at]), math::to_float(math::from_float<T>(d * f)));
    }
  EXPECT_TRUE(got.guards_hold() && got_dx.guards_hold())
      << handle.spelled() << " (" << rows << ", 2 * " << columns << ")";
}

TEST(ActivationArrays, SameBitsAtEverySize) {
  for (const auto& kernels : tested_activations()) {
    for (const std::string& name : activation_names()) {
      const ActivationHandle handle = ActivationHandle::parse(name);
      expect_same_at_every_size<float>(*kernels, handle);
      expect_same_at_every_size<BFloat16>(*kernels, handle);
      expect_same_at_every_size<Float16>(*kernels, handle);
    }
  }
}

TEST(ActivationArrays, GatedRows) {
  for (const auto& kernels : tested_activations()) {
    for (const std::string& name : gated_names())
      for (const std::int64_t columns : {0, 1, 3, 19, 67, 600}) {
        expect_gated<float>(*kernels, ActivationHandle::parse(name), 5, columns);
        expect_gated<BFloat16>(*kernels, ActivationHandle::parse(name), 5, columns);
        expect_gated<Float16>(*kernels, ActivationHandle::parse(name), 5, columns);
      }
  }
}

}  // namespace
}  // namespace actlab::test
