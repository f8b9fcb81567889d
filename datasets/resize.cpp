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

// The weighted sum of values `stride` apart.
template <class T>
double weigh(const Taps& taps, const T* values, std::int64_t stride) {
  values += taps.first * stride;
  double sum = 0;
  for (const double weight : taps.weights) {
    sum += weight * static_cast<double>(*values);
    values += stride;
  }
  return sum;
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

  std::vector<double> narrow(static_cast<std::size_t>(image.height * side * channels));
  double* value = narrow.data();
  for (std::int64_t y = 0; y < image.height; ++y)
    for (const Taps& taps : across)
      for (std::int64_t c = 0; c < channels; ++c)
        *value++ = weigh(taps, image.pixels.data() + y * image.width * channels + c, channels);

  Image result{.height = side, .width = side, .channels = channels, .pixels = {}};
  result.pixels.reserve(static_cast<std::size_t>(side * side * channels));
  for (const Taps& taps : down)
    for (std::int64_t i = 0; i < side * channels; ++i)
      result.pixels.push_back(
          static_cast<std::uint8_t>(weigh(taps, narrow.data() + i, side * channels) + 0.5));
  return result;
}

}  // namespace actlab
