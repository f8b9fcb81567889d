// Writes and reads safetensors; a reader believes nothing that it has not checked.
#include "framework/train/safetensors.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "framework/core/files.h"

namespace actlab {
namespace {

using nlohmann::json;

static_assert(std::endian::native == std::endian::little, "arrays are stored as they lie in memory");

constexpr std::string_view metadata_key = "__metadata__";
constexpr std::uint64_t most_header_bytes = 100'000'000;  // the format's own limit
constexpr std::string_view dtype_names[] = {"F32", "BF16", "F16", "F64", "I32", "U8"};  // in DType's order

DType dtype_named(std::string_view name) {
  const auto found = std::find(std::begin(dtype_names), std::end(dtype_names), name);
  ACTLAB_CHECK(found != std::end(dtype_names), "unknown element type '", name,
               "', known: F32, BF16, F16, F64, I32, U8");
  return static_cast<DType>(found - std::begin(dtype_names));
}

std::uint64_t bytes_of(DType dtype, const Shape& shape) {
  return static_cast<std::uint64_t>(shape.count()) * size_of(dtype);
}

json sizes_of(const Shape& shape) {
  json sizes = json::array();
  for (int i = 0; i < shape.rank(); ++i) sizes.push_back(shape[i]);
  return sizes;
}

std::uint64_t unsigned_of(const json& value) {
  ACTLAB_CHECK(value.is_number_unsigned(), "a size or an offset is not a whole number");
  return value.get<std::uint64_t>();
}

Shape shape_of(const json& sizes) {
  ACTLAB_CHECK(sizes.is_array(), "no shape");
  ACTLAB_CHECK(sizes.size() <= Shape::max_rank, "rank ", sizes.size(), " is above ", Shape::max_rank);
  std::int64_t d[Shape::max_rank] = {};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::uint64_t size = unsigned_of(sizes[i]);
    ACTLAB_CHECK(size <= std::numeric_limits<std::int64_t>::max(), "size ", size, " is too large");
    d[i] = static_cast<std::int64_t>(size);
  }
  switch (sizes.size()) {
    case 0:
      return {};
    case 1:
      return {d[0]};
    case 2:
      return {d[0], d[1]};
    case 3:
      return {d[0], d[1], d[2]};
    default:
      return {d[0], d[1], d[2], d[3]};
  }
}

// JSON that repeats a key is refused; the library would keep the last.
json parse_header(std::string_view text) {
  std::set<std::string> names;
  std::set<std::string> fields;
  const auto refuse_repeated = [&](int depth, json::parse_event_t event, json& parsed) {
    if (event != json::parse_event_t::key) return true;
    if (depth == 1) fields.clear();
    const auto& key = parsed.get_ref<const std::string&>();
    ACTLAB_CHECK((depth == 1 ? names : fields).insert(key).second, "the header has '", key, "' twice");
    return true;
  };
  try {
    json header = json::parse(text.begin(), text.end(), refuse_repeated);
    ACTLAB_CHECK(header.is_object(), "the header is not a JSON object");
    return header;
  } catch (const json::parse_error& error) {
    throw Error(concat("the header is not JSON from its byte ", error.byte, " on"));
  } catch (const json::exception&) {
    throw Error("the header has a number out of range");
  }
}

struct Entry {
  NamedArray array;
  std::uint64_t begin;
  std::uint64_t end;
};

// The array is still without its data.
Entry parse_entry(const std::string& name, const json& value, std::uint64_t data_bytes) {
  try {
    ACTLAB_CHECK(value.is_object() && value.contains("dtype") && value.contains("shape") &&
                     value.contains("data_offsets"),
                 "not an object with dtype, shape and data_offsets");
    const json& dtype = value["dtype"];
    const json& offsets = value["data_offsets"];
    ACTLAB_CHECK(dtype.is_string(), "no element type");
    ACTLAB_CHECK(offsets.is_array() && offsets.size() == 2, "data_offsets are not two numbers");
    Entry entry = {{name, dtype_named(dtype.get_ref<const std::string&>()), shape_of(value["shape"]), {}},
                   unsigned_of(offsets[0]),
                   unsigned_of(offsets[1])};
    ACTLAB_CHECK(entry.end <= data_bytes, "ends at byte ", entry.end, " of ", data_bytes,
                 " bytes of data: the file is truncated or damaged");
    ACTLAB_CHECK(entry.begin <= entry.end, "begins at byte ", entry.begin, " and ends at ", entry.end);
    const std::uint64_t wanted = bytes_of(entry.array.dtype, entry.array.shape);
    ACTLAB_CHECK(entry.end - entry.begin == wanted, "has ", entry.end - entry.begin, " bytes, its shape ",
                 entry.array.shape, " of ", entry.array.dtype, " needs ", wanted);
    return entry;
  } catch (const Error& error) {
    throw Error(concat("array '", name, "': ", error.what()));
  }
}

std::map<std::string, std::string> parse_metadata(const json& value) {
  ACTLAB_CHECK(value.is_object(), metadata_key, " is not an object");
  std::map<std::string, std::string> metadata;
  for (const auto& [key, text] : value.items()) {
    ACTLAB_CHECK(text.is_string(), metadata_key, " '", key, "' is not a string");
    metadata[key] = text.get<std::string>();
  }
  return metadata;
}

// Every byte of the data belongs to exactly one array.
void check_cover(const std::vector<Entry>& sorted, std::uint64_t data_bytes) {
  std::uint64_t end = 0;
  for (const Entry& entry : sorted) {
    ACTLAB_CHECK(entry.begin >= end, "array '", entry.array.name, "' overlaps the one before it");
    ACTLAB_CHECK(entry.begin == end, "bytes ", end, " to ", entry.begin, " of the data belong to no array");
    end = entry.end;
  }
  ACTLAB_CHECK(end == data_bytes, data_bytes - end, " bytes follow the last array");
}

Safetensors parse(std::string_view bytes) {
  ACTLAB_CHECK(bytes.size() >= 8, "truncated: ", bytes.size(), " bytes are no safetensors file");
  std::uint64_t header_bytes = 0;
  std::memcpy(&header_bytes, bytes.data(), 8);
  bytes.remove_prefix(8);
  ACTLAB_CHECK(header_bytes <= most_header_bytes, "a header of ", header_bytes,
               " bytes: no safetensors file, or a damaged one");
  ACTLAB_CHECK(header_bytes <= bytes.size(), "truncated: ", bytes.size(), " bytes of a header of ",
               header_bytes);
  const json header = parse_header(bytes.substr(0, header_bytes));
  const std::string_view data = bytes.substr(header_bytes);

  Safetensors result;
  std::vector<Entry> entries;
  for (const auto& [name, value] : header.items()) {
    if (name == metadata_key)
      result.metadata = parse_metadata(value);
    else
      entries.push_back(parse_entry(name, value, data.size()));
  }
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  check_cover(entries, data.size());
  for (Entry& entry : entries) {
    const auto own = std::as_bytes(std::span(data).subspan(entry.begin, entry.end - entry.begin));
    entry.array.data.assign(own.begin(), own.end());
    result.arrays.push_back(std::move(entry.array));
  }
  return result;
}

}  // namespace

