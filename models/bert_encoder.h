// BERT's encoder: blocks of self-attention and a feed-forward network.
#pragma once

#include "models/models.h"

namespace actlab {

ModelType bert_encoder();

}  // namespace actlab
