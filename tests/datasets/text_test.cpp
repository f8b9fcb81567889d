// The text data set by its options: files, generated text, and what is refused.
#include "framework/data/text_dataset.h"
#include "tests/datasets/opened.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace actlab {
namespace {

std::unique_ptr<Dataset> open_text(const Settings& settings) { return open_any("text", settings); }

std::string message_for(const Settings& settings) {
  const std::string message = message_of([&] { open_text(settings); });
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  return message;
}

const std::string fox = "The quick brown fox jumps over the lazy dog. ";

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST(Text, IsMadeFromASeedWhereNoFileIsGiven) {
  const auto data = open_text({});
  EXPECT_EQ(data->name, "text");
  EXPECT_EQ(data->origin, "seed 0");
  EXPECT_EQ(data->notes, std::vector<std::string>{});
  const auto spec = std::get<TextSpec>(data->spec());
  EXPECT_EQ(spec.window, 64);
  EXPECT_GT(spec.vocabulary, 250);
  EXPECT_LT(spec.vocabulary, 400);
  EXPECT_GT(data->count(SplitName::train), 2000);
  EXPECT_GT(data->count(SplitName::test), 200);
  EXPECT_EQ(data->count(SplitName::validation), 0);
  EXPECT_EQ(open_text({})->checksum, data->checksum);
  EXPECT_NE(open_text({{"seed", std::int64_t{1}}})->checksum, data->checksum);
}

TEST(Text, ReadsAFileInThreeVocabularies) {
  const TemporaryFolder folder;
  const std::string file = folder.write("fox.txt", repeated(fox + "é\n", 20)).string();
  for (const auto& [vocabulary, size] :
       {std::pair{"byte", 32 + 2}, {"character", 31 + 2}, {"word", 12 + 3}}) {
    const auto data =
        open_text({{"file", file}, {"vocabulary", std::string(vocabulary)}, {"window", std::int64_t{8}}});
    EXPECT_EQ(data->origin, file);
    EXPECT_EQ(std::get<TextSpec>(data->spec()).vocabulary, size) << vocabulary;
  }
  const auto data = open_text(
      {{"file", file}, {"vocabulary_size", std::int64_t{5}}, {"window", std::int64_t{8}}, {"test", 0.5}});
  EXPECT_EQ(std::get<TextSpec>(data->spec()).vocabulary, 5 + 3);
  EXPECT_EQ(data->count(SplitName::test), 15);  // of 240 tokens the half, in windows of 8
}

TEST(Text, AByteOrderMarkIsPassedOver) {
  const TemporaryFolder folder;
  const std::string text = repeated(fox, 20);
  const auto open = [&](const std::string& content) {
    return open_text({{"file", folder.write("a.txt", content).string()},
                      {"vocabulary", std::string("character")},
                      {"window", std::int64_t{8}}});
  };
  EXPECT_EQ(open("\xef\xbb\xbf" + text)->files(), open(text)->files());
}

TEST(Text, AKeptVocabularyReadsTheSameData) {
  const TemporaryFolder folder;
  const std::string file = folder.write("fox.txt", repeated(fox, 20)).string();
  const auto data = open_text({{"file", file}, {"window", std::int64_t{8}}});
  const std::string kept = folder.write("vocabulary.txt", data->files().at("vocabulary.txt")).string();
  const Settings again = {{"file", file}, {"vocabulary_file", kept}, {"window", std::int64_t{8}}};
  EXPECT_EQ(open_text(again)->checksum, data->checksum);

  const std::string other = folder.write("other.txt", "The lazy cat jumps over the lazy fox.").string();
  const auto evaluated =
      open_text({{"file", other}, {"vocabulary_file", kept}, {"window", std::int64_t{8}}, {"test", 1.0}});
  EXPECT_EQ(evaluated->notes,
            std::vector<std::string>{"text: " + other + ": 1 of the 9 test tokens (11.1 %) are <unk>"});
}

TEST(Text, RefusesFilesThatAreNoText) {
  const TemporaryFolder folder;
  const auto message = [&](std::string_view content) {
    return message_for({{"file", folder.write("a.txt", std::string(content)).string()}});
  };
  const std::string start = "text: " + (folder.path() / "a.txt").string() + ": ";
  const std::string rest = ": data.file must name a UTF-8 text";
  using namespace std::string_view_literals;
  EXPECT_EQ(message(""), start + "the file is empty" + rest);
  EXPECT_EQ(message("abc\0def"sv),
            start + "byte 3 (from 0) is 0x00: a text has no NUL; this file is binary or UTF-16" + rest);
  EXPECT_EQ(
      message("caf\xe9 au lait"),
      start + "byte 3 (from 0) is 0xE9: no UTF-8; iconv -f LATIN1 -t UTF-8 converts from Latin-1" + rest);
  EXPECT_TRUE(message("\xef\xbb\xbf").starts_with(start + "a part is shorter than a window"));
  EXPECT_TRUE(message(" \t ").starts_with(start + "a part is shorter than a window"));
  const std::string absent = (folder.path() / "absent.txt").string();
  EXPECT_EQ(message_for({{"file", absent}}),
            "text: cannot read " + absent + ": No such file or directory" + rest);
  EXPECT_TRUE(message_for({{"file", folder.path().string()}}).ends_with("Is a directory" + rest));
  EXPECT_EQ(message_for({{"file", std::string("/dev/zero")}}),
            "text: /dev/zero: this is a pipe or a device, no file" + rest);
}

TEST(Text, RefusesVocabulariesThatDoNotFit) {
  const TemporaryFolder folder;
  const std::string words = folder.write("v.txt", "actlab-vocabulary 1 word 2 <unk>\na\nb\n").string();
  EXPECT_EQ(message_for({{"vocabulary_file", words}, {"vocabulary", std::string("byte")}}),
            "data.vocabulary = byte: " + words + " has words: set data.vocabulary=word");
  const std::string damaged = folder.write("d.txt", "actlab-vocabulary 1 word 2 <unk>\na\n").string();
  EXPECT_TRUE(message_for({{"vocabulary_file", damaged}}).starts_with("text: " + damaged + ": line 3: "));
  const std::string absent = (folder.path() / "absent.txt").string();
  EXPECT_EQ(message_for({{"vocabulary_file", absent}}),
            "text: cannot read " + absent +
                ": No such file or directory: data.vocabulary_file must name a run's "
                "vocabulary.txt");
  const std::string letters = folder.write("l.txt", "actlab-vocabulary 1 character 2\na\nb\n").string();
  const std::string file = folder.write("abc.txt", "abab\nabc").string();
  EXPECT_TRUE(
      message_for({{"file", file},
                   {"vocabulary_file", letters},
                   {"vocabulary", std::string("character")},
                   {"window", std::int64_t{2}},
                   {"test", 1.0}})
          .starts_with("text: " + file + ": line 1, byte 4: the character '\\n' is not in the vocabulary"));
}

TEST(Text, RefusesOptionsOutOfRange) {
  for (const auto& [name, value] : Settings{{"window", std::int64_t{1}},
                                            {"test", 1.5},
                                            {"vocabulary", std::string("char")},
                                            {"vocabulary_size", std::int64_t{-1}},
                                            {"sentences", std::int64_t{0}}})
    EXPECT_THROW(open_text({{name, value}}), ConfigError) << name;
  EXPECT_TRUE(
      message_for({{"sentences", std::int64_t{3}}}).starts_with("text: seed 0: a part is shorter than"));
}

}  // namespace
}  // namespace actlab
