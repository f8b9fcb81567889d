// The generated text: it is of its grammar, its verbs agree, and number is to be told at a distance.
#include "datasets/grammar.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "datasets/lexicon.h"
#include "framework/core/sha256.h"

namespace actlab {
namespace {

using namespace lexicon;

struct Noun {
  const Nouns* group;
  bool plural;
};
struct Verb {
  const Verbs* group;
  bool plural;
};

/// Reads sentences by the grammar alone, one word ahead; notes what does not fit.
class Reader {
 public:
  Reader() {
    for (const Nouns& group : nouns)
      for (const Word& word : group.words)
        nouns_[word.singular] = {&group, false}, nouns_[word.plural] = {&group, true};
    for (const Verbs& group : verbs)
      for (const Word& word : group.words)
        verbs_[word.singular] = {&group, false}, verbs_[word.plural] = {&group, true};
    for (const auto& word : singular_determiners) determiners_[word] = false;
    for (const auto& word : plural_determiners) determiners_[word] = true;
    prepositions_.insert(std::begin(prepositions), std::end(prepositions));
    adverbs_.insert(std::begin(adverbs), std::end(adverbs));
  }

  void read(const std::string& line) {
    std::istringstream in(line);
    words_.assign(std::istream_iterator<std::string>(in), {});
    words_.emplace_back("end");
    at_ = 0;
    clause();
    expect(next() == "." && next() == "end", "the sentence ends");
    if (faulty_) ADD_FAILURE() << line;
    faulty_ = false;
  }

  int verbs_read = 0;
  int with_other_noun_between = 0;  ///< the nearest noun before the verb has another number than its subject

 private:
  const std::string& next() { return words_[std::min(at_++, words_.size() - 1)]; }
  const std::string& ahead() const { return words_[std::min(at_, words_.size() - 1)]; }

  void expect(bool condition, const char* what) {
    if (!condition && !faulty_) ADD_FAILURE() << "word " << at_ << ": not so: " << what;
    faulty_ = faulty_ || !condition;
  }

  void clause() {
    const Noun subject = noun_phrase();
    verb_phrase(subject);
  }

  Noun noun_phrase() {
    if (faulty_) return {&nouns[0], false};
    const std::string determiner = next();
    const bool open = determiner == the;
    expect(open || determiners_.contains(determiner), "a determiner");
    if (!nouns_.contains(ahead())) adjective_ = next();
    expect(nouns_.contains(ahead()), "a noun");
    if (faulty_) return {&nouns[0], false};
    const Noun noun = nouns_.at(next());
    nearest_plural_ = noun.plural;
    expect(open || determiners_.at(determiner) == noun.plural, "determiner and noun agree");
    if (!adjective_.empty()) {
      const auto& fitting = noun.group->adjectives;
      expect(std::find(fitting.begin(), fitting.end(), adjective_) != fitting.end(), "the adjective fits");
      adjective_.clear();
    }
    if (prepositions_.contains(ahead())) {
      next();
      noun_phrase();
    } else if (ahead() == that) {
      next();
      if (verbs_.contains(ahead())) {
        verb_phrase(noun);
      } else {
        const Noun subject = noun_phrase();
        const Verb verb = agreeing_verb(subject);
        expect((verb.group->object & noun.group->kind) != 0, "the verb takes such an object");
      }
    }
    return noun;
  }

  void verb_phrase(const Noun& subject) {
    const Verb verb = agreeing_verb(subject);
    if (verb.group->clause) {
      expect(next() == that, "a clause follows");
      if (!faulty_) clause();
    } else if (verb.group->object != 0) {
      const Noun noun = noun_phrase();
      expect((verb.group->object & noun.group->kind) != 0, "the verb takes such an object");
    } else if (adverbs_.contains(ahead())) {
      next();
    }
  }

  Verb agreeing_verb(const Noun& subject) {
    expect(verbs_.contains(ahead()), "a verb");
    if (faulty_) return {&verbs[0], false};
    const Verb verb = verbs_.at(next());
    expect(verb.plural == subject.plural, "verb and subject agree");
    expect((verb.group->subject & subject.group->kind) != 0, "the verb takes such a subject");
    ++verbs_read;
    with_other_noun_between += nearest_plural_ != subject.plural;
    return verb;
  }

  std::map<std::string_view, Noun> nouns_;
  std::map<std::string_view, Verb> verbs_;
  std::map<std::string_view, bool> determiners_;
  std::set<std::string_view> prepositions_, adverbs_;
  std::vector<std::string> words_;
  std::size_t at_ = 0;
  std::string adjective_;
  bool nearest_plural_ = false;
  bool faulty_ = false;
};

TEST(Grammar, SentencesAreOfItAndVerbsAgreeAtADistance) {
  std::istringstream text(generate_text(1, 3000));
  Reader reader;
  int sentences = 0;
  for (std::string line; std::getline(text, line); ++sentences) reader.read(line);
  EXPECT_EQ(sentences, 3000);
  EXPECT_GT(reader.verbs_read, 5000);
  // The last noun before a verb misleads often enough for the subject to be worth finding.
  EXPECT_GT(reader.with_other_noun_between, reader.verbs_read / 10);
}

TEST(Grammar, NoWordIsTwoThings) {
  std::set<std::string_view> words = {the, that, "."};
  std::size_t count = words.size();
  const auto add = [&](std::string_view word) {
    EXPECT_TRUE(words.insert(word).second) << word;
    ++count;
  };
  for (const Nouns& group : nouns)
    for (const Word& word : group.words) add(word.singular), add(word.plural);
  for (const Verbs& group : verbs)
    for (const Word& word : group.words) add(word.singular), add(word.plural);
  for (const auto list : {std::span<const std::string_view>(animate_adjectives),
                          {food_adjectives},
                          {thing_adjectives},
                          {singular_determiners},
                          {plural_determiners},
                          {prepositions},
                          {adverbs}})
    for (const std::string_view word : list) add(word);
  EXPECT_EQ(words.size(), count);
  EXPECT_LT(count, 400U);

  std::istringstream text(generate_text(0, 15000));
  std::set<std::string> used;
  for (std::string word; text >> word;) used.insert(word);
  EXPECT_EQ(used.size(), count);
}

TEST(Grammar, SentencesDependOnSeedAndNumberOnly) {
  const std::string text = generate_text(4, 200);
  EXPECT_TRUE(generate_text(4, 300).starts_with(text));
  EXPECT_NE(generate_text(5, 200), text);
  EXPECT_EQ(generate_text(0, 0), "");
}

// The digest is of the first machine; any other must agree.
TEST(Grammar, TheSameBytesOnEveryMachine) {
  EXPECT_EQ(sha256(generate_text(0, 15000)),
            "ac500a8dd41d873c733f5ecf478aeb59d908009702c5d28f360eb286e8ac52fc");
}

}  // namespace
}  // namespace actlab
