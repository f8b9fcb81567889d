// JSON of records; the only place here that knows the JSON library.
#include "experiments/results/record.h"

#include <charconv>
#include <nlohmann/json.hpp>

#include "kernels/error.h"

namespace actlab {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Cell& cell) {
  return std::visit(
      [](const auto& value) {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>) {
          return Json(nullptr);
        } else {
          return Json(value);
        }
      },
      cell);
}

Cell cell_of(const std::string& name, const Json& json) {
  switch (json.type()) {
    case Json::value_t::null:
      return {};
    case Json::value_t::boolean:
      return json.get<bool>();
    case Json::value_t::number_integer:
      return json.get<std::int64_t>();
    case Json::value_t::number_unsigned:
      if (json.get<std::uint64_t>() > std::uint64_t{INT64_MAX}) return json.get<double>();
      return json.get<std::int64_t>();
    case Json::value_t::number_float:
      return json.get<double>();
    case Json::value_t::string:
      return json.get<std::string>();
    default:
      throw Error(concat("field '", name, "': wanted a number, text, true, false or null"));
  }
}

}  // namespace

std::optional<double> number_in(std::string_view text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}

const Cell* find_cell(const Record& record, std::string_view name) {
  for (const auto& [other, cell] : record)
    if (other == name) return &cell;
  return nullptr;
}

std::string to_json(const Record& record, Layout layout) {
  Json object = Json::object();
  for (const auto& [name, cell] : record) object[name] = json_of(cell);
  return object.dump(layout == Layout::line ? -1 : 2, ' ', false, Json::error_handler_t::replace);
}

Record parse_json(std::string_view text) {
  Json object;
  try {
    object = Json::parse(text);
  } catch (const Json::exception&) {
    throw Error("is damaged: no JSON");
  }
  if (!object.is_object()) throw Error("is damaged: wanted a JSON object");
  Record record;
  for (const auto& [name, value] : object.items()) record.emplace_back(name, cell_of(name, value));
  return record;
}

}  // namespace actlab
