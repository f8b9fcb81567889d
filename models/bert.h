// What bert_ffn and bert_encoder have in common: embeddings, a stack of blocks, a head over the vocabulary.
// Devlin, Chang, Lee and Toutanova 2018, arXiv:1810.04805.
#pragma once

#include <memory>
#include <vector>

#include "models/models.h"

namespace actlab {

/// Options of both models.
std::vector<Option> bert_options();

/// forward() takes tokens i32 (N, window) and gives hidden states (N, window, d); logits() gives (M,
/// vocabulary) for the places of a batch. With `heads` every block attends to the window; without (0) one
/// learned matrix mixes it before the blocks.
std::unique_ptr<Module> make_bert(const Options& options, const TextSpec& text, const ModelContext& context,
                                  std::int64_t heads);

}  // namespace actlab
