// Scores: means over samples, whatever the batches.
#include "framework/train/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "framework/autograd/node.h"
#include "framework/ops/ops.h"
#include "tests/support/training.h"

namespace actlab {
namespace {

// One pixel an image; its two channels are the logits of two classes, pixel / 255.
struct Logits : Module {
  Tensor forward(const Tensor& x) override {
    batches.push_back(x.size(0));
    return flatten(x);
  }
  std::vector<std::int64_t> batches;
};

ImageDataset five_images() {
  ImageDataset data;
  data.name = "five";
  data.image = {.height = 1, .width = 1, .channels = 2, .classes = 2};
  data.mean = {0, 0};
  data.deviation = {1.0F / 255, 1.0F / 255};
  data.test = {.pixels = {0, 0, 3, 0, 0, 3, 3, 0, 0, 9}, .labels = {0, 0, 0, 1, 1}};
  return data;
}

TEST(Evaluate, MeansAreOverSamples) {
  const ImageDataset data = five_images();
  // -log softmax of the labels: equal logits, right by 3, wrong by 3, wrong by 3, right by 9.
  const double loss = (std::log(2.0) + std::log1p(std::exp(-3.0)) + 2 * std::log1p(std::exp(3.0)) +
                       std::log1p(std::exp(-9.0))) /
                      5;
  for (const std::int64_t batch : {1, 2, 3, 4, 5, 100}) {
    Logits model;
    const Score score = evaluate(model, data, SplitName::test, batch, find_backend("cpu"));
    EXPECT_NEAR(score.loss, loss, 1e-6) << batch;
    EXPECT_EQ(score.accuracy, 3.0 / 5) << batch;  // the first of equal logits counts
    std::int64_t samples = 0;
    for (const std::int64_t n : model.batches) samples += n;
    EXPECT_EQ(samples, 5) << batch;
  }
}

// Gives the image of value v the logits of `table[v]`.
struct Table : Module {
  explicit Table(std::vector<std::vector<float>> logits) : table(std::move(logits)) {}
  Tensor forward(const Tensor& x) override {
    std::vector<float> rows;
    for (const float pixel : x.to_vector<float>()) {
      const auto& row = table[static_cast<std::size_t>(std::lround(pixel))];
      rows.insert(rows.end(), row.begin(), row.end());
    }
    return Tensor::from(rows, {x.size(0), static_cast<std::int64_t>(table[0].size())}, x.backend());
  }
  std::vector<std::vector<float>> table;
};

// Images of one pixel with these values, all of class 0 of two.
ImageDataset images_of(std::vector<std::uint8_t> values) {
  ImageDataset data;
  data.name = "table";
  data.image = {.height = 1, .width = 1, .channels = 1, .classes = 2};
  data.mean = {0};
  data.deviation = {1.0F / 255};
  data.test.labels.resize(values.size(), 0);
  data.test.pixels = std::move(values);
  return data;
}

TEST(Evaluate, AShortLastBatchHasNoMoreWeight) {
  // Of 9,984 images in 78 batches of 128 are 9,000 right; the last batch has 16, all wrong.
  std::vector<std::uint8_t> right(10'000, 0);
  std::fill_n(right.begin(), 9'000, std::uint8_t{1});
  const ImageDataset data = images_of(right);
  for (const std::int64_t batch : {1, 100, 128, 10'000}) {
    Table model({{0, 1}, {1, 0}});
    EXPECT_EQ(evaluate(model, data, SplitName::test, batch, find_backend("cpu")).accuracy, 0.9) << batch;
  }
}

TEST(Evaluate, TheLossIsThatOfAllBatches) {
  const ImageDataset data = images_of({0, 0, 1});
  Table model({{0, static_cast<float>(std::log(std::exp(4.0) - 1))}, {200, 0}});  // losses 4 and 0
  EXPECT_NEAR(evaluate(model, data, SplitName::test, 1, find_backend("cpu")).loss, 8.0 / 3, 1e-6 * 8 / 3);
}

TEST(Evaluate, RecordsNoGradients) {
  Training training;
  const auto before = weights_of(*training.model);
  evaluate(*training.model, *training.data, SplitName::test, 8, training.backend);
  EXPECT_EQ(Node::alive(), 0);
  EXPECT_EQ(weights_of(*training.model), before);
  for (const auto& [name, tensor] : training.model->parameters()) EXPECT_FALSE(tensor.grad().defined());
}

TEST(Evaluate, IsInEvaluationModeAndRestoresTraining) {
  Training training({.batch_norm = true, .dropout = 0.5});
  training.model->train(3);
  const auto before = elements_of(training.model->buffers());
  const auto score = [&](std::int64_t batch) {
    return evaluate(*training.model, *training.data, SplitName::test, batch, training.backend).loss;
  };
  EXPECT_NEAR(score(20), score(1), 1e-5);
  EXPECT_EQ(elements_of(training.model->buffers()), before);
  EXPECT_TRUE(training.model->training());
  EXPECT_EQ(training.model->pass(), 3);
}

}  // namespace
}  // namespace actlab
