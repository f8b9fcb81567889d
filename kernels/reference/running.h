// Running statistics of batch norm; the backends share it.
#pragma once

#include "kernels/array.h"
#include "kernels/math/target.h"

namespace actlab {

/// `running` moved by `momentum` towards `batch`, rounded once.
ACTLAB_HD float moved(float running, double batch, double momentum) {
  return static_cast<float>((1 - momentum) * static_cast<double>(running) + momentum * batch);
}

/// NormKernels::move_running for arrays in the host's memory.
inline void move_running_on_host(const ConstArray& moments, double momentum, double correction,
                                 const Array& mean, const Array& variance) {
  const double* batch = moments.as<double>();
  float *means = mean.as<float>(), *variances = variance.as<float>();
  const std::int64_t columns = mean.count();
  for (std::int64_t c = 0; c < columns; ++c) {
    means[c] = moved(means[c], batch[c], momentum);
    variances[c] = moved(variances[c], correction * batch[columns + c], momentum);
  }
}

}  // namespace actlab
