// Programs of users, built against the installed package: each brings something of its own and has it
// wherever actlab has its own. And a folder of activations given to the build.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <regex>
#include <string>
#include <vector>

#include "framework/core/files.h"
#include "kernels/error.h"
#include "tests/datasets/png_bytes.h"

namespace actlab::test {
namespace {

namespace fs = std::filesystem;

const std::string example = "experiments/examples/custom_activation";

// The first code block of a README, to the letter.
std::string code_of(const std::string& readme) {
  const std::string text = read_file(ACTLAB_SOURCE_DIR "/" + readme);
  const std::string fence = "```cpp\n";
  const std::size_t begin = text.find(fence) + fence.size();
  return text.substr(begin, text.find("```", begin) - begin);
}

// A header in the fewest words; it takes a name that is taken.
constexpr const char* cube_header = R"(
#include "kernels/activation.h"
namespace actlab::activations {
struct Cube {
  static constexpr ActivationInfo info{.name = "cube", .formula = "x^3", .gated = "reglu"};
  template <class V> ACTLAB_HD V f(V x) const { return x * x * x; }
  template <class V> ACTLAB_HD V df(V x) const { return V(3) * x * x; }
};
}
)";

class UserProgramCli : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }

  static void write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }

  // Standard output and error of a command in the folder; the test fails with them where the exit code is not
  // the wanted one, or where a fragment is missing.
  std::string run(const std::string& command, std::initializer_list<std::string> fragments = {},
                  int wanted = 0) {
    const fs::path out = folder / "out.txt";
    const int status = std::system(
        concat("cd ", folder, " && export OMP_NUM_THREADS=1 && ", command, " > ", out, " 2>&1").c_str());
    const std::string text = read_file(out);
    EXPECT_EQ(WEXITSTATUS(status), wanted) << command << '\n' << text;
    for (const std::string& fragment : fragments)
      EXPECT_NE(text.find(fragment), std::string::npos) << command << "\ndoes not say " << fragment << '\n'
                                                        << text;
    return text;
  }

  void install();
  void build();
  void expect_usable_files();
  void expect_activation();
  void expect_model();
  void expect_schedule();
  void expect_twice_refused();

  // In the build folder, by the test's name: kept for a look after a failure.
  const fs::path folder = fs::path(ACTLAB_BINARY_DIR "/tests/user_program") /
                          testing::UnitTest::GetInstance()->current_test_info()->name();
  const fs::path code = folder / "code", installed = folder / "installed",
                 configs = installed / "share/actlab/configs", examples = installed / "share/actlab/examples";
  // Two steps on few generated images.
  const std::string smoke = concat(configs / "synthetic_smoke.toml",
                                   " data.train=64 data.test=16 data.batch=16 train.steps=2 sweep.seed= ");
};

void UserProgramCli::install() { run(concat("cmake --install " ACTLAB_BINARY_DIR " --prefix ", installed)); }

// Nothing but the program, what programs link, and what they are made from; every header stands alone.
void UserProgramCli::expect_usable_files() {
  const std::regex usable(
      "bin/actlab"
      "|include/actlab/(kernels|framework|models|datasets|experiments)/([a-z0-9_]+/)*[a-z0-9_]+\\.h"
      "|lib[a-z0-9_/-]*/libactlab_[a-z]+\\.a"
      "|lib[a-z0-9_/-]*/cmake/actlab/[A-Za-z-]+\\.cmake"
      "|share/actlab/configs/([a-z0-9_]+\\.toml|README\\.md)"
      "|share/actlab/examples/[a-z_]+/([a-z_]+\\.(h|cpp|toml)|README\\.md|CMakeLists\\.txt)");
  std::vector<std::string> headers;
  for (const auto& entry : fs::recursive_directory_iterator(installed)) {
    const std::string path = fs::relative(entry.path(), installed).string();
    if (entry.is_directory())
      EXPECT_FALSE(fs::is_empty(entry.path())) << path;
    else
      EXPECT_TRUE(std::regex_match(path, usable)) << path;
    if (path.ends_with(".h") && path.starts_with("include/actlab/")) headers.push_back(path.substr(15));
  }
  EXPECT_GT(headers.size(), 80u);
  std::sort(headers.begin(), headers.end());
  std::string lines = "// Every installed header.\n";
  for (const std::string& header : headers) lines += "#include \"" + header + "\"\n";
  write(code / "every_header.cpp", lines);

  run(concat(installed / "bin/actlab", " run ", smoke), {"relu", "gelu", "done"});
}

void UserProgramCli::build() {
  write(code / "cube.h", cube_header);
  write(code / "custom_schedule.cpp", code_of("models/README.md"));
  run(concat("cmake -G Ninja -S " ACTLAB_SOURCE_DIR "/tests/user_program -B build -DCMAKE_PREFIX_PATH=",
             installed, " -DEXAMPLES=", examples, " -DCODE=", code),
      {"actlab 0.2: 0", "chess: 0: actlab has no component 'chess'; it has kernels, framework, models"});
  run("cmake --build build");
}

