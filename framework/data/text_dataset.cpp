// Parting a text and encoding it.
#include "framework/data/text_dataset.h"

#include <algorithm>
#include <cmath>

#include "framework/core/sha256.h"
#include "framework/data/text_loader.h"
#include "kernels/error.h"

namespace actlab {
namespace {

std::int64_t share_of(double share, std::int64_t count) {
  return std::llround(share * static_cast<double>(count));
}

}  // namespace

TextDataset::TextDataset(std::string from, std::string digest, Symbols symbols, TextSettings settings)
    : digest_(std::move(digest)),
      symbols_(std::move(symbols)),
      settings_(std::move(settings)),
      validation_end_(symbols_.count() - share_of(settings_.test, symbols_.count())),
      train_end_(validation_end_) {
  name = "text";
  origin = std::move(from);
  encode();
}

DataSpec TextDataset::spec() const { return TextSpec{settings_.window, vocabulary().size()}; }

std::span<const std::int32_t> TextDataset::tokens(SplitName split) const {
  const auto part = [&](std::int64_t begin, std::int64_t end) {
    return std::span(tokens_).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
  };
  if (split == SplitName::train) return part(0, train_end_);
  return split == SplitName::validation ? part(train_end_, validation_end_)
                                        : part(validation_end_, symbols_.count());
}

std::int64_t TextDataset::count(SplitName split) const {
  return window_count(std::ssize(tokens(split)), settings_.window, split == SplitName::train);
}

std::unique_ptr<Loader> TextDataset::loader(SplitName split, const LoaderOptions& options) const {
  return std::make_unique<TextLoader>(tokens(split), vocabulary(), settings_.window, options);
}

void TextDataset::hold_out_validation(double share) {
  if (share == 0) return;
  validation_share_ = share;
  train_end_ = validation_end_ - share_of(share, validation_end_);
  encode();
}

std::map<std::string, std::string> TextDataset::files() const {
  return {{"vocabulary.txt", vocabulary().to_text()}};
}

void TextDataset::check_parts() const {
  const std::int64_t window = settings_.window;
  const std::int64_t train = train_end_;
  const std::int64_t validation = validation_end_ - train_end_;
  const std::int64_t test = symbols_.count() - validation_end_;
  const bool only_evaluated = validation_end_ == 0 && settings_.vocabulary;
  if ((!only_evaluated && (train < window || (validation < window && validation_share_ > 0))) ||
      (test < window && settings_.test > 0))
    throw DataError(concat("text: ", origin, ": a part is shorter than a window of ", window, ' ',
                           name_of(symbols_.kind), "s: train has ", train, ", validation ", validation,
                           ", test ", test,
                           ": take a longer text, a smaller data.window, or another data.test or "
                           "data.validation"));
}

void TextDataset::encode() {
  check_parts();
  const std::string source = concat("text: ", origin);
  vocabulary_ = settings_.vocabulary
                    ? settings_.vocabulary
                    : Vocabulary::most_frequent(symbols_, static_cast<std::size_t>(train_end_),
                                                settings_.vocabulary_size);
  if (vocabulary().symbols() < 2)
    throw DataError(
        concat(source, ": a vocabulary of ", vocabulary().symbols(), ' ', name_of(symbols_.kind),
               vocabulary().symbols() == 1 ? "" : "s",
               " leaves nothing to predict: take another text, or a larger data.vocabulary_size"));
  tokens_ = vocabulary().encode(symbols_, source);
  checksum = sha256(digest_ + vocabulary().to_text());
  notes.clear();
  note_unknown(SplitName::validation);
  note_unknown(SplitName::test);
}

void TextDataset::note_unknown(SplitName split) {
  const auto part = tokens(split);
  const auto unknown = vocabulary().unknown();
  const std::int64_t count = unknown ? std::count(part.begin(), part.end(), *unknown) : 0;
  if (count == 0) return;
  const double percent = 100 * static_cast<double>(count) / static_cast<double>(part.size());
  notes.push_back(concat("text: ", origin, ": ", count, " of the ", part.size(), ' ',
                         split == SplitName::test ? "test" : "validation", " tokens (",
                         std::round(10 * percent) / 10, " %) are <unk>"));
}

}  // namespace actlab
