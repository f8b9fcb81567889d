// Errors: one exception type a remedy, and the check that throws it. Also the nearest names for a misspelled
// one.
#pragma once

#include <locale>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace actlab {

/// What went wrong, where, and what to do; the program ends with exit code 1.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A wrong option, key, name or value given by the user; exit code 2.
class ConfigError : public Error {
 public:
  using Error::Error;
};

/// A data set that is missing or damaged; exit code 3.
class DataError : public Error {
 public:
  using Error::Error;
};

/// The parts as text, numbers the same in every locale.
template <class... Parts>
std::string concat(const Parts&... parts) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  (out << ... << parts);
  return std::move(out).str();
}

/// ", nearest: relu, relu_squared" for a name that is not among `known`: at most three, by edit distance.
std::string nearest_names(std::string_view wanted, const std::vector<std::string>& known);

/// ACTLAB_CHECK(a == b, "matmul: inner sizes differ: ", a, " and ", b) throws Error with the text joined.
#define ACTLAB_CHECK(condition, ...)                                        \
  do {                                                                      \
    if (!(condition)) throw ::actlab::Error(::actlab::concat(__VA_ARGS__)); \
  } while (false)

}  // namespace actlab
