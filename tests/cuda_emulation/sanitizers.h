// What the sanitizers must be told about fibers and device memory; nothing where they are not in use. Under
// ThreadSanitizer (EMU_TSAN) the emulation itself is compiled without it: only kernels are watched.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define EMU_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EMU_ASAN 1
#endif
#endif

#ifdef EMU_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef EMU_TSAN
#include <sanitizer/tsan_interface.h>
extern "C" void __tsan_acquire(void* object);
extern "C" void __tsan_release(void* object);
#endif

namespace emu::asan {

#ifdef EMU_ASAN
inline constexpr bool enabled = true;
inline void poison(const void* from, std::size_t bytes) { __asan_poison_memory_region(from, bytes); }
inline void unpoison(const void* from, std::size_t bytes) { __asan_unpoison_memory_region(from, bytes); }
inline void start_switch(void** fake_stack, const void* stack, std::size_t bytes) {
  __sanitizer_start_switch_fiber(fake_stack, stack, bytes);
}
inline void finish_switch(void* fake_stack) { __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr); }
#else
inline constexpr bool enabled = false;
inline void poison(const void*, std::size_t) {}
inline void unpoison(const void*, std::size_t) {}
inline void start_switch(void**, const void*, std::size_t) {}
inline void finish_switch(void*) {}
#endif

}  // namespace emu::asan

namespace emu::tsan {

/// A thread of execution, to the race detector. Two of them are ordered only by acquire after release.
using Identity = void*;

#ifdef EMU_TSAN
inline constexpr bool enabled = true;
inline Identity current() { return __tsan_get_current_fiber(); }
inline Identity create() { return __tsan_create_fiber(0); }
inline void become(Identity identity) { __tsan_switch_to_fiber(identity, __tsan_switch_to_fiber_no_sync); }
inline void acquire(void* object) { __tsan_acquire(object); }
inline void release(void* object) { __tsan_release(object); }
#else
inline constexpr bool enabled = false;
inline Identity current() { return nullptr; }
inline Identity create() { return nullptr; }
inline void become(Identity) {}
inline void acquire(void*) {}
inline void release(void*) {}
#endif

/// Acts under another identity while it lives.
class As {
 public:
  explicit As(Identity identity) : before_(current()) { become(identity); }
  ~As() { become(before_); }
  As(const As&) = delete;
  As& operator=(const As&) = delete;

 private:
  Identity before_;
};

}  // namespace emu::tsan
