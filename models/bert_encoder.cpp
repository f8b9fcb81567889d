// BERT's encoder, in any size.
#include "models/bert_encoder.h"

#include "models/bert.h"

namespace actlab {

ModelType bert_encoder() {
  std::vector<Option> options = bert_options();
  options.push_back({.name = "heads",
                     .fallback = std::int64_t{4},
                     .help = "attention heads; they divide d",
                     .least = 1,
                     .most = 1024});
  return {.name = "bert_encoder",
          .summary = "token and position embeddings, blocks of self-attention and feed-forward network; text",
          .options = options,
          .make = MakeModel<TextSpec>(
              [](const Options& options, const TextSpec& text, const ModelContext& context) {
                return make_bert(options, text, context, options.integer("heads"));
              })};
}

}  // namespace actlab