void UserProgramCli::expect_activation() {
  const std::string program = "build/custom_activation/custom_activation ";
  run(program + "list activations --format csv",
      {"squareplus(b=4)", "gated form: squareplus_glu; learnable: b", "relu", "gelu"});
  run(program + "check squareplus --format csv", {"squareplus(b=4),cpu baseline,f32,dparameter"});
  const std::string probe = program + "probe --format csv ";
  EXPECT_EQ(run(probe + "squareplus --x=-1e6,0,1.5"),
            "x,f,df\n-1e+06,9.99999997e-07,9.99999996e-13\n0,1,0.5\n1.5,2,0.800000012\n");
  EXPECT_EQ(run(probe + "'squareplus(b=9)' --x=4"), "x,f,df\n4,4.5,0.899999976\n");
  EXPECT_EQ(run(probe + "relu --x=0.75"), "x,f,df\n0.75,0.75,1\n");
  run(probe + "squareplu --x=0.75", {"unknown activation 'squareplu', nearest: squareplus"}, 2);
  run(probe + "'squareplus(b=0)' --x=0.75", {"b", "0.1"}, 2);
  for (const char* name : {"squareplus", "squareplus_glu"})
    run(concat(program, "bench kernel --elements 4096 --repeats 3 --activation ", name),
        {"of_relu_backward"});
  run(program + "run " + smoke +
          "--format csv 'sweep.activation=squareplus(b=1),squareplus(learned=channel)'",
      {"squareplus(b=1),", "\"squareplus(b=4, learned=channel)\",", ",done"});
}

void UserProgramCli::expect_model() {
  run("build/custom_model/scale_channels_test");
  const std::string program = "build/custom_model/custom_model ";
  run(program + "list models", {"se_resnet", "width = 32, blocks = 2, reduction = 4", "small_cnn"});
  run(program + "list keys", {"model.reduction (se_resnet)", "residual blocks, of two convolutions each"});

  const std::string trained =
      program + "run " + (examples / "custom_model/se_resnet.toml").string() +
      " data.batch=4 train.steps=2 sweep.activation= activation='swish(learned=layer)' ";
  run(trained + "data.train=8 data.test=4 sweep.model.blocks=1,2 --format csv", {",1,", ",2,", ",done"});
  for (const char* split : {"train", "test"})
    for (const char* name : {"dark", "light"})
      for (int i = 0; i < 4; ++i)
        write(folder / "images" / split / name / concat(i, ".png"),
              png_bytes(8, 8, 8, 2, std::string(8 * 8 * 3, static_cast<char>(*name == 'd' ? i : 200 + i))));
  run(trained + "data.name=image_folder data.root=images precision=bf16_emulated", {"swish", "done"});

  run(trained + "model.blokcs=2", {"unknown key 'model.blokcs', nearest: blocks"}, 2);
  run(trained + "model.blocks=0", {"model.blocks: wanted integer in [1, 4096], found 0"}, 2);
  run(trained + "model.reduction=3", {"model.reduction: wanted a divisor of model.width, 16, found 3"}, 2);
  run(trained + "activation=geglu", {"'geglu' is gated"}, 2);
  run(concat(program, "run ", configs / "text_ffn.toml", " model.name=se_resnet sweep.activation=relu"),
      {"se_resnet does not take text"}, 2);
}

void UserProgramCli::expect_schedule() {
  run("build/custom_schedule list schedules", {"inverse_sqrt", "one_cycle"});
  run("build/custom_schedule run " + smoke + "schedule.name=inverse_sqrt activation=gelu", {"gelu", "done"});
}

void UserProgramCli::expect_twice_refused() {
  run("build/twice probe relu --x=1",
      {"two activations are named 'reglu': give the one in your header another name"}, 1);
}

// One test, since the programs are built once.
TEST_F(UserProgramCli, BringTheirOwnToTheInstalledPackage) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the installed package is tested without sanitizers";
#endif
  install();
  expect_usable_files();
  build();
  if (HasFailure()) return;
  expect_activation();
  expect_model();
  expect_schedule();
  expect_twice_refused();
}

TEST_F(UserProgramCli, TheReadmeShowsTheExample) {
  EXPECT_EQ(code_of("kernels/activations/README.md"),
            read_file(ACTLAB_SOURCE_DIR "/" + example + "/squareplus.h"));
}

TEST_F(UserProgramCli, AFolderGivenToTheBuild) {
  run("cmake -G Ninja -S " ACTLAB_SOURCE_DIR
      " -B build -DACTLAB_TESTS=OFF -DACTLAB_EXTRA_ACTIVATIONS=" ACTLAB_SOURCE_DIR "/" +
      example);
  const std::string list = read_file(folder / "build/kernels/activations/actlab_kernels/list.cpp");
  EXPECT_NE(list.find("ActivationType actlab_kernels_squareplus();"), std::string::npos) << list;
  EXPECT_NE(list.find("ActivationType actlab_kernels_relu();"), std::string::npos) << list;
}

}  // namespace
}  // namespace actlab::test
