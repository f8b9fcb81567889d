// BERT's encoder, in any size.
#include "models/bert_encoder.h"

#include "models/bert.h"

namespace actlab {
namespace {

std::unique_ptr<Module> make(const Options& options, const TextSpec& text, const ModelContext& context) {
  return make_bert(options, text, context, options.integer("heads"));
}

}  // namespace

ModelType bert_encoder() {
  ModelType type{
      .name = "bert_encoder",
      .summary = "token and position embeddings, blocks of self-attention and feed-forward network; text",
      .options = bert_options(),
      .make = MakeModel<TextSpec>(make)};
  type.options.push_back({.name = "heads",
                          .fallback = std::int64_t{4},
                          .help = "attention heads; they divide d",
                          .least = 1,
                          .most = 1024});
  return type;
}

}  // namespace actlab
