// A text for masked-token training: any UTF-8 file, or one made from a seed.
#include "datasets/datasets.h"
#include "datasets/grammar.h"
#include "datasets/source_files.h"
#include "framework/core/sha256.h"
#include "framework/data/text_dataset.h"
#include "framework/data/utf8.h"

namespace actlab {
namespace {

const SourceFiles& files() {
  static const SourceFiles files("text", "data.file must name a UTF-8 text");
  return files;
}

std::string read_text(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_fifo(path, error) || std::filesystem::is_character_file(path, error))
    files().fail(path, "this is a pipe or a device, no file");
  std::string text = files().read(path);
  if (text.empty()) files().fail(path, "the file is empty");
  const std::size_t fault = std::min(text.find('\0'), first_invalid_utf8(text));
  if (fault == text.size()) return text;
  const auto byte = static_cast<unsigned char>(text[fault]);
  constexpr std::string_view hex = "0123456789ABCDEF";
  files().fail(path, concat("byte ", fault, " (from 0) is 0x", hex[byte >> 4], hex[byte & 15], ": ",
                            byte == 0 ? "a text has no NUL; this file is binary or UTF-16"
                                      : "no UTF-8; iconv -f LATIN1 -t UTF-8 converts from Latin-1"));
}

std::optional<Vocabulary> read_vocabulary(const std::string& path, SymbolKind kind) {
  if (path.empty()) return std::nullopt;
  static const SourceFiles vocabularies("text", "data.vocabulary_file must name a run's vocabulary.txt");
  Vocabulary vocabulary = Vocabulary::from_text(vocabularies.read(path), "text: " + path);
  if (vocabulary.kind() != kind)
    throw ConfigError(concat("data.vocabulary = ", name_of(kind), ": ", path, " has ",
                             name_of(vocabulary.kind()),
                             "s: set data.vocabulary=", name_of(vocabulary.kind())));
  return vocabulary;
}

std::unique_ptr<Dataset> load(const Options& options) {
  const SymbolKind kind = parse_symbol_kind(options.text("vocabulary"));
  const std::string& file = options.text("file");
  const std::int64_t seed = options.integer("seed");
  const std::string text = file.empty()
                               ? generate_text(static_cast<std::uint64_t>(seed), options.integer("sentences"))
                               : read_text(file);
  return std::make_unique<TextDataset>(
      file.empty() ? concat("seed ", seed) : file, sha256(text), cut_symbols(kind, text),
      TextSettings{.window = options.integer("window"),
                   .test = options.number("test"),
                   .vocabulary_size = options.integer("vocabulary_size"),
                   .vocabulary = read_vocabulary(options.text("vocabulary_file"), kind)});
}

}  // namespace

DatasetType text() {
  const auto integer = [](const char* name, std::int64_t fallback, const char* help, double least,
                          double most) {
    return Option{.name = name, .fallback = fallback, .help = help, .least = least, .most = most};
  };
  return {.name = "text",
          .summary = "tokens to be guessed in a UTF-8 file, or in a text made from a seed",
          .options = {{.name = "file",
                       .fallback = std::string(),
                       .help = "UTF-8 text; empty: sentences made from the seed"},
                      {.name = "vocabulary",
                       .fallback = std::string("word"),
                       .help = "what a token is",
                       .choices = symbol_kind_names()},
                      integer("vocabulary_size", 0,
                              "the most frequent so many of the training part, the rest is <unk>; 0: all its "
                              "bytes or characters, 8192 words",
                              0, 1e7),
                      {.name = "vocabulary_file",
                       .fallback = std::string(),
                       .help = "a run's vocabulary.txt; empty: built from the training part"},
                      integer("window", 64, "tokens of a window", 2, 65536),
                      {.name = "test",
                       .fallback = 0.1,
                       .help = "share of the text, at its end, to evaluate on",
                       .least = 0,
                       .most = 1},
                      integer("seed", 0, "another seed makes another text", 0, 1e15),
                      integer("sentences", 15000, "of the text that is made", 1, 1e7)},
          .make = load};
}

}  // namespace actlab
