// Archives made in the test, well formed whatever their names and links are.
#pragma once

#include <zlib.h>

#include <string>
#include <vector>

namespace actlab {

struct TarEntry {
  std::string path;
  std::string content = {};
  char type = '0';  ///< 0 file, 1 hard link, 2 symbolic link, 5 folder, 6 pipe
  std::string link = {};
};

/// POSIX ustar blocks, packed by gzip.
inline std::string tar_gz(const std::vector<TarEntry>& entries) {
  const auto octal = [](std::size_t value, std::size_t digits) {
    std::string text(digits, '0');
    for (std::size_t i = digits; i-- > 0; value /= 8) text[i] = static_cast<char>('0' + value % 8);
    return text + '\0';
  };
  const auto field = [](std::string text, std::size_t size) { return text.resize(size, '\0'), text; };
  std::string tar;
  for (const TarEntry& entry : entries) {
    const auto header = [&](const std::string& checksum) {
      return field(field(entry.path, 100) + octal(0644, 7) + octal(0, 7) + octal(0, 7) +
                       octal(entry.content.size(), 11) + octal(0, 11) + checksum + entry.type +
                       field(entry.link, 100) + field("ustar", 6) + "00",
                   512);
    };
    std::size_t sum = 0;
    for (const char c : header("        ")) sum += static_cast<unsigned char>(c);
    tar += header(octal(sum, 6) + ' ') + entry.content;
    tar.resize((tar.size() + 511) / 512 * 512, '\0');
  }
  tar.append(1024, '\0');

  z_stream stream = {};
  constexpr int gzip = 16 + MAX_WBITS;
  deflateInit2(&stream, 6, Z_DEFLATED, gzip, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, tar.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(tar.data());
  stream.avail_in = static_cast<uInt>(tar.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace actlab
