// Choosing backends, and the floating-point promises of the build.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "tests/kernels/arrays.h"

namespace actlab {
namespace {

std::string message_of(std::string_view device, std::string_view gemm) {
  try {
    find_backend(device, gemm);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Backends, AutoIsTheFirstGemm) {
  EXPECT_EQ(&find_backend("cpu"), &find_backend("cpu", gemm_names().front()));
  EXPECT_EQ(&find_backend("reference"), &find_backend("reference", "reference"));
  EXPECT_NE(&find_backend("cpu"), &find_backend("reference"));
  EXPECT_EQ(find_backend("cpu").name, "cpu");
  EXPECT_EQ(gemm_names().back(), "reference");
}

TEST(Backends, WhatIsNotThereIsNamedWithWhatIs) {
  if (device_names() == std::vector<std::string>{"cpu", "reference"}) {
    EXPECT_NE(message_of("cuda", "auto").find("\"cuda\" is not built in; this build has cpu, reference"),
              std::string::npos);
  }
  EXPECT_NE(message_of("gpu", "auto").find("unknown device 'gpu'; this build has cpu, reference"),
            std::string::npos);
  EXPECT_NE(message_of("cpu", "mkl").find("unknown gemm 'mkl'; this build has auto, "), std::string::npos);
  const auto names = gemm_names();
  for (const std::string gemm : {"onednn", "openblas"}) {
    if (std::find(names.begin(), names.end(), gemm) != names.end()) continue;
    EXPECT_NE(message_of("cpu", gemm).find("not built in"), std::string::npos);
    EXPECT_NE(message_of("cpu", gemm).find("-dev"), std::string::npos);
  }
}

TEST(Backends, CudnnIsOfCudaDevices) {
  for (const char* device : {"cpu", "reference"})
    EXPECT_NE(
        message_of(device, "cudnn")
            .find(concat("gemm = \"cudnn\": computes the convolutions of CUDA devices; with device = \"",
                         device, "\" this build has auto, ")),
        std::string::npos)
        << message_of(device, "cudnn");
  EXPECT_NE(message_of("cuda", "reference").find("is a library of the CPU"), std::string::npos);
  const std::vector<std::string> names = cuda_gemm_names();
  EXPECT_EQ(message_of("cuda", "reference").ends_with("auto, or choose cudnn"), !names.empty());
  if (names.empty()) {
    EXPECT_TRUE(cudnn_version().starts_with("no: ")) << cudnn_version();
    EXPECT_NE(message_of("cuda", "cudnn").find("is not built in; for it install NVIDIA's cuDNN 9"),
              std::string::npos);
    return;
  }
  // Loading it asks no device.
  EXPECT_EQ(names, std::vector<std::string>{"cudnn"});
  const std::string version = cudnn_version();
  EXPECT_TRUE(version.starts_with("cuDNN 9.") ||
              (version.starts_with("no: ") && version.find("; gemm = \"cudnn\" needs ") != std::string::npos))
      << version;
  if (const DeviceChoice best = best_device(); best.device == "cpu") {
    EXPECT_NE(message_of("cuda", "cudnn").find(best.reason), std::string::npos)
        << message_of("cuda", "cudnn");
  }
}

// Loading it asks no device.
TEST(Backends, CublasltIsLoadedOrItsAbsenceExplained) {
  const std::string version = cublaslt_version();
  const bool loaded = version.starts_with("cuBLASLt "),
             built_in = std::ranges::count(device_names(), "cuda") > 0;
  EXPECT_TRUE(loaded || version.starts_with("no: ")) << version;
  const char* const reason = built_in ? "; device = \"cuda\" needs cuBLASLt " : "this build is without CUDA";
  EXPECT_EQ(version.find(reason) != std::string::npos, !loaded) << version;
}

TEST(Backends, EveryGemmSharesTheOtherFamiliesOfCpu) {
  for (const std::string& gemm : gemm_names())
    EXPECT_EQ(&find_backend("cpu", gemm).memory, &find_backend("cpu").memory);
}

TEST(FloatingPoint, NanAndSubnormalsLive) {
  const volatile float tiny = 1e-40f, one = 1, nan = std::numeric_limits<float>::quiet_NaN();
  find_backend("cpu");  // libraries that set the flags of the processor would do so at the latest now
  EXPECT_TRUE(std::isnan(nan));
  EXPECT_NE(tiny * one, 0.0f);
  const TestArray<float> x({2}, {tiny, nan}), factor({2}, {one, one});
  TestArray<float> y({2});
  find_backend("cpu").elementwise.multiply(x, factor, y);
  EXPECT_EQ(y[0], tiny);
  EXPECT_TRUE(std::isnan(y[1]));
}

TEST(FloatingPoint, NoFileIsBuiltWithFastMath) {
  const std::filesystem::path path = std::filesystem::path(ACTLAB_BINARY_DIR) / "compile_commands.json";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there: configure by a preset";
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  for (const char* flag :
       {"-ffast-math", "-Ofast", "-ffinite-math-only", "-funsafe-math-optimizations", "--use_fast_math"})
    EXPECT_EQ(text.str().find(flag), std::string::npos) << flag;
}

}  // namespace
}  // namespace actlab
