// Moves pixels to devices.
#include "framework/data/image_store.h"

#include <algorithm>

namespace actlab {

ImageStore::ImageStore(const ImageSplit& split, const ImageSpec& image, std::vector<float> shades)
    : split_(split), image_(image), shades_(std::move(shades)) {}

void ImageStore::move_to(Backend& backend) {
  if (backend_ == &backend) return;
  shades_there_ = Tensor::from(shades_, {image_.channels, 256}, backend, MemoryKind::workspace);
  pixels_there_ = {};
  if (std::ssize(split_.pixels) <= backend.memory.available_bytes() / 2)
    pixels_there_ =
        Tensor::from(split_.pixels, {split_.count(), image_.height, image_.width, image_.channels}, backend,
                     MemoryKind::workspace);
  backend_ = &backend;
}

Tensor ImageStore::view(std::span<const ImageView> views, Backend& backend) {
  const auto shape = [&](std::int64_t images) {
    return Shape{images, image_.height, image_.width, image_.channels};
  };
  const std::int64_t count = std::ssize(views);
  Tensor y = Tensor::empty(shape(count), DType::f32, backend);
  if (backend.memory.on_host()) {
    backend.images.view({split_.pixels.data(), DType::u8, shape(split_.count())},
                        {shades_.data(), DType::f32, {image_.channels, 256}}, views, y.mutable_data());
    return y;
  }
  move_to(backend);
  if (pixels_there_.defined()) {
    backend.images.view(pixels_there_.data(), shades_there_.data(), views, y.mutable_data());
    return y;
  }
  const std::int64_t size = image_.height * image_.width * image_.channels;
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(count * size));
  std::vector<ImageView> of_batch(views.begin(), views.end());
  for (std::int64_t i = 0; i < count; ++i) {
    ImageView& view = of_batch[static_cast<std::size_t>(i)];
    std::copy_n(split_.pixels.begin() + view.image * size, size, pixels.begin() + i * size);
    view.image = static_cast<std::int32_t>(i);
  }
  const Tensor sent = Tensor::from(pixels, shape(count), backend, MemoryKind::workspace);
  backend.images.view(sent.data(), shades_there_.data(), of_batch, y.mutable_data());
  return y;
}

}  // namespace actlab
