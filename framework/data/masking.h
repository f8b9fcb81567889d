// The task of masked-token training: which tokens of a window are to be predicted, and what stands there
// instead. Devlin, Chang, Lee, Toutanova 2018, BERT, arXiv:1810.04805, section 3.1.
#pragma once

#include <cstdint>
#include <span>

#include "framework/data/vocabulary.h"
#include "kernels/random.h"

namespace actlab {

/// Tokens of a window that are to be predicted: 15 %, rounded, halves up, and at least one.
std::int64_t masked_count(std::int64_t length);

/// Chooses masked_count() of the tokens without repetition, each set of so many as likely as any other,
/// writes their places, rising, and replaces each with probability 80 % by `<mask>`, 10 % by a symbol (no
/// special token) of which each is as likely, else not. Token i draws from block `first` + i.
void mask_tokens(const Random& random, std::uint64_t first, const Vocabulary& vocabulary,
                 std::span<std::int32_t> tokens, std::span<std::int32_t> places);

}  // namespace actlab
