// CIFAR-10's binary files: small ones made here, sound and damaged.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "framework/core/files.h"
#include "tests/datasets/opened.h"
#include "tests/support/temporary_folder.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t record_bytes = 3073;

// Red tells the row, green the column; blue is 0.
std::string make_record(int label) {
  std::string record(1, static_cast<char>(label));
  for (int y = 0; y < 32; ++y) record.append(32, static_cast<char>(y * 8));
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 32; ++x) record += static_cast<char>(x * 8);
  return record.append(1024, '\0');
}

void write(const fs::path& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

// A whole set: file k of 1 to 5 has k * 2 records, the test file 20; labels count up through all of them.
class Cifar10 : public testing::Test {
 protected:
  Cifar10() {
    int label = 0;
    const auto records = [&](int count) {
      std::string bytes;
      for (int i = 0; i < count; ++i) bytes += make_record(label++ % 10);
      return bytes;
    };
    for (int file = 1; file <= 5; ++file) write(batch(file), records(file * 2));
    write(test(), records(20));
  }

  const fs::path& root() const { return folder_.path(); }
  fs::path batch(int file) const { return root() / ("data_batch_" + std::to_string(file) + ".bin"); }
  fs::path test() const { return root() / "test_batch.bin"; }
  std::unique_ptr<ImageDataset> open() const { return open_dataset("cifar10", {{"root", root().string()}}); }

  TemporaryFolder folder_;
};

TEST_F(Cifar10, ReadsAllFiveFilesAndTheTest) {
  const auto data = open();
  ASSERT_EQ(data->train.count(), 30);
  ASSERT_EQ(data->test.count(), 20);
  for (int i = 0; i < 30; ++i) EXPECT_EQ(data->train.labels[static_cast<std::size_t>(i)], i % 10);
  EXPECT_EQ(data->train.pixels.size(), 30U * 3072);
  EXPECT_EQ(data->test.pixels.size(), 20U * 3072);
  EXPECT_EQ(data->image.height, 32);
  EXPECT_EQ(data->image.width, 32);
  EXPECT_EQ(data->image.channels, 3);
  EXPECT_EQ(data->image.classes, 10);
  EXPECT_EQ(data->origin, root().string());
  EXPECT_EQ(data->class_names.at(3), "cat");
  for (int file = 1; file <= 5; ++file) {
    const std::string bytes = read_file(batch(file));
    fs::remove(batch(file));
    expect_data_error("cifar10", root().string(),
                      {file == 1 ? "data_batch_1.bin" : batch(file).string(), "data.root"});
    write(batch(file), bytes);
  }
  fs::remove(test());
  expect_data_error("cifar10", root().string(), {test().string(), "No such file", "data.root"});
}

TEST_F(Cifar10, PlanesBecomeInterleavedPixels) {
  const auto data = open();
  for (const ImageSplit* split : {&data->train, &data->test})
    for (std::size_t i = 0; i < split->pixels.size(); i += 3) {
      const std::size_t row = i / 96 % 32;
      const std::size_t column = i / 3 % 32;
      ASSERT_EQ(split->pixels[i], row * 8);
      ASSERT_EQ(split->pixels[i + 1], column * 8);
      ASSERT_EQ(split->pixels[i + 2], 0);
    }
  const std::uint8_t* pixel = data->train.pixels.data() + 3 * 3072 + (2 * 32 + 5) * 3;
  EXPECT_EQ(std::vector<int>(pixel, pixel + 3), (std::vector<int>{16, 40, 0}));
  EXPECT_NEAR(pixel[1] / 255.0, 0.156862745, 1e-6);
}

TEST_F(Cifar10, FindsTheArchivesFolder) {
  const TemporaryFolder outer;
  fs::copy(root(), outer.path() / "cifar-10-batches-bin");
  EXPECT_EQ(open_dataset("cifar10", {{"root", outer.path().string()}})->train.count(), 30);
}

TEST_F(Cifar10, TakesNamesFromTheMetaFile) {
  write(root() / "batches.meta.txt", "a\nb\r\nc\nd\ne\nf\ng\nh\ni\nj\n\n");
  EXPECT_EQ(open()->class_names,
            (std::vector<std::string>{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}));
  write(root() / "batches.meta.txt", "a\nb\n");
  expect_data_error("cifar10", root().string(), {"batches.meta.txt", "2 class names"});
}

TEST_F(Cifar10, RefusesLabelsAboveNine) {
  const std::string sound = read_file(test());
  for (const int label : {10, 100, 255}) {
    std::string bytes = sound;
    bytes[17 * record_bytes] = static_cast<char>(label);
    write(test(), bytes);
    expect_data_error("cifar10", root().string(),
                      {test().string(), "record 17 ", "label " + std::to_string(label) + " of"});
  }
}

TEST_F(Cifar10, RefusesCutFiles) {
  const std::string sound = read_file(batch(5));
  for (const std::size_t size :
       {std::size_t{1}, record_bytes - 1, record_bytes + 1, 5 * record_bytes + 100}) {
    write(batch(5), sound.substr(0, size));
    const std::string record = std::to_string(size / record_bytes);
    expect_data_error("cifar10", root().string(), {batch(5).string()});
    if (size % (record_bytes + 1) != 0)
      expect_data_error("cifar10", root().string(),
                        {std::to_string(size) + " bytes", "record " + record + " "});
  }
  write(batch(5), "");
  expect_data_error("cifar10", root().string(), {batch(5).string(), "empty"});
}

TEST_F(Cifar10, KnowsCifar100) {
  write(batch(2), std::string(3074 * 7, '\1'));
  expect_data_error("cifar10", root().string(), {batch(2).string(), "looks like CIFAR-100"});
  fs::resize_file(batch(2), 153'700'000);  // the size of its training file; a hole, not on the disk
  expect_data_error("cifar10", root().string(), {"looks like CIFAR-100", "153700000"});
  const TemporaryFolder other;
  write(other.path() / "train.bin", "x");
  write(other.path() / "fine_label_names.txt", "x");
  expect_data_error("cifar10", other.path().string(), {"looks like CIFAR-100"});
}

TEST_F(Cifar10, NamesFilesThatCannotBeRead) {
  fs::remove(batch(4));
  fs::create_directory(batch(4));
  expect_data_error("cifar10", root().string(), {batch(4).string(), "Is a directory"});
}

TEST_F(Cifar10, RefusesAFileForAFolder) {
  expect_data_error("cifar10", test().string(), {test().string(), "Not a directory"});
}

TEST_F(Cifar10, SaysWhereItMayNotRead) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  fs::permissions(batch(3), fs::perms::none);
  expect_data_error("cifar10", root().string(), {batch(3).string(), "Permission denied"});
  fs::permissions(root(), fs::perms::none);
  expect_data_error("cifar10", (root() / "inner").string(), {"Permission denied"});
  fs::permissions(root(), fs::perms::owner_all);
}

TEST(Cifar10Archive, IsBalanced) {
  const char* root = std::getenv("ACTLAB_CIFAR10");
  if (root == nullptr) GTEST_SKIP() << "ACTLAB_CIFAR10 does not name the archive's folder";
  const auto data = open_dataset("cifar10", {{"root", std::string(root)}});
  EXPECT_EQ(data->train.count(), 50'000);
  EXPECT_EQ(data->test.count(), 10'000);
  for (int label = 0; label < 10; ++label) {
    EXPECT_EQ(std::count(data->train.labels.begin(), data->train.labels.end(), label), 5000);
    EXPECT_EQ(std::count(data->test.labels.begin(), data->test.labels.end(), label), 1000);
  }
}

}  // namespace
}  // namespace actlab
