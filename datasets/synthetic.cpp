// Striped and checked pictures made from a seed: a set that needs no files. Classes differ in the direction
// and the pitch of a texture and in its colours; its phase, its exact pitch, the tint of the picture, a
// second stray wave and noise do not tell the class. Mirroring keeps the class. All pixels are whole-number
// arithmetic on random bits: the same on every machine.
#include <algorithm>
#include <array>
#include <cmath>

#include "datasets/datasets.h"
#include "framework/data/image_dataset.h"
#include "kernels/cpu/parallel.h"
#include "kernels/random.h"

namespace actlab {
namespace {

// A wave in cycles per 32 pixels across and down; a crossed one is averaged with its mirror image.
struct Texture {
  const char* name;
  int x, y;
  bool crossed = false;
};

struct Palette {
  const char* name;
  int dark[3], light[3];
};

constexpr Texture textures[] = {{"broad bars", 0, 4},
                                {"broad columns", 4, 0},
                                {"narrow bars", 0, 7},
                                {"narrow columns", 7, 0},
                                {"lattice", 4, 4, true}};
constexpr Palette palettes[] = {{"warm", {60, 70, 110}, {210, 120, 70}},
                                {"cool", {90, 60, 100}, {90, 180, 120}}};
constexpr int classes = static_cast<int>(std::size(textures) * std::size(palettes));

// A wave of period 2^16 between 0 and 255: up, then down.
int triangle(std::uint32_t phase) {
  const int rise = static_cast<int>(phase >> 7 & 511);
  return rise < 256 ? rise : 511 - rise;
}

/// Cycles per 32 pixels across and down, in 1/256, and where the wave begins.
struct Wave {
  int x, y;
  std::uint32_t phase;

  int at(int column, int row) const {
    return triangle(phase + static_cast<std::uint32_t>(8 * (x * column + y * row)));
  }
};

// What block 0 and 1 of an image's numbers decide.
struct Picture {
  Wave first, second, stray;
  int tint[3];
};

Picture draw_picture(const Random& random, const Texture& texture) {
  const auto a = random.block(0);
  const auto b = random.block(1);
  const int pitch = 218 + static_cast<int>(a[0] % 77);  // 0.85 to 1.15 in 1/256
  const auto centred = [](std::uint32_t bits, int most) {
    return static_cast<int>(bits % static_cast<std::uint32_t>(2 * most + 1)) - most;
  };
  const Wave first = {texture.x * pitch, texture.y * pitch, a[1]};
  return {.first = first,
          .second = texture.crossed ? Wave{first.x, -first.y, a[2]} : first,
          .stray = {centred(a[3] & 0xffff, 8 * 256), centred(a[3] >> 16, 8 * 256), b[0]},
          .tint = {centred(b[1], 40), centred(b[2], 40), centred(b[3], 40)}};
}

// Fills pixels (size, size, 3). `noise` is in 1/65536 of a unit of four bytes' sum.
void draw(const Random& random, int label, int size, std::int64_t noise, std::uint8_t* pixels) {
  const auto k = static_cast<std::size_t>(label);
  const Palette& palette = palettes[k / std::size(textures)];
  const Picture picture = draw_picture(random, textures[k % std::size(textures)]);
  std::array<std::uint32_t, 4> bits = {};
  std::uint64_t drawn = 0;
  for (int row = 0; row < size; ++row)
    for (int column = 0; column < size; ++column) {
      const int light = (picture.first.at(column, row) + picture.second.at(column, row)) / 2;
      const int stray = (picture.stray.at(column, row) - 128) / 4;
      for (int c = 0; c < 3; ++c) {
        if (drawn % 4 == 0) bits = random.block(2 + drawn / 4);
        const std::uint32_t word = bits[drawn++ % 4];
        // Nearly normal, deviation sqrt(21845).
        const int bell =
            static_cast<int>((word & 255) + (word >> 8 & 255) + (word >> 16 & 255) + (word >> 24)) - 510;
        const int colour = palette.dark[c] + (palette.light[c] - palette.dark[c]) * light / 256;
        const int value = colour + picture.tint[c] + stray + static_cast<int>(bell * noise >> 16);
        *pixels++ = static_cast<std::uint8_t>(std::clamp(value, 0, 255));
      }
    }
}

// Image i depends on the seed, the split and i alone: a longer set begins with the shorter one.
ImageSplit make_split(const Options& options, std::int64_t count, std::uint64_t split) {
  const auto seed = static_cast<std::uint64_t>(options.integer("seed"));
  const auto size = static_cast<int>(options.integer("size"));
  const std::int64_t noise = std::llround(options.number("noise") * 255 * 65536 / std::sqrt(21845.0));
  const std::int64_t stride = std::int64_t{3} * size * size;
  ImageSplit result;
  result.pixels.resize(static_cast<std::size_t>(count * stride));
  result.labels.resize(static_cast<std::size_t>(count));
  parallel_for(count, 16, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const auto label = static_cast<int>(i % classes);
      const Random random(seed, RandomPurpose::synthetic, 2 * static_cast<std::uint64_t>(i) + split);
      result.labels[static_cast<std::size_t>(i)] = label;
      draw(random, label, size, noise, result.pixels.data() + i * stride);
    }
  });
  return result;
}

std::unique_ptr<ImageDataset> make(const Options& options) {
  auto data = std::make_unique<ImageDataset>();
  const std::int64_t size = options.integer("size");
  data->name = "synthetic";
  data->origin = concat("seed ", options.integer("seed"));
  data->image = {.height = size, .width = size, .channels = 3, .classes = classes};
  for (const Palette& palette : palettes)
    for (const Texture& texture : textures)
      data->class_names.push_back(concat(palette.name, " ", texture.name));
  data->mean = {0.442f, 0.425f, 0.400f};
  data->deviation = {0.282f, 0.272f, 0.259f};
  data->train = make_split(options, options.integer("train"), 0);
  data->test = make_split(options, options.integer("test"), 1);
  return data;
}

}  // namespace

DatasetType synthetic() {
  const auto integer = [](const char* name, std::int64_t fallback, const char* help, double least,
                          double most) {
    return Option{.name = name, .fallback = fallback, .help = help, .least = least, .most = most};
  };
  return {.name = "synthetic",
          .summary = "textures in 10 classes, made from a seed: needs no files",
          .options = {integer("train", 2000, "images to train on", 1, 1e6),
                      integer("test", 500, "images to evaluate on", 1, 1e6),
                      integer("size", 32, "side of an image in pixels", 4, 256),
                      integer("seed", 0, "another seed gives other images", 0, 1e15),
                      Option{.name = "noise",
                             .fallback = 0.25,
                             .help = "standard deviation of the noise, as a part of the pixel range",
                             .least = 0,
                             .most = 1}},
          .make = make};
}

}  // namespace actlab
