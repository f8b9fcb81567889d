// Folders of images: what becomes a class and an image, sizes, faults, and that threads change nothing.
#include <omp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "framework/core/files.h"
#include "tests/datasets/opened.h"
#include "tests/datasets/png_bytes.h"
#include "tests/support/temporary_folder.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;

// One red, green, blue value all over.
std::string plain_png(std::size_t width, std::size_t height, char value) {
  return png_bytes(width, height, 8, 2, std::string(3 * width * height, value));
}

// The images without the faulty ones.
const ImageDataset& rest_of(const FaultyFiles& faulty) {
  return dynamic_cast<const ImageDataset&>(*faulty.rest());
}

class ImageFolder : public testing::Test {
 protected:
  const fs::path& root() const { return folder_.path(); }

  void write(const std::string& name, const std::string& bytes) const {
    fs::create_directories((root() / name).parent_path());
    folder_.write(name, bytes);
  }
  // Classes of one image of 4 x 4 in both splits.
  void write_classes(std::initializer_list<const char*> names) const {
    char value = 1;
    for (const std::string name : names)
      for (const std::string split : {"train/", "test/"})
        write(split + name + "/1.png", plain_png(4, 4, value++));
  }

  std::unique_ptr<ImageDataset> open(
      std::initializer_list<std::pair<const char*, OptionValue>> settings = {}) const {
    const DatasetType& type = find_component("data set", "image_folder", dataset_types());
    Options options(type.options);
    options.set("root", root().string());
    for (const auto& [key, value] : settings) options.set(key, value);
    return as_images(type.make(options));
  }
  void expect_refused(std::initializer_list<std::string> parts) const {
    expect_data_error("image_folder", root().string(), parts);
  }
  std::vector<std::string> faults() const {
    try {
      open();
    } catch (const FaultyFiles& faulty) {
      return faulty.faults();
    }
    return {};
  }

  TemporaryFolder folder_;
};

