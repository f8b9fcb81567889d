// Splits of images by name.
#include "framework/data/image_dataset.h"

#include "framework/data/image_loader.h"

namespace actlab {

const ImageSplit* ImageDataset::find(SplitName split) const {
  if (split == SplitName::validation) return validation ? &*validation : nullptr;
  return split == SplitName::train ? &train : &test;
}

std::int64_t ImageDataset::count(SplitName split) const {
  const ImageSplit* images = find(split);
  return images == nullptr ? 0 : images->count();
}

std::unique_ptr<Loader> ImageDataset::loader(SplitName split, const LoaderOptions& options) const {
  const ImageSplit* images = find(split);
  ACTLAB_CHECK(images != nullptr, "loader: ", name, ", ", origin, ": has no validation split");
  return std::make_unique<ImageLoader>(*this, *images, options);
}

}  // namespace actlab
