// Training on a CUDA device (where there is none, on the emulated one) beside the CPU: the same batches, the
// same first gradients, the same losses but for rounding, and the same bits when repeated.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "framework/train/checkpoint.h"
#include "tests/cuda/training.h"
#include "tests/support/temporary_folder.h"

namespace actlab {
namespace {

// Of the first batch, by parameter.
std::vector<std::pair<std::string, std::vector<float>>> gradients(Training& training) {
  const Batch batch = training_loader(training.data, training.settings)->load(0, 0, training.backend);
  training_pass(*training.model, batch, 0, training.settings).loss.backward();
  std::vector<std::pair<std::string, std::vector<float>>> all;
  for (const NamedParameter& p : training.model->parameters())
    all.emplace_back(p.name, p.tensor.grad().to_vector<float>());
  return all;
}

double largest(const std::vector<float>& values) {
  double most = 0;
  for (const float value : values) most = std::max(most, std::fabs(double{value}));
  return most;
}

double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::fabs(double{a[i]} - double{b[i]}));
  return most;
}

class CudaTraining : public testing::TestWithParam<TrainingSetup> {
 protected:
  void SetUp() override {
    if (GetParam().gemm == "cudnn" && cudnn_version().starts_with("no: ")) GTEST_SKIP() << cudnn_version();
  }
};
std::string name_of_setup(const testing::TestParamInfo<TrainingSetup>& setup) {
  const bool learned = setup.param.activation.find("learned") != std::string::npos;
  return setup.param.model + (setup.index == 1 ? "_with_batch_norm" : "") + (learned ? "_learned" : "");
}
INSTANTIATE_TEST_SUITE_P(Models, CudaTraining, testing::Values(cnn, cnn_with_norm, learned_cnn, ffn, encoder),
                         name_of_setup);
INSTANTIATE_TEST_SUITE_P(Cudnn, CudaTraining, testing::Values(by_cudnn(cnn), by_cudnn(cnn_with_norm)),
                         name_of_setup);

TEST_P(CudaTraining, FirstGradientsAreTheCpus) {
  Training on_device(GetParam(), "cuda"), on_cpu(GetParam(), "cpu");
  const auto got = gradients(on_device), want = gradients(on_cpu);
  ASSERT_EQ(got.size(), want.size());
  double overall = 0;
  for (const auto& [name, values] : want) overall = std::max(overall, largest(values));
  const bool has_norm = std::any_of(
      want.begin(), want.end(), [](const auto& parameter) { return parameter.first.starts_with("norm"); });
  for (std::size_t i = 0; i < want.size(); ++i) {
    const auto& [name, values] = want[i];
    ASSERT_EQ(got[i].second.size(), values.size());
    const bool before_norm = has_norm && name.starts_with("conv") && name.ends_with("bias");
    if (before_norm)  // its gradient is 0, and what is computed is rounding
      EXPECT_LE(std::max(largest(got[i].second), largest(values)), 1e-6 * overall) << name;
    else
      EXPECT_LE(largest_difference(got[i].second, values), 1e-5 * largest(values)) << name;
  }
}

TEST_P(CudaTraining, TenStepsHaveTheCpusLosses) {
  Training on_device(GetParam(), "cuda"), on_cpu(GetParam(), "cpu");
  EXPECT_FALSE(on_device.run().diverged);
  on_cpu.run();
  ASSERT_EQ(on_device.losses.size(), 10u);
  for (std::size_t i = 0; i < 10; ++i)
    EXPECT_NEAR(on_device.losses[i], on_cpu.losses[i], 1e-5 * on_cpu.losses[i]) << "step " << i;
}

TEST_P(CudaTraining, RepeatsItselfAndGoesOnFromACheckpoint) {
  const TemporaryFolder folder;
  Training whole(GetParam(), "cuda"), first(GetParam(), "cuda"), second(GetParam(), "cuda");
  whole.run();
  first.settings.steps = 5;
  save_checkpoint(folder.path(), *first.model, *first.optimizer, first.run().progress);
  second.run(
      load_checkpoint(*newest_checkpoint(folder.path(), nullptr), *second.model, second.optimizer.get()));
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(first.losses[i], whole.losses[i]) << i;
  ASSERT_EQ(second.losses.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(second.losses[i], whole.losses[5 + i]) << i;
}

TEST_P(CudaTraining, HalvesComeNear) {
  Training exact(GetParam(), "cpu");
  exact.run();
  for (const DType precision : {DType::bf16, DType::f16}) {
    TrainingSetup setup = GetParam();
    setup.precision = precision;
    Training training(setup, "cuda");
    const TrainResult result = training.run();
    EXPECT_FALSE(result.diverged) << result.message;
    for (std::size_t i = 0; i < 10; ++i)
      EXPECT_NEAR(training.losses[i], exact.losses[i], 0.05 * exact.losses[i]) << precision << ", step " << i;
    EXPECT_EQ(result.progress.scaling.scale * std::exp2(static_cast<double>(result.progress.skipped)),
              precision == DType::f16 ? LossScaler::first : 1);
  }
}

TEST(CudaData, BatchesHaveTheCpusBits) {
  Training on_device(cnn, "cuda"), on_cpu(cnn, "cpu");
  for (TrainSettings* settings : {&on_device.settings, &on_cpu.settings}) settings->augment = true;
  const auto there = training_loader(on_device.data, on_device.settings);
  const auto here = training_loader(on_cpu.data, on_cpu.settings);
  for (const std::int64_t index : {0, 4}) {
    const Batch got = there->load(2, index, on_device.backend), want = here->load(2, index, on_cpu.backend);
    EXPECT_EQ(got.inputs.to_vector<float>(), want.inputs.to_vector<float>());
    EXPECT_EQ(got.labels.to_vector<std::int32_t>(), want.labels.to_vector<std::int32_t>());
  }
}

TEST(CudaData, LargeCopiesArriveWhole) {
  Memory& memory = find_backend("cuda").memory;
  std::vector<std::uint8_t> sent((std::size_t{37} << 20) + 5);
  for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = static_cast<std::uint8_t>(i * 131 >> 7);
  const Buffer there(memory, std::ssize(sent), MemoryKind::workspace);
  memory.copy_from_host(there.data(), sent.data(), there.bytes());
  std::vector<std::uint8_t> back(sent.size());
  memory.copy_to_host(back.data(), there.data(), there.bytes());
  EXPECT_EQ(back, sent);
}

}  // namespace
}  // namespace actlab
