// Whether operations record what backward needs; per thread, on at first.
#pragma once

namespace actlab {

bool grad_enabled();

/// Switches recording off for a scope: evaluation, updates, the backward pass itself.
class NoGrad {
 public:
  NoGrad();
  ~NoGrad();
  NoGrad(const NoGrad&) = delete;
  NoGrad& operator=(const NoGrad&) = delete;

 private:
  bool before_;
};

}  // namespace actlab
