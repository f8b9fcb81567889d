// Cutting a text, in one pass.
#include "framework/data/symbols.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "framework/data/utf8.h"
#include "kernels/error.h"

namespace actlab {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
constexpr std::string_view right_quotation_mark = "\xe2\x80\x99";

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r' && c != '\n'); }

bool is_ascii_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

// Bytes of the punctuation character at the front of a text that is not empty, or 0.
std::size_t punctuation_at_front(std::string_view text) {
  if (is_ascii_punctuation(text[0])) return 1;
  // U+2010 to U+2027 are E2 80 90 to E2 80 A7.
  return text.starts_with("\xe2\x80") && text[2] >= '\x90' && text[2] <= '\xa7' ? 3 : 0;
}

bool begins_with_letter(std::string_view text) {
  return !text.empty() && text[0] != '\n' && !is_space(text[0]) && punctuation_at_front(text) == 0;
}

// Bytes of what may stand between two letters of a word, or 0.
std::size_t joint_at_front(std::string_view text) {
  if (text[0] == '\'' || text[0] == '-') return 1;
  return text.starts_with(right_quotation_mark) ? right_quotation_mark.size() : 0;
}

std::size_t word_at_front(std::string_view text) {
  if (text[0] == '\n') return 1;
  if (is_space(text[0])) return 0;
  if (text.starts_with(unknown_word)) return unknown_word.size();
  if (const std::size_t punctuation = punctuation_at_front(text)) return punctuation;
  std::size_t end = 0;
  while (end < text.size()) {
    const std::string_view rest = text.substr(end);
    std::size_t joint = 0;
    if (begins_with_letter(rest)) {
      end += utf8_length(rest[0]);
    } else if ((joint = joint_at_front(rest)) != 0 && begins_with_letter(rest.substr(joint))) {
      end += joint;
    } else {
      break;
    }
  }
  return end;
}

/// Numbers symbols in the order in which they are first seen.
class Numbering {
 public:
  explicit Numbering(std::vector<std::string>& distinct) : distinct_(distinct) { single_.fill(-1); }

  std::int32_t of(std::string_view symbol) {
    // One byte, the most frequent case, needs no hash.
    if (symbol.size() == 1) {
      std::int32_t& number = single_[static_cast<unsigned char>(symbol[0])];
      if (number < 0) number = add(symbol);
      return number;
    }
    const auto found = numbers_.find(symbol);
    return found != numbers_.end() ? found->second : numbers_.emplace(symbol, add(symbol)).first->second;
  }

 private:
  std::int32_t add(std::string_view symbol) {
    distinct_.emplace_back(symbol);
    return static_cast<std::int32_t>(distinct_.size() - 1);
  }

  std::vector<std::string>& distinct_;
  std::array<std::int32_t, 256> single_;
  std::unordered_map<std::string_view, std::int32_t> numbers_;  // views of the text
};

}  // namespace

const std::vector<std::string>& symbol_kind_names() {
  static const std::vector<std::string> names = {"byte", "character", "word"};
  return names;
}

std::string_view name_of(SymbolKind kind) { return symbol_kind_names()[static_cast<std::size_t>(kind)]; }

SymbolKind parse_symbol_kind(std::string_view name) {
  const auto& names = symbol_kind_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw ConfigError(concat("unknown kind of symbols '", name, "'", nearest_names(name, names)));
  return static_cast<SymbolKind>(found - names.begin());
}

std::size_t symbol_at_front(SymbolKind kind, std::string_view text) {
  if (text.empty()) return 0;
  if (kind == SymbolKind::byte) return 1;
  return kind == SymbolKind::character ? utf8_length(text[0]) : word_at_front(text);
}

Symbols cut_symbols(SymbolKind kind, std::string_view text) {
  Symbols symbols;
  symbols.kind = kind;
  if (text.starts_with(byte_order_mark)) symbols.begin = byte_order_mark.size();
  if (kind != SymbolKind::word) symbols.text.reserve(text.size());
  Numbering numbering(symbols.distinct);
  for (std::size_t at = symbols.begin; at < text.size();) {
    const std::size_t length = symbol_at_front(kind, text.substr(at));
    if (length != 0) symbols.text.push_back(numbering.of(text.substr(at, length)));
    at += std::max<std::size_t>(length, 1);
  }
  return symbols;
}

TextPlace place_of(const Symbols& symbols, std::size_t index) {
  TextPlace place{.byte = symbols.begin};
  for (std::size_t i = 0; i < index; ++i) {
    const std::string& symbol = symbols.distinct[static_cast<std::size_t>(symbols.text[i])];
    place.byte += symbol.size();
    place.line += symbol == "\n";
  }
  return place;
}

}  // namespace actlab
