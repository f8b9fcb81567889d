// Dynamic loss scaling for training in f16, whose smallest normal number is 2^-14: gradients of `scale` times
// the loss do not vanish there. Micikevicius et al. 2018, arXiv:1710.03740.
#pragma once

#include <cstdint>
#include <vector>

#include "framework/nn/module.h"

namespace actlab {

/// What a run must remember of its scaling.
struct LossScale {
  double scale = 1;         ///< a power of two
  std::int64_t finite = 0;  ///< updates since it last changed
};

/// Doubles the scale after `growth_interval` finite updates, up to 2^24, and halves it where a gradient is
/// not finite. Powers of two: while nothing overflows or vanishes, updates have the bits of those without it.
class LossScaler {
 public:
  static constexpr double first = 65536, least = 1, most = 1 << 24;

  /// Goes on from `state`, and keeps it up to date.
  explicit LossScaler(LossScale& state, std::int64_t growth_interval = 2000)
      : state_(state), growth_interval_(growth_interval) {}

  double scale() const { return state_.scale; }
  /// Gradients of the scaled loss become those of the loss. Throws Error where they are already.
  void unscale(const std::vector<NamedParameter>& parameters);
  /// The update is made.
  void updated();
  /// A gradient is not finite and the update is left out: false where the scale is at its least.
  bool lower();

 private:
  LossScale& state_;
  std::int64_t growth_interval_;
  bool unscaled_ = false;
};

}  // namespace actlab
