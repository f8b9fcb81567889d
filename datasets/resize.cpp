// A separable triangle filter: rows first, then columns.
#include "datasets/resize.h"

#include <algorithm>
#include <cmath>

namespace actlab {
namespace {

/// Part of an axis: positions [begin, begin + size).
struct Range {
  std::int64_t begin = 0;
  std::int64_t size = 0;
};

/// The source's positions from `first` on that make one output value.
struct Taps {
  std::int64_t first = 0;
  std::vector<double> weights;

  std::int64_t end() const { return first + std::ssize(weights); }
};

std::vector<Taps> make_taps(Range source, std::int64_t size) {
  const double scale = static_cast<double>(source.size) / static_cast<double>(size);
  const double reach = std::max(scale, 1.0);
  std::vector<Taps> taps;
  for (std::int64_t i = 0; i < size; ++i) {
    const double centre = (static_cast<double>(i) + 0.5) * scale - 0.5;
    const auto first = std::max<std::int64_t>(0, static_cast<std::int64_t>(std::ceil(centre - reach)));
    const auto last = std::min(source.size - 1, static_cast<std::int64_t>(std::floor(centre + reach)));
    Taps one{.first = source.begin + first, .weights = {}};
    double sum = 0;
    for (std::int64_t x = first; x <= last; ++x) {
      one.weights.push_back(1 - std::fabs(static_cast<double>(x) - centre) / reach);
      sum += one.weights.back();
    }
    for (double& weight : one.weights) weight /= sum;
    taps.push_back(std::move(one));
  }
  return taps;
}

// The weighted sums of row y.
void narrow_row(const Image& image, std::int64_t y, const std::vector<Taps>& across,
                std::vector<double>& out) {
  const std::int64_t channels = image.channels;
  const std::uint8_t* const pixels = image.pixels.data() + y * image.width * channels;
  double* value = out.data();
  for (const Taps& taps : across)
    for (std::int64_t c = 0; c < channels; ++c) {
      const std::uint8_t* pixel = pixels + taps.first * channels + c;
      *value = 0;
      for (const double weight : taps.weights) {
        *value += weight * *pixel;
        pixel += channels;
      }
      ++value;
    }
}

}  // namespace

Image resize(const Image& image, std::int64_t side, Fit fit) {
  Range rows{0, image.height}, columns{0, image.width};
  if (fit == Fit::crop) {
    const std::int64_t square = std::min(image.height, image.width);
    rows = {(image.height - square) / 2, square};
    columns = {(image.width - square) / 2, square};
  }
  const std::int64_t channels = image.channels;
  const std::vector<Taps> across = make_taps(columns, side), down = make_taps(rows, side);

  // Each row counts in the output's rows at once: all rows of a high, narrow image would not fit the memory.
  const auto row_size = static_cast<std::size_t>(side * channels);
  std::vector<double> row(row_size), sums(static_cast<std::size_t>(side) * row_size);
  std::size_t first = 0;  // output row that y still counts in
  for (std::int64_t y = rows.begin; y < rows.begin + rows.size; ++y) {
    narrow_row(image, y, across, row);
    while (down[first].end() <= y) ++first;
    for (std::size_t i = first; i < down.size() && down[i].first <= y; ++i) {
      const double weight = down[i].weights[static_cast<std::size_t>(y - down[i].first)];
      for (std::size_t x = 0; x < row_size; ++x) sums[i * row_size + x] += weight * row[x];
    }
  }

  Image result{.height = side, .width = side, .channels = channels, .pixels = {}};
  result.pixels.reserve(sums.size());
  for (const double sum : sums) result.pixels.push_back(static_cast<std::uint8_t>(sum + 0.5));
  return result;
}

}  // namespace actlab
