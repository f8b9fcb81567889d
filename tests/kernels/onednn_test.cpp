// oneDNN's choices: never its reference implementations for the shapes of the small CNN.
#include <omp.h>

#include "kernels/cpu/onednn/families.h"
#include "tests/kernels/arrays.h"

namespace actlab {
namespace {

class Onednn : public testing::Test {
 protected:
  void SetUp() override {
    const auto names = gemm_names();
    if (std::find(names.begin(), names.end(), "onednn") == names.end())
      GTEST_SKIP() << "this build has no oneDNN";
    if (!cpu_supports(Isa::avx2)) GTEST_SKIP() << "oneDNN has fast code from AVX2 on, which this CPU lacks";
  }
};

// Families of their own, so that nothing else is in their caches.
void expect_fast(const std::vector<std::string>& choices, std::size_t count) {
  EXPECT_EQ(choices.size(), count);
  for (const std::string& choice : choices) {
    const std::string name = choice.substr(choice.rfind(": ") + 2);
    EXPECT_NE(name.substr(0, 3), "ref") << choice;
    EXPECT_NE(name.substr(0, 6), "simple") << choice;
  }
}

std::vector<std::string> choices_with(const std::vector<std::string>& choices, const std::string& part) {
  std::vector<std::string> found;
  for (const std::string& choice : choices)
    if (choice.find(part) != std::string::npos) found.push_back(choice);
  return found;
}

TEST_F(Onednn, ConvolvesTheSmallCnnByFastCode) {
  ConvolutionKernels& kernels = find_backend("cpu", "onednn").convolution;
  for (const std::int64_t batch : {128, 80}) {
    for (const bool first : {true, false}) {
      const std::int64_t size = first ? 32 : 16, in = first ? 3 : 32, out = first ? 32 : 64;
      const ConvolutionSizes s{.batch = batch,
                               .height = size,
                               .width = size,
                               .in_channels = in,
                               .out_channels = out,
                               .kernel_h = 3,
                               .kernel_w = 3,
                               .pad_h = 1,
                               .pad_w = 1};
      TestArray<float> x({batch, size, size, in}), w({out, 3, 3, in}), bias({out}),
          y({batch, size, size, out});
      kernels.forward(s, x, w, bias, y);
      kernels.backward_data(s, y, w, x);
      kernels.backward_weights(s, x, y, w, bias);
    }
  }
  const auto* all = dynamic_cast<const OnednnChoices*>(&kernels);
  ASSERT_NE(all, nullptr);
  for (const std::int64_t batch : {128, 80}) {
    expect_fast(choices_with(all->choices(), concat("x ", Shape{batch, 32, 32, 3})), 3);
    expect_fast(choices_with(all->choices(), concat("x ", Shape{batch, 16, 16, 32})), 3);
  }
}

TEST_F(Onednn, MultipliesTheSmallCnnByFastCode) {
  MatmulKernels& kernels = find_backend("cpu", "onednn").matmul;
  TestArray<float> x({128, 4096}), w({10, 4096}), bias({10}), y({128, 10});
  kernels.matmul(x, false, w, true, bias, y);
  kernels.matmul(y, false, w, false, {}, x);
  kernels.matmul(y, true, x, false, {}, w);
  const auto* all = dynamic_cast<const OnednnChoices*>(&kernels);
  ASSERT_NE(all, nullptr);
  expect_fast(choices_with(choices_with(all->choices(), "4096"), "f32 to f32"), 3);
}

// Other batches than above, whose plans are of f32.
TEST_F(Onednn, ComputesTheSmallCnnInBf16ByFastCode) {
  Backend& backend = find_backend("cpu", "onednn");
  if (!backend.convolution.native(DType::bf16))
    GTEST_SKIP() << "this CPU has no AVX-512 with bf16: there is no such code here";
  constexpr std::int64_t batch = 96;
  using Halves = TestArray<BFloat16>;
  using Floats = TestArray<float>;
  for (const bool first : {true, false}) {
    const std::int64_t size = first ? 32 : 16, in = first ? 3 : 32, out = first ? 32 : 64;
    const ConvolutionSizes s{.batch = batch,
                             .height = size,
                             .width = size,
                             .in_channels = in,
                             .out_channels = out,
                             .kernel_h = 3,
                             .kernel_w = 3,
                             .pad_h = 1,
                             .pad_w = 1};
    Halves x({batch, size, size, in}), w({out, 3, 3, in}), y({batch, size, size, out});
    Floats dw({out, 3, 3, in}), bias({out}), y_float({batch, size, size, out});
    backend.convolution.forward(s, x, w, bias, y);
    backend.convolution.forward(s, x, w, bias, y_float);
    backend.convolution.backward_data(s, y, w, x);
    backend.convolution.backward_weights(s, x, y, dw, bias);
  }
  Halves x({batch, 4096}), w({10, 4096}), dy({batch, 10});
  Floats bias({10}), y({batch, 10}), dw({10, 4096});
  backend.matmul.matmul(x, false, w, true, bias, y);
  backend.matmul.matmul(dy, false, w, false, {}, x);
  backend.matmul.matmul(dy, true, x, false, {}, dw);

  const auto* convolutions = dynamic_cast<const OnednnChoices*>(&backend.convolution);
  const auto* products = dynamic_cast<const OnednnChoices*>(&backend.matmul);
  ASSERT_TRUE(convolutions != nullptr && products != nullptr);
  expect_fast(choices_with(choices_with(convolutions->choices(), concat("x (", batch, ", ")), "bf16 to"), 8);
  expect_fast(choices_with(choices_with(products->choices(), "(96, "), "bf16 to"), 3);
}

TEST_F(Onednn, FollowsChangesOfTheThreadCount) {
  const ConvolutionSizes s{.batch = 8,
                           .height = 12,
                           .width = 12,
                           .in_channels = 16,
                           .out_channels = 16,
                           .kernel_h = 3,
                           .kernel_w = 3,
                           .pad_h = 1,
                           .pad_w = 1};
  const auto x = random_array({8, 12, 12, 16}, 1), dy = random_array({8, 12, 12, 16}, 2);
  TestArray<float> want({16, 3, 3, 16}), dbias({16});
  reference().convolution.backward_weights(s, x, dy, want, dbias);
  const int before = omp_get_max_threads();
  for (const int threads : {1, 2, 3, 4, 1}) {
    omp_set_num_threads(threads);
    TestArray<float> got({16, 3, 3, 16});
    find_backend("cpu", "onednn").convolution.backward_weights(s, x, dy, got, dbias);
    expect_close(got, want, sum_tolerance(8 * 144));
  }
  omp_set_num_threads(before);
}

TEST_F(Onednn, HoldsABoundedNumberOfPlans) {
  MatmulKernels& kernels = find_backend("cpu", "onednn").matmul;
  for (std::int64_t n = 1; n <= 100; ++n) {
    const TestArray<float> a({1, n}, std::vector<float>(static_cast<std::size_t>(n), 1)),
        b({n, 1}, std::vector<float>(static_cast<std::size_t>(n), 1));
    TestArray<float> y({1, 1});
    kernels.matmul(a, false, b, false, {}, y);
    EXPECT_EQ(y[0], static_cast<float>(n));
  }
  EXPECT_LE(dynamic_cast<const OnednnChoices&>(kernels).choices().size(), 64u);
}

TEST_F(Onednn, CountsItsScratchAsWorkspace) {
  Backend& backend = find_backend("cpu", "onednn");
  const ConvolutionSizes s{.batch = 16,
                           .height = 16,
                           .width = 16,
                           .in_channels = 32,
                           .out_channels = 64,
                           .kernel_h = 3,
                           .kernel_w = 3,
                           .pad_h = 1,
                           .pad_w = 1};
  const auto x = random_array({16, 16, 16, 32}, 1), dy = random_array({16, 16, 16, 64}, 2);
  TestArray<float> dw({64, 3, 3, 32}), dbias({64});
  backend.memory.reset_peak();
  backend.convolution.backward_weights(s, x, dy, dw, dbias);
  const MemoryCount workspace =
      backend.memory.stats().by_kind[static_cast<std::size_t>(MemoryKind::workspace)];
  EXPECT_GT(workspace.peak, workspace.current);
  EXPECT_EQ(workspace.current, 0);
}

}  // namespace
}  // namespace actlab
