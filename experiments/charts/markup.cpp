// Writes markup.
#include "experiments/charts/markup.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "experiments/results/table.h"
#include "framework/data/utf8.h"
#include "kernels/error.h"

namespace actlab {
namespace {

std::string_view entity_of(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

}  // namespace

std::string escape_markup(std::string_view text) {
  const std::string line = on_one_line(text);
  std::string escaped;
  for (std::string_view rest = line; !rest.empty();) {
    const std::size_t bytes = utf8_character(rest);
    const std::string_view entity = entity_of(rest.front());
    if (bytes == 0) {
      escaped += "\uFFFD";
    } else if (!entity.empty()) {
      escaped += entity;
    } else {
      escaped += rest.substr(0, bytes);
    }
    rest.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return escaped;
}

std::string short_number(double value, int decimals) {
  char text[400];
  const auto end = std::to_chars(std::begin(text), std::end(text), value, std::chars_format::fixed, decimals);
  std::string number(text, end.ptr);
  if (!std::isfinite(value) || decimals == 0) return number;
  number.resize(number.find_last_not_of('0') + 1);
  if (number.ends_with('.')) number.pop_back();
  return number == "-0" ? "0" : number;
}

void Markup::begin(std::string_view name, Attributes attributes) {
  text_ += concat('<', name);
  for (const auto& [attribute, value] : attributes)
    text_ += concat(' ', attribute, "=\"", escape_markup(value), '"');
}

void Markup::open(std::string_view name, Attributes attributes) {
  begin(name, attributes);
  text_ += ">\n";
  open_.emplace_back(name);
}

void Markup::close() {
  text_ += concat("</", open_.back(), ">\n");
  open_.pop_back();
}

void Markup::element(std::string_view name, Attributes attributes, std::string_view text) {
  begin(name, attributes);
  text_ += concat('>', escape_markup(text), "</", name, ">\n");
}

void Markup::shape(std::string_view name, Attributes attributes) {
  begin(name, attributes);
  text_ += "/>\n";
}

std::string Markup::text() && {
  ACTLAB_CHECK(open_.empty(), "markup: an element is not closed: ", open_.back());
  return std::move(text_);
}

}  // namespace actlab
