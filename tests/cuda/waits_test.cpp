// What a program waits for on a device whose work runs behind it, and when it hears of indices, lengths and
// labels that are wrong there: at the next wait, before a weight has changed.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "framework/nn/layers.h"
#include "tests/cuda/training.h"
#include "tests/cuda_emulation/emulator.h"
#include "tests/support/message_of.h"

namespace actlab {
namespace {

const bool asynchronous = unsetenv("ACTLAB_CUDA_SYNCHRONOUS") == 0;

struct CudaWaits : testing::Test {
  CudaWaits() { emu::set_deferred(true); }
  ~CudaWaits() override { emu::set_deferred(false); }

  Tensor integers(const std::vector<std::int32_t>& values) const {
    return Tensor::from(values, {std::ssize(values)}, backend);
  }
  Tensor floats(const Shape& shape) const { return Tensor::zeros(shape, DType::f32, backend); }
  std::string message_of_wait() const {
    return message_of([&] { backend.memory.wait(); });
  }

  Backend& backend = find_backend("cuda");
};

// Waits of the program, step by step.
struct WaitObserver : TrainObserver {
  void on_step(std::int64_t, std::int64_t, double, std::int64_t) override { waits.push_back(emu::waits()); }
  std::vector<std::int64_t> waits;
};

TrainResult train(Training& training, const Dataset& data, TrainObserver& observer) {
  const auto constant = [](std::int64_t) { return 1.0; };
  return Trainer(*training.model, *training.optimizer, constant, data, training.backend, training.settings)
      .run(observer, {});
}

TEST_F(CudaWaits, AStepWaitsOnceForItsLossAndTheNormsOfItsGradients) {
  ASSERT_TRUE(asynchronous);
  for (const TrainingSetup& setup : {cnn_with_norm, ffn, encoder, learned_cnn}) {
    Training training(setup, "cuda");
    training.settings.eval_every = 100;
    WaitObserver observer;
    train(training, training.data, observer);
    ASSERT_EQ(observer.waits.size(), 10u);
    for (std::size_t step = 1; step < 10; ++step)
      EXPECT_EQ(observer.waits[step] - observer.waits[step - 1], 1) << setup.model << ", step " << step;
  }
}

// Keeps how often the program had waited when each batch came.
struct Witness : Module {
  explicit Witness(Module& whole) : model(whole) { add_part("model", whole); }
  Tensor forward(const Tensor& x) override { return model(x); }
  Tensor logits(const Batch& batch) override {
    waits.push_back(emu::waits());
    return model.logits(batch);
  }
  Module& model;
  std::vector<std::int64_t> waits;
};

TEST_F(CudaWaits, AnEvaluationSendsAllBatchesBeforeItWaits) {
  for (const TrainingSetup& setup : {cnn_with_norm, ffn, encoder, learned_cnn}) {
    const Training training(setup, "cuda");
    Witness model(*training.model);
    evaluate(model, training.data, SplitName::test, 1, backend);
    ASSERT_GT(model.waits.size(), 2u);
    for (const std::int64_t waits : model.waits) EXPECT_EQ(waits, model.waits.front()) << setup.model;
    EXPECT_GT(emu::waits(), model.waits.back());
  }
}

// One value of each second batch of training.
struct Spoilt {
  Tensor Batch::*part;
  std::int32_t value;
};

struct SpoiltLoader : FakeTextLoader {
  SpoiltLoader(std::int64_t tokens, const LoaderOptions& options, const Spoilt& with)
      : FakeTextLoader(tokens, options), spoilt(with) {}
  Batch load(std::int64_t epoch, std::int64_t index, Backend& backend) override {
    Batch batch = FakeTextLoader::load(epoch, index, backend);
    if (index != 1) return batch;
    Tensor& part = batch.*spoilt.part;
    std::vector<std::int32_t> values = part.to_vector<std::int32_t>();
    values.at(1) = spoilt.value;
    part = Tensor::from(values, part.shape(), backend);
    return batch;
  }
  Spoilt spoilt;
};

struct SpoiltText : FakeText {
  explicit SpoiltText(const Spoilt& with) : spoilt(with) {}
  std::unique_ptr<Loader> loader(SplitName split, const LoaderOptions& options) const override {
    if (!options.training) return FakeText::loader(split, options);
    return std::make_unique<SpoiltLoader>(tokens(split), options, spoilt);
  }
  Spoilt spoilt;
};

std::vector<std::vector<float>> weights(const Training& training) {
  std::vector<std::vector<float>> all;
  for (const NamedParameter& p : training.model->parameters()) all.push_back(p.tensor.to_vector<float>());
  return all;
}

TEST_F(CudaWaits, AWrongValueEndsTheTrainingBeforeItsUpdate) {
  const struct {
    TrainingSetup setup;
    Spoilt spoilt;
    std::string message;
  } cases[] = {
      {ffn, {&Batch::inputs, 7}, "gather rows: index 7 at place 1 is outside [0, 6]"},
      {ffn, {&Batch::lengths, 9}, "clear padding: length 9 at place 1 is outside [0, 6]"},
      {encoder, {&Batch::inputs, -1}, "gather rows: index -1 at place 1 is outside [0, 6]"},
      {encoder, {&Batch::places, 24}, "gather rows: index 24 at place 1 is outside [0, 17]"},
      {encoder, {&Batch::lengths, 0}, "attention: length 0 at place 1 is outside [1, 6]"},
      {encoder,
       {&Batch::labels, 7},
       "cross-entropy: label 7 of row 1 is outside [0, 7); check the data's labels and the model's number of "
       "classes"},
  };
  for (const auto& [setup, spoilt, message] : cases) {
    Training one_step(setup, "cuda"), training(setup, "cuda");
    one_step.settings.steps = 1;
    one_step.run();
    WaitObserver observer;
    EXPECT_EQ(message_of([&] { train(training, SpoiltText(spoilt), observer); }), message);
    EXPECT_EQ(observer.waits.size(), 1u);
    EXPECT_EQ(weights(training), weights(one_step)) << message;
    one_step.settings.steps = 3;
    EXPECT_EQ(message_of([&] { one_step.run(); }), "no error") << message;
  }
}

TEST_F(CudaWaits, AWrongValueIsToldOnceAndTheFirstOfSeveral) {
  const Tensor table = floats({5, 3});
  gather_rows(table, integers({4, 0}));
  gather_rows(table, integers({4, 5, 0, -1}));
  cross_entropy(floats({2, 3}), integers({0, 3}));
  EXPECT_EQ(message_of_wait(), "gather rows: index 5 at place 1 is outside [0, 4]");
  EXPECT_EQ(message_of_wait(), "no error");
  cross_entropy(floats({2, 3}), integers({0, 3}));
  EXPECT_NE(message_of_wait().find("cross-entropy: label 3 of row 1 is outside [0, 3)"), std::string::npos);

  std::vector<std::int32_t> many(5000, 4);
  many[4321] = many[4999] = 1 << 30;
  const Tensor rows = gather_rows(table, integers(many));
  EXPECT_EQ(message_of([&] { rows.to_vector<float>(); }),
            "gather rows: index 1073741824 at place 4321 is outside [0, 4]");
  EXPECT_EQ(gather_rows(table, integers({4, 0})).to_vector<float>(), std::vector<float>(6, 0.0f));
}

TEST_F(CudaWaits, AParameterOutOfItsRangeIsToldAtTheNextWait) {
  const ActivationHandle gelu = ActivationHandle::parse("gelu_scaled");
  const Tensor x = floats({4, 3});
  const auto activated = [&](float sigma) {
    return activate(x, gelu, Tensor::from(std::vector<float>{1, sigma, 1}, {3}, backend));
  };
  for (const float sigma : {-1.0f, 1000.0f, NAN}) {
    activated(sigma);
    EXPECT_EQ(message_of_wait(), concat("activate: gelu_scaled with sigma = ", sigma,
                                        ", which must lie in [0.01, 100]; keep_in_range() brings it back "
                                        "after an update"));
    EXPECT_EQ(message_of_wait(), "no error");
  }
  EXPECT_EQ(activated(100).to_vector<float>(), std::vector<float>(12, 0.0f));
}

TEST_F(CudaWaits, ParametersAreKeptInTheirRangeWithoutAWait) {
  Initializer init(0, InitScheme::xavier, backend);
  Activation layer(ActivationHandle::parse("gelu_scaled(learned=channel)"), 3, init);
  Tensor sigma = layer.learned()[0].tensor;
  const std::vector<float> out = {-1, 2, 1000};
  backend.memory.copy_from_host(sigma.mutable_data().data, out.data(), sigma.bytes());
  const std::int64_t before = emu::waits();
  keep_in_range(layer.learned());
  EXPECT_EQ(emu::waits(), before);
  EXPECT_EQ(sigma.to_vector<float>(), (std::vector<float>{0.01f, 2, 100}));
}

// There is no row to take instead.
TEST_F(CudaWaits, AnIndexOfNothingIsToldAtOnce) {
  for (const std::int32_t index : {-1, 0, 2})
    EXPECT_EQ(message_of([&] {
                gather_rows(floats({0, 3}), integers({index}));
              }),
              concat("gather rows: index ", index, " at place 0 is outside [0, -1]"));
  EXPECT_EQ(message_of_wait(), "no error");
}

}  // namespace
}  // namespace actlab
