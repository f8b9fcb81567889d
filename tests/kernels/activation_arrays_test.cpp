// Arrays of every length: the vector loop, its rest and a thread's part give the same bits as one element at
// a time, and nothing outside the array is written.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "tests/kernels/activation_support.h"

namespace actlab::test {
namespace {

// n elements between two rows of sentinels.
template <class T>
class Guarded {
 public:
  explicit Guarded(std::int64_t n)
      : n_(n), bytes_(2 * guard + static_cast<std::size_t>(n) * sizeof(T), sentinel) {}

  T* data() { return reinterpret_cast<T*>(bytes_.data() + guard); }
  std::vector<T> values() { return {data(), data() + n_}; }
  bool intact() const {
    const auto is_sentinel = [](unsigned char byte) { return byte == sentinel; };
    return std::all_of(bytes_.begin(), bytes_.begin() + guard, is_sentinel) &&
           std::all_of(bytes_.end() - guard, bytes_.end(), is_sentinel);
  }

 private:
  static constexpr std::size_t guard = 64;
  static constexpr unsigned char sentinel = 0xa5;

  std::int64_t n_;
  std::vector<unsigned char> bytes_;
};

template <class T>
std::vector<T> random_values(std::int64_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, 4);
  std::vector<T> values;
  for (std::int64_t i = 0; i < n; ++i) values.push_back(math::from_float<T>(normal(random)));
  return values;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  // memcmp wants no null pointer, not even for nothing.
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

std::vector<std::int64_t> sizes() {
  std::vector<std::int64_t> all = {255, 512, 513, 1023, 40000};
  for (std::int64_t n = 0; n <= 67; ++n) all.push_back(n);
  return all;
}

template <class T>
void expect_same_at_every_size(ActivationKernels& kernels, const ActivationHandle& handle) {
  const std::vector<T> x = random_values<T>(40000, 1), dy = random_values<T>(40000, 2);
  std::vector<T> y(x.size()), dx(x.size());
  const bool reads_output = handle.info().backward_reads == Reads::output;
  for (std::size_t i = 0; i < x.size(); ++i) {
    kernels.forward(handle, {&x[i], dtype_of<T>, {1}}, {&y[i], dtype_of<T>, {1}});
    kernels.backward(handle, {reads_output ? &y[i] : &x[i], dtype_of<T>, {1}}, {&dy[i], dtype_of<T>, {1}},
                     {&dx[i], dtype_of<T>, {1}});
  }
  for (const std::int64_t n : sizes()) {
    const auto end = static_cast<std::ptrdiff_t>(n);
    Guarded<T> out(n), gradient(n);
    kernels.forward(handle, {x.data(), dtype_of<T>, {n}}, {out.data(), dtype_of<T>, {n}});
    kernels.backward(handle, {reads_output ? y.data() : x.data(), dtype_of<T>, {n}},
                     {dy.data(), dtype_of<T>, {n}}, {gradient.data(), dtype_of<T>, {n}});
    EXPECT_TRUE(same_bits(out.values(), {y.begin(), y.begin() + end})) << handle.spelled() << ", n = " << n;
    EXPECT_TRUE(same_bits(gradient.values(), {dx.begin(), dx.begin() + end}))
        << handle.spelled() << "', n = " << n;
    EXPECT_TRUE(out.intact() && gradient.intact()) << handle.spelled() << ", n = " << n;
  }
}

// The gated form is the product of what the plain kernels give: f(gate) up, rounded once more.
template <class T>
void expect_gated(ActivationKernels& kernels, const ActivationHandle& handle, std::int64_t rows,
                  std::int64_t columns) {
  const std::vector<T> x = random_values<T>(rows * 2 * columns, 3), dy = random_values<T>(rows * columns, 4);
  Guarded<T> y(rows * columns), dx(rows * 2 * columns);
  const ConstArray from{x.data(), dtype_of<T>, {rows, 2 * columns}},
      upstream{dy.data(), dtype_of<T>, {rows, columns}};
  kernels.gate(handle, from, {y.data(), dtype_of<T>, {rows, columns}});
  kernels.gate_backward(handle, from, upstream, {dx.data(), dtype_of<T>, {rows, 2 * columns}});
  const std::vector<T> got = y.values(), got_dx = dx.values();
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t column = 0; column < columns; ++column) {
      const auto at = static_cast<std::size_t>(row * columns + column);
      const auto gate_at = static_cast<std::size_t>(row * 2 * columns + column);
      const std::size_t up_at = gate_at + static_cast<std::size_t>(columns);
      const std::vector<float> gate = {math::to_float(x[gate_at])};
      const float up = math::to_float(x[up_at]), d = math::to_float(dy[at]);
      const float f = forward(kernels, handle, gate)[0];
      // relu's derivative from its output is that from its input.
      const float df = derivative(kernels, handle, gate)[0];
      EXPECT_EQ(math::to_float(got[at]), math::to_float(math::from_float<T>(f * up)));
      EXPECT_EQ(math::to_float(got_dx[gate_at]), math::to_float(math::from_float<T>(d * up * df)));
      EXPECT_EQ(math::to_float(got_dx[up_at]), math::to_float(math::from_float<T>(d * f)));
    }
  EXPECT_TRUE(y.intact() && dx.intact()) << handle.spelled() << " (" << rows << ", 2 * " << columns << ")";
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
