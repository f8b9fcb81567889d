// The scale's rise and fall.
#include "framework/optim/loss_scaler.h"

#include "framework/optim/gradient_norm.h"

namespace actlab {

void LossScaler::unscale(const std::vector<NamedParameter>& parameters) {
  ACTLAB_CHECK(!unscaled_, "loss scaler: the gradients are unscaled already; an update comes first");
  scale_gradients(parameters, 1 / state_.scale);
  unscaled_ = true;
}

void LossScaler::updated() {
  unscaled_ = false;
  if (++state_.finite < growth_interval_) return;
  state_.finite = 0;
  if (state_.scale < most) state_.scale *= 2;
}

bool LossScaler::lower() {
  unscaled_ = false;
  state_.finite = 0;
  if (state_.scale <= least) return false;
  state_.scale /= 2;
  return true;
}

}  // namespace actlab
