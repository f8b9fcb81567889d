// Is an image file all there? The decoder asks neither for a PNG's checksums nor for a JPEG's end, and fills
// in for what is missing.
#include <zlib.h>

#include "datasets/image_file.h"
#include "kernels/error.h"

namespace actlab {
namespace {

constexpr std::string_view png_signature = "\x89PNG\r\n\x1a\n";
constexpr std::string_view jpeg_signature = "\xff\xd8\xff";

std::uint32_t big_endian(std::string_view bytes, std::size_t at, std::size_t count) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < count; ++i) value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
  return value;
}

// Chunks: length, type, data, CRC-32 of type and data (ISO/IEC 15948, 5.3).
void check_png(std::string_view file) {
  constexpr std::size_t frame = 12;
  for (std::size_t at = png_signature.size();;) {
    const std::size_t left = file.size() - at;
    const std::size_t size = left < frame ? 0 : big_endian(file, at, 4);
    ACTLAB_CHECK(left >= frame && size <= left - frame, "truncated: a PNG without its end");
    const std::string_view checked = file.substr(at + 4, 4 + size);
    const uLong crc =
        crc32_z(0, reinterpret_cast<const Bytef*>(checked.data()), static_cast<z_size_t>(checked.size()));
    ACTLAB_CHECK(crc == big_endian(file, at + 8 + size, 4),
                 "damaged: wrong checksum of the PNG's chunk at byte ", at);
    const std::string_view type = checked.substr(0, 4);
    ACTLAB_CHECK(at > png_signature.size() || type == "IHDR",
                 "damaged: the PNG does not begin with its header");
    if (type == "IEND") return;
    at += frame + size;
  }
}

// Where the next marker's code stands: the byte after FF, other than a stuffed 00, a restart marker or
// padding.
std::size_t find_marker(std::string_view file, std::size_t at) {
  while ((at = file.find('\xff', at)) != std::string_view::npos && ++at < file.size()) {
    const auto code = static_cast<std::uint8_t>(file[at]);
    if (code != 0x00 && code != 0xff && (code < 0xd0 || code > 0xd7)) return at;
  }
  throw Error("truncated: a JPEG without its end-of-image marker");
}

// Tables of a segment, each a class, 16 counts of codes by length, and the codes' values (B.2.4.2). stb_image
// up to 2.27 writes past its own tables where the counts are damaged.
void check_huffman_tables(std::string_view tables) {
  constexpr std::size_t head = 17, most_codes = 256;
  while (!tables.empty()) {
    std::size_t codes = 0;
    for (const char count : tables.substr(1, head - 1)) codes += static_cast<std::uint8_t>(count);
    ACTLAB_CHECK(codes <= most_codes && head + codes <= tables.size(), "damaged: a JPEG's Huffman table of ",
                 codes, " codes");
    tables.remove_prefix(head + codes);
  }
}

// Markers, each but the end followed by a segment that begins with its length; entropy-coded data after a
// scan's (ITU-T T.81, B.1).
void check_jpeg(std::string_view file) {
  constexpr std::uint8_t end_of_image = 0xd9, start_of_scan = 0xda, huffman_tables = 0xc4;
  bool scanned = false;
  for (std::size_t at = 2;;) {
    at = find_marker(file, at);
    const auto code = static_cast<std::uint8_t>(file[at++]);
    if (code == end_of_image) break;
    const std::size_t size = file.size() - at < 2 ? 0 : big_endian(file, at, 2);
    ACTLAB_CHECK(size >= 2 && size <= file.size() - at, "truncated: a JPEG's segment at byte ", at,
                 " goes beyond the file");
    scanned |= code == start_of_scan;
    if (code == huffman_tables) check_huffman_tables(file.substr(at + 2, size - 2));
    at += size;
  }
  ACTLAB_CHECK(scanned, "damaged: a JPEG without image data");
}

}  // namespace

void check_whole_image(std::string_view file) {
  ACTLAB_CHECK(!file.empty(), "the file is empty");
  if (file.starts_with(png_signature)) return check_png(file);
  if (file.starts_with(jpeg_signature)) return check_jpeg(file);
  throw Error("is no PNG or JPEG");
}

}  // namespace actlab
