// Adding an activation takes one header: in a program of one's own that finds the installed package, and in a
// folder given to the build.
#include <gtest/gtest.h>
#include <sys/wait.h>

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

class UserProgramCli : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder);
    fs::create_directories(folder / "headers");
    std::ofstream(folder / "headers/bent_identity.h") << example_header();
  }

  // Standard output and error; the test fails with them where the exit code is not the wanted one.
  std::string run(const std::string& command, int wanted = 0) {
    const fs::path out = folder / "out.txt";
    const int status = std::system(concat(command, " > ", out, " 2>&1").c_str());
    EXPECT_EQ(WEXITSTATUS(status), wanted) << command << '\n' << contents(out);
    return contents(out);
  }

  // In the build folder, by the test's name: kept for a look after a failure.
  const fs::path folder = fs::path(ACTLAB_BINARY_DIR "/tests/user_program") /
                          testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(UserProgramCli, FindsTheInstalledPackage) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the installed package is tested without sanitizers";
#endif
  std::ofstream(folder / "headers/cube.h") << cube_header;
  fs::copy(ACTLAB_SOURCE_DIR "/kernels/activations/relu.h", folder / "headers/relu.h");
  run(concat("cmake --install " ACTLAB_BINARY_DIR " --prefix ", folder / "installed"));
  run(concat("cmake -G Ninja -S " ACTLAB_SOURCE_DIR "/tests/user_program -B ", folder / "build",
             " -DCMAKE_PREFIX_PATH=", folder / "installed", " -DHEADERS=", folder / "headers"));
  run(concat("cmake --build ", folder / "build"));

  const std::string probe = concat(folder / "build/my_program", " probe --x=0.75 --format csv ");
  EXPECT_EQ(run(probe + "bent_identity"), "x,f,df\n0.75,0.875,1.29999995\n");
  EXPECT_EQ(run(probe + "'bent_identity(bend=-1)'"), "x,f,df\n0.75,0.5,0.399999976\n");
  EXPECT_EQ(run(probe + "cube"), "x,f,df\n0.75,0.421875,1.6875\n");
  EXPECT_EQ(run(probe + "relu"), "x,f,df\n0.75,0.75,1\n");
  EXPECT_NE(run(probe + "bent", 2).find("unknown activation 'bent', nearest"), std::string::npos);

  const std::string list = run(concat(folder / "build/my_program", " list activations --format csv"));
  for (const char* name : {"bent_identity(bend=0.5)", "cube", "cubed", "relu", "gelu"})
    EXPECT_NE(list.find(name), std::string::npos) << name << " is not in\n" << list;

  const std::string twice = run(concat(folder / "build/twice", " probe relu --x=1"), 1);
  EXPECT_NE(twice.find("two activations are named 'reglu': give the one in your header another name"),
            std::string::npos)
      << twice;
}

TEST_F(UserProgramCli, AFolderGivenToTheBuild) {
  run(concat("cmake -G Ninja -S " ACTLAB_SOURCE_DIR " -B ", folder / "build",
             " -DACTLAB_TESTS=OFF -DACTLAB_EXTRA_ACTIVATIONS=", folder / "headers"));
  const std::string list = contents(folder / "build/kernels/activations/actlab_kernels/list.cpp");
  EXPECT_NE(list.find("ActivationType actlab_kernels_bent_identity();"), std::string::npos) << list;
  EXPECT_NE(list.find("ActivationType actlab_kernels_relu();"), std::string::npos) << list;
}

}  // namespace
}  // namespace actlab::test
