// PNG files made in the test: any depth and colour type, no filters.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>

namespace actlab {

inline std::string big_endian(std::size_t value) {
  std::string bytes;
  for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(value >> shift);
  return bytes;
}

inline std::string png_chunk(const std::string& type, const std::string& data) {
  const std::string checked = type + data;
  const auto* bytes = reinterpret_cast<const Bytef*>(checked.data());
  return big_endian(data.size()) + checked + big_endian(crc32(0, bytes, static_cast<uInt>(checked.size())));
}

inline std::string zlib_bytes(const std::string& raw) {
  uLongf size = compressBound(raw.size());
  std::string packed(size, '\0');
  compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(raw.data()),
           raw.size());
  packed.resize(size);
  return packed;
}

inline std::string png_header(std::size_t width, std::size_t height, int depth, int colour_type) {
  return "\x89PNG\r\n\x1a\n" +
         png_chunk("IHDR", big_endian(width) + big_endian(height) + static_cast<char>(depth) +
                               static_cast<char>(colour_type) + std::string(3, '\0'));
}

/// Colour types: 0 grey, 2 red green blue, 3 palette, 4 grey and alpha, 6 with alpha. `pixels` are the rows'
/// bytes, all rows equally long; `before` are chunks that come before the pixels, such as the palette.
inline std::string png_bytes(std::size_t width, std::size_t height, int depth, int colour_type,
                             const std::string& pixels, const std::string& before = "") {
  const std::size_t row = pixels.size() / height;
  std::string raw;
  for (std::size_t y = 0; y < height; ++y) raw += '\0' + pixels.substr(y * row, row);
  return png_header(width, height, depth, colour_type) + before + png_chunk("IDAT", zlib_bytes(raw)) +
         png_chunk("IEND", "");
}

/// A picture of 8-bit red, green, blue whose pixels depend on `seed`.
inline std::string rgb_png(std::size_t width, std::size_t height, std::uint32_t seed = 0) {
  std::string pixels;
  for (std::size_t i = 0; i < 3 * width * height; ++i) {
    seed = seed * 1664525 + 1013904223;
    pixels += static_cast<char>(seed >> 24);
  }
  return png_bytes(width, height, 8, 2, pixels);
}

}  // namespace actlab
