// What only the emulated device can be made to do: other orders of threads, no device, too little memory.
#include <gtest/gtest.h>

#include <set>

#include "framework/ops/ops.h"
#include "kernels/cuda/memory.h"
#include "kernels/cuda/runtime.h"
#include "tests/cuda/training.h"
#include "tests/cuda_emulation/emulator.h"
#include "tests/support/message_of.h"

namespace actlab {
namespace {

// Back to the device as it was.
struct Emulated : testing::Test {
  ~Emulated() override {
    emu::set_schedule(0);
    emu::set_deferred(false);
    emu::set_presence(emu::Presence::present);
    emu::set_capacity(emu::default_capacity);
    emu::set_pools(true);
    emu::set_fault(-1);
  }
};

TEST_F(Emulated, TrainingIsTheSameInAnyOrderOfThreads) {
  for (const TrainingSetup& setup : {cnn_with_norm, ffn, encoder}) {
    std::vector<double> want;
    for (const std::uint64_t order : {0u, 1u, 2u, 3u})
      for (const bool deferred : {false, true}) {
        emu::set_schedule(order);
        emu::set_deferred(deferred);
        Training training(setup, "cuda");
        training.settings.steps = 3;
        training.run();
        ASSERT_EQ(training.losses.size(), 3u);
        if (want.empty()) want = training.losses;
        EXPECT_EQ(training.losses, want) << setup.model << ", order " << order << ", deferred " << deferred;
      }
  }
}

TEST_F(Emulated, AMissingDeviceIsNamedWithTheReason) {
  const auto message = [](const char* device) { return message_of([&] { find_backend(device); }); };
  emu::set_presence(emu::Presence::no_device);
  EXPECT_EQ(message("cuda:3"),
            "device = \"cuda:3\": no CUDA-capable device is detected; use device = \"cpu\"");
  EXPECT_EQ(best_device().device, "cpu");
  EXPECT_EQ(best_device().reason, "no CUDA-capable device is detected");
  emu::set_presence(emu::Presence::old_driver);
  EXPECT_NE(message("cuda:3").find("driver version is insufficient"), std::string::npos) << message("cuda:3");
  EXPECT_NE(best_device().reason.find("driver version is insufficient"), std::string::npos);
  emu::set_presence(emu::Presence::present);
  EXPECT_EQ(best_device().device, "cuda");
  EXPECT_EQ(best_device().reason, "");
  EXPECT_EQ(message("cuda:7"), "device = \"cuda:7\": there is 1 device, counted from 0");
  for (const char* wrong : {"cuda:", "cuda:x", "cuda:1x", "cuda0", "cuda:-"})
    EXPECT_NE(message(wrong).find(concat("unknown device '", wrong, "'")), std::string::npos)
        << message(wrong);
  EXPECT_EQ(&find_backend("cuda:0"), &find_backend("cuda"));
}

TEST_F(Emulated, OutOfMemorySaysWhatIsAskedForWhatIsFreeAndWhatHoldsTheRest) {
  cuda::DeviceMemory memory;
  const std::int64_t before = memory.available_bytes();
  emu::set_capacity(emu::default_capacity - static_cast<std::size_t>(before) + 10'000);
  const Buffer weights(memory, 4096, MemoryKind::parameters);
  const std::string message = message_of([&] { const Buffer more(memory, 8192, MemoryKind::activations); });
  for (const std::string part :
       {"device memory: out of memory: 8192 bytes asked for", "4096 in use (parameters 4096)",
        "5904 of the device's", "use a smaller batch or model"})
    EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST_F(Emulated, WithoutPoolsMemoryIsTakenAndGivenBackWithoutThem) {
  emu::set_pools(false);
  cuda::DeviceMemory memory;
  const std::int64_t before = memory.available_bytes();
  void* const block = memory.allocate(4096, MemoryKind::parameters);
  EXPECT_EQ(memory.available_bytes(), before - 4096);
  memory.release(block);
  memory.trim();
  EXPECT_EQ(memory.available_bytes(), before);
}

// By what ran when it was seen: the tests wait for each launch.
TEST_F(Emulated, AFaultOfAKernelEndsTheTrainingUnderTheNameOfTheOperation) {
  std::set<std::string> operations;
  for (const std::int64_t launches : {0, 5, 40, 41, 42, 43, 44, 45}) {
    Training training(cnn, "cuda");
    emu::set_fault(launches);
    const std::string message = message_of([&] { training.run(); });
    emu::set_fault(-1);
    const auto colon = message.find(": CUDA: an illegal memory access was encountered");
    ASSERT_NE(colon, std::string::npos) << message;
    operations.insert(message.substr(0, colon));
    EXPECT_LT(training.losses.size(), 10u);
  }
  EXPECT_GT(operations.size(), 3u);
}

TEST_F(Emulated, Tf32IsWhereItIsAskedFor) {
  const float fine = 1 + 0x1p-12f;  // of more bits than TF32 has
  std::vector<std::string> gemms = cuda_gemm_names();
  gemms.emplace_back("auto");
  for (const std::string& gemm : gemms) {
    for (const Multiplication multiplication : {Multiplication::native, Multiplication::tf32}) {
      Backend& backend = find_backend("cuda", gemm, multiplication);
      const bool tf32 = multiplication == Multiplication::tf32;
      const auto numbers = [&](const Shape& shape, float value) {
        return Tensor::from(std::vector{value}, shape, backend);
      };
      const Tensor product = linear(numbers({1, 1}, fine), numbers({1, 1}, 1), numbers({1}, 0));
      EXPECT_EQ(product.item(), tf32 ? 1 : fine) << gemm;
      const Tensor pixel = conv2d(numbers({1, 1, 1, 1}, fine), numbers({1, 1, 1, 1}, 1), numbers({1}, 0), {});
      EXPECT_EQ(pixel.item(), tf32 && gemm == "cudnn" ? 1 : fine) << gemm;
      EXPECT_EQ(backend.matmul.implementation().ends_with("TF32"), tf32);
    }
  }
}

TEST_F(Emulated, CudnnsWorkspaceIsCountedAndItsRefusalNamed) {
  if (cuda_gemm_names().empty()) GTEST_SKIP() << cudnn_version();
  Backend& backend = find_backend("cuda", "cudnn");
  EXPECT_NE(&backend, &find_backend("cuda"));
  EXPECT_EQ(&backend.memory, &find_backend("cuda").memory);
  EXPECT_EQ(backend.convolution.implementation(), cudnn_version());
  const ConvolutionSizes sizes{
      .batch = 1, .height = 4, .width = 4, .in_channels = 2, .out_channels = 3, .kernel_h = 3, .kernel_w = 3};
  const auto zeros = [&](const Shape& shape) { return Tensor::zeros(shape, DType::f32, backend); };
  const Tensor x = zeros({1, 4, 4, 2}), w = zeros({3, 3, 3, 2});
  Tensor y = zeros({1, 2, 2, 3});
  const auto forward = [&](const ConvolutionSizes& s) {
    backend.convolution.forward(s, x.data(), w.data(), {}, y.mutable_data());
  };
  backend.memory.reset_peak();
  const std::int64_t before = backend.memory.stats().total.current;
  forward(sizes);
  EXPECT_GE(backend.memory.stats().total.peak, before + 512);
  ConvolutionSizes wrong = sizes;
  wrong.kernel_h = 9;
  EXPECT_EQ(
      message_of([&] { forward(wrong); }),
      "convolution forward of x (1, 4, 4, 2), w (3, 9, 3, 2), stride (1, 1), padding (0, 0), f32: cuDNN: "
      "CUDNN_STATUS_BAD_PARAM; gemm = \"auto\" computes it another way");
  wrong.out_channels = std::int64_t{1} << 31;
  EXPECT_NE(message_of([&] { forward(wrong); }).find("cuDNN counts by 32 bits, not to 2147483648"),
            std::string::npos);
}

// The images of a split do not fit on the device: those of each batch are sent.
TEST_F(Emulated, ImagesThatDoNotFitAreSentByBatch) {
  Training training(cnn, "cuda");
  training.settings.augment = true;
  const auto all = training_loader(training.data, training.settings);
  const auto want = all->load(1, 2, training.backend).inputs.to_vector<float>();
  const auto sent = training_loader(training.data, training.settings);
  const std::int64_t held =
      static_cast<std::int64_t>(emu::default_capacity) - training.backend.memory.available_bytes();
  emu::set_capacity(static_cast<std::size_t>(held) + 25'000);  // the 20 images have 15,360 bytes
  const auto got = sent->load(1, 2, training.backend).inputs.to_vector<float>();
  EXPECT_EQ(got, want);
}

}  // namespace
}  // namespace actlab
