// The thread's recording switch.
#include "framework/autograd/grad_mode.h"

#include <utility>

namespace actlab {
namespace {

thread_local bool enabled = true;

}  // namespace

bool grad_enabled() { return enabled; }

NoGrad::NoGrad() : before_(std::exchange(enabled, false)) {}

NoGrad::~NoGrad() { enabled = before_; }

}  // namespace actlab
