// BERT's feed-forward blocks without its attention: the activation's share of the work is the largest here.
#include "models/bert_ffn.h"

#include "models/bert.h"

namespace actlab {
namespace {

std::unique_ptr<Module> make(const Options& options, const TextSpec& text, const ModelContext& context) {
  return make_bert(options, text, context, 0);
}

}  // namespace

ModelType bert_ffn() {
  return {
      .name = "bert_ffn",
      .summary = "token and position embeddings, a learned mixing of the window, feed-forward blocks; text",
      .options = bert_options(),
      .make = MakeModel<TextSpec>(make)};
}

}  // namespace actlab
