// Adding an activation takes one header: in a program of one's own, and in a folder given to the build.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "kernels/error.h"

namespace actlab::test {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// The example of the README, to the letter.
std::string example_header() {
  const std::string readme = contents(ACTLAB_SOURCE_DIR "/kernels/activations/README.md");
  const std::string fence = "```cpp\n";
  const std::size_t begin = readme.find(fence) + fence.size();
  return readme.substr(begin, readme.find("```", begin) - begin);
}

// A header in the fewest words.
constexpr const char* cube_header = R"(
#include "kernels/activation.h"
namespace actlab::activations {
struct Cube {
  static constexpr ActivationInfo info{.name = "cube", .formula = "x^3", .gated = "cubed"};
  template <class V> ACTLAB_HD V f(V x) const { return x * x * x; }
  template <class V> ACTLAB_HD V df(V x) const { return V(3) * x * x; }
};
}
)";

class ActivationAddingCli : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("cmake --version > /dev/null && ninja --version > /dev/null") != 0)
      GTEST_SKIP() << "cmake and ninja are not installed";
    fs::remove_all(folder);
    fs::create_directories(folder / "headers");
    std::ofstream(folder / "headers/bent_identity.h") << example_header();
  }
  void TearDown() override { fs::remove_all(folder); }

  // Standard output; the test fails with all output where the exit code is not the wanted one.
  std::string run(const std::string& command, int wanted = 0) {
    const fs::path out = folder / "out.txt";
    const int status = std::system(concat(command, " > ", out, " 2>&1").c_str());
    EXPECT_EQ(WEXITSTATUS(status), wanted) << command << '\n' << contents(out);
    return contents(out);
  }

  const fs::path folder = fs::path(testing::TempDir()) / concat("actlab_adding_", ::getpid());
};

TEST_F(ActivationAddingCli, AProgramsOwn) {
  std::ofstream(folder / "headers/cube.h") << cube_header;
  fs::copy(ACTLAB_SOURCE_DIR "/kernels/activations/relu.h", folder / "headers/relu.h");
  std::string flags;
#if defined(__SANITIZE_ADDRESS__)
  flags = " -DCMAKE_CXX_FLAGS=-fsanitize=address,undefined";
#endif
  run(concat("cmake -G Ninja -S " ACTLAB_SOURCE_DIR "/tests/data/own_activation -B ", folder / "build",
             " -DACTLAB_SOURCE_DIR=" ACTLAB_SOURCE_DIR " -DACTLAB_KERNELS=" ACTLAB_BINARY_DIR
             "/kernels/libactlab_kernels.a -DHEADERS=",
             folder / "headers", flags));
  run(concat("cmake --build ", folder / "build"));

  EXPECT_EQ(run(concat(folder / "build/own", " bent_identity 'bent_identity(bend=-1)' cube relu")),
            "bent_identity(bend=0.5) 0.875 1.3\n"
            "bent_identity(bend=-1) 0.5 0.4\n"
            "cube 0.421875 1.6875\n"
            "relu 0.75 1\n");
  EXPECT_EQ(run(concat(folder / "build/own", " bent"), 1).substr(0, 33), "unknown activation 'bent', neares");
  EXPECT_EQ(run(concat(folder / "build/twice", " relu"), 1),
            "two activations are named 'reglu': give the one in your header another name\n");
}

TEST_F(ActivationAddingCli, AFolderGivenToTheBuild) {
  run(concat("cmake -G Ninja -S " ACTLAB_SOURCE_DIR " -B ", folder / "build",
             " -DACTLAB_TESTS=OFF -DACTLAB_EXTRA_ACTIVATIONS=", folder / "headers"));
  const std::string list = contents(folder / "build/kernels/activations/actlab_kernels/list.cpp");
  EXPECT_NE(list.find("ActivationType actlab_kernels_bent_identity();"), std::string::npos) << list;
  EXPECT_NE(list.find("ActivationType actlab_kernels_relu();"), std::string::npos) << list;
}

}  // namespace
}  // namespace actlab::test
