// Running statistics of batch norm; the backends of the host share it.
#pragma once

#include "kernels/math/target.h"

namespace actlab {

/// `running` moved by `momentum` towards `batch`, rounded once.
ACTLAB_HD float moved(float running, double batch, double momentum) {
  return static_cast<float>((1 - momentum) * static_cast<double>(running) + momentum * batch);
}

}  // namespace actlab
