// Images in class folders: DIR/train/CLASS/*.png and DIR/test/CLASS/*.png, or .jpg; DIR/val or DIR/validation
// too.
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <optional>

#include "datasets/datasets.h"
#include "datasets/image_tree.h"
#include "datasets/resize.h"
#include "framework/core/files.h"
#include "framework/core/sha256.h"
#include "framework/data/image_dataset.h"
#include "framework/data/statistics.h"
#include "kernels/cpu/parallel.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;

const SourceFiles& files() {
  static const SourceFiles files("image_folder",
                                 "pass data.root=DIR, with the images in DIR/train/CLASS and DIR/test/CLASS");
  return files;
}

// Reads single images, all into the same number of bytes.
class ImageReader {
 public:
  ImageReader(const Options& options, const std::vector<LabelledFile>& images)
      : side_(options.integer("size")), channels_(options.integer("channels")) {
    const std::string& fit = options.text("resize");
    fit_ = fit == "crop" ? Fit::crop : fit == "stretch" ? Fit::stretch : Fit::refuse;
    if (channels_ == 2) throw ConfigError("data.channels = 2: wanted 1 (grey) or 3 (colour)");
    if (side_ == 0 && fit_ != Fit::refuse)
      throw ConfigError(concat("data.resize = ", fit, ": the size is missing, pass data.size=PIXELS too"));
    if (side_ == 0) {
      take_first_size(images);
    } else {
      height_ = width_ = side_;
    }
  }

  std::int64_t height() const { return height_; }
  std::int64_t width() const { return width_; }
  std::int64_t channels() const { return channels_; }
  std::size_t bytes() const { return static_cast<std::size_t>(height_ * width_ * channels_); }

  /// Throws Error that names the file.
  void read(const fs::path& path, std::uint8_t* out) const {
    Image image = load(path);
    const bool fits = image.height == height_ && image.width == width_;
    if (!fits && fit_ != Fit::refuse) image = resize(image, side_, fit_);
    ACTLAB_CHECK(fits || fit_ != Fit::refuse, path.string(), ": ", image.width, " x ", image.height,
                 " pixels, not ", width_, " x ", height_, first_.empty() ? "" : " as " + first_.string(),
                 ": pass data.resize=crop or stretch", side_ == 0 ? ", and data.size=PIXELS" : "");
    std::copy(image.pixels.begin(), image.pixels.end(), out);
  }

 private:
  Image load(const fs::path& path) const {
    const std::string bytes = read_file(path);
    try {
      return decode_image(bytes, channels_);
    } catch (const Error& error) {
      throw Error(concat(path.string(), ": ", error.what(), ": replace or remove the file"));
    }
  }

  // Of the first image that can be read.
  void take_first_size(const std::vector<LabelledFile>& images) {
    for (const LabelledFile& file : images) {
      try {
        const Image image = load(file.path);
        height_ = image.height, width_ = image.width, first_ = file.path;
        return;
      } catch (const Error&) {  // told when all are read
      }
    }
  }

  std::int64_t side_ = 0;  ///< 0: all have the size of the first
  std::int64_t channels_ = 0;
  std::int64_t height_ = 0;
  std::int64_t width_ = 0;
  Fit fit_ = Fit::refuse;
  fs::path first_;  ///< whose size all must have
};

// What was caught while a file was read; only the file's own faults are worth a list.
std::string message_of(const std::exception_ptr& caught) {
  try {
    std::rethrow_exception(caught);
  } catch (const Error& error) {
    return error.what();
  }
}

// Each image has its place before any is read: which thread reads it changes nothing.
ImageSplit read_images(const std::vector<LabelledFile>& images, const ImageReader& reader,
                       std::vector<std::string>& faults) {
  const std::size_t bytes = reader.bytes();
  ImageSplit split;
  split.pixels.resize(images.size() * bytes);
  std::vector<std::exception_ptr> caught(images.size());
  parallel_for(std::ssize(images), 1, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      try {
        reader.read(images[i].path, split.pixels.data() + i * bytes);
      } catch (...) {
        caught[i] = std::current_exception();
      }
    }
  });

  for (std::size_t i = 0; i < images.size(); ++i) {
    if (caught[i] != nullptr) {
      faults.push_back(message_of(caught[i]));
      continue;
    }
    const std::size_t place = split.labels.size();  // without gaps
    if (place != i) std::copy_n(split.pixels.data() + i * bytes, bytes, split.pixels.data() + place * bytes);
    split.labels.push_back(images[i].label);
  }
  split.pixels.resize(split.labels.size() * bytes);
  return split;
}

/// A split's folder and what is in it.
struct SplitFolder {
  fs::path path;
  ImageTree tree;
};

SplitFolder open_split(const fs::path& folder) {
  files().check_folder(folder);
  return {folder, find_images(files(), folder)};
}

