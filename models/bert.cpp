// The stack of bert_ffn and bert_encoder.
#include "models/bert.h"

#include "framework/autograd/node.h"
#include "framework/nn/attention.h"
#include "framework/nn/embedding.h"
#include "framework/nn/feed_forward.h"
#include "framework/nn/layers.h"
#include "framework/nn/norm.h"
#include "framework/nn/window_mixing.h"

namespace actlab {
namespace {

// Of the embeddings, as BERT has it.
constexpr double embedding_deviation = 0.02;

std::int64_t width_of(std::int64_t d_ff, bool match_parameters, const ActivationHandle& activation) {
  return activation.gated() && match_parameters ? gated_width(d_ff) : d_ff;
}

struct Sizes {
  std::int64_t vocabulary, window, d, width, heads;  ///< width of the FFN; heads 0: no attention
  double dropout;
  bool fuse;      ///< the FFN's activation and its second layer are one operation
  bool pre_norm;  ///< else the norm stands behind each sum, as BERT has it
};

/// Attention where there are heads, and a feed-forward network; around each x + dropout(part(x)), with a
/// layer norm of the sum (post) or of what the part reads (pre; Xiong et al. 2020, arXiv:2002.04745).
class Block : public Module {
 public:
  Block(const Sizes& sizes, const ActivationHandle& activation, Initializer& init)
      : pre_norm_(sizes.pre_norm),
        attention_(sizes.heads > 0 ? std::make_unique<Attention>(sizes, init) : nullptr),
        ffn_(sizes.d, sizes.width, activation, init, sizes.fuse),
        norm_(sizes.d, init),
        dropout_(sizes.dropout, init) {
    if (attention_) add_part("attention", attention_->layer);
    if (attention_) add_part("attention_dropout", attention_->dropout);
    if (attention_) add_part("attention_norm", attention_->norm);
    add_part("ffn", ffn_);
    add_part("ffn_dropout", dropout_);
    add_part("ffn_norm", norm_);
  }

  Tensor forward(const Tensor& x) override { return run(x, {}); }
  /// x (N, L, d), lengths (N) or undefined.
  Tensor run(const Tensor& x, const Tensor& lengths) {
    const LayerScope scope = layer_scope();
    const Tensor attended =
        attention_ == nullptr ? x : around(x, attention_->norm, attention_->dropout, [&](const Tensor& h) {
          return attention_->layer.attend(h, lengths);
        });
    return around(attended, norm_, dropout_, [&](const Tensor& h) { return ffn_(h); });
  }

 private:
  struct Attention {
    Attention(const Sizes& sizes, Initializer& init)
        : layer(sizes.d, sizes.heads, init), norm(sizes.d, init), dropout(sizes.dropout, init) {}
    MultiHeadAttention layer;
    LayerNorm norm;
    Dropout dropout;
  };

  template <class Part>
  Tensor around(const Tensor& x, LayerNorm& norm, Dropout& dropout, const Part& part) const {
    if (pre_norm_) return add(x, dropout(part(norm(x))));
    return norm(add(x, dropout(part(x))));
  }

  bool pre_norm_;
  std::unique_ptr<Attention> attention_;
  FeedForward ffn_;
  LayerNorm norm_;
  Dropout dropout_;
};

/// Logits from hidden states: by the embedding's own table, or by one of its own.
class Head : public Module {
 public:
  Head(const Tensor& table, bool tied, Initializer& init)
      : precision_(init.precision()),
        weight_(tied ? table : init.weight(table.shape(), 1, 1.0)),
        bias_(init.bias(table.size(0))) {
    if (!tied) add_parameter("weight", weight_);
    add_parameter("bias", bias_);
  }
  Tensor forward(const Tensor& x) override { return linear(cast(x, precision_), weight_, bias_, DType::f32); }

