// Rows by number, by their definitions.
#include <algorithm>
#include <cstring>
#include <vector>

#include "kernels/reference/families.h"
#include "kernels/reference/indices.h"

namespace actlab {
namespace {

class ReferenceRows final : public RowKernels {
 public:
  void gather(ConstArray x, ConstArray index, Array y) override {
    const std::int32_t* rows = checked_indices("gather rows", "index", index, 0, x.shape[0] - 1);
    const std::int64_t bytes = x.shape[1] * static_cast<std::int64_t>(size_of(x.dtype));
    for (std::int64_t i = 0; i < y.shape[0]; ++i)
      std::memcpy(static_cast<char*>(y.data) + i * bytes, static_cast<const char*>(x.data) + rows[i] * bytes,
                  static_cast<std::size_t>(bytes));
  }

  void scatter_add(ConstArray dy, ConstArray index, Array dx) override {
    const std::int64_t columns = dx.shape[1];
    const std::int32_t* rows = checked_indices("scatter rows", "index", index, 0, dx.shape[0] - 1);
    for_real("scatter rows", dx.dtype, [&](auto zero) {
      using T = decltype(zero);
      std::vector<double> sums(static_cast<std::size_t>(dx.count()));
      for (std::int64_t i = 0; i < dy.shape[0]; ++i)
        for (std::int64_t c = 0; c < columns; ++c)
          sums[static_cast<std::size_t>(rows[i] * columns + c)] += double{dy.as<T>()[i * columns + c]};
      std::transform(sums.begin(), sums.end(), dx.as<T>(), [](double sum) { return static_cast<T>(sum); });
    });
  }

  void clear_padding(ConstArray x, ConstArray lengths, Array y) override {
    const std::int64_t length = x.shape[1], columns = x.shape[2];
    const std::int32_t* kept = checked_indices("clear padding", "length", lengths, 0, length);
    for_real("clear padding", x.dtype, [&](auto zero) {
      using T = decltype(zero);
      for (std::int64_t i = 0; i < x.count(); ++i) {
        const std::int64_t row = i / columns;
        y.as<T>()[i] = row % length < kept[row / length] ? x.as<T>()[i] : T{0};
      }
    });
  }
};

}  // namespace

std::unique_ptr<RowKernels> make_reference_rows() { return std::make_unique<ReferenceRows>(); }

}  // namespace actlab