// A label is a class's place in training, whatever classes the other splits lack: their own places would be
// shifted.
void take_labels(const SplitFolder& train, SplitFolder& split) {
  const std::vector<std::string>& known = train.tree.classes;
  const std::vector<std::string>& own = split.tree.classes;
  std::vector<std::int32_t> labels;
  for (const std::string& name : own) {
    const auto place = std::lower_bound(known.begin(), known.end(), name);
    if (place == known.end() || *place != name)
      files().fail(split.path, concat("class '", name, "' is in it but not in ", train.path.string()));
    labels.push_back(static_cast<std::int32_t>(place - known.begin()));
  }
  for (LabelledFile& image : split.tree.images) image.label = labels[static_cast<std::size_t>(image.label)];

  const auto lacks = [&](const std::string& name) {
    return !std::binary_search(own.begin(), own.end(), name);
  };
  const auto first = std::find_if(known.begin(), known.end(), lacks);
  if (first != known.end())
    split.tree.notes.push_back(concat(split.path.string(), ": no images of ", known.size() - own.size(),
                                      " of the classes in ", train.path.string(), ", the first is ", *first));
}

SplitFolder open_split(const fs::path& folder, const SplitFolder& train) {
  SplitFolder split = open_split(folder);
  take_labels(train, split);
  return split;
}

// DIR/val or DIR/validation, where there is one.
std::optional<SplitFolder> open_validation(const fs::path& root, const SplitFolder& train) {
  std::error_code ignored;
  const fs::path brief = root / "val", full = root / "validation";
  const bool has_brief = fs::exists(brief, ignored), has_full = fs::exists(full, ignored);
  if (has_brief && has_full) files().fail(root, "holds both val and validation; remove one");
  if (!has_brief && !has_full) return std::nullopt;
  return open_split(has_brief ? brief : full, train);
}

void check_memory(std::size_t images, const ImageReader& reader, const fs::path& root) {
  const double needed = static_cast<double>(images) * static_cast<double>(reader.bytes());
  const double memory =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (needed > memory)
    throw DataError(concat("image_folder: ", root.string(), ": ", images, " images of ", reader.width(),
                           " x ", reader.height(),
                           " pixels do not fit the memory: pass data.size=PIXELS"
                           " and data.resize=crop or stretch"));
}

void set_statistics(ImageDataset& data) {
  const ChannelStatistics statistics = channel_statistics(data.train, data.image);
  for (const double mean : statistics.mean) data.mean.push_back(static_cast<float>(mean));
  for (const double deviation : statistics.deviation)
    data.deviation.push_back(deviation > 0 ? static_cast<float>(deviation) : 1.0f);  // a channel of one value
}

// The same folder may hold other images another day.
std::string checksum_of(const ImageDataset& data) {
  std::string parts = concat(data.image.height, ' ', data.image.width, ' ', data.image.channels);
  for (const std::string& name : data.class_names) parts += '/' + name;  // which no name contains
  const auto add = [&parts](const auto& values) {
    parts += sha256({reinterpret_cast<const char*>(values.data()), values.size() * sizeof values[0]});
  };
  for (const ImageSplit* split : {&data.train, &data.test, data.validation ? &*data.validation : nullptr})
    if (split != nullptr) add(split->pixels), add(split->labels);
  return sha256(parts);
}

std::unique_ptr<ImageDataset> load(const Options& options) {
  const fs::path root = options.text("root");
  files().check_folder(root);
  const SplitFolder train = open_split(root / "train"), test = open_split(root / "test", train);
  const std::optional<SplitFolder> validation = open_validation(root, train);
  std::vector<const SplitFolder*> splits = {&train, &test};
  if (validation) splits.push_back(&*validation);
  const ImageReader reader(options, train.tree.images);
  std::size_t images = 0;
  for (const SplitFolder* split : splits) images += split->tree.images.size();
  check_memory(images, reader, root);

  auto data = std::make_unique<ImageDataset>();
  data->name = "image_folder";
  data->origin = root.string();
  data->image = {.height = reader.height(),
                 .width = reader.width(),
                 .channels = reader.channels(),
                 .classes = std::ssize(train.tree.classes)};
  data->class_names = train.tree.classes;
  std::vector<std::string> faults;
  data->train = read_images(train.tree.images, reader, faults);
  data->test = read_images(test.tree.images, reader, faults);
  if (validation) data->validation = read_images(validation->tree.images, reader, faults);
  for (const SplitFolder* split : splits)
    data->notes.insert(data->notes.end(), split->tree.notes.begin(), split->tree.notes.end());
  set_statistics(*data);
  data->checksum = checksum_of(*data);
  if (!faults.empty()) throw FaultyFiles("image_folder", std::move(faults), std::move(data));
  return data;
}

}  // namespace

DatasetType image_folder() {
  return {.name = "image_folder",
          .summary =
              "PNG and JPEG files in class folders: DIR/train/CLASS, DIR/test/CLASS and, if wanted, "
              "DIR/val/CLASS",
          .options = {{.name = "root",
                       .fallback = std::string("data"),
                       .help = "folder that holds train and test"},
                      {.name = "size",
                       .fallback = std::int64_t{0},
                       .help = "height and width in pixels; 0: the images' own, which all must share",
                       .least = 0,
                       .most = 4096},
                      {.name = "resize",
                       .fallback = std::string("refuse"),
                       .help = "images of another size: refuse them, stretch them, or crop their middle and"
                               " scale it",
                       .choices = {"refuse", "stretch", "crop"}},
                      {.name = "channels",
                       .fallback = std::int64_t{3},
                       .help = "3: colour, 1: grey",
                       .least = 1,
                       .most = 3}},
          .make = load};
}

}  // namespace actlab
