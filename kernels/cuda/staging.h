// The way from the host's memory to the device's that waits for neither.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstdint>
#include <mutex>

namespace actlab::cuda {

/// Copies in pieces through a ring of pinned buffers: the device fetches them behind the program, which waits
/// only where all of them are on their way. Safe to use from several threads; lives as long as the process.
class Staging {
 public:
  /// `from` is done with on return.
  void copy_to_device(void* to, const void* from, std::int64_t bytes);

 private:
  struct Piece {
    void* memory = nullptr;
    cudaEvent_t fetched = nullptr;
  };
  Piece& next();

  std::mutex mutex_;
  std::array<Piece, 16> ring_;
  std::size_t turn_ = 0;
};

}  // namespace actlab::cuda
