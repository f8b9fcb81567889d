// PNG and JPEG files: decoded, and only where they are whole.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace actlab {

struct Image {
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t channels = 0;
  std::vector<std::uint8_t> pixels;  ///< (H, W, C)
};

/// Throws Error where the bytes are no PNG or JPEG, or not all of one: a PNG needs its chunks up to IEND with
/// right checksums, a JPEG its segments, image data and end-of-image marker. What follows the end is ignored.
void check_whole_image(std::string_view file);

/// The pixels in 1 (grey) or 3 (red, green, blue) channels, whatever the file has: grey is repeated, colour
/// weighted as in ITU-R BT.601, alpha dropped, of 16 bits the high 8 kept. A JPEG's orientation tag is not
/// applied. Throws Error saying what is wrong, without the file's name; images of more than 2^25 pixels too.
Image decode_image(std::string_view file, std::int64_t channels);

}  // namespace actlab
