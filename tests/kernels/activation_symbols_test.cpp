// What the object files of the activations hold: one symbol each, nothing that the linker could share between
// instruction sets, no call in a kernel, vectors of the right width.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "kernels/activation.h"
#include "kernels/error.h"

namespace actlab::test {
namespace {

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen((command + " 2>/dev/null").c_str(), "r"), pclose);
  std::string text;
  std::array<char, 4096> buffer;
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe.get()))
    text.append(buffer.data(), n);
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

class ActivationObjects : public testing::TestWithParam<Isa> {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "sanitized kernels call the sanitizer";
#endif
    if (output_of("objdump --version").empty()) GTEST_SKIP() << "objdump is not installed";
    const std::string ending = concat("_", name_of(GetParam()), ".cpp.o");
    for (const auto& entry : std::filesystem::recursive_directory_iterator(ACTLAB_BINARY_DIR "/kernels"))
      if (entry.path().string().ends_with(ending)) objects.push_back(entry.path().string());
    ASSERT_GE(objects.size(), activation_types().size()) << "in " << ACTLAB_BINARY_DIR "/kernels";
  }

  std::vector<std::string> objects;
};

TEST_P(ActivationObjects, ExportOneSymbol) {
  for (const std::string& object : objects) {
    const std::vector<std::string> symbols =
        lines_of(output_of("nm --extern-only --defined-only '" + object + "'"));
    ASSERT_EQ(symbols.size(), 1u) << object;
    // D: initialised data; weak and unique ones are W, V and u.
    EXPECT_NE(symbols[0].find(" D "), std::string::npos) << object << ": " << symbols[0];
  }
}

TEST_P(ActivationObjects, CallNothing) {
  for (const std::string& object : objects) {
    EXPECT_EQ(output_of("nm --undefined-only '" + object + "'"), "") << object;
    EXPECT_EQ(output_of("objdump -d --no-show-raw-insn '" + object + "' | grep -w call"), "") << object;
  }
}

TEST_P(ActivationObjects, UseTheirVectors) {
  const std::array<const char*, isa_count> registers = {"%xmm", "%ymm", "%zmm"};
  const std::array<const char*, isa_count> wider = {"%ymm", "%zmm", nullptr};
  const auto isa = static_cast<std::size_t>(GetParam());
  for (const std::string& object : objects) {
    const std::string code = output_of("objdump -d --no-show-raw-insn '" + object + "'");
    EXPECT_NE(code.find(registers[isa]), std::string::npos) << object;
    if (wider[isa] != nullptr) {
      EXPECT_EQ(code.find(wider[isa]), std::string::npos) << object;
    }
    // Packed double arithmetic would mean a stray double in a float body.
    for (const char* word : {"mulpd", "addpd", "subpd", "divpd", "cvtps2pd", "mulsd", "addsd", "divsd"})
      EXPECT_EQ(code.find(word), std::string::npos) << object << " holds " << word;
  }
}

// Instructions of a function's code: packed and scalar arithmetic in float.
struct Arithmetic {
  int packed = 0, scalar = 0;

  void see(const std::string& line) {
    for (const char* word : {"add", "sub", "mul", "div"}) {
      if (line.find(word) == std::string::npos) continue;
      packed += line.find("ps ") != std::string::npos;
      scalar += line.find("ss ") != std::string::npos;
    }
  }
};

// A loop that the compiler gave up on is right, and ten times slower. What a vector loop leaves over is
// scalar code as well, up to four times as much.
TEST_P(ActivationObjects, NoLoopIsScalar) {
  for (const std::string& object : objects) {
    std::string function;
    Arithmetic found;
    const auto check = [&] {
      EXPECT_TRUE(found.scalar < 15 || 4 * found.packed >= found.scalar)
          << object << ": " << found.packed << " packed and " << found.scalar << " scalar operations in "
          << function;
    };
    for (const std::string& line : lines_of(output_of("objdump -d -C --no-show-raw-insn '" + object + "'"))) {
      if (line.find(">:") != std::string::npos) {
        check();
        function = line;
        found = {};
      }
      found.see(line);
    }
    check();
  }
}

INSTANTIATE_TEST_SUITE_P(Isas, ActivationObjects, testing::Values(Isa::baseline, Isa::avx2, Isa::avx512),
                         [](const auto& isa) { return std::string(name_of(isa.param)); });

}  // namespace
}  // namespace actlab::test
