// The small convolutional network.
#pragma once

#include "models/models.h"

namespace actlab {

/// Conv2d(C -> w0, 3x3, pad 1), activation, MaxPool 2, Conv2d(w0 -> w1, 3x3, pad 1), activation, MaxPool 2,
/// Flatten, Linear(w1 * H/4 * W/4 -> classes), for images (N, H, W, C). Options put batch norm before the
/// activations (the convolutions keep their biases, as PyTorch's do by default) and dropout before the linear
/// layer.
ModelType small_cnn();

}  // namespace actlab
