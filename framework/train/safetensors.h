// The safetensors format: named arrays in one file that other frameworks read too. Eight bytes of header
// length (little-endian), a JSON header, the arrays' bytes (https://github.com/huggingface/safetensors).
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/array.h"

namespace actlab {

/// An array in host memory.
struct NamedArray {
  std::string name;
  DType dtype = DType::f32;
  Shape shape;
  std::vector<std::byte> data;  ///< shape.count() elements

  ConstArray array() const { return {data.data(), dtype, shape}; }
};

struct Safetensors {
  std::vector<NamedArray> arrays;
  std::map<std::string, std::string> metadata;
};

/// The bytes of a file; arrays are stored with wide elements first, so that each is aligned. Throws Error for
/// names that repeat or are not UTF-8 and for data that does not fill its shape.
std::string to_safetensors(std::span<const NamedArray> arrays,
                           const std::map<std::string, std::string>& metadata = {});
/// Arrays in the order of their bytes. Anything but a whole, sound file of element types and ranks that this
/// program has throws Error beginning with `origin`.
Safetensors from_safetensors(std::string_view bytes, std::string_view origin);

/// Replaces the file at once or leaves it as it was.
void write_safetensors(const std::filesystem::path& path, std::span<const NamedArray> arrays,
                       const std::map<std::string, std::string>& metadata = {});
Safetensors read_safetensors(const std::filesystem::path& path);

}  // namespace actlab