 private:
  DType precision_;
  Tensor weight_, bias_;
};

class Bert : public Module {
 public:
  Bert(const Sizes& sizes, std::int64_t layers, bool tied, const ActivationHandle& activation,
       Initializer& init)
      : pre_norm_(sizes.pre_norm),
        tokens_(sizes.vocabulary, sizes.d, init, embedding_deviation),
        positions_(sizes.window, sizes.d, init, embedding_deviation),
        norm_(sizes.d, init),
        dropout_(sizes.dropout, init),
        mixing_(sizes.heads > 0 ? nullptr : std::make_unique<WindowMixing>(sizes.window, init)),
        head_(tokens_.weight(), tied, init) {
    add_part("tokens", tokens_);
    add_part("positions", positions_);
    add_part("norm", norm_);
    add_part("dropout", dropout_);
    if (mixing_) add_part("mixing", *mixing_);
    for (std::int64_t i = 1; i <= layers; ++i) {
      blocks_.push_back(std::make_unique<Block>(sizes, activation, init));
      add_part(concat("block", i), *blocks_.back());
    }
    add_part("head", head_);
  }

  /// Hidden states of full windows.
  Tensor forward(const Tensor& tokens) override { return run(tokens, {}); }

  Tensor logits(const Batch& batch) override {
    const Tensor hidden = run(batch.inputs, batch.lengths);  // (N, L, d)
    const Tensor rows = hidden.reshape({hidden.size(0) * hidden.size(1), hidden.size(2)});
    return head_(gather_rows(rows, batch.places));
  }

 private:
  // The norm stands behind the embeddings, as BERT has it, or, where the blocks leave their sums as they are,
  // before the head.
  Tensor run(const Tensor& tokens, const Tensor& lengths) {
    Tensor x = add_to_each(tokens_(tokens), positions_.weight());
    x = dropout_(pre_norm_ ? x : norm_(x));
    if (mixing_) x = mixing_->mix(x, lengths);
    for (const auto& block : blocks_) x = block->run(x, lengths);
    return pre_norm_ ? norm_(x) : x;
  }

  bool pre_norm_;
  Embedding tokens_, positions_;
  LayerNorm norm_;
  Dropout dropout_;
  std::unique_ptr<WindowMixing> mixing_;
  std::vector<std::unique_ptr<Block>> blocks_;
  Head head_;
};

}  // namespace

std::vector<Option> bert_options() {
  const auto count = [](std::string name, std::int64_t fallback, std::string help, double most) {
    return Option{
        .name = std::move(name), .fallback = fallback, .help = std::move(help), .least = 1, .most = most};
  };
  return {count("d", 128, "width of the hidden states; BERT-base has 768", 16384),
          count("d_ff", 512, "width of the feed-forward networks; BERT-base has 3072", 65536),
          count("layers", 2, "blocks; BERT-base has 12", 1000),
          {.name = "norm",
           .fallback = std::string("post"),
           .help = "layer norms behind each sum (post, as BERT has them) or before each part (pre)",
           .choices = {"post", "pre"}},
          {.name = "dropout",
           .fallback = 0.0,
           .help = "probability that an element of the embeddings or of a part's result is dropped",
           .least = 0,
           .most = 1},
          {.name = "tied", .fallback = true, .help = "the head's weights are the token embeddings"},
          {.name = "match_parameters",
           .fallback = true,
           .help = "a gated activation has 2/3 of d_ff, rounded to a multiple of 8, and so about the "
                   "parameters of a plain one; false: d_ff"}};
}

std::unique_ptr<Module> make_bert(const Options& options, const TextSpec& text, const ModelContext& context,
                                  std::int64_t heads) {
  const Sizes sizes{
      .vocabulary = text.vocabulary,
      .window = text.window,
      .d = options.integer("d"),
      .width = width_of(options.integer("d_ff"), options.flag("match_parameters"), context.activation),
      .heads = heads,
      .dropout = options.number("dropout"),
      .fuse = context.fuse,
      .pre_norm = options.text("norm") == "pre"};
  // Weights of variance 1 / inputs keep the variance through gate and up, whose product would else be small
  // for long; T5 has it, where the published comparison of gated forms was made.
  Initializer init(context.seed, InitScheme::kaiming, context.backend, context.precision);
  return std::make_unique<Bert>(sizes, options.integer("layers"), options.flag("tied"), context.activation,
                                init);
}

}  // namespace actlab
