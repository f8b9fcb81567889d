// Text of XML and HTML: elements and their attributes, with all that stands in them escaped.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace actlab {

/// The text with what markup gives a meaning to as entities, control characters as on_one_line has them, and
/// bytes that are no UTF-8 as U+FFFD.
std::string escape_markup(std::string_view text);

/// A number for a picture: at most `decimals` of them, no zeros at the end, whatever the locale.
std::string short_number(double value, int decimals = 1);

/// Writes elements one after the other. Names of elements and attributes are the program's own.
class Markup {
 public:
  using Attributes = std::initializer_list<std::pair<std::string_view, std::string>>;

  /// <name ...>, until the close() that belongs to it.
  void open(std::string_view name, Attributes attributes = {});
  void close();
  /// <name ...>text</name>
  void element(std::string_view name, Attributes attributes, std::string_view text);
  /// <name .../>: an element of SVG that holds nothing.
  void shape(std::string_view name, Attributes attributes);
  /// What is markup already.
  void raw(std::string_view markup) { text_ += markup; }

  /// What was written; every element is closed.
  std::string text() &&;

 private:
  void begin(std::string_view name, Attributes attributes);

  std::string text_;
  std::vector<std::string> open_;
};

}  // namespace actlab
