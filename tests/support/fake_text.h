// Text whose every token follows from the one before, and a model that can learn it.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "framework/data/dataset.h"
#include "framework/nn/init.h"
#include "framework/nn/module.h"
#include "framework/ops/ops.h"
#include "kernels/error.h"

namespace actlab {

constexpr std::int64_t fake_window = 6;
constexpr std::int64_t fake_symbols = 5;
constexpr std::int64_t fake_vocabulary = fake_symbols + 2;  // <mask>, <pad>

/// Window w asks for the last 1 + (w + epoch) % 3 of its tokens: windows, and so batches, differ in their
/// labels.
struct FakeTextLoader : Loader {
  FakeTextLoader(std::int64_t tokens, const LoaderOptions& options) : tokens_(tokens), options_(options) {
    if (options.batch < 1 || options.batch > windows())
      throw ConfigError(concat("data.batch = ", options.batch, ": wanted 1 to ", windows()));
  }
  std::int64_t windows() const { return (tokens_ + fake_window - 1) / fake_window; }
  std::int64_t batches() const override { return (windows() + options_.batch - 1) / options_.batch; }
  Batch load(std::int64_t epoch, std::int64_t index, Backend& backend) override {
    const std::int64_t first = index * options_.batch;
    const std::int64_t n = std::min(options_.batch, windows() - first);
    std::vector<std::int32_t> inputs, labels, places, lengths;
    for (std::int64_t w = first; w < first + n; ++w) {
      const std::int64_t length = std::min(fake_window, tokens_ - w * fake_window);
      const std::int64_t asked = std::min(length - 1, 1 + (w + (options_.training ? epoch : 0)) % 3);
      for (std::int64_t i = 0; i < fake_window; ++i) {
        const auto token = static_cast<std::int32_t>((w * fake_window + i) * 3 % fake_symbols);
        const bool masked = i < length && i >= length - asked;
        inputs.push_back(i >= length ? fake_vocabulary - 1 : masked ? fake_vocabulary - 2 : token);
        if (!masked) continue;
        labels.push_back(token);
        places.push_back(static_cast<std::int32_t>((w - first) * fake_window + i));
      }
      lengths.push_back(static_cast<std::int32_t>(length));
    }
    Batch batch;
    const auto tensor = [&](const std::vector<std::int32_t>& values) {
      return Tensor::from(values, {std::ssize(values)}, backend);
    };
    batch.inputs = Tensor::from(inputs, {n, fake_window}, backend);
    batch.labels = tensor(labels), batch.places = tensor(places), batch.lengths = tensor(lengths);
    for (const std::int32_t length : lengths) batch.samples += length;
    return batch;
  }

 private:
  std::int64_t tokens_;
  LoaderOptions options_;
};

struct FakeText : Dataset {
  FakeText() { name = "fake", origin = "here"; }
  DataSpec spec() const override { return TextSpec{fake_window, fake_vocabulary}; }
  std::int64_t count(SplitName split) const override {
    return split == SplitName::validation ? 0 : (tokens(split) + fake_window - 1) / fake_window;
  }
  std::unique_ptr<Loader> loader(SplitName split, const LoaderOptions& options) const override {
    return std::make_unique<FakeTextLoader>(tokens(split), options);
  }
  void hold_out_validation(double) override {}
  std::map<std::string, std::string> files() const override { return {{"vocabulary.txt", "a\nb\n"}}; }

  /// The last window of the test split has 2 tokens.
  static std::int64_t tokens(SplitName split) {
    return fake_window * (split == SplitName::train ? 7 : 4) + (split == SplitName::train ? 0 : 2);
  }
};

/// Logits of a place from the last token before it that is not masked, and how far back that is.
struct FakeTextModel : Module {
  explicit FakeTextModel(Backend& backend) {
    Initializer init(0, InitScheme::xavier, backend);
    weight = init.weight({inputs, fake_vocabulary}, inputs, fake_vocabulary);
    add_parameter("weight", weight);
  }
  Tensor forward(const Tensor& x) override { return x; }
  Tensor logits(const Batch& batch) override {
    const auto tokens = batch.inputs.to_vector<std::int32_t>();
    const auto places = batch.places.to_vector<std::int32_t>();
    std::vector<float> known(places.size() * inputs);
    for (std::size_t m = 0; m < places.size(); ++m) {
      std::int32_t back = 1;
      const auto before = [&] { return tokens[static_cast<std::size_t>(places[m] - back)]; };
      while (before() >= fake_symbols) ++back;
      known[m * inputs + static_cast<std::size_t>((back - 1) * fake_symbols + before())] = 1;
    }
    return matmul(Tensor::from(known, {std::ssize(places), inputs}, batch.inputs.backend()), weight);
  }

  static constexpr std::int64_t inputs = 3 * fake_symbols;
  Tensor weight;
};

}  // namespace actlab
