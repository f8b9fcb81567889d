// What a text holds.
#pragma once

#include "experiments/results/table.h"
#include "framework/data/text_dataset.h"

namespace actlab {

/// A row for each split: tokens, windows, size of the vocabulary, how many of its symbols occur, the share of
/// `<unk>`, and the ten most frequent tokens as a vocabulary's file spells them.
Table text_report(const TextDataset& data);

}  // namespace actlab
