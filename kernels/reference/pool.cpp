// Pooling by its definition.
#include <cmath>
#include <vector>

#include "kernels/reference/families.h"
#include "kernels/reference/windows.h"

namespace actlab {
namespace {

class ReferencePool final : public PoolKernels {
 public:
  void max_forward(const PoolSizes& sizes, ConstArray x, Array y, Array argmax) override {
    for_real("max-pool", x.dtype, [&](auto zero) {
      using T = decltype(zero);
      const T* in = x.as<T>();
      T* out = y.as<T>();
      std::uint8_t* places = argmax.as<std::uint8_t>();
      for_each_window(sizes, [&](std::int64_t at, const auto& input) {
        std::int64_t best = 0;
        for (std::int64_t tap = 1; tap < sizes.kernel * sizes.kernel; ++tap) {
          const T value = in[input(tap)], most = in[input(best)];
          if (value > most || (std::isnan(value) && !std::isnan(most))) best = tap;
        }
        out[at] = in[input(best)];
        places[at] = static_cast<std::uint8_t>(best);
      });
    });
  }

  void max_backward(const PoolSizes& sizes, ConstArray dy, ConstArray argmax, Array dx) override {
    for_real("max-pool", dx.dtype, [&](auto zero) {
      using T = decltype(zero);
      const T* gradient = dy.as<T>();
      const std::uint8_t* places = argmax.as<std::uint8_t>();
      std::vector<double> sums(static_cast<std::size_t>(dx.count()));
      for_each_window(sizes, [&](std::int64_t at, const auto& input) {
        sums[static_cast<std::size_t>(input(places[at]))] += double{gradient[at]};
      });
      for (std::size_t i = 0; i < sums.size(); ++i) dx.as<T>()[i] = static_cast<T>(sums[i]);
    });
  }

  void average_forward(const PoolSizes& sizes, ConstArray x, Array y) override {
    const std::int64_t taps = sizes.kernel * sizes.kernel;
    for_real("average-pool", x.dtype, [&](auto zero) {
      using T = decltype(zero);
      for_each_window(sizes, [&](std::int64_t at, const auto& input) {
        double sum = 0;
        for (std::int64_t tap = 0; tap < taps; ++tap) sum += double{x.as<T>()[input(tap)]};
        y.as<T>()[at] = static_cast<T>(sum / static_cast<double>(taps));
      });
    });
  }

  void average_backward(const PoolSizes& sizes, ConstArray dy, Array dx) override {
    const std::int64_t taps = sizes.kernel * sizes.kernel;
    for_real("average-pool", dx.dtype, [&](auto zero) {
      using T = decltype(zero);
      std::vector<double> sums(static_cast<std::size_t>(dx.count()));
      for_each_window(sizes, [&](std::int64_t at, const auto& input) {
        for (std::int64_t tap = 0; tap < taps; ++tap)
          sums[static_cast<std::size_t>(input(tap))] += double{dy.as<T>()[at]};
      });
      for (std::size_t i = 0; i < sums.size(); ++i)
        dx.as<T>()[i] = static_cast<T>(sums[i] / static_cast<double>(taps));
    });
  }
};

}  // namespace

std::unique_ptr<PoolKernels> make_reference_pool() { return std::make_unique<ReferencePool>(); }

}  // namespace actlab
