// PNG and JPEG files: what is decoded, and that nothing damaged is, or crashes.
#include "datasets/image_file.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "framework/core/files.h"
#include "kernels/error.h"
#include "tests/datasets/png_bytes.h"

namespace actlab {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::string stored(const std::string& name) {
  return read_file(ACTLAB_SOURCE_DIR "/tests/data/images/" + name);
}

void expect_refused(const std::string& file, const std::string& part) {
  try {
    decode_image(file, 3);
    ADD_FAILURE() << "decoded; expected: " << part;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(ImageFile, ChannelsOfTheFileBecomeThoseAskedFor) {
  using namespace std::string_literals;
  const std::string palette = png_chunk("PLTE", "\x01\x02\x03\x46\x50\x5a"s);
  const struct {
    const char* what;
    std::string file;
    Bytes rgb, grey;
  } cases[] = {
      {"grey", png_bytes(1, 1, 8, 0, "\x80"), {128, 128, 128}, {128}},
      {"grey, one bit", png_bytes(1, 1, 1, 0, "\x80"), {255, 255, 255}, {255}},
      {"grey and alpha", png_bytes(1, 1, 8, 4, "\x80\0"s), {128, 128, 128}, {128}},
      {"alpha", png_bytes(1, 1, 8, 6, "\x0a\x14\x1e\x28"), {10, 20, 30}, {18}},
      {"16 bits", png_bytes(1, 1, 16, 2, "\xab\xcd\0\0\0\0"s), {171, 0, 0}, {51}},
      {"16 bits, grey and alpha", png_bytes(1, 1, 16, 4, "\xab\xcd\0\0"s), {171, 171, 171}, {171}},
      {"palette", png_bytes(1, 1, 8, 3, "\x01", palette), {70, 80, 90}, {78}},
      {"palette with transparency",
       png_bytes(1, 1, 8, 3, "\x01", palette + png_chunk("tRNS", "\xff\0"s)),
       {70, 80, 90},
       {78}},
  };
  for (const auto& [what, file, rgb, grey] : cases) {
    SCOPED_TRACE(what);
    EXPECT_EQ(decode_image(file, 3).pixels, rgb);
    EXPECT_EQ(decode_image(file, 1).pixels, grey);
  }
}

TEST(ImageFile, RowsThenColumnsThenChannels) {
  const Image image = decode_image(png_bytes(2, 3, 8, 2, "abcdefghijklmnopqr"), 3);
  EXPECT_EQ(image.height, 3);
  EXPECT_EQ(image.width, 2);
  EXPECT_EQ(image.channels, 3);
  EXPECT_EQ(std::string(image.pixels.begin(), image.pixels.end()), "abcdefghijklmnopqr");
}

// Pixel (y, x) was (40 + 8x, 30 + 12y, 200 - 4x) before it was compressed.
TEST(ImageFile, Jpegs) {
  for (const std::string name : {"baseline.jpg", "progressive.jpg"}) {
    const Image image = decode_image(stored(name), 3);
    ASSERT_EQ(image.height, 16);
    ASSERT_EQ(image.width, 24);
    for (int y = 0; y < 16; ++y)
      for (int x = 0; x < 24; ++x) {
        const std::uint8_t* pixel = image.pixels.data() + (y * 24 + x) * 3;
        ASSERT_NEAR(pixel[0], 40 + 8 * x, 12) << name << ' ' << y << ' ' << x;
        ASSERT_NEAR(pixel[1], 30 + 12 * y, 12) << name << ' ' << y << ' ' << x;
        ASSERT_NEAR(pixel[2], 200 - 4 * x, 12) << name << ' ' << y << ' ' << x;
      }
  }
  EXPECT_NEAR(decode_image(stored("grey.jpg"), 1).pixels.at(8 * 24 + 12), 132, 2);
  EXPECT_EQ(decode_image(stored("grey.jpg"), 3).pixels.size(), 24U * 16 * 3);
}

// At no length, and the decoder would fill in for what lacks.
TEST(ImageFile, RefusesTruncatedFilesOfAnyLength) {
  for (const std::string& file :
       {stored("baseline.jpg"), stored("progressive.jpg"), stored("grey.jpg"), rgb_png(5, 4)}) {
    for (std::size_t size = 0; size < file.size(); ++size)
      EXPECT_THROW(decode_image(file.substr(0, size), 3), Error) << size << " of " << file.size();
    EXPECT_NO_THROW(decode_image(file + "what follows the end", 3));
  }
  expect_refused("", "empty");
  for (const std::size_t percent : {10U, 50U, 90U}) {
    for (const std::string name : {"baseline.jpg", "progressive.jpg"}) {
      const std::string file = stored(name);
      expect_refused(file.substr(0, file.size() * percent / 100), "truncated: a JPEG");
    }
    const std::string png = rgb_png(20, 20);
    expect_refused(png.substr(0, png.size() * percent / 100), "truncated: a PNG");
  }
}

TEST(ImageFile, RefusesHeadersWithoutImage) {
  for (const std::string name : {"baseline.jpg", "progressive.jpg"}) {
    const std::string jpeg = stored(name), header = jpeg.substr(0, jpeg.find("\xff\xda"));
    expect_refused(header, "truncated");
    expect_refused(header + "\xff\xd9", "without image data");
  }
  expect_refused(png_header(4, 4, 8, 2), "truncated");
  expect_refused(png_header(4, 4, 8, 2) + png_chunk("IEND", ""), "cannot be decoded");
  expect_refused(png_bytes(4, 4, 8, 2, std::string(4 * 4 * 3 - 12, 'x')), "cannot be decoded");
}

TEST(ImageFile, RefusesOtherKinds) {
  for (const std::string file : {"GIF89a\1\0\1\0", "BM", "hello", "\x89PNG", "\xff\xd8", "RIFF0000WEBP"})
    expect_refused(file, "no PNG or JPEG");
}

TEST(ImageFile, SeesEveryFlippedBitOfAPng) {
  const std::string sound = rgb_png(3, 2);
  for (std::size_t bit = 0; bit < 8 * sound.size(); ++bit) {
    std::string file = sound;
    file[bit / 8] = static_cast<char>(file[bit / 8] ^ (1 << bit % 8));
    EXPECT_THROW(decode_image(file, 3), Error) << bit;
  }
}

// Some are refused, some are seen otherwise: the same in every run, and nothing breaks.
TEST(ImageFile, FlippedBitsOfAJpegDecodeTheSameTwice) {
  for (const std::string name : {"baseline.jpg", "progressive.jpg", "grey.jpg"}) {
    const std::string sound = stored(name);
    for (std::size_t bit = 0; bit < 8 * sound.size(); ++bit) {
      std::string file = sound;
      file[bit / 8] = static_cast<char>(file[bit / 8] ^ (1 << bit % 8));
      try {
        const Image first = decode_image(file, 3);
        if (first.pixels.size() < 100'000) {
          EXPECT_EQ(first.pixels, decode_image(file, 3).pixels) << bit;
        }
      } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      }
    }
  }
}

TEST(ImageFile, RefusesHuffmanTablesOfTooManyCodes) {
  std::string jpeg = stored("baseline.jpg");
  jpeg[jpeg.find("\xff\xc4") + 6] = '\xff';
  expect_refused(jpeg, "Huffman table");
}

TEST(ImageFile, RefusesHugePromises) {
  const std::string claims =
      png_header(16'000, 16'000, 8, 2) + png_chunk("IDAT", zlib_bytes("x")) + png_chunk("IEND", "");
  expect_refused(claims, "16000 x 16000");
  std::string jpeg = stored("baseline.jpg");
  jpeg.replace(jpeg.find("\xff\xc0") + 5, 4, "\xff\xff\xff\xff");
  expect_refused(jpeg, "65535 x 65535");
  std::string twice = std::string(1 << 20, '\0');  // expands to far more than its four pixels
  expect_refused(
      png_header(2, 2, 8, 2) + png_chunk("IDAT", zlib_bytes(twice).substr(0, 500)) + png_chunk("IEND", ""),
      "cannot be decoded");
}

}  // namespace
}  // namespace actlab
