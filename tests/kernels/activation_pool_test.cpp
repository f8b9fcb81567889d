// An activation and max-pooling in one pass give the bits of one after the other.
#include <limits>

#include "kernels/reference/activation.h"
#include "tests/kernels/activation_support.h"
#include "tests/kernels/arrays.h"

namespace actlab::test {
namespace {

template <class T>
TestArray<T> values(Shape shape, std::uint64_t stream) {
  const TestArray<float> normal = random_array(shape, stream);
  TestArray<T> array(shape);
  for (std::int64_t i = 0; i < array.count(); ++i) array[i] = math::from_float<T>(2 * normal[i]);
  return array;
}

template <class T>
struct Pooled {
  explicit Pooled(const PoolSizes& s)
      : y({s.batch, s.out_height(), s.out_width(), s.channels}),
        argmax({s.batch, s.out_height(), s.out_width(), s.channels}),
        dx({s.batch, s.height, s.width, s.channels}) {}

  TestArray<T> y;
  TestArray<std::uint8_t> argmax;
  TestArray<T> dx;
};

template <class T>
Pooled<T> in_one_pass(ActivationKernels& kernels, const ActivationHandle& handle, const PoolSizes& s,
                      const TestArray<T>& x, const TestArray<T>& dy) {
  Pooled<T> r(s);
  kernels.max_pool(handle, s, x, r.y, r.argmax);
  const Reads reads = handle.info().backward_reads;
  const ConstArray kept = reads == Reads::output ? ConstArray(r.y) : ConstArray(x);
  kernels.max_pool_backward(handle, s, reads == Reads::nothing ? ConstArray{} : kept, dy, r.argmax, r.dx);
  return r;
}

// By the activation's own kernels, and by the definition of the windows.
template <class T>
Pooled<T> one_after_the_other(ActivationKernels& kernels, const ActivationHandle& handle, const PoolSizes& s,
                              const TestArray<T>& x, const TestArray<T>& dy) {
  const std::vector<T> f = forward(kernels, handle, x.values());
  Pooled<T> r(s);
  std::vector<T> upstream(f.size());
  std::vector<bool> chosen(f.size());
  for (std::int64_t i = 0; i < r.y.count(); ++i) {
    const std::int64_t c = i % s.channels, column = i / s.channels % s.out_width();
    const std::int64_t row = i / s.channels / s.out_width() % s.out_height();
    const std::int64_t image = i / s.channels / s.out_width() / s.out_height();
    std::size_t best = 0;
    for (std::int64_t tap = 0; tap < s.kernel * s.kernel; ++tap) {
      const std::int64_t h = row * s.kernel + tap / s.kernel, w = column * s.kernel + tap % s.kernel;
      const auto at = static_cast<std::size_t>(((image * s.height + h) * s.width + w) * s.channels + c);
      const float value = math::to_float(f[at]), most = math::to_float(f[best]);
      if (tap > 0 && !(value > most || (std::isnan(value) && !std::isnan(most)))) continue;
      best = at;
      r.argmax[i] = static_cast<std::uint8_t>(tap);
    }
    r.y[i] = f[best];
    upstream[best] = dy[i];
    chosen[best] = true;
  }
  const std::vector<T> dx = backward(kernels, handle, x.values(), upstream);
  for (std::size_t i = 0; i < dx.size(); ++i) r.dx[static_cast<std::int64_t>(i)] = chosen[i] ? dx[i] : T{};
  return r;
}

// Equal numbers, or NaN on both sides.
template <class T>
void expect_equal(const TestArray<T>& got, const TestArray<T>& want) {
  for (std::int64_t i = 0; i < want.count(); ++i) {
    const float g = math::to_float(got[i]), w = math::to_float(want[i]);
    ASSERT_TRUE(g == w || (std::isnan(g) && std::isnan(w))) << g << " and " << w << " at " << i;
  }
}

template <class T>
void expect_one_pass_equals_two(ActivationKernels& kernels) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  for (const ActivationType& type : activation_types()) {
    const auto handle = ActivationHandle::parse(type.info.name);
    for (const std::int64_t channels : {1, 3, 17, 32, 130}) {
      for (const std::int64_t kernel : {1, 2, 3}) {
        const PoolSizes s{
            .batch = 3, .height = 7, .width = 8, .channels = channels, .kernel = kernel, .stride = kernel};
        SCOPED_TRACE(concat(type.info.name, ", ", dtype_of<T>, ", kernel ", kernel, ", channels ", channels));
        auto x = values<T>({s.batch, s.height, s.width, channels}, 1);
        x[0] = math::from_float<T>(std::numeric_limits<float>::quiet_NaN());
        x[x.count() / 2] = math::from_float<T>(inf);
        for (std::int64_t i = 1; i < x.count() / 3; ++i) x[i] = math::from_float<T>(-inf);  // ties
        const auto dy = values<T>({s.batch, s.out_height(), s.out_width(), channels}, 2);
        const Pooled<T> got = in_one_pass(kernels, handle, s, x, dy);
        const Pooled<T> want = one_after_the_other(kernels, handle, s, x, dy);
        expect_equal(got.y, want.y);
        expect_equal(got.dx, want.dx);
        EXPECT_EQ(got.argmax.values(), want.argmax.values());
        EXPECT_TRUE(got.y.guards_hold() && got.argmax.guards_hold() && got.dx.guards_hold());
      }
    }
  }
}

void expect_one_pass_equals_two_in_every_type(ActivationKernels& kernels) {
  expect_one_pass_equals_two<float>(kernels);
  expect_one_pass_equals_two<BFloat16>(kernels);
  expect_one_pass_equals_two<Float16>(kernels);
}

TEST(ActivationPool, OnePassEqualsTwo) {
  for (const auto& kernels : tested_activations()) {
    SCOPED_TRACE(kernels->implementation());
    expect_one_pass_equals_two_in_every_type(*kernels);
  }
}

TEST(ActivationPool, OnePassEqualsTwoOnTheReference) {
  expect_one_pass_equals_two_in_every_type(*make_reference_activation());
}

TEST(ActivationPool, RefusesWindowsThatOverlap) {
  const PoolSizes s{.batch = 1, .height = 3, .width = 3, .channels = 1, .kernel = 2, .stride = 1};
  const TestArray<float> x({1, 3, 3, 1});
  TestArray<float> y({1, 2, 2, 1});
  TestArray<std::uint8_t> argmax({1, 2, 2, 1});
  for (const char* device : {"cpu", "reference"})
    EXPECT_THROW(find_backend(device).activation.max_pool(ActivationHandle::parse("gelu"), s, x, y, argmax),
                 Error)
        << device;
}

}  // namespace
}  // namespace actlab::test
