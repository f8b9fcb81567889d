// Memory of a device: allocation that is counted by what it is for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

namespace actlab {

enum class MemoryKind : std::uint8_t {
  parameters,
  gradients,
  optimizer_state,
  activations,
  temporaries,
  workspace,
};
inline constexpr int memory_kinds = 6;
std::string_view name_of(MemoryKind kind);

/// Bytes asked for and not yet released, and the most there were since the last reset.
struct MemoryCount {
  std::int64_t current = 0;
  std::int64_t peak = 0;
};

struct MemoryStats {
  MemoryCount total;
  std::array<MemoryCount, memory_kinds> by_kind;
  std::int64_t reserved_bytes = 0;      ///< held from the system, free blocks included
  std::int64_t segments_requested = 0;  ///< times the system was asked, ever
};

/// Allocates, releases and copies memory of one device. Safe to use from several threads.
class Memory {
 public:
  virtual ~Memory() = default;
  /// At least `bytes` bytes aligned to 64, contents undefined; throws Error with the sizes where there is no
  /// more.
  virtual void* allocate(std::int64_t bytes, MemoryKind kind) = 0;
  virtual void release(void* block) noexcept = 0;
  /// Counts a live block as another kind from now on.
  virtual void relabel(void* block, MemoryKind kind) noexcept = 0;
  /// Whether the host reads and writes it in place, and kernels the host's.
  virtual bool on_host() const = 0;
  /// Bytes that the system would still lend; of the host's memory nothing is known.
  virtual std::int64_t available_bytes() const { return std::numeric_limits<std::int64_t>::max(); }
  /// Waits for what a device does behind the program; throws Error where a kernel was given a wrong index.
  virtual void wait() {}
  virtual void copy_from_host(void* to, const void* from, std::int64_t bytes) = 0;
  virtual void copy_to_host(void* to, const void* from, std::int64_t bytes) = 0;
  virtual void copy(void* to, const void* from, std::int64_t bytes) = 0;
  virtual void zero(void* block, std::int64_t bytes) = 0;
  virtual MemoryStats stats() const = 0;
  /// Peaks become the current counts; the current counts stay.
  virtual void reset_peak() = 0;
  /// Gives free blocks back to the system.
  virtual void trim() = 0;
};

/// A block that is released with its owner.
class Buffer {
 public:
  Buffer() = default;
  Buffer(Memory& memory, std::int64_t bytes, MemoryKind kind)
      : memory_(&memory), data_(memory.allocate(bytes, kind)), bytes_(bytes) {}
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    Buffer(std::move(other)).swap(*this);
    return *this;
  }
  ~Buffer() {
    if (data_ != nullptr) memory_->release(data_);
  }

  void* data() const { return data_; }
  std::int64_t bytes() const { return bytes_; }

 private:
  void swap(Buffer& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
  }

  Memory* memory_ = nullptr;
  void* data_ = nullptr;
  std::int64_t bytes_ = 0;
};

}  // namespace actlab
