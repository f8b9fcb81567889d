// Choosing the symbols and looking them up.
#include "framework/data/vocabulary.h"

#include <algorithm>
#include <numeric>

#include "kernels/error.h"

namespace actlab {

Vocabulary::Vocabulary(SymbolKind kind, bool has_unknown, std::vector<std::string> symbols)
    : kind_(kind), has_unknown_(has_unknown), symbols_(std::move(symbols)) {
  for (std::size_t i = 0; i < symbols_.size(); ++i)
    tokens_.emplace(symbols_[i], static_cast<std::int32_t>(i));
}

Vocabulary Vocabulary::most_frequent(const Symbols& text, std::size_t part, std::int64_t most) {
  std::vector<std::int64_t> counts(text.distinct.size());
  for (std::size_t i = 0; i < part; ++i) ++counts[static_cast<std::size_t>(text.text[i])];
  std::vector<std::size_t> order(counts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t i) { return counts[i] == 0 || text.distinct[i] == unknown_word; });
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return counts[a] != counts[b] ? counts[a] > counts[b] : text.distinct[a] < text.distinct[b];
  });

  const bool has_unknown = most > 0 || text.kind == SymbolKind::word;
  if (has_unknown)
    order.resize(std::min(order.size(), static_cast<std::size_t>(most > 0 ? most : default_words)));
  std::vector<std::string> symbols;
  for (const std::size_t i : order) symbols.push_back(text.distinct[i]);
  return {text.kind, has_unknown, std::move(symbols)};
}

std::optional<std::int32_t> Vocabulary::unknown() const {
  if (!has_unknown_) return std::nullopt;
  return static_cast<std::int32_t>(symbols());
}

std::optional<std::int32_t> Vocabulary::token(std::string_view symbol) const {
  const auto found = tokens_.find(std::string(symbol));
  return found != tokens_.end() ? found->second : unknown();
}

std::string_view Vocabulary::spelling(std::int32_t token) const {
  if (token == pad()) return "<pad>";
  if (token == mask()) return "<mask>";
  return token == unknown() ? unknown_word : symbols_[static_cast<std::size_t>(token)];
}

std::vector<std::int32_t> Vocabulary::encode(const Symbols& text, const std::string& source) const {
  std::vector<std::optional<std::int32_t>> tokens;  // by number in `distinct`
  for (const std::string& symbol : text.distinct) tokens.push_back(token(symbol));
  std::vector<std::int32_t> encoded;
  encoded.reserve(text.text.size());
  for (const std::int32_t number : text.text) {
    const auto token = tokens[static_cast<std::size_t>(number)];
    if (!token) {
      const TextPlace place = place_of(text, encoded.size());
      const std::string& symbol = text.distinct[static_cast<std::size_t>(number)];
      throw DataError(concat(source, ": line ", place.line, ", byte ", place.byte, ": the ", name_of(kind_),
                             " '", escaped_symbol(kind_, symbol), "' is not in the vocabulary: train with ",
                             "data.vocabulary_size=", symbols(), ", which makes it <unk>"));
    }
    encoded.push_back(*token);
  }
  return encoded;
}

}  // namespace actlab
