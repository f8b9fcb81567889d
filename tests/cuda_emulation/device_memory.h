// The memory of the emulated device: which blocks are alive, and who may touch them when.
#pragma once

#include <cstddef>

namespace emu {

/// The host may touch pinned and managed memory, not the device's; kernels all but the host's own.
enum class Kind { host, pinned, device, managed };

/// Whose memory all of these bytes are; host where no block of the device holds them.
Kind kind_of(const void* from, std::size_t bytes);

/// While it lives, device memory may be touched: for launches and copies. Otherwise it is poisoned.
class Access {
 public:
  Access();
  ~Access();
  Access(const Access&) = delete;
  Access& operator=(const Access&) = delete;
};

}  // namespace emu
