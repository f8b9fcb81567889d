// An array that the host and the emulated device may both use.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <new>

namespace actlab::test {

template <class T>
class Managed {
 public:
  explicit Managed(std::size_t n) : size_(n) {
    if (n > 0 && cudaMallocManaged(&memory_, n * sizeof(T), cudaMemAttachGlobal) != cudaSuccess)
      throw std::bad_alloc();
  }
  ~Managed() { cudaFree(memory_); }
  Managed(const Managed&) = delete;
  Managed& operator=(const Managed&) = delete;

  T* data() { return static_cast<T*>(memory_); }
  const T* data() const { return static_cast<const T*>(memory_); }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }

 private:
  void* memory_ = nullptr;
  std::size_t size_;
};

}  // namespace actlab::test
