// The verbs data fetch, against a server in this process, and data check.
#include <unistd.h>

#include <cctype>
#include <nlohmann/json.hpp>

#include "framework/core/sha256.h"
#include "tests/datasets/png_bytes.h"
#include "tests/support/actlab_program.h"
#include "tests/support/http_server.h"
#include "tests/support/run_folders.h"
#include "tests/support/tar_gz.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::string folder_name = "cifar-10-batches-bin";

std::string cifar_record(char label) { return label + std::string(3072, '\x40'); }

// The files of CIFAR-10's archive, with two images each.
std::vector<TarEntry> cifar_entries() {
  std::vector<TarEntry> entries = {{.path = folder_name + "/", .type = '5'}};
  for (const char* name : {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin",
                           "data_batch_5.bin", "test_batch.bin"})
    entries.push_back({.path = concat(folder_name, "/", name), .content = cifar_record(1) + cifar_record(9)});
  entries.push_back({.path = folder_name + "/batches.meta.txt", .content = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n"});
  entries.push_back({.path = folder_name + "/readme.html", .content = "<html>"});
  return entries;
}

class CliFetch : public testing::Test {
 protected:
  void SetUp() override {
    if (actlab_.run("data fetch cifar10 --url file:///nowhere").err.find("cannot download") !=
        std::string::npos)
      GTEST_SKIP() << "this build has no libcurl and libarchive";
  }

  Outcome fetch(const std::string& url, const std::string& archive, const std::string& more = "",
                const std::string& setup = "") const {
    return actlab_.run(
        concat("data fetch cifar10 --to sets/small --url '", url, "' --sha256 ", sha256(archive), " ", more),
        setup + " no_proxy=127.0.0.1");
  }
  // From a server that has the archive.
  Outcome fetch_archive(const std::string& archive) const {
    const HttpServer server({{"/a.tar.gz", HttpServer::file(archive)}});
    return fetch(server.url("/a.tar.gz"), archive);
  }
  void expect_nothing_left() const { EXPECT_TRUE(fs::is_empty(actlab_.folder())); }
  void expect_fetch_refused(const Outcome& outcome, std::initializer_list<std::string> fragments) const {
    expect_refusal(outcome, 3, fragments);
    expect_nothing_left();
  }

  const ActlabProgram actlab_;
};

TEST_F(CliFetch, FetchesChecksAndUnpacks) {
  const std::string archive = tar_gz(cifar_entries());
  const HttpServer server({{"/a.tar.gz", HttpServer::file(archive)},
                           {"/moved", {.status = "302 Found", .headers = "Location: /a.tar.gz\r\n"}}});
  const Outcome outcome = fetch(server.url("/moved"), archive, "--format json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(json::parse(outcome.out)["folder"], "sets/small/" + folder_name);
  EXPECT_EQ(json::parse(outcome.out)["sha256"], sha256(archive));
  for (const TarEntry& entry : cifar_entries()) {
    if (entry.type == '0') {
      EXPECT_EQ(read_file(actlab_.folder() / "sets/small" / entry.path), entry.content);
    }
  }
  const auto entries = fs::directory_iterator(actlab_.folder() / "sets/small");
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);

  const Outcome check = actlab_.run("data check cifar10 sets/small --format json");
  EXPECT_EQ(check.code, 0) << check.err;
  EXPECT_EQ(json::parse(check.out).size(), 22U);
  expect_refusal(fetch(server.url("/a.tar.gz"), archive), 2,
                 {"sets/small/" + folder_name, "is there already", "--to"});
}

TEST_F(CliFetch, FromAFile) {
  const std::string archive = tar_gz(cifar_entries());
  const fs::path file = actlab_.write("archive.tar.gz", archive);
  EXPECT_EQ(fetch("file://" + file.string(), archive).code, 0);
  EXPECT_TRUE(fs::exists(actlab_.folder() / "sets/small" / folder_name / "test_batch.bin"));
  EXPECT_EQ(actlab_
                .run(concat("data fetch cifar10 --to . --url file://", file.string(), " --sha256 ",
                            sha256(archive)))
                .code,
            0);
  EXPECT_TRUE(fs::exists(actlab_.folder() / folder_name / "test_batch.bin"));
}

TEST_F(CliFetch, ChecksumsMayBeInUpperCase) {
  const std::string archive = tar_gz(cifar_entries());
  std::string checksum = sha256(archive);
  for (char& c : checksum) c = static_cast<char>(std::toupper(c));
  actlab_.write("a.tar.gz", archive);
  const std::string url = "file://" + (actlab_.folder() / "a.tar.gz").string();
  EXPECT_EQ(actlab_.run(concat("data fetch cifar10 --to . --url ", url, " --sha256 ", checksum)).code, 0);
}

TEST_F(CliFetch, WhatTheServerMayDo) {
  const std::string archive = tar_gz(cifar_entries());
  const HttpServer server({{"/short", HttpServer::file(archive, 100)},
                           {"/cut", {.body = archive.substr(0, 200)}},
                           {"/other", HttpServer::file("<html>this is a login page</html>")},
                           {"/broken", {.status = "500 Oops"}}});
  const auto refused = [&](const std::string& path, std::initializer_list<std::string> fragments) {
    expect_fetch_refused(fetch(server.url(path), archive), fragments);
  };
  refused("/absent", {server.url("/absent"), "404", "--url"});
  refused("/broken", {"500"});
  refused("/short", {"100 bytes"});
  refused("/cut", {"its sha256 is", sha256(archive)});
  refused("/other", {"its sha256 is", sha256(archive)});
  expect_fetch_refused(actlab_.run("data fetch cifar10 --url " + server.url("/other"), "no_proxy=127.0.0.1"),
                       {"not c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd"});
}

TEST_F(CliFetch, NobodyAnswers) {
  std::string closed;
  {
    const HttpServer server({});
    closed = server.url("/a.tar.gz");
  }
  expect_fetch_refused(fetch(closed, ""),
                       {"cannot fetch " + closed, "connect", "network", "--url", "unpack"});
  expect_fetch_refused(
      fetch("https://host.invalid/a.tar.gz", "", "", "unset https_proxy HTTPS_PROXY all_proxy ALL_PROXY;"),
      {"https://host.invalid", "resolve host", "https_proxy"});
  expect_fetch_refused(fetch("file:///no/such/archive", ""), {"/no/such/archive"});
}

TEST_F(CliFetch, Interrupted) {
  const HttpServer server(
      {{"/slow", {.headers = "Content-Length: 1000\r\n", .body = "begin", .stall = true}}});
  for (const auto& [name, code] : {std::pair("INT", 130), std::pair("TERM", 143)}) {
    const Outcome outcome =
        fetch(server.url("/slow"), "", "",
              concat("env no_proxy=127.0.0.1 timeout --preserve-status -s ", name, " 1 env"));
    expect_refusal(outcome, code, {"interrupted", "cifar10"});
    expect_nothing_left();
  }
}

TEST_F(CliFetch, NoRoomOnTheDisk) {
  std::vector<TarEntry> entries = cifar_entries();
  for (std::size_t i = 0; i < 400'000; ++i) entries[1].content += static_cast<char>(i * i >> 7);
  const std::string archive = tar_gz(entries);
  const HttpServer server({{"/a.tar.gz", HttpServer::file(archive)}});
  expect_fetch_refused(fetch(server.url("/a.tar.gz"), archive, "", "ulimit -f 20;"),
                       {"cannot write", "File too large"});
  // Room for the archive, not for what is in it.
  entries[1].content = std::string(1'000'000, 'x');
  const std::string dense = tar_gz(entries);
  const HttpServer second({{"/a.tar.gz", HttpServer::file(dense)}});
  expect_fetch_refused(fetch(second.url("/a.tar.gz"), dense, "", "ulimit -f 100;"), {"data_batch_1.bin"});
}

TEST_F(CliFetch, FolderThatCannotBeMade) {
  const std::string archive = tar_gz(cifar_entries());
  const HttpServer server({{"/a.tar.gz", HttpServer::file(archive)}});
  actlab_.write("sets", "a file");
  expect_refusal(fetch(server.url("/a.tar.gz"), archive), 3, {"sets"});
  EXPECT_EQ(read_file(actlab_.folder() / "sets"), "a file");
}

TEST_F(CliFetch, ArchivesThatAreNotWhatIsExpected) {
  const auto with = [](TarEntry entry) {
    std::vector<TarEntry> entries = cifar_entries();
    entries.insert(entries.begin() + 1, std::move(entry));
    return tar_gz(entries);
  };
  const std::string first = folder_name + "/data_batch_1.bin";
  for (const TarEntry& entry : std::vector<TarEntry>{{.path = "/etc/actlab-absolute", .content = "x"},
                                                     {.path = folder_name + "/../outside", .content = "x"},
                                                     {.path = "../outside", .content = "x"},
                                                     {.path = folder_name + "/extra", .content = "x"},
                                                     {.path = "elsewhere/data_batch_1.bin", .content = "x"},
                                                     {.path = first, .type = '2', .link = "/etc/passwd"},
                                                     {.path = first, .type = '1', .link = "/etc/passwd"},
                                                     {.path = first, .type = '6'},
                                                     {.path = first + "/", .type = '5'}})
    expect_fetch_refused(fetch_archive(with(entry)),
                         {"the archive holds '" + entry.path + "'", "not expected"});
  EXPECT_FALSE(fs::exists("/etc/actlab-absolute"));
  expect_fetch_refused(fetch_archive(with({.path = first, .content = "first of two"})),
                       {"holds '" + first + "'"});

  std::vector<TarEntry> incomplete = cifar_entries();
  incomplete.erase(incomplete.begin() + 3);
  expect_fetch_refused(fetch_archive(tar_gz(incomplete)),
                       {"the archive lacks " + folder_name + "/data_batch_3.bin"});
  const std::string sound = tar_gz(cifar_entries());
  for (const std::size_t size : {sound.size() / 2, std::size_t{100}, std::size_t{5}, std::size_t{0}})
    expect_fetch_refused(fetch_archive(sound.substr(0, size)), {"cifar10: cannot fetch"});
  expect_fetch_refused(fetch_archive("hello, this is no archive"), {"cannot read the archive"});
}

TEST_F(CliFetch, TakesADotBeforeTheFolder) {
  std::vector<TarEntry> entries = cifar_entries();
  for (TarEntry& entry : entries) entry.path = "./" + entry.path;
  EXPECT_EQ(fetch_archive(tar_gz(entries)).code, 0);
}

TEST(CliData, Usage) {
  const ActlabProgram actlab;
  expect_refusal(actlab.run("data fetch fashion_mnist"), 2, {"no source", "'fashion_mnist'", "cifar10"});
  expect_refusal(actlab.run("data fetch"), 2, {"dataset"});
  expect_refusal(actlab.run("data fetch cifar10 --url a.tar.gz"), 2, {});
  expect_refusal(actlab.run("data fetch cifar10 --url ftp://host/a.tar.gz"), 2, {});
  expect_refusal(actlab.run("data fetch cifar10 --sha256 c4a38c50"), 2,
                 {"--sha256", "64 hexadecimal digits"});
  expect_refusal(actlab.run("data check cifar"), 2, {"unknown data set 'cifar'", "nearest: cifar10"});
  expect_refusal(actlab.run("data check synthetic DIR"), 2, {"root"});
  expect_refusal(actlab.run("data check image_folder . sise=3"), 2, {"'sise'", "nearest: size"});
  expect_refusal(actlab.run("data check image_folder . size=many"), 2,
                 {"data.size", "wanted integer", "many"});
  expect_refusal(actlab.run("data check image_folder . size"), 2, {"key=value"});
  expect_refusal(actlab.run("data check image_folder nowhere"), 3, {"nowhere", "data.root=DIR"});
  expect_refusal(actlab.run("data check cifar10 nowhere"), 3, {"nowhere"});
  EXPECT_TRUE(fs::is_empty(actlab.folder()));
}

class CliDataCheck : public testing::Test {
 protected:
  CliDataCheck() {
    for (const std::string split : {"train", "test"})
      for (const std::string name : {"cat", "dog"}) {
        fs::create_directories(actlab_.folder() / "set" / split / name);
        for (const char* file : {"1.png", "2.png"})
          actlab_.write(
              concat("set/", split, "/", name, "/", file),
              png_bytes(2, 2, 8, 2, name == "cat" ? std::string(12, '\x33') : std::string(12, '\xff')));
      }
  }
  const ActlabProgram actlab_;
};

TEST_F(CliDataCheck, DescribesClassesAndSplits) {
  actlab_.write("set/train/cat/notes.txt", "x");
  const Outcome outcome = actlab_.run("data check image_folder set --format json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("passed over 1 files that are not called"), std::string::npos) << outcome.err;
  const json rows = json::parse(outcome.out);
  ASSERT_EQ(rows.size(), 6U);
  EXPECT_EQ(rows[0]["split"], "train");
  EXPECT_EQ(rows[0]["class"], "cat");
  EXPECT_EQ(rows[0]["images"], 2);
  EXPECT_EQ(rows[0]["size"], "2 x 2");
  EXPECT_EQ(rows[0]["mean_red"], 0.2);
  EXPECT_EQ(rows[0]["deviation_blue"], 0.0);
  EXPECT_EQ(rows[2]["class"], "all");
  EXPECT_EQ(rows[2]["images"], 4);
  EXPECT_EQ(rows[2]["mean_green"], 0.6);
  EXPECT_EQ(rows[2]["deviation_green"], 0.4);
  EXPECT_EQ(rows[5]["split"], "test");
  EXPECT_TRUE(rows[5]["fault"].is_null());
  const json grey = json::parse(
      actlab_.run("data check image_folder set data.size=1 resize=crop channels=1 --format json").out);
  EXPECT_EQ(grey[0]["size"], "1 x 1");
  EXPECT_EQ(grey[2]["mean_grey"], 0.6);
}

TEST_F(CliDataCheck, ListsEveryFault) {
  actlab_.write("set/train/cat/0.png", "");
  actlab_.write("set/train/dog/3.jpg", "no jpeg");
  actlab_.write("set/test/dog/3.png", rgb_png(3, 2));
  const Outcome outcome = actlab_.run("data check image_folder set --format json");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.err.find("3 files cannot be used"), std::string::npos) << outcome.err;
  const json rows = json::parse(outcome.out);
  ASSERT_EQ(rows.size(), 9U);
  EXPECT_EQ(rows[2]["images"], 4);
  const std::string files[] = {"set/train/cat/0.png: the file is empty",
                               "set/train/dog/3.jpg: is no PNG or JPEG",
                               "set/test/dog/3.png: 3 x 2 pixels, not 2 x 2 as set/train/cat/1.png"};
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_TRUE(std::string(rows[6 + i]["fault"]).starts_with(files[i])) << rows[6 + i];
  actlab_.write("e.toml", "[data]\nname = \"image_folder\"\nroot = \"set\"\nbatch = 2\n");
  expect_refusal(
      actlab_.run("run e.toml"), 3,
      {"set/train/cat/0.png: the file is empty", "2 more files", "actlab data check image_folder DIR"});
}

TEST_F(CliDataCheck, ARunIsScoredOnItsClassesOnly) {
  const std::string settings = "data.size=4 data.resize=stretch data.root=";
  actlab_.write("run.toml", "[model]\nwidths = [2, 2]\n[data]\nname = \"image_folder\"\nbatch = 2\n");
  ASSERT_EQ(actlab_.run("run run.toml " + settings + "set").code, 0);
  const std::string run = run_folders_in(actlab_.folder() / "runs/run").at(0).string();
  fs::copy(actlab_.folder() / "set", actlab_.folder() / "other", fs::copy_options::recursive);
  EXPECT_EQ(actlab_.run("evaluate " + run + " data.root=other").code, 0);
  for (const char* split : {"train", "test"})
    fs::rename(actlab_.folder() / "other" / split / "cat", actlab_.folder() / "other" / split / "eel");
  expect_refusal(actlab_.run("evaluate " + run + " data.root=other"), 3,
                 {"other", "dog, eel", "trained with cat, dog", "data.root=DIR"});
}

TEST_F(CliDataCheck, DescribesText) {
  std::string text;
  for (int i = 0; i < 9; ++i) text += "a b a .\n";
  actlab_.write("a.txt", text + "a c b .\n");
  const Outcome outcome = actlab_.run("data check text a.txt window=4 --format json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("text: a.txt: 1 of the 5 test tokens (20 %) are <unk>"), std::string::npos);
  const json rows = json::parse(outcome.out);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0]["split"], "train");
  EXPECT_EQ(rows[0]["tokens"], 45);
  EXPECT_EQ(rows[0]["windows"], 10);
  EXPECT_EQ(rows[0]["vocabulary"], 4 + 3);
  EXPECT_EQ(rows[0]["distinct"], 4);
  EXPECT_EQ(rows[0]["unknown"], 0.0);
  EXPECT_EQ(rows[0]["most_frequent"], "a \\n . b");
  EXPECT_EQ(rows[1]["split"], "test");
  EXPECT_EQ(rows[1]["windows"], 2);
  EXPECT_EQ(rows[1]["unknown"], 0.2);
  EXPECT_EQ(rows[1]["most_frequent"], "a \\n . b <unk>");

  const json made = json::parse(actlab_.run("data check text vocabulary=byte --format json").out);
  EXPECT_EQ(made[0]["split"], "train");
  EXPECT_EQ(made[0]["unknown"], 0.0);
  actlab_.write("binary", std::string("a\0b", 3));
  expect_refusal(actlab_.run("data check text binary"), 3, {"text: binary: byte 1 (from 0) is 0x00"});
  expect_refusal(actlab_.run("data check text a.txt"), 3, {"shorter than a window of 64 words", "test 5"});
}

TEST_F(CliDataCheck, OtherSets) {
  const Outcome outcome = actlab_.run("data check synthetic --format csv");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with("split,class,images,size,mean_red,")) << outcome.out;
}

}  // namespace
}  // namespace actlab
