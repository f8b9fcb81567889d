// Safetensors: round trips, bytes as other programs write them, and every kind of damage.
#include "framework/train/safetensors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "framework/core/files.h"
#include "tests/support/temporary_folder.h"

namespace actlab {
namespace {

NamedArray make_array(const std::string& name, DType dtype, const Shape& shape) {
  NamedArray array = {name, dtype, shape, {}};
  for (std::size_t i = 0; i < static_cast<std::size_t>(shape.count()) * size_of(dtype); ++i)
    array.data.push_back(static_cast<std::byte>(i * 7 + name.size()));
  return array;
}

std::vector<NamedArray> make_arrays() {
  return {
      make_array("mask", DType::u8, {3}),           make_array("conv.weight", DType::f32, {2, 3, 3, 1}),
      make_array("half", DType::f16, {5}),          make_array("brain \"quoted\" \n", DType::bf16, {1, 2}),
      make_array("f\xc3\xbcr", DType::f64, {2, 1}), make_array("step", DType::i32, {}),
      make_array("empty", DType::f32, {0, 4})};
}

// A file of this header and data.
std::string file_of(const std::string& header, const std::string& data = "") {
  std::string bytes(8, '\0');
  const std::uint64_t size = header.size();
  std::memcpy(bytes.data(), &size, 8);
  return bytes + header + data;
}

std::string error_of(const std::string& bytes) {
  try {
    from_safetensors(bytes, "m.safetensors");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void expect_error(const std::string& bytes, const std::string& part) {
  const std::string message = error_of(bytes);
  EXPECT_EQ(message.rfind("m.safetensors: ", 0), 0U) << message;
  EXPECT_NE(message.find(part), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

TEST(Safetensors, RoundTrip) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "m.safetensors";
  const std::vector<NamedArray> arrays = make_arrays();
  const std::map<std::string, std::string> metadata = {{"format", "pt"}, {"activation", "elu(alpha=1)"}};
  write_safetensors(path, arrays, metadata);
  const Safetensors read = read_safetensors(path);
  EXPECT_EQ(read.metadata, metadata);
  ASSERT_EQ(read.arrays.size(), arrays.size());
  for (const NamedArray& array : arrays) {
    const auto found = std::find_if(read.arrays.begin(), read.arrays.end(),
                                    [&](const NamedArray& other) { return other.name == array.name; });
    ASSERT_NE(found, read.arrays.end()) << array.name;
    EXPECT_EQ(found->dtype, array.dtype);
    EXPECT_EQ(found->shape, array.shape);
    EXPECT_EQ(found->data, array.data);
  }
}

TEST(Safetensors, TheFormatsOwnBytes) {
  const NamedArray array = {"a", DType::f32, {1}, std::vector<std::byte>(4, std::byte{1})};
  const std::string header = R"({"a":{"data_offsets":[0,4],"dtype":"F32","shape":[1]}})";
  EXPECT_EQ(to_safetensors(std::span(&array, 1)),
            file_of(header + std::string((8 - header.size() % 8) % 8, ' '), "\1\1\1\1"));
}

TEST(Safetensors, EveryArrayIsAligned) {
  const std::string bytes = to_safetensors(make_arrays());
  std::uint64_t header = 0;
  std::memcpy(&header, bytes.data(), 8);
  EXPECT_EQ(header % 8, 0U);
  std::size_t offset = 0;
  for (const NamedArray& array : from_safetensors(bytes, "").arrays) {
    EXPECT_EQ(offset % size_of(array.dtype), 0U) << array.name;
    offset += array.data.size();
  }
}

TEST(Safetensors, NoArrays) {
  EXPECT_TRUE(from_safetensors(to_safetensors({}), "").arrays.empty());
  EXPECT_TRUE(from_safetensors(file_of("{}"), "").arrays.empty());
}

TEST(Safetensors, ReadsOthersOrderOfKeysAndSpaces) {
  const Safetensors read = from_safetensors(
      file_of(R"({ "b": {"dtype":"U8", "shape":[2], "data_offsets":[1,3]}, "__metadata__": {"k":"v"},
                   "a": {"shape":[], "data_offsets":[0,1], "dtype":"U8"} }   )",
              "xyz"),
      "");
  ASSERT_EQ(read.arrays.size(), 2U);
  EXPECT_EQ(read.arrays[0].name, "a");
  EXPECT_EQ(read.arrays[1].name, "b");
  EXPECT_EQ(read.arrays[1].data[1], std::byte{'z'});
  EXPECT_EQ(read.metadata.at("k"), "v");
}

TEST(Safetensors, TruncatedAnywhere) {
  const std::string bytes = to_safetensors(make_arrays(), {{"k", "v"}});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::string message = error_of(bytes.substr(0, size));
    EXPECT_NE(message.find("truncated"), std::string::npos) << size << ": " << message;
  }
  expect_error(bytes + "x", "1 bytes follow the last array");
}

// A changed byte is an error or another sound file; it never crashes.
TEST(Safetensors, AnyByteDamaged) {
  const std::string bytes = to_safetensors(make_arrays(), {{"k", "v"}});
  int refused = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    for (const int change : {1, 4, 16, 64, 128, 255}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ change);
      refused += error_of(damaged).empty() ? 0 : 1;
    }
  EXPECT_GT(refused, 1000);
}

TEST(Safetensors, RefusesUnsoundHeaders) {
  expect_error(std::string(8, '\xff'), "damaged");
  expect_error(std::string("\x40\x42\x0f\0\0\0\0\0{}", 10), "truncated: 2 bytes of a header of 1000000");
  expect_error(file_of(""), "not JSON");
  expect_error(file_of("[]"), "not a JSON object");
  expect_error(file_of("{\"a\": "), "not JSON");
  expect_error(file_of("{\"\xff\": 1}"), "not JSON");
  expect_error(file_of("{\"a\": 1e999}"), "out of range");
  expect_error(file_of("{\"a\": 1}"), "array 'a'");
  expect_error(file_of(R"({"__metadata__": {"k": 1}})"), "'k' is not a string");
  expect_error(file_of(R"({"__metadata__": "x"})"), "not an object");
  expect_error(file_of(std::string(1'000'000, '[')), "not JSON");
}

TEST(Safetensors, RefusesUnsoundArrays) {
  const auto one = [](const std::string& dtype, const std::string& shape, const std::string& offsets) {
    return file_of(
        R"({"a":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}",
        std::string(8, 'x'));
  };
  EXPECT_EQ(error_of(one("F32", "[2]", "[0,8]")), "");
  expect_error(one("F8_E4M3", "[8]", "[0,8]"), "unknown element type 'F8_E4M3'");
  expect_error(one("F32", "[3]", "[0,8]"), "has 8 bytes, its shape (3) of f32 needs 12");
  expect_error(one("F32", "[-2]", "[0,8]"), "not a whole number");
  expect_error(one("F32", "[2.0]", "[0,8]"), "not a whole number");
  expect_error(one("F32", "[1,1,1,1,2]", "[0,8]"), "rank 5 is above 4");
  expect_error(one("F32", "[4294967296,4294967296,4]", "[0,8]"), "does not fit");
  expect_error(one("F32", "[18446744073709551615]", "[0,8]"), "too large");
  expect_error(one("F32", "[2]", "[0,16]"), "ends at byte 16 of 8");
  expect_error(one("F32", "[2]", "[8,0]"), "begins at byte 8 and ends at 0");
  expect_error(one("F32", "[2]", "[0,18446744073709551616]"), "not a whole number");
  expect_error(one("F32", "[2]", "[8]"), "not two numbers");
  expect_error(one("F32", "2", "[0,8]"), "no shape");
  expect_error(one("F32", "[1]", "[0,4]"), "4 bytes follow");
  expect_error(one("F32", "[1]", "[4,8]"), "belong to no array");
}

TEST(Safetensors, RefusesOverlapsAndRepeatedNames) {
  const auto entry = [](const std::string& name, const std::string& offsets) {
    return "\"" + name + R"(":{"dtype":"U8","shape":[4],"data_offsets":)" + offsets + "}";
  };
  expect_error(file_of("{" + entry("a", "[0,4]") + "," + entry("b", "[2,6]") + "}", "123456"),
               "'b' overlaps");
  expect_error(file_of("{" + entry("a", "[0,4]") + "," + entry("a", "[4,8]") + "}", "12345678"), "'a' twice");
  expect_error(file_of(R"({"a":{"dtype":"U8","dtype":"U8","shape":[0],"data_offsets":[0,0]}})"),
               "'dtype' twice");
}

TEST(Safetensors, RefusesToWriteWhatItCouldNotRead) {
  const std::vector<NamedArray> twice = {make_array("a", DType::u8, {1}), make_array("a", DType::u8, {2})};
  EXPECT_THROW(to_safetensors(twice), Error);
  NamedArray array = make_array("a", DType::f32, {2});
  array.data.pop_back();
  EXPECT_THROW(to_safetensors(std::span(&array, 1)), Error);
  array = make_array("__metadata__", DType::f32, {2});
  EXPECT_THROW(to_safetensors(std::span(&array, 1)), Error);
  array = make_array("\xff", DType::f32, {2});
  EXPECT_THROW(to_safetensors(std::span(&array, 1)), Error);
}

TEST(Safetensors, NamesTheFileThatIsMissing) { EXPECT_THROW(read_safetensors("absent.safetensors"), Error); }

}  // namespace
}  // namespace actlab
