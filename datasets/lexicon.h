// The words of the generated text. No form stands for two things: a noun is no verb, a singular no plural.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace actlab::lexicon {

/// A noun or a verb in the form for one and for several.
struct Word {
  std::string_view singular;
  std::string_view plural;
};

/// What a noun names; bits, so that a verb can ask for one of several.
enum Kind : std::uint8_t {
  person = 1,
  animal = 2,
  food = 4,
  thing = 8,
  animate = person | animal,
  object = food | thing
};

inline constexpr Word persons[] = {
    {"man", "men"},          {"woman", "women"},         {"child", "children"}, {"girl", "girls"},
    {"boy", "boys"},         {"teacher", "teachers"},    {"doctor", "doctors"}, {"farmer", "farmers"},
    {"student", "students"}, {"king", "kings"},          {"queen", "queens"},   {"artist", "artists"},
    {"baker", "bakers"},     {"soldier", "soldiers"},    {"writer", "writers"}, {"judge", "judges"},
    {"pilot", "pilots"},     {"neighbour", "neighbours"}};
inline constexpr Word animals[] = {
    {"dog", "dogs"},   {"cat", "cats"},       {"mouse", "mice"},  {"horse", "horses"}, {"bird", "birds"},
    {"fox", "foxes"},  {"wolf", "wolves"},    {"goose", "geese"}, {"cow", "cows"},     {"lion", "lions"},
    {"bear", "bears"}, {"rabbit", "rabbits"}, {"owl", "owls"},    {"goat", "goats"}};
inline constexpr Word foods[] = {{"apple", "apples"},  {"cake", "cakes"},      {"egg", "eggs"},
                                 {"berry", "berries"}, {"carrot", "carrots"},  {"loaf", "loaves"},
                                 {"nut", "nuts"},      {"cherry", "cherries"}, {"potato", "potatoes"},
                                 {"pear", "pears"}};
inline constexpr Word things[] = {{"book", "books"},     {"chair", "chairs"},     {"table", "tables"},
                                  {"letter", "letters"}, {"knife", "knives"},     {"box", "boxes"},
                                  {"lamp", "lamps"},     {"picture", "pictures"}, {"clock", "clocks"},
                                  {"boat", "boats"},     {"key", "keys"},         {"bell", "bells"},
                                  {"mirror", "mirrors"}, {"basket", "baskets"}};

inline constexpr std::string_view animate_adjectives[] = {"young", "hungry", "happy",  "tired", "clever",
                                                          "brave", "quiet",  "lonely", "angry", "lazy"};
inline constexpr std::string_view food_adjectives[] = {"sweet", "fresh", "sour", "ripe", "warm", "tasty"};
inline constexpr std::string_view thing_adjectives[] = {"heavy", "broken", "wooden", "cheap",
                                                        "new",   "round",  "empty",  "shiny"};

struct Nouns {
  Kind kind;
  std::span<const Word> words;
  std::span<const std::string_view> adjectives;
};
inline constexpr std::array<Nouns, 4> nouns = {{{person, persons, animate_adjectives},
                                                {animal, animals, animate_adjectives},
                                                {food, foods, food_adjectives},
                                                {thing, things, thing_adjectives}}};

inline constexpr Word rests[] = {
    {"sleeps", "sleep"}, {"runs", "run"},     {"waits", "wait"},     {"jumps", "jump"},     {"hides", "hide"},
    {"swims", "swim"},   {"leaves", "leave"}, {"arrives", "arrive"}, {"returns", "return"}, {"eats", "eat"}};
inline constexpr Word laughs[] = {{"laughs", "laugh"}, {"sings", "sing"},   {"dances", "dance"},
                                  {"works", "work"},   {"smiles", "smile"}, {"studies", "study"}};
inline constexpr Word falls[] = {{"falls", "fall"}, {"vanishes", "vanish"}, {"remains", "remain"},
                                 {"burns", "burn"}, {"rolls", "roll"},      {"matters", "matter"}};
inline constexpr Word sees[] = {{"sees", "see"},         {"hears", "hear"},        {"chases", "chase"},
                                {"follows", "follow"},   {"finds", "find"},        {"watches", "watch"},
                                {"likes", "like"},       {"loves", "love"},        {"helps", "help"},
                                {"meets", "meet"},       {"avoids", "avoid"},      {"admires", "admire"},
                                {"protects", "protect"}, {"remembers", "remember"}};
inline constexpr Word tastes[] = {{"tastes", "taste"}, {"smells", "smell"}, {"wants", "want"},
                                  {"steals", "steal"}, {"shares", "share"}, {"devours", "devour"}};
inline constexpr Word carries[] = {
    {"carries", "carry"}, {"buys", "buy"},       {"sells", "sell"}, {"paints", "paint"}, {"cleans", "clean"},
    {"drops", "drop"},    {"repairs", "repair"}, {"loses", "lose"}, {"needs", "need"},   {"makes", "make"}};
inline constexpr Word pleases[] = {{"pleases", "please"},
                                   {"surprises", "surprise"},
                                   {"attracts", "attract"},
                                   {"delights", "delight"},
                                   {"bothers", "bother"}};
inline constexpr Word says[] = {{"says", "say"},   {"thinks", "think"}, {"believes", "believe"},
                                {"hopes", "hope"}, {"claims", "claim"}, {"agrees", "agree"}};

/// Verbs that ask the same of their subject and of what follows.
struct Verbs {
  Kind subject;
  std::uint8_t object;  ///< kinds; 0: none
  bool clause;          ///< "that" and a sentence follow
  std::span<const Word> words;
};
inline constexpr std::array<Verbs, 8> verbs = {{{animate, 0, false, rests},
                                                {person, 0, false, laughs},
                                                {object, 0, false, falls},
                                                {animate, animate, false, sees},
                                                {animate, food, false, tastes},
                                                {person, thing, false, carries},
                                                {object, animate, false, pleases},
                                                {person, 0, true, says}}};

inline constexpr std::string_view the = "the";
inline constexpr std::string_view singular_determiners[] = {"this", "every", "each", "one"};
inline constexpr std::string_view plural_determiners[] = {"these", "some", "many", "two", "three", "few"};
inline constexpr std::string_view prepositions[] = {"near", "behind", "beside", "with"};
inline constexpr std::string_view adverbs[] = {"often", "today",   "again",   "alone",
                                               "here",  "quickly", "outside", "together"};
inline constexpr std::string_view that = "that";

}  // namespace actlab::lexicon
