// Decoding by stb_image; the only file that includes it.
#include "datasets/image_file.h"

#include <cstdlib>
#include <limits>
#include <memory>

#include "kernels/error.h"

namespace {

// A few bytes can promise any number of pixels, and expand to more than they promise.
constexpr std::int64_t most_pixels = std::int64_t{1} << 25;
constexpr std::size_t most_bytes = std::size_t{16} * most_pixels;

// Zeros: what a damaged file leaves unwritten is the same in every run.
void* allocate(std::size_t size) { return size > most_bytes ? nullptr : std::calloc(1, size); }
void* reallocate(void* memory, std::size_t size) {
  return size > most_bytes ? nullptr : std::realloc(memory, size);
}

}  // namespace

#define STBI_MALLOC allocate
#define STBI_REALLOC reallocate
#define STBI_FREE std::free
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_NO_STDIO
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>

namespace actlab {

Image decode_image(std::string_view file, std::int64_t channels) {
  check_whole_image(file);
  ACTLAB_CHECK(file.size() <= std::size_t{std::numeric_limits<int>::max()}, "more than 2 GiB");
  const auto* bytes = reinterpret_cast<const stbi_uc*>(file.data());
  const int size = static_cast<int>(file.size());
  int width = 0, height = 0, channels_in_file = 0;
  ACTLAB_CHECK(stbi_info_from_memory(bytes, size, &width, &height, &channels_in_file) == 1,
               "cannot be decoded: its header is damaged, or claims no pixels or too many");
  ACTLAB_CHECK(std::int64_t{width} * height <= most_pixels, "its header claims ", width, " x ", height,
               " pixels, more than ", most_pixels);
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
      stbi_load_from_memory(bytes, size, &width, &height, &channels_in_file, static_cast<int>(channels)),
      stbi_image_free);
  ACTLAB_CHECK(pixels != nullptr, "cannot be decoded: its image data is damaged (", stbi_failure_reason(),
               ")");
  Image image{.height = height, .width = width, .channels = channels, .pixels = {}};
  image.pixels.assign(pixels.get(), pixels.get() + std::int64_t{width} * height * channels);
  return image;
}

}  // namespace actlab
