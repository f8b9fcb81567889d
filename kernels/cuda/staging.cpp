// The ring of pinned buffers.
#include "kernels/cuda/staging.h"

#include <algorithm>
#include <cstring>

#include "kernels/cuda/runtime.h"

namespace actlab::cuda {
namespace {

constexpr const char* operation = "copy to the device";
constexpr std::int64_t piece_bytes = std::int64_t{1} << 20;

}  // namespace

// Buffers are taken when they are first needed: most programs copy little.
Staging::Piece& Staging::next() {
  Piece& piece = ring_[turn_++ % ring_.size()];
  if (piece.fetched == nullptr) {
    check(cudaMallocHost(&piece.memory, static_cast<std::size_t>(piece_bytes)), operation);
    check(cudaEventCreateWithFlags(&piece.fetched, cudaEventDisableTiming), operation);
  }
  check(cudaEventSynchronize(piece.fetched), operation);
  return piece;
}

void Staging::copy_to_device(void* to, const void* from, std::int64_t bytes) {
  const std::lock_guard lock(mutex_);
  for (std::int64_t at = 0; at < bytes; at += piece_bytes) {
    const auto size = static_cast<std::size_t>(std::min(piece_bytes, bytes - at));
    const Piece& piece = next();
    std::memcpy(piece.memory, static_cast<const char*>(from) + at, size);
    check(cudaMemcpyAsync(static_cast<char*>(to) + at, piece.memory, size, cudaMemcpyHostToDevice, stream()),
          operation);
    check(cudaEventRecord(piece.fetched, stream()), operation);
  }
}

}  // namespace actlab::cuda