TEST_F(ImageFolder, ClassesAreFoldersInByteOrder) {
  write_classes({"10", "2", "1", "B", "a"});
  const auto data = open();
  EXPECT_EQ(data->class_names, (std::vector<std::string>{"1", "10", "2", "B", "a"}));
  EXPECT_EQ(data->train.labels, (std::vector<std::int32_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(data->test.labels, (std::vector<std::int32_t>{0, 1, 2, 3, 4}));
  // Written as 10, 2, 1, ...: training images hold 1, 3, 5, 7, 9, test images 2, 4, 6, 8, 10.
  const auto first_values = [](const ImageSplit& split) {
    std::vector<int> values;
    for (std::size_t i = 0; i < split.pixels.size(); i += 4 * 4 * 3) values.push_back(split.pixels[i]);
    return values;
  };
  EXPECT_EQ(first_values(data->train), (std::vector<int>{5, 1, 3, 7, 9}));
  EXPECT_EQ(first_values(data->test), (std::vector<int>{6, 2, 4, 8, 10}));
  EXPECT_EQ(data->name, "image_folder");
  EXPECT_EQ(data->origin, root().string());
  EXPECT_EQ(data->image.classes, 5);
  EXPECT_EQ(data->image.height, 4);
  EXPECT_EQ(data->image.channels, 3);
  EXPECT_TRUE(data->notes.empty());
}

TEST_F(ImageFolder, ChecksumTellsImagesLabelsAndNamesApart) {
  write_classes({"a", "b"});
  const std::string before = open()->checksum;
  EXPECT_EQ(before.size(), 64u);
  EXPECT_EQ(open({{"size", std::int64_t{4}}})->checksum, before) << "the same images";
  fs::rename(root() / "test/a/1.png", root() / "test/a/0.png");
  EXPECT_EQ(open()->checksum, before) << "files are not named in it";
  write("test/a/0.png", plain_png(4, 4, 77));
  const std::string other_pixels = open()->checksum;
  EXPECT_NE(other_pixels, before);
  for (const std::string split : {"train/", "test/"})
    fs::rename(root() / (split + "b"), root() / (split + "c"));
  EXPECT_NE(open()->checksum, other_pixels) << "another class";
}

TEST_F(ImageFolder, PassesOverWhatIsNoImage) {
  write_classes({"a", "b"});
  for (const std::string name : {".ipynb_checkpoints/x.png", ".DS_Store", "Thumbs.db", "README.txt", "c.png",
                                 "a/.2.png", "a/Thumbs.db", "a/notes.txt", "b/inner/x.png"})
    write("train/" + name, "x");
  ASSERT_EQ(mkfifo((root() / "train/b/pipe.png").c_str(), 0600), 0);
  const auto data = open();
  EXPECT_EQ(data->class_names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(data->train.labels, (std::vector<std::int32_t>{0, 1}));
  const std::string train = (root() / "train").string() + ": passed over ";
  EXPECT_EQ(data->notes,
            (std::vector<std::string>{
                train + "3 hidden files or folders, the first is .DS_Store",
                train + "3 files beside the class folders, the first is README.txt",
                train + "3 files that are not called .png, .jpg or .jpeg, the first is a/Thumbs.db",
                train + "1 folders inside classes, the first is b/inner"}));
}

TEST_F(ImageFolder, TakesAllExtensionsAndFollowsLinks) {
  write_classes({"a"});
  write("train/a/2.PNG", plain_png(4, 4, 2));
  write("train/a/3.Jpeg", plain_png(4, 4, 3));  // the content counts
  write("elsewhere/4.jpg", plain_png(4, 4, 4));
  fs::create_symlink(root() / "elsewhere/4.jpg", root() / "train/a/4.jpg");
  fs::create_directory_symlink(root() / "elsewhere", root() / "train/b");
  fs::create_directory_symlink(root() / "elsewhere", root() / "test/b");
  const auto data = open();
  EXPECT_EQ(data->train.labels, (std::vector<std::int32_t>{0, 0, 0, 0, 1}));
}

TEST_F(ImageFolder, RefusesFoldersThatAreNotASet) {
  expect_refused({"train: cannot open the folder: No such file", "data.root=DIR", "DIR/train/CLASS"});
  fs::create_directory(root() / "train");
  expect_refused({"train: no class folders in it", "data.root=DIR"});
  fs::create_directory(root() / "train/a");
  expect_refused({"train/a: a class without images"});
  write("train/a/x.gif", "GIF89a");
  expect_refused({"train/a: a class without images"});
  write("train/a/1.png", plain_png(4, 4, 1));
  expect_refused({"test: cannot open the folder", "DIR/test/CLASS"});
  write_classes({"a"});
  write("test/file", "x");
  EXPECT_NO_THROW(open());
  expect_data_error("image_folder", (root() / "test/file").string(), {"Not a directory"});
  expect_data_error("image_folder", (root() / "absent").string(), {"absent", "No such file"});
}

TEST_F(ImageFolder, RefusesClassesThatTrainingLacks) {
  write_classes({"a", "c"});
  for (const std::string name : {"b", "d", "A"}) {
    write("test/" + name + "/1.png", plain_png(4, 4, 1));
    expect_refused({concat("/test: class '", name, "' is in it but not in "), "/train: "});
    fs::remove_all(root() / "test" / name);
  }
  write("val/b/1.png", plain_png(4, 4, 1));
  expect_refused({"/val: class 'b' is in it but not in", "/train: "});
}

TEST_F(ImageFolder, LabelsAreThoseOfTrainingWhereClassesLack) {
  write_classes({"10", "2", "1", "B", "a"});
  for (const std::string split : {"val", "test"}) {
    fs::remove_all(root() / split);
    write(split + "/2/1.png", plain_png(4, 4, 20));
    write(split + "/10/1.png", plain_png(4, 4, 100));
  }
  const auto data = open();
  EXPECT_EQ(data->class_names, (std::vector<std::string>{"1", "10", "2", "B", "a"}));
  ASSERT_TRUE(data->validation);
  for (const ImageSplit* split : {&*data->validation, &data->test}) {
    EXPECT_EQ(split->labels, (std::vector<std::int32_t>{1, 2}));
    EXPECT_EQ(split->pixels.at(0), 100);
    EXPECT_EQ(split->pixels.at(48), 20);
  }
  const std::string train = (root() / "train").string();
  EXPECT_EQ(data->notes, (std::vector<std::string>{
                             concat((root() / "test").string(), ": no images of 3 of the classes in ", train,
                                    ", the first is 1"),
                             concat((root() / "val").string(), ": no images of 3 of the classes in ", train,
                                    ", the first is 1")}));
}

TEST_F(ImageFolder, ValidationHasItsOwnFolder) {
  write_classes({"10", "2"});
  EXPECT_FALSE(open()->validation);
  for (const std::string name : {"val", "validation"}) {
    write(name + "/2/1.png", plain_png(4, 4, 9));
    write(name + "/10/1.png", plain_png(4, 4, 8));
    write(name + "/10/README", "x");
    const auto data = open();
    EXPECT_EQ(data->train.count(), 2);
    ASSERT_TRUE(data->validation);
    EXPECT_EQ(data->validation->labels, (std::vector<std::int32_t>{0, 1}));
    EXPECT_EQ(data->validation->pixels.at(0), 8);
    EXPECT_EQ(data->notes.size(), 1U);
    if (name == "val") fs::rename(root() / "val", root() / "elsewhere");
  }
  write("validation/2/2.png", "x");
  EXPECT_EQ(faults().size(), 1U);
  fs::rename(root() / "elsewhere", root() / "val");
  expect_refused({"both val and validation"});
}

TEST_F(ImageFolder, ListsEveryFaultyFileInTheOrderOfPaths) {
  write_classes({"a", "b"});
  const std::string sound = plain_png(4, 4, 9);
  write("train/b/2.png", sound.substr(0, 40));
  write("train/a/3.jpg", "hello");
  write("train/a/0.png", "");
  write("test/a/2.png", plain_png(4, 5, 1));
  fs::create_symlink("nowhere", root() / "test/b/2.png");
  const std::string prefix = root().string() + "/";
  const std::vector<std::string> found = faults();
  ASSERT_EQ(found.size(), 5U);
  EXPECT_EQ(found[0], prefix + "train/a/0.png: the file is empty: replace or remove the file");
  EXPECT_EQ(found[1], prefix + "train/a/3.jpg: is no PNG or JPEG: replace or remove the file");
  EXPECT_EQ(found[2], prefix + "train/b/2.png: truncated: a PNG without its end: replace or remove the file");
  EXPECT_TRUE(
      found[3].starts_with(prefix + "test/a/2.png: 4 x 5 pixels, not 4 x 4 as " + prefix + "train/a/1.png"))
      << found[3];
  EXPECT_EQ(found[4], "cannot read " + prefix + "test/b/2.png: No such file or directory");
  expect_refused(
      {"train/a/0.png: the file is empty", "(4 more files have faults: actlab data check image_folder DIR"});
  try {
    open();
    ADD_FAILURE();
  } catch (const FaultyFiles& faulty) {
    const ImageDataset& rest = rest_of(faulty);
    EXPECT_EQ(rest.train.labels, (std::vector<std::int32_t>{0, 1}));
    EXPECT_EQ(rest.test.labels, (std::vector<std::int32_t>{0, 1}));
    EXPECT_EQ(rest.train.pixels.at(0), 1);
    EXPECT_EQ(rest.train.pixels.at(48), 3);
    EXPECT_EQ(rest.train.pixels.size(), 96U);
  }
}

TEST_F(ImageFolder, SaysWhereItMayNotRead) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  write_classes({"a"});
  fs::permissions(root() / "train/a/1.png", fs::perms::none);
  expect_refused({"train/a/1.png", "Permission denied"});
  fs::permissions(root() / "train/a", fs::perms::none);
  expect_refused({"train/a", "Permission denied"});
  fs::permissions(root() / "train/a", fs::perms::owner_all);
}

TEST_F(ImageFolder, OtherSizesAreRefusedStretchedOrCropped) {
  write_classes({"a"});
  write("train/a/2.png", png_bytes(4, 2, 8, 0, "\1\2\3\4\1\2\3\4"));
  expect_refused({"train/a/2.png: 4 x 2 pixels, not 4 x 4 as", "train/a/1.png", "data.resize=crop or stretch",
                  "data.size=PIXELS"});
  EXPECT_THROW(open({{"size", std::int64_t{2}}}), FaultyFiles);
  EXPECT_THROW(open({{"resize", "crop"}}), ConfigError);
  EXPECT_THROW(open({{"channels", std::int64_t{2}}}), ConfigError);

  const auto cropped = open({{"size", std::int64_t{2}}, {"resize", "crop"}, {"channels", std::int64_t{1}}});
  EXPECT_EQ(cropped->image.height, 2);
  EXPECT_EQ(cropped->image.channels, 1);
  EXPECT_EQ(cropped->train.pixels, (std::vector<std::uint8_t>{1, 1, 1, 1, 2, 3, 2, 3}));
  const auto stretched = open({{"size", std::int64_t{1}}, {"resize", "stretch"}});
  EXPECT_EQ(stretched->train.pixels, (std::vector<std::uint8_t>{1, 1, 1, 3, 3, 3}));
}

TEST_F(ImageFolder, MeanAndDeviationAreTheTrainingSplits) {
  using namespace std::string_literals;
  write("train/a/1.png", png_bytes(2, 1, 8, 2, "\0\7\x33\xff\7\x66"s));
  write("train/b/1.png", png_bytes(2, 1, 8, 2, "\0\7\x33\xff\7\x66"s));
  write("test/a/1.png", png_bytes(2, 1, 8, 2, "abcdef"));
  write("test/b/1.png", png_bytes(2, 1, 8, 2, "abcdef"));
  const auto data = open();
  EXPECT_FLOAT_EQ(data->mean[0], 0.5f);
  EXPECT_FLOAT_EQ(data->deviation[0], 0.5f);
  EXPECT_FLOAT_EQ(data->mean[1], 7 / 255.0f);
  EXPECT_EQ(data->deviation[1], 1.0f);  // it has one value only
  EXPECT_FLOAT_EQ(data->mean[2], 0.3f);
  EXPECT_FLOAT_EQ(data->deviation[2], 0.1f);
}

TEST_F(ImageFolder, TheSamePixelsForAnyNumberOfThreads) {
  for (std::uint32_t i = 0; i < 200; ++i)
    write(concat("train/", i % 7, "/", i, ".png"), rgb_png(3 + i % 9, 3 + i % 5, i));
  for (const std::string name : {"baseline.jpg", "progressive.jpg"})
    write("train/0/" + name, read_file(ACTLAB_SOURCE_DIR "/tests/data/images/" + name));
  fs::create_directory_symlink(root() / "train", root() / "test");
  write("train/3/bad.png", "x");
  write("train/6/bad.png", "x");
  const auto load = [&](int threads) {
    omp_set_num_threads(threads);
    try {
      open({{"size", std::int64_t{5}}, {"resize", "stretch"}});
    } catch (const FaultyFiles& faulty) {
      return std::pair(rest_of(faulty).train.pixels, std::string(faulty.what()));
    }
    return std::pair(std::vector<std::uint8_t>{}, std::string("no fault"));
  };
  const int before = omp_get_max_threads();
  const auto one = load(1);
  EXPECT_EQ(one.first.size(), 202U * 5 * 5 * 3);
  EXPECT_NE(one.second.find("train/3/bad.png"), std::string::npos) << one.second;
  for (int repeat = 0; repeat < 20; ++repeat) ASSERT_EQ(load(8), one);
  omp_set_num_threads(before);
}

TEST_F(ImageFolder, SetsBeyondTheMemoryAreRefused) {
  write_classes({"a"});
  for (int i = 0; i < 2000; ++i) fs::create_symlink("1.png", root() / concat("train/a/", i, "x.png"));
  EXPECT_THROW(open({{"size", std::int64_t{2}}}), FaultyFiles);
  // One image of 16,000 x 2,000, as all the others would have to be: 192 GB.
  write("train/a/0.png", png_bytes(16'000, 2'000, 1, 0, std::string(2'000 * 2'000, '\0')));
  if (sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) > 190'000'000'000) GTEST_SKIP() << "it would fit here";
  expect_refused({"2003 images of 16000 x 2000 pixels do not fit the memory", "data.size=PIXELS"});
}

}  // namespace
}  // namespace actlab
