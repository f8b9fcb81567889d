// What a test sets on the emulated device: the order of its threads, when work runs, whether and how large it
// is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace emu {

/// A fault of a kernel that the emulation sees by itself. Thrown by the launch or, where work is deferred, by
/// the call that waits for it.
class KernelError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The order of a block's threads, and of blocks: 0 as numbered, 1 backwards, else a random one with this
/// seed, in which one warp is held back.
void set_schedule(std::uint64_t seed);

/// Deferred work runs when something waits for it: a host that forgets to wait reads old values.
void set_deferred(bool on);

/// How often the host has waited for all of a stream, or of the device, so far.
std::int64_t waits();

enum class Presence { present, no_device, old_driver };
/// While the device is absent every call that needs one fails as it would on such a machine.
void set_presence(Presence presence);

/// Whether the device has pools of memory, from which a stream's allocations come.
void set_pools(bool on);

/// After `launches` more the next kernel faults: this and all later calls fail, the launch itself does not.
/// -1 makes the device whole again.
void set_fault(std::int64_t launches);

inline constexpr std::size_t default_capacity = std::size_t{4} << 30;
/// Bytes of device memory; an allocation beyond them fails.
void set_capacity(std::size_t bytes);

}  // namespace emu
