// Fashion-MNIST's IDX files: small ones made here, sound and damaged, and the installed package.
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "framework/core/files.h"
#include "tests/datasets/opened.h"
#include "tests/support/temporary_folder.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;

std::string number(std::uint32_t value) {
  std::string bytes;
  for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(value >> shift);
  return bytes;
}

std::string images(std::uint32_t count) {
  std::string bytes = number(0x803) + number(count) + number(28) + number(28);
  for (std::uint32_t i = 0; i < count * 784; ++i) bytes += static_cast<char>(i % 251);
  return bytes;
}

std::string labels(std::uint32_t count) {
  std::string bytes = number(0x801) + number(count);
  for (std::uint32_t i = 0; i < count; ++i) bytes += static_cast<char>(i % 10);
  return bytes;
}

std::string packed(const std::string& bytes) {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "packed.gz";
  const gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(file);
  return read_file(path);
}

void write(const fs::path& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

class FashionMnist : public testing::Test {
 protected:
  FashionMnist() {
    write(train_images(), packed(images(30)));
    write(train_labels(), packed(labels(30)));
    write(folder_.path() / "t10k-images-idx3-ubyte", images(5));
    write(folder_.path() / "t10k-labels-idx1-ubyte", labels(5));
  }

  std::string root() const { return folder_.path().string(); }
  fs::path train_images() const { return folder_.path() / "train-images-idx3-ubyte.gz"; }
  fs::path train_labels() const { return folder_.path() / "train-labels-idx1-ubyte.gz"; }
  void expect_refused_images(const std::string& file, const std::string& part) const {
    write(train_images(), file);
    expect_data_error("fashion_mnist", root(), {train_images().string(), part, "apt-get install"});
  }

  TemporaryFolder folder_;
};

TEST_F(FashionMnist, ReadsPackedAndPlainFiles) {
  const auto data = open_dataset("fashion_mnist", {{"root", root()}});
  ASSERT_EQ(data->train.count(), 30);
  ASSERT_EQ(data->test.count(), 5);
  EXPECT_EQ(data->image.height, 28);
  EXPECT_EQ(data->image.width, 28);
  EXPECT_EQ(data->image.channels, 1);
  EXPECT_EQ(data->image.classes, 10);
  EXPECT_EQ(data->class_names.at(9), "Ankle boot");
  ASSERT_EQ(data->train.pixels.size(), 30U * 784);
  for (std::size_t i = 0; i < data->train.pixels.size(); ++i) ASSERT_EQ(data->train.pixels[i], i % 251);
  EXPECT_EQ(data->train.labels.at(29), 9);
}

TEST_F(FashionMnist, RefusesTruncatedFiles) {
  const std::string file = packed(images(30));
  for (std::size_t size = 0; size < file.size(); size += 1 + file.size() / 100) {
    write(train_images(), file.substr(0, size));
    expect_data_error("fashion_mnist", root(), {train_images().string(), "truncated"});
  }
  expect_refused_images(file.substr(0, file.size() - 1), "truncated");
  const std::string plain = images(30);
  expect_refused_images(plain.substr(0, 7), "truncated: 7 of 16 header bytes");
  expect_refused_images(plain.substr(0, plain.size() - 1), "truncated: 23519 of 23520 bytes");
  expect_refused_images(packed(plain.substr(0, plain.size() - 1)), "truncated: 23519 of 23520 bytes");
}

TEST_F(FashionMnist, RefusesWhatFollows) {
  expect_refused_images(packed(images(30) + "x"), "more follows");
  expect_refused_images(images(30) + "x", "more follows");
  expect_refused_images(packed(images(30)) + "tail", "4 bytes follow the .gz stream");
}

TEST_F(FashionMnist, ChecksTheChecksum) {
  std::string file = packed(images(30));
  file[file.size() - 8] = static_cast<char>(file[file.size() - 8] ^ 1);
  expect_refused_images(file, "incorrect data check");
  file = packed(images(30));
  file[file.size() - 4] = static_cast<char>(file[file.size() - 4] ^ 1);
  expect_refused_images(file, "incorrect length check");
}

TEST_F(FashionMnist, RefusesOtherFiles) {
  expect_refused_images(packed(labels(30)), "not 2051");
  expect_refused_images(packed(number(0x803) + number(30) + number(32) + number(28)), "a side of 32, not 28");
  expect_refused_images("<html>404 Not Found</html>", "another kind of file");
}

// Nothing is allocated for a header's promise.
TEST_F(FashionMnist, RefusesAbsurdCounts) {
  const auto header = [](std::uint32_t count) {
    return number(0x803) + number(count) + number(28) + number(28);
  };
  expect_refused_images(packed(header(0xffffffff)), "claims 4294967295 items");
  expect_refused_images(packed(header(0)), "claims 0 items");
  expect_refused_images(packed(header(9'999'999)), "truncated: 0 of 7839999216 bytes");
  expect_refused_images(packed(header(1) + std::string(50'000'000, '\0')), "more follows");
}

TEST_F(FashionMnist, RefusesLabelsThatDoNotFit) {
  write(train_labels(), packed(labels(29)));
  expect_data_error("fashion_mnist", root(), {root(), "train", "30 images but 29 labels"});
  std::string bytes = labels(30);
  bytes[8 + 17] = 10;
  write(train_labels(), packed(bytes));
  expect_data_error("fashion_mnist", root(), {root(), "train", "label 10 of image 17 "});
  bytes[8 + 17] = '\xff';
  write(train_labels(), packed(bytes));
  expect_data_error("fashion_mnist", root(), {"label 255 of image 17 "});
  fs::remove(train_labels());
  expect_data_error("fashion_mnist", root(), {train_labels().string(), "No such file", "apt-get install"});
}

TEST(FashionMnistPackage, HasWhatItsPaperSays) {
  if (!fs::exists("/usr/share/datasets/fashion-mnist"))
    GTEST_SKIP() << "the package dataset-fashion-mnist is not installed";
  const auto data = open_dataset("fashion_mnist", {});
  EXPECT_EQ(data->train.count(), 60'000);
  EXPECT_EQ(data->test.count(), 10'000);
  for (int label = 0; label < 10; ++label) {
    EXPECT_EQ(std::count(data->train.labels.begin(), data->train.labels.end(), label), 6000);
    EXPECT_EQ(std::count(data->test.labels.begin(), data->test.labels.end(), label), 1000);
  }
  std::int64_t sum = 0;
  std::int64_t squares = 0;
  for (const int pixel : data->train.pixels) {
    sum += pixel;
    squares += pixel * pixel;
  }
  const double n = 60'000.0 * 784;
  const double mean = static_cast<double>(sum) / n / 255;
  const double deviation = std::sqrt(static_cast<double>(squares) / n / 255 / 255 - mean * mean);
  EXPECT_NEAR(mean, double{data->mean[0]}, 5e-4);
  EXPECT_NEAR(deviation, double{data->deviation[0]}, 5e-4);
}

}  // namespace
}  // namespace actlab
