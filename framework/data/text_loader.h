// Batches of a text: windows of its tokens, some of them masked.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/data/dataset.h"
#include "framework/data/vocabulary.h"

namespace actlab {

/// Windows of an epoch. Evaluation cuts the tokens from the first on, the last window may be short. Training
/// takes full windows only, one fewer than would fit where an epoch's offset must find room.
std::int64_t window_count(std::int64_t tokens, std::int64_t window, bool training);

/// In training window i of an epoch begins at the epoch's offset, below the window's length, + i * window;
/// the order of the windows and the offset are drawn by (seed, epoch), the masks by (seed, epoch, i).
/// Evaluation draws its masks by i alone.
class TextLoader : public Loader {
 public:
  /// Keeps references to tokens and vocabulary. Throws ConfigError where the batch is below 1 or above the
  /// windows of an epoch, and for augment.
  TextLoader(std::span<const std::int32_t> tokens, const Vocabulary& vocabulary, std::int64_t window,
             const LoaderOptions& options);

  std::int64_t batches() const override;
  Batch load(std::int64_t epoch, std::int64_t index, Backend& backend) override;

 private:
  void order_epoch(std::int64_t epoch);
  std::span<const std::int32_t> tokens_of(std::int64_t window) const;

  std::span<const std::int32_t> tokens_;
  const Vocabulary& vocabulary_;
  std::int64_t window_;
  LoaderOptions options_;
  std::vector<std::int64_t> order_;  ///< windows of epoch ordered_
  std::int64_t offset_ = 0;          ///< of epoch ordered_
  std::int64_t ordered_ = -1;
};

}  // namespace actlab
