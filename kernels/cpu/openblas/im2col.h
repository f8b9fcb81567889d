// Patches of images as rows of a matrix, and back.
#pragma once

#include "kernels/backend.h"

namespace actlab {

/// patches (images * out_height * out_width, kernel_h * kernel_w * in_channels) of x, zero where a patch
/// reaches over the edge.
void gather_patches(const ConvolutionSizes& sizes, std::int64_t images, const float* x, float* patches);
/// dx = the patches added up where they lie, in their order.
void add_patches(const ConvolutionSizes& sizes, std::int64_t images, const float* patches, float* dx);

}  // namespace actlab
