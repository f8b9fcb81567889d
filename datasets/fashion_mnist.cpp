// Fashion-MNIST (Xiao, Rasul, Vollgraf 2017, arXiv:1708.07747) from IDX files, packed or not: 70,000 grey
// images of 28 x 28 in ten classes.
#include <algorithm>

#include "datasets/datasets.h"
#include "datasets/gzip.h"
#include "datasets/source_files.h"
#include "framework/data/image_dataset.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;

constexpr int classes = 10;
constexpr std::size_t side = 28;
constexpr std::size_t most_items = 10'000'000;  // a header that claims more is damaged

const SourceFiles& files() {
  static const SourceFiles files("fashion_mnist",
                                 "apt-get install dataset-fashion-mnist, or pass data.root=DIR");
  return files;
}

std::size_t big_endian(std::string_view bytes, std::size_t at) {
  std::size_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
  return value;
}

// The first `most` bytes of a file's content.
std::string content(std::string_view file, std::size_t most) {
  const bool packed = file.substr(0, 2) == "\x1f\x8b";
  return packed ? gunzip(file, most) : std::string(file.substr(0, most));
}

// Bytes of an IDX file of unsigned bytes: magic 0, 0, 8, rank; rank sizes, the first the number of items;
// items of `item` sizes. All numbers are 4 bytes, most significant first.
std::string parse_idx(std::string_view file, const std::vector<std::size_t>& item) {
  const std::size_t header = 4 * (2 + item.size());
  const std::string head = content(file, header);
  ACTLAB_CHECK(head.size() == header, "truncated: ", head.size(), " of ", header, " header bytes");
  const std::size_t magic = 0x800 + 1 + item.size();
  ACTLAB_CHECK(big_endian(head, 0) == magic, "its first number is ", big_endian(head, 0), ", not ", magic,
               ": another kind of file");
  const std::size_t items = big_endian(head, 4);
  std::size_t wanted = items;
  for (std::size_t i = 0; i < item.size(); ++i) {
    const std::size_t size = big_endian(head, 8 + 4 * i);
    ACTLAB_CHECK(size == item[i], "images with a side of ", size, ", not ", item[i]);
    wanted *= size;
  }
  ACTLAB_CHECK(items >= 1 && items <= most_items, "its header claims ", items, " items");

  std::string body = content(file, header + wanted + 1);  // one more shows what follows
  body.erase(0, header);
  ACTLAB_CHECK(body.size() >= wanted, "truncated: ", body.size(), " of ", wanted, " bytes");
  ACTLAB_CHECK(body.size() == wanted, "more follows its ", items, " items");
  return body;
}

std::string read_idx(const fs::path& folder, const std::string& name, const std::vector<std::size_t>& item) {
  const fs::path plain = folder / name;
  std::error_code ignored;
  const fs::path path = fs::exists(plain, ignored) ? plain : folder / (name + ".gz");
  const std::string file = files().read(path);
  try {
    return parse_idx(file, item);
  } catch (const Error& error) {
    files().fail(path, error.what());
  }
}

ImageSplit read_split(const fs::path& folder, const std::string& prefix) {
  const std::string pixels = read_idx(folder, prefix + "-images-idx3-ubyte", {side, side});
  const std::string labels = read_idx(folder, prefix + "-labels-idx1-ubyte", {});
  const std::size_t images = pixels.size() / (side * side);
  if (images != labels.size())
    files().fail(folder / prefix, concat(images, " images but ", labels.size(), " labels"));
  ImageSplit split;
  split.pixels.assign(pixels.begin(), pixels.end());
  for (const char label : labels) split.labels.push_back(static_cast<std::uint8_t>(label));
  const auto wrong =
      std::find_if(split.labels.begin(), split.labels.end(), [](int label) { return label >= classes; });
  if (wrong != split.labels.end())
    files().fail(folder / prefix, concat("label ", *wrong, " of image ", wrong - split.labels.begin(),
                                         " (the first is 0) is above 9: the file is damaged"));
  return split;
}

std::unique_ptr<ImageDataset> load(const Options& options) {
  const fs::path folder = options.text("root");
  files().check_folder(folder);
  auto data = std::make_unique<ImageDataset>();
  data->name = "fashion_mnist";
  data->origin = folder.string();
  data->image = {.height = side, .width = side, .channels = 1, .classes = classes};
  data->class_names = {"T-shirt/top", "Trouser", "Pullover", "Dress", "Coat",
                       "Sandal",      "Shirt",   "Sneaker",  "Bag",   "Ankle boot"};
  data->mean = {0.2860f};
  data->deviation = {0.3530f};
  data->train = read_split(folder, "train");
  data->test = read_split(folder, "t10k");
  return data;
}

}  // namespace

DatasetType fashion_mnist() {
  return {.name = "fashion_mnist",
          .summary = "Fashion-MNIST: 60,000 + 10,000 grey images of 28 x 28, 10 classes",
          .options = {{.name = "root",
                       .fallback = std::string("/usr/share/datasets/fashion-mnist"),
                       .help = "folder of train-images-idx3-ubyte.gz and the other three"}},
          .make = load};
}

}  // namespace actlab
