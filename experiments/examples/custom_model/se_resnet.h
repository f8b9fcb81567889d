// A model: a small residual network with squeeze and excite.
#pragma once

#include "models/models.h"

namespace example {

/// Conv2d(C -> width, 3x3), MaxPool 2, then `blocks` times x + SqueezeExcite(Conv(act(Conv(act(x))))), then
/// act, the means of the channels, and Linear(width -> classes); for images (N, H, W, C). He, Zhang, Ren and
/// Sun 2016, arXiv:1603.05027, without batch norm.
actlab::ModelType se_resnet();

}  // namespace example
