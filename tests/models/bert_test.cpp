// bert_ffn and bert_encoder: parameters, shared initial weights, padding, training, and what they refuse.
#include "models/bert.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "framework/autograd/engine.h"
#include "framework/ops/ops.h"
#include "framework/optim/adamw.h"
#include "kernels/error.h"
#include "models/models.h"
#include "tests/support/message_of.h"

namespace actlab {
namespace {

using Settings = std::vector<std::pair<std::string, OptionValue>>;

constexpr TextSpec small{.window = 8, .vocabulary = 19};

std::unique_ptr<Module> make(const std::string& name, const std::string& activation = "gelu",
                             const Settings& settings = {}, const DataSpec& data = small, bool fuse = true) {
  const ModelType& type = find_component("model", name, model_types());
  Options options(type.options);
  options.set("d", std::int64_t{12});
  options.set("d_ff", std::int64_t{48});
  for (const auto& [key, value] : settings) options.set(key, value);
  return make_model(type, options, data, {ActivationHandle::parse(activation), 0, find_backend("cpu"), fuse});
}

std::int64_t parameters_of(const Module& model) {
  std::int64_t count = 0;
  for (const auto& [name, tensor] : model.parameters()) count += tensor.count();
  return count;
}

// Three windows, the last with three tokens only; two places of each are asked for.
Batch make_batch(std::int32_t padding = 18) {
  Backend& backend = find_backend("cpu");
  std::vector<std::int32_t> tokens(24);
  for (std::size_t i = 0; i < tokens.size(); ++i) tokens[i] = static_cast<std::int32_t>(i * 7 % 17);
  std::fill(tokens.begin() + 19, tokens.end(), padding);
  return {.inputs = Tensor::from(tokens, {3, 8}, backend),
          .labels = Tensor::from(std::vector<std::int32_t>{1, 2, 3, 4, 5, 6}, {6}, backend),
          .places = Tensor::from(std::vector<std::int32_t>{0, 3, 9, 15, 16, 18}, {6}, backend),
          .lengths = Tensor::from(std::vector<std::int32_t>{8, 8, 3}, {3}, backend),
          .samples = 19};
}

Tensor loss_of(Module& model, const Batch& batch) { return cross_entropy(model.logits(batch), batch.labels); }

const std::vector<std::string> both = {"bert_ffn", "bert_encoder"};

TEST(Bert, NamesItsParameters) {
  std::vector<std::string> names;
  for (const auto& parameter : make("bert_encoder", "gelu", {{"layers", std::int64_t{1}}})->parameters())
    names.push_back(parameter.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{
                "tokens.weight", "positions.weight", "norm.weight", "norm.bias",
                "block1.attention.qkv.weight", "block1.attention.qkv.bias", "block1.attention.out.weight",
                "block1.attention.out.bias", "block1.attention_norm.weight", "block1.attention_norm.bias",
                "block1.ffn.up.weight", "block1.ffn.up.bias", "block1.ffn.down.weight",
                "block1.ffn.down.bias", "block1.ffn_norm.weight", "block1.ffn_norm.bias", "head.bias"}));
}

TEST(Bert, CountsItsParameters) {
  // Embeddings 27 * 12, norm 24, mixing 64; a block: FFN 2 * 12 * 48 + 48 + 12, norm 24; the head's bias 19.
  constexpr std::int64_t ffn = 2 * 12 * 48 + 48 + 12, attention = 4 * 12 * 12 + 4 * 12;
  EXPECT_EQ(parameters_of(*make("bert_ffn")), 27 * 12 + 24 + 64 + 2 * (ffn + 24) + 19);
  EXPECT_EQ(parameters_of(*make("bert_encoder")), 27 * 12 + 24 + 2 * (ffn + attention + 2 * 24) + 19);
  EXPECT_EQ(parameters_of(*make("bert_ffn", "gelu", {{"tied", false}})),
            parameters_of(*make("bert_ffn")) + 19 * 12);
}

TEST(Bert, GivesGatedFormsTheParametersOfPlainOnes) {
  const Settings base = {{"d", std::int64_t{768}}, {"d_ff", std::int64_t{3072}}, {"layers", std::int64_t{1}}};
  const auto plain = static_cast<double>(parameters_of(*make("bert_ffn", "gelu", base)));
  for (const std::string& gated : gated_names())
    EXPECT_NEAR(static_cast<double>(parameters_of(*make("bert_ffn", gated, base))) / plain, 1, 0.01) << gated;

  Settings whole = base;
  whole.emplace_back("match_parameters", false);
  EXPECT_GT(static_cast<double>(parameters_of(*make("bert_ffn", "geglu", whole))) / plain, 1.4);
}

// Arms of a comparison differ in the activation, so they start from the same weights where shapes agree.
TEST(Bert, ArmsShareTheWeightsThatAgreeInShape) {
  for (const std::string& name : both) {
    const auto gelu = make(name)->parameters(), relu = make(name, "relu")->parameters(),
               geglu = make(name, "geglu")->parameters();
    ASSERT_EQ(gelu.size(), geglu.size());
    for (std::size_t i = 0; i < gelu.size(); ++i) {
      EXPECT_EQ(gelu[i].tensor.to_vector<float>(), relu[i].tensor.to_vector<float>()) << gelu[i].name;
      if (gelu[i].tensor.shape() != geglu[i].tensor.shape()) continue;
      EXPECT_EQ(gelu[i].tensor.to_vector<float>(), geglu[i].tensor.to_vector<float>()) << gelu[i].name;
    }
  }
}

TEST(Bert, GivesLogitsOfThePlacesAskedForOnly) {
  for (const std::string& name : both) {
    const Batch batch = make_batch();
    const auto model = make(name);
    EXPECT_EQ((*model)(batch.inputs).shape(), (Shape{3, 8, 12})) << name;
    EXPECT_EQ(model->logits(batch).shape(), (Shape{6, 19})) << name;

    Batch one = batch;
    one.places = Tensor::from(std::vector<std::int32_t>{15}, {1}, find_backend("cpu"));
    const auto all = model->logits(batch).to_vector<float>(), alone = model->logits(one).to_vector<float>();
    for (std::size_t i = 0; i < alone.size(); ++i)
      EXPECT_NEAR(alone[i], all[3 * 19 + i], 1e-5) << name << " " << i;
  }
}

TEST(Bert, PaddingChangesNothing) {
  for (const std::string& name : both) {
    for (const char* norm : {"post", "pre"}) {
      const auto model = make(name, "geglu", {{"norm", std::string(norm)}});
      const auto with_pad = model->logits(make_batch(18)).to_vector<float>();
      EXPECT_EQ(with_pad, model->logits(make_batch(5)).to_vector<float>()) << name << " " << norm;
      EXPECT_TRUE(std::all_of(with_pad.begin(), with_pad.end(), [](float x) { return std::isfinite(x); }));
    }
  }
}

// Steps until the loss of one batch is below 0.01; at most 300.
int steps_to_learn(const std::string& name, const std::string& activation, const std::string& norm) {
  const auto model = make(name, activation, {{"norm", norm}});
  const auto optimizer = adamw().make(Options(adamw().options), model->parameters());
  const Batch batch = make_batch();
  for (int step = 0; step < 300; ++step) {
    const Tensor loss = loss_of(*model, batch);
    if (loss.item() < 0.01) return step;
    loss.backward();
    optimizer->step(0.01);
  }
  return 300;
}

TEST(Bert, OverfitsOneBatch) {
  EXPECT_LT(steps_to_learn("bert_ffn", "gelu", "post"), 300);
  EXPECT_LT(steps_to_learn("bert_ffn", "geglu", "pre"), 300);
  EXPECT_LT(steps_to_learn("bert_encoder", "gelu", "pre"), 300);
  EXPECT_LT(steps_to_learn("bert_encoder", "geglu", "post"), 300);
}

TEST(Bert, EverySeedGivesItsBits) {
  for (const std::string& name : both) {
    const auto gradients = [&] {
      const auto model = make(name, "swiglu", {{"dropout", 0.2}});
      model->train(3);
      loss_of(*model, make_batch()).backward();
      std::vector<std::vector<float>> all;
      for (const auto& parameter : model->parameters())
        all.push_back(parameter.tensor.grad().to_vector<float>());
      return all;
    };
    EXPECT_EQ(gradients(), gradients()) << name;
  }
}

TEST(Bert, FusedOrNotItHasTheSameGradients) {
  for (const char* activation : {"gelu", "relu", "identity", "geglu", "reglu"}) {
    const auto saved_and_gradients = [&](bool fuse) {
      const auto model = make("bert_encoder", activation, {}, small, fuse);
      model->train(0);
      const Tensor loss = loss_of(*model, make_batch());
      const std::int64_t saved = saved_bytes(loss);
      loss.backward();
      std::vector<std::vector<float>> gradients;
      for (const auto& parameter : model->parameters())
        gradients.push_back(parameter.tensor.grad().to_vector<float>());
      return std::pair(saved, gradients);
    };
    const auto fused = saved_and_gradients(true), plain = saved_and_gradients(false);
    EXPECT_EQ(fused.second, plain.second) << activation;
    EXPECT_LE(fused.first, plain.first) << activation;
  }
  const auto saved = [](bool fuse) {
    return saved_bytes(loss_of(*make("bert_ffn", "geglu", {}, small, fuse), make_batch()));
  };
  EXPECT_LT(saved(true), saved(false));
}

TEST(Bert, DropsInTrainingOnlyAndAnewInEveryPass) {
  for (const std::string& name : both) {
    const auto with = make(name, "gelu", {{"dropout", 0.5}}), without = make(name);
    const auto logits = [](Module& model) { return model.logits(make_batch()).to_vector<float>(); };
    with->train(0);
    const auto first = logits(*with);
    with->train(1);
    EXPECT_NE(first, logits(*with)) << name;
    with->eval();
    without->eval();
    EXPECT_EQ(logits(*with), logits(*without)) << name;
  }
}

TEST(Bert, TellsTheFfnsMemoryFromAttentions) {
  const auto model = make("bert_encoder");
  std::int64_t ffn = 0, attention = 0;
  for (const SavedBytes& layer : saved_bytes_by_layer(loss_of(*model, make_batch()))) {
    if (layer.layer.starts_with("block1.ffn.")) ffn += layer.bytes;
    if (layer.layer == "block1.attention" || layer.layer.starts_with("block1.attention."))
      attention += layer.bytes;
  }
  EXPECT_GE(ffn, 24 * 48 * 4);              // the pre-activations
  EXPECT_GE(attention, 3 * 4 * 8 * 8 * 4);  // the probabilities
}

TEST(Bert, RefusesWhatItCannotTake) {
  constexpr ImageSpec cifar{.height = 32, .width = 32, .channels = 3, .classes = 10};
  for (const std::string& name : both) {
    const std::string message = message_of([&] { make(name, "gelu", {}, cifar); });
    EXPECT_NE(message.find(name), std::string::npos) << message;
    EXPECT_NE(message.find("small_cnn"), std::string::npos) << message;
  }
  const std::string heads = message_of([] { make("bert_encoder", "gelu", {{"heads", std::int64_t{5}}}); });
  EXPECT_NE(heads.find("5"), std::string::npos) << heads;
  EXPECT_NE(heads.find("12"), std::string::npos) << heads;
}

}  // namespace
}  // namespace actlab
