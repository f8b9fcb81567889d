// The message of what a call throws.
#pragma once

#include <functional>
#include <string>

#include "kernels/error.h"

namespace actlab {

/// "no error" where nothing is thrown; what is no Error passes through.
inline std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace actlab
