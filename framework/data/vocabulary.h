// The vocabulary of a text model: symbols and special tokens by number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "framework/data/symbols.h"

namespace actlab {

/// Tokens 0 to symbols() - 1 are symbols; then come the special ones: `<unk>` where the vocabulary has it,
/// `<mask>`, `<pad>`. A text cannot spell `<mask>` and `<pad>`: a word "<mask>" in it is the words "<",
/// "mask" and ">".
class Vocabulary {
 public:
  /// The most frequent symbols among the first `part` of a text, the rest being `<unk>`; equally frequent
  /// ones in the order of their bytes. `most` says how many; 0: all bytes or characters without `<unk>`, or
  /// the default_words most frequent words.
  static Vocabulary most_frequent(const Symbols& text, std::size_t part, std::int64_t most);
  static constexpr std::int64_t default_words = 8192;

  /// Reads what to_text() gives. Throws DataError "SOURCE: line N: what is wrong" for anything else.
  static Vocabulary from_text(std::string_view text, const std::string& source);
  /// `actlab-vocabulary 1 KIND SYMBOLS`, ` <unk>` behind it where the vocabulary has that token; then a line
  /// a symbol, in the order of the tokens. In a symbol a newline is \n, a backslash is \\ and any other
  /// space, control character or, in a vocabulary of bytes, byte above 7E is \xHH.
  std::string to_text() const;

  SymbolKind kind() const { return kind_; }
  /// Symbols without the special tokens.
  std::int64_t symbols() const { return static_cast<std::int64_t>(symbols_.size()); }
  /// All tokens.
  std::int64_t size() const { return symbols() + (has_unknown_ ? 3 : 2); }
  std::optional<std::int32_t> unknown() const;
  std::int32_t mask() const { return static_cast<std::int32_t>(size() - 2); }
  std::int32_t pad() const { return static_cast<std::int32_t>(size() - 1); }

  /// The token of a symbol, `<unk>` of one that is not in the vocabulary; nothing where it has no `<unk>`.
  std::optional<std::int32_t> token(std::string_view symbol) const;
  /// What a token stands for, special ones by their names.
  std::string_view spelling(std::int32_t token) const;

  /// The tokens of a text of the same kind. Throws DataError for a symbol that has none: "SOURCE: ...", with
  /// the symbol, its place and what to do.
  std::vector<std::int32_t> encode(const Symbols& text, const std::string& source) const;

 private:
  Vocabulary(SymbolKind kind, bool has_unknown, std::vector<std::string> symbols);

  SymbolKind kind_;
  bool has_unknown_;
  std::vector<std::string> symbols_;
  std::unordered_map<std::string, std::int32_t> tokens_;
};

/// A symbol as it stands in a vocabulary's file.
std::string escaped_symbol(SymbolKind kind, std::string_view symbol);

}  // namespace actlab
