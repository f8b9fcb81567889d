// Memory that both the kernels under test and the tests reach.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

namespace actlab {

/// Ordinary memory (tested.cpp), or what a CUDA device reaches too (tests/cuda): managed where it is
/// emulated, pinned on a real one.
void* allocate_for_test(std::size_t bytes);
void free_of_test(void* memory, std::size_t bytes) noexcept;

class TestMemory {
 public:
  TestMemory(std::size_t bytes, unsigned char value)
      : bytes_(bytes), data_(static_cast<unsigned char*>(allocate_for_test(bytes))) {
    std::fill_n(data_, bytes, value);
  }
  TestMemory(const TestMemory& other) : TestMemory(other.bytes_, 0) {
    std::copy_n(other.data_, bytes_, data_);
  }
  TestMemory& operator=(TestMemory other) {
    std::swap(bytes_, other.bytes_);
    std::swap(data_, other.data_);
    return *this;
  }
  ~TestMemory() { free_of_test(data_, bytes_); }

  unsigned char* begin() { return data_; }
  const unsigned char* begin() const { return data_; }
  const unsigned char* end() const { return data_ + bytes_; }

 private:
  std::size_t bytes_;
  unsigned char* data_;
};

}  // namespace actlab
