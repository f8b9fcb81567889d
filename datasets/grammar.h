// English-like text made from a seed: a text that needs no file and has something to learn.
#pragma once

#include <cstdint>
#include <string>

namespace actlab {

/// Sentences, one a line, words separated by spaces:
///
///   sentence     = noun phrase, verb phrase
///   noun phrase  = determiner [adjective] noun [preposition, noun phrase | "that" verb phrase
///                                               | "that" noun phrase, verb]
///   verb phrase  = verb [adverb] | verb, noun phrase | verb "that" sentence
///
/// A verb agrees in number with its subject, whatever stands between them ("the dogs that the cat chases
/// sleep ."); verbs and adjectives ask for kinds of nouns (food is eaten, persons speak). Words of a class
/// are unequally frequent. Sentence i depends on the seed and i only: a longer text begins with the shorter
/// one, and for every number of threads it is the same.
std::string generate_text(std::uint64_t seed, std::int64_t sentences);

}  // namespace actlab
