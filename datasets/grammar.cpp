// The rules, drawn from left to right.
#include "datasets/grammar.h"

#include <algorithm>

#include "datasets/lexicon.h"
#include "kernels/random.h"

namespace actlab {
namespace {

using namespace lexicon;

constexpr int deepest = 3;

/// Choices by the numbers of one sentence, one after the other.
class Draws {
 public:
  Draws(std::uint64_t seed, std::int64_t sentence)
      : random_(seed, RandomPurpose::synthetic, static_cast<std::uint64_t>(sentence)) {}

  std::uint32_t below(std::size_t n) { return random_.below(drawn_++, static_cast<std::uint32_t>(n)); }
  bool chance(int percent) { return below(100) < static_cast<std::uint32_t>(percent); }

  template <class List>
  const auto& any(const List& list) {
    return list[below(std::size(list))];
  }
  template <class List, class Condition>
  const auto& any_of(const List& list, const Condition& condition) {
    std::uint32_t left = below(static_cast<std::size_t>(std::count_if(list.begin(), list.end(), condition)));
    for (auto entry = list.begin();; ++entry)
      if (condition(*entry) && left-- == 0) return *entry;
  }
  // The first entry about ten times as often as the last, in a long list more.
  template <class List>
  const auto& often_first(const List& list) {
    return list[below(below(std::size(list)) + 1)];
  }

 private:
  Random random_;
  std::uint64_t drawn_ = 0;
};

class Sentence {
 public:
  Sentence(Draws& draw, std::string& text) : draw_(draw), text_(text) {}

  void write() {
    clause(0);
    text_ += ".\n";
  }

 private:
  void clause(int depth) {
    const Nouns& subject = draw_.any(nouns);
    const bool plural = draw_.chance(50);
    noun_phrase(subject, plural, depth);
    verb_phrase(subject.kind, plural, depth);
  }

  void noun_phrase(const Nouns& nouns, bool plural, int depth) {
    if (draw_.chance(60)) {
      put(the);
    } else {
      put(plural ? draw_.often_first(plural_determiners) : draw_.often_first(singular_determiners));
    }
    if (draw_.chance(30)) put(draw_.often_first(nouns.adjectives));
    put(draw_.often_first(nouns.words), plural);
    if (depth == deepest || !draw_.chance(60 / (depth + 1))) return;
    switch (draw_.below(4)) {
      case 0:
        put(draw_.often_first(prepositions));
        noun_phrase(draw_.any(lexicon::nouns), draw_.chance(50), depth + 1);
        break;
      case 1:
        put(that);
        verb_phrase(nouns.kind, plural, depth + 1);
        break;
      default:
        put(that);
        verb_without_object(nouns.kind, depth + 1);
    }
  }

  void verb_phrase(Kind subject, bool plural, int depth) {
    const Verbs& group = draw_.any_of(
        verbs, [&](const Verbs& v) { return (v.subject & subject) != 0 && !(v.clause && depth > 0); });
    put(draw_.often_first(group.words), plural);
    if (group.clause) {
      put(that);
      clause(depth + 1);
    } else if (group.object != 0) {
      noun_phrase(nouns_of(group.object), draw_.chance(50), depth + 1);
    } else if (draw_.chance(30)) {
      put(draw_.often_first(adverbs));
    }
  }

  // "the cat chases", of a noun before it.
  void verb_without_object(Kind object, int depth) {
    const Verbs& group = draw_.any_of(verbs, [&](const Verbs& v) { return (v.object & object) != 0; });
    const bool plural = draw_.chance(50);
    noun_phrase(nouns_of(group.subject), plural, depth);
    put(draw_.often_first(group.words), plural);
  }

  const Nouns& nouns_of(std::uint8_t kinds) {
    return draw_.any_of(nouns, [&](const Nouns& n) { return (n.kind & kinds) != 0; });
  }

  void put(std::string_view word) {
    text_ += word;
    text_ += ' ';
  }
  void put(const Word& word, bool plural) { put(plural ? word.plural : word.singular); }

  Draws& draw_;
  std::string& text_;
};

}  // namespace

std::string generate_text(std::uint64_t seed, std::int64_t sentences) {
  std::string text;
  for (std::int64_t i = 0; i < sentences; ++i) {
    Draws draw(seed, i);
    Sentence(draw, text).write();
  }
  return text;
}

}  // namespace actlab
