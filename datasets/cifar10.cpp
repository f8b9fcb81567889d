// CIFAR-10 (Krizhevsky 2009) from the binary files of https://www.cs.toronto.edu/~kriz/cifar.html: 60,000
// colour images of 32 x 32 in ten classes.
#include <sstream>

#include "datasets/datasets.h"
#include "datasets/source_files.h"
#include "framework/data/image_dataset.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t plane = 32 * 32;
constexpr std::size_t record_bytes = 1 + 3 * plane;  // label; red, green, blue planes, row by row
constexpr int classes = 10;

const SourceFiles& files() {
  static const SourceFiles files(
      "cifar10",
      "get cifar-10-binary.tar.gz from https://www.cs.toronto.edu/~kriz/cifar.html, "
      "unpack it and pass data.root=DIR");
  return files;
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// `root` itself or the archive's folder in it.
fs::path find_folder(const fs::path& root) {
  files().check_folder(root);
  for (const fs::path& folder : {root, root / "cifar-10-batches-bin"})
    if (is_there(folder / "data_batch_1.bin")) return folder;
  const bool cifar100 = is_there(root / "train.bin") && is_there(root / "fine_label_names.txt");
  files().fail(root, concat("no data_batch_1.bin in it or in its cifar-10-batches-bin",
                            cifar100 ? " (it looks like CIFAR-100)" : ""));
}

void check_size(std::size_t size, const fs::path& path) {
  if (size == 0) files().fail(path, "the file is empty");
  if (size % record_bytes == 0) return;
  if (size % (record_bytes + 1) == 0)
    files().fail(path, concat("looks like CIFAR-100: its ", size, " bytes are records of 3074, not 3073"));
  files().fail(path, concat(size, " bytes: record ", size / record_bytes, " (the first is 0) is cut after ",
                            size % record_bytes, " of 3073"));
}

// Appends a file's images, planes interleaved to (H, W, C).
void read_split(const fs::path& path, ImageSplit& split) {
  const std::string bytes = files().read(path);
  check_size(bytes.size(), path);
  const std::size_t records = bytes.size() / record_bytes;
  std::size_t out = split.pixels.size();
  split.pixels.resize(out + records * 3 * plane);
  for (std::size_t record = 0; record < records; ++record) {
    const auto* in = reinterpret_cast<const std::uint8_t*>(bytes.data()) + record * record_bytes;
    if (in[0] >= classes)
      files().fail(path, concat("label ", int{in[0]}, " of record ", record,
                                " (the first is 0) is above 9: the file is damaged"));
    split.labels.push_back(in[0]);
    for (std::size_t i = 0; i < plane; ++i)
      for (std::size_t c = 0; c < 3; ++c) split.pixels[out++] = in[1 + c * plane + i];
  }
}

std::vector<std::string> read_class_names(const fs::path& path) {
  if (!is_there(path))
    return {"airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"};
  std::istringstream lines(files().read(path));
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (!line.empty()) names.push_back(line);
  }
  if (names.size() != classes) files().fail(path, concat(names.size(), " class names, not ", classes));
  return names;
}

std::unique_ptr<ImageDataset> load(const Options& options) {
  const fs::path folder = find_folder(options.text("root"));
  auto data = std::make_unique<ImageDataset>();
  data->name = "cifar10";
  data->origin = folder.string();
  data->image = {.height = 32, .width = 32, .channels = 3, .classes = classes};
  data->class_names = read_class_names(folder / "batches.meta.txt");
  data->mean = {0.4914f, 0.4822f, 0.4465f};
  data->deviation = {0.2470f, 0.2435f, 0.2616f};
  for (int file = 1; file <= 5; ++file) read_split(folder / concat("data_batch_", file, ".bin"), data->train);
  read_split(folder / "test_batch.bin", data->test);
  return data;
}

}  // namespace

DatasetType cifar10() {
  return {.name = "cifar10",
          .summary = "CIFAR-10, binary version: 50,000 + 10,000 colour images of 32 x 32, 10 classes",
          .options = {{.name = "root",
                       .fallback = std::string("data"),
                       .help = "folder of data_batch_1.bin ..., or the one that holds cifar-10-batches-bin"}},
          .make = load};
}

}  // namespace actlab
