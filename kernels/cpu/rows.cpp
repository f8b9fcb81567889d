// Rows by number. A row that several indices name is summed in their order, in double, and rounded once.
#include <algorithm>
#include <cstring>

#include "kernels/cpu/families.h"
#include "kernels/cpu/parallel.h"
#include "kernels/f32.h"
#include "kernels/reference/indices.h"

namespace actlab {
namespace {

// Columns that are summed side by side.
constexpr std::int64_t strip = 64;

// The places of each index value, in order: those of value v are places()[begin(v)] ... [begin(v + 1) - 1].
class PlacesByValue {
 public:
  PlacesByValue(Memory& memory, const std::int32_t* index, std::int64_t n, std::int64_t values)
      : buffer_(memory, (values + 1 + n) * std::int64_t{sizeof(std::int64_t)}, MemoryKind::workspace),
        begins_(static_cast<std::int64_t*>(buffer_.data())),
        places_(begins_ + values + 1) {
    std::fill_n(begins_, values + 1, 0);
    for (std::int64_t i = 0; i < n; ++i) ++begins_[index[i]];
    for (std::int64_t v = 0, sum = 0; v <= values; ++v) begins_[v] = sum += begins_[v];  // the ends, so far
    for (std::int64_t i = n - 1; i >= 0; --i) places_[--begins_[index[i]]] = i;
  }

  std::int64_t begin(std::int64_t value) const { return begins_[value]; }
  const std::int64_t* places() const { return places_; }

 private:
  Buffer buffer_;
  std::int64_t* begins_;
  std::int64_t* places_;
};

class CpuRows final : public RowKernels {
 public:
  explicit CpuRows(Memory& memory) : memory_(memory) {}

  void gather(ConstArray x, ConstArray index, Array y) override {
    const std::int32_t* rows = checked_indices("gather rows", "index", index, 0, x.shape[0] - 1);
    const std::int64_t bytes = x.shape[1] * static_cast<std::int64_t>(size_of(x.dtype));
    const char* from = static_cast<const char*>(x.data);
    char* to = static_cast<char*>(y.data);
    parallel_for(y.shape[0], rows_a_part(x.shape[1]), [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i)
        std::memcpy(to + i * bytes, from + rows[i] * bytes, static_cast<std::size_t>(bytes));
    });
  }

  void scatter_add(ConstArray dy, ConstArray index, Array dx) override {
    const std::int64_t rows = dx.shape[0], columns = dx.shape[1], n = dy.shape[0];
    const float* gradient = f32("scatter rows", dy);
    float* out = f32("scatter rows", dx);
    const PlacesByValue by_row(memory_, checked_indices("scatter rows", "index", index, 0, rows - 1), n,
                               rows);
    const std::int64_t strips = (columns + strip - 1) / strip;
    parallel_for(strips * rows, rows_a_part(strip), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t task = begin; task < end; ++task) {
        const std::int64_t row = task % rows, column = task / rows * strip;
        const std::int64_t width = std::min(strip, columns - column);
        double sums[strip] = {};
        for (std::int64_t i = by_row.begin(row); i < by_row.begin(row + 1); ++i) {
          const float* part = gradient + by_row.places()[i] * columns + column;
          for (std::int64_t c = 0; c < width; ++c) sums[c] += double{part[c]};
        }
        for (std::int64_t c = 0; c < width; ++c)
          out[row * columns + column + c] = static_cast<float>(sums[c]);
      }
    });
  }

  void clear_padding(ConstArray x, ConstArray lengths, Array y) override {
    const std::int64_t length = x.shape[1], columns = x.shape[2];
    const std::int32_t* kept = checked_indices("clear padding", "length", lengths, 0, length);
    const float* in = f32("clear padding", x);
    float* out = f32("clear padding", y);
    parallel_for(x.shape[0], rows_a_part(length * columns), [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t b = begin; b < end; ++b) {
        const std::int64_t first = b * length * columns, n = kept[b] * columns;
        std::copy_n(in + first, n, out + first);
        std::fill(out + first + n, out + first + length * columns, 0.0f);
      }
    });
  }

 private:
  Memory& memory_;
};

}  // namespace

std::unique_ptr<RowKernels> make_cpu_rows(Memory& memory) { return std::make_unique<CpuRows>(memory); }

}  // namespace actlab
