// The vocabulary as text: one symbol a line, readable and exact.
#include <algorithm>
#include <charconv>
#include <sstream>

#include "framework/data/utf8.h"
#include "framework/data/vocabulary.h"
#include "kernels/error.h"

namespace actlab {
namespace {

constexpr std::string_view magic = "actlab-vocabulary";
constexpr std::string_view version = "1";

std::string header(std::string_view kind, std::int64_t symbols, bool has_unknown) {
  return concat(magic, ' ', version, ' ', kind, ' ', symbols, has_unknown ? " " : "",
                has_unknown ? unknown_word : "");
}

bool is_plain(SymbolKind kind, unsigned char byte) {
  return byte > ' ' && byte != '\\' && byte != 0x7f && (byte < 0x80 || kind != SymbolKind::byte);
}

// Nothing where an escape is none of those that to_text() writes.
std::optional<std::string> unescaped(std::string_view line) {
  std::string symbol;
  while (!line.empty()) {
    std::size_t length = 1;
    if (line[0] != '\\') {
      symbol += line[0];
    } else if (line.starts_with("\\n") || line.starts_with("\\\\")) {
      symbol += line[1] == 'n' ? '\n' : '\\';
      length = 2;
    } else {
      unsigned value = 0;
      const auto digits = line.starts_with("\\x") ? line.substr(2, 2) : std::string_view();
      const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
      if (digits.size() != 2 || end != digits.data() + 2) return std::nullopt;
      symbol += static_cast<char>(value);
      length = 4;
    }
    line.remove_prefix(length);
  }
  return symbol;
}

// What is wrong with a symbol, or nothing.
std::string_view fault_of(SymbolKind kind, const std::optional<std::string>& symbol) {
  if (!symbol) return "an escape is none of \\n, \\\\ and \\xHH";
  if (symbol->empty()) return "no symbol";
  if (kind != SymbolKind::byte && first_invalid_utf8(*symbol) != symbol->size()) return "no UTF-8";
  if (symbol->find('\0') != std::string::npos) return "a NUL";
  if (*symbol == unknown_word) return "<unk> belongs into the first line";
  return symbol_at_front(kind, *symbol) == symbol->size() ? "" : "more than one symbol";
}

}  // namespace

std::string escaped_symbol(SymbolKind kind, std::string_view symbol) {
  constexpr std::string_view hex = "0123456789ABCDEF";
  std::string text;
  for (const char c : symbol) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      text += "\\n";
    } else if (c == '\\') {
      text += "\\\\";
    } else if (is_plain(kind, byte)) {
      text += c;
    } else {
      text += {'\\', 'x', hex[byte >> 4], hex[byte & 15]};
    }
  }
  return text;
}

std::string Vocabulary::to_text() const {
  std::string text = header(name_of(kind_), symbols(), has_unknown_) + '\n';
  for (const std::string& symbol : symbols_) text += escaped_symbol(kind_, symbol) + '\n';
  return text;
}

Vocabulary Vocabulary::from_text(std::string_view text, const std::string& source) {
  std::size_t number = 0;  // of the line
  const auto fail = [&](const auto&... what) {
    throw DataError(concat(source, ": line ", number, ": ", what...,
                           ": take the vocabulary.txt of another run, or build it anew"));
  };
  const auto next_line = [&] {
    ++number;
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos)
      fail(text.empty() ? "the file ends here" : "the line is cut: no newline");
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    return std::string(line);
  };

  const std::string first = next_line();
  std::istringstream words(first);
  words.imbue(std::locale::classic());
  std::string word, file_version, kind_name;
  std::int64_t count = 0;
  words >> word >> file_version >> kind_name >> count;
  const bool has_unknown = first.ends_with(unknown_word);
  const auto& kinds = symbol_kind_names();
  if (word == magic && words && file_version != version)
    fail("version ", file_version, ", this program reads version ", version);
  if (count < 0 || std::find(kinds.begin(), kinds.end(), kind_name) == kinds.end() ||
      first != header(kind_name, count, has_unknown))
    fail("wanted '", magic, ' ', version, " byte|character|word SYMBOLS [<unk>]'");

  Vocabulary vocabulary(parse_symbol_kind(kind_name), has_unknown, {});
  for (std::int64_t i = 0; i < count; ++i) {
    auto symbol = unescaped(next_line());
    if (const auto fault = fault_of(vocabulary.kind_, symbol); !fault.empty()) fail(fault);
    if (!vocabulary.tokens_.emplace(*symbol, static_cast<std::int32_t>(i)).second)
      fail("'", escaped_symbol(vocabulary.kind_, *symbol), "' stands in an earlier line too");
    vocabulary.symbols_.push_back(std::move(*symbol));
  }
  ++number;
  if (!text.empty()) fail("more lines than the ", count, " symbols that the first one says");
  return vocabulary;
}

}  // namespace actlab