std::string to_safetensors(std::span<const NamedArray> arrays,
                           const std::map<std::string, std::string>& metadata) {
  std::vector<const NamedArray*> sorted;
  for (const NamedArray& array : arrays) sorted.push_back(&array);
  std::stable_sort(sorted.begin(), sorted.end(), [](const NamedArray* a, const NamedArray* b) {
    return size_of(a->dtype) > size_of(b->dtype);
  });

  json header = json::object();
  if (!metadata.empty()) header[std::string(metadata_key)] = metadata;
  std::uint64_t end = 0;
  for (const NamedArray* array : sorted) {
    const std::uint64_t begin = end;
    end += array->data.size();
    ACTLAB_CHECK(array->name != metadata_key && !header.contains(array->name), "safetensors: the name '",
                 array->name, "' is taken");
    ACTLAB_CHECK(array->data.size() == bytes_of(array->dtype, array->shape), "safetensors: array '",
                 array->name, "' has ", array->data.size(), " bytes, its shape ", array->shape, " of ",
                 array->dtype, " needs ", bytes_of(array->dtype, array->shape));
    header[array->name] = {{"dtype", dtype_names[static_cast<std::size_t>(array->dtype)]},
                           {"shape", sizes_of(array->shape)},
                           {"data_offsets", {begin, end}}};
  }

  std::string text;
  try {
    text = header.dump();
  } catch (const json::exception&) {
    throw Error("safetensors: a name or a metadata text is not UTF-8");
  }
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const std::uint64_t header_bytes = text.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &header_bytes, 8);
  bytes.reserve(8 + text.size() + end);
  bytes += text;
  for (const NamedArray* array : sorted)
    bytes.append(reinterpret_cast<const char*>(array->data.data()), array->data.size());
  return bytes;
}

Safetensors from_safetensors(std::string_view bytes, std::string_view origin) {
  try {
    return parse(bytes);
  } catch (const Error& error) {
    throw Error(concat(origin, ": ", error.what()));
  }
}

void write_safetensors(const std::filesystem::path& path, std::span<const NamedArray> arrays,
                       const std::map<std::string, std::string>& metadata) {
  write_file_atomically(path, to_safetensors(arrays, metadata));
}

Safetensors read_safetensors(const std::filesystem::path& path) {
  return from_safetensors(read_file(path), path.string());
}

}  // namespace actlab
