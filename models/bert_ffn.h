// A stack of BERT's feed-forward blocks, its tokens mixed by one learned matrix.
#pragma once

#include "models/models.h"

namespace actlab {

ModelType bert_ffn();

}  // namespace actlab
