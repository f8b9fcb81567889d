// Cutting windows and putting batches together.
#include "framework/data/text_loader.h"

#include <algorithm>
#include <numeric>

#include "framework/data/masking.h"
#include "framework/data/permutation.h"
#include "kernels/error.h"
#include "kernels/random.h"

namespace actlab {
namespace {

// Evaluation's masks: no training has this epoch.
constexpr std::uint64_t no_epoch = ~std::uint64_t{0};

}  // namespace

std::int64_t window_count(std::int64_t tokens, std::int64_t window, bool training) {
  if (!training) return (tokens + window - 1) / window;
  return tokens < window ? 0 : std::max<std::int64_t>(1, (tokens - window + 1) / window);
}

TextLoader::TextLoader(std::span<const std::int32_t> tokens, const Vocabulary& vocabulary,
                       std::int64_t window, const LoaderOptions& options)
    : tokens_(tokens),
      vocabulary_(vocabulary),
      window_(window),
      options_(options),
      order_(static_cast<std::size_t>(window_count(std::ssize(tokens), window, options.training))) {
  if (options.augment)
    throw ConfigError("data.augment = true: a text has no augmentation; leave data.augment at false");
  if (options.batch < 1 || options.batch > std::ssize(order_))
    throw ConfigError(concat("data.batch = ", options.batch, ": wanted 1 to ", order_.size(),
                             ", the windows of this split of the text"));
  std::iota(order_.begin(), order_.end(), std::int64_t{0});
}

std::int64_t TextLoader::batches() const {
  return (std::ssize(order_) + options_.batch - 1) / options_.batch;
}

void TextLoader::order_epoch(std::int64_t epoch) {
  if (!options_.training || ordered_ == epoch) return;
  const auto step = static_cast<std::uint64_t>(epoch);
  order_ = permutation(std::ssize(order_), Random(options_.seed, RandomPurpose::shuffle, step));
  const std::int64_t room = std::ssize(tokens_) - std::ssize(order_) * window_;
  const auto offsets = static_cast<std::uint32_t>(std::min(window_, room + 1));
  offset_ = Random(options_.seed, RandomPurpose::augment, step).below(0, offsets);
  ordered_ = epoch;
}

// Of an epoch's window, before masks and padding.
std::span<const std::int32_t> TextLoader::tokens_of(std::int64_t window) const {
  const std::int64_t begin = offset_ + window * window_;
  const std::int64_t length = std::min(window_, std::ssize(tokens_) - begin);
  return tokens_.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(length));
}

Batch TextLoader::load(std::int64_t epoch, std::int64_t index, Backend& backend) {
  ACTLAB_CHECK(epoch >= 0, "loader: no epoch ", epoch);
  ACTLAB_CHECK(index >= 0 && index < batches(), "loader: no batch ", index, " of ", batches());
  order_epoch(epoch);
  const Random masks(options_.training ? options_.seed : 0, RandomPurpose::corruption,
                     options_.training ? static_cast<std::uint64_t>(epoch) : no_epoch);
  const std::int64_t first = index * options_.batch;
  const std::int64_t n = std::min(options_.batch, std::ssize(order_) - first);

  std::vector<std::int32_t> inputs(static_cast<std::size_t>(n * window_), vocabulary_.pad());
  std::vector<std::int32_t> labels, places, lengths;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t window = order_[static_cast<std::size_t>(first + i)];
    const auto original = tokens_of(window);
    const auto input = std::span(inputs).subspan(static_cast<std::size_t>(i * window_), original.size());
    std::copy(original.begin(), original.end(), input.begin());
    const std::size_t before = places.size();
    places.resize(before + static_cast<std::size_t>(masked_count(std::ssize(input))));
    const auto masked = std::span(places).subspan(before);
    mask_tokens(masks, static_cast<std::uint64_t>(window * window_), vocabulary_, input, masked);
    for (std::int32_t& place : masked) {
      labels.push_back(original[static_cast<std::size_t>(place)]);
      place += static_cast<std::int32_t>(i * window_);
    }
    lengths.push_back(static_cast<std::int32_t>(original.size()));
  }

  const auto to_backend = [&](const std::vector<std::int32_t>& values) {
    return Tensor::from(values, {std::ssize(values)}, backend);
  };
  return {.inputs = Tensor::from(inputs, {n, window_}, backend),
          .labels = to_backend(labels),
          .places = to_backend(places),
          .lengths = to_backend(lengths),
          .samples = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0})};
}

}  // namespace actlab
