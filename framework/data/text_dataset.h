// A text in memory: contiguous training, validation and test parts, as tokens of one vocabulary.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/data/dataset.h"
#include "framework/data/vocabulary.h"

namespace actlab {

struct TextSettings {
  std::int64_t window = 64;                   ///< tokens
  double test = 0.1;                          ///< share of the text's tokens, at its end
  std::int64_t vocabulary_size = 0;           ///< as Vocabulary::most_frequent() takes it
  std::optional<Vocabulary> vocabulary = {};  ///< of the text's kind of symbols; absent: built
};

/// A vocabulary that is built knows the training part only, and is built anew where validation is parted off.
/// Notes say how many held-out tokens are unknown; files() has the vocabulary as "vocabulary.txt". Text and
/// vocabulary fix the checksum: with the vocabulary that a run kept, the same text has the same.
struct TextDataset : Dataset {
  /// `digest` stands for the text in the checksum. Throws DataError where a part has less than a window of
  /// tokens (a share of 0 has none; beside a given vocabulary test may be all, and nothing is held out),
  /// where the vocabulary has fewer than two symbols, and where a symbol is not in it and it has no `<unk>`.
  TextDataset(std::string origin, std::string digest, Symbols symbols, TextSettings settings);

  DataSpec spec() const override;
  std::int64_t count(SplitName split) const override;
  /// A TextLoader.
  std::unique_ptr<Loader> loader(SplitName split, const LoaderOptions& options) const override;
  /// Parts the end of the training part off; throws what the constructor does.
  void hold_out_validation(double share) override;
  std::map<std::string, std::string> files() const override;

  const Vocabulary& vocabulary() const { return *vocabulary_; }
  std::span<const std::int32_t> tokens(SplitName split) const;

 private:
  void check_parts() const;
  void encode();
  void note_unknown(SplitName split);

  std::string digest_;
  Symbols symbols_;
  TextSettings settings_;
  double validation_share_ = 0;
  std::int64_t validation_end_;  ///< where test begins
  std::int64_t train_end_;       ///< where validation begins
  std::optional<Vocabulary> vocabulary_;
  std::vector<std::int32_t> tokens_;
};

}  // namespace actlab
