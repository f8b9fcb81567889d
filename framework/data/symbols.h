// A text cut into symbols: bytes, characters or words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace actlab {

enum class SymbolKind : std::uint8_t { byte, character, word };

/// "byte", "character", "word".
std::string_view name_of(SymbolKind kind);
const std::vector<std::string>& symbol_kind_names();
/// Throws ConfigError for another name.
SymbolKind parse_symbol_kind(std::string_view name);

/// The word that stands for all unknown ones, in a text too.
inline constexpr std::string_view unknown_word = "<unk>";

/// Bytes of the symbol that a valid UTF-8 text begins with; 0 where it is empty or, for words, begins with
/// white space.
///
/// A character is a code point. Words: a newline is a word of its own; space, tab, carriage return, vertical
/// tab and form feed separate words and belong to none; `<unk>` is one word; an ASCII punctuation character
/// and a dash, quotation mark, bullet or ellipsis of U+2010 to U+2027 is a word of its own, unless it is an
/// apostrophe (', U+2019) or a hyphen (-) between two letters of a word ("don't", "well-known"); a letter
/// here is any other character. Case is kept.
std::size_t symbol_at_front(SymbolKind kind, std::string_view text);

/// A text, symbol by symbol.
struct Symbols {
  SymbolKind kind = SymbolKind::byte;
  std::vector<std::string> distinct;  ///< every symbol that occurs, by first occurrence
  std::vector<std::int32_t> text;     ///< indices of `distinct`
  std::size_t begin = 0;              ///< the byte of the text at which the first symbol may stand

  std::int64_t count() const { return static_cast<std::int64_t>(text.size()); }
};

/// Cuts valid UTF-8; a byte order mark at its beginning is passed over.
Symbols cut_symbols(SymbolKind kind, std::string_view text);

/// Where a symbol stands, of bytes and characters, which make up the whole text.
struct TextPlace {
  std::size_t line = 1;
  std::size_t byte = 0;  ///< from 0
};
TextPlace place_of(const Symbols& symbols, std::size_t index);

}  // namespace actlab
