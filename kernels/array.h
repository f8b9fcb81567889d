// What a kernel is given: a pointer, the type of its elements and its sizes. Arrays are contiguous and
// row-major.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <string_view>

#include "kernels/error.h"

namespace actlab {

enum class DType : std::uint8_t { f32, bf16, f16, f64, i32, u8 };

std::size_t size_of(DType dtype);
inline bool is_half(DType dtype) { return dtype == DType::bf16 || dtype == DType::f16; }
std::string_view name_of(DType dtype);
DType parse_dtype(std::string_view name);
std::ostream& operator<<(std::ostream& out, DType dtype);

/// Upper half of a float32 and the IEEE half; kernels/math/half.h converts them.
struct BFloat16 {
  std::uint16_t bits;
};
struct Float16 {
  std::uint16_t bits;
};

template <class T>
inline constexpr DType dtype_of = DType::f32;
template <>
inline constexpr DType dtype_of<double> = DType::f64;
template <>
inline constexpr DType dtype_of<BFloat16> = DType::bf16;
template <>
inline constexpr DType dtype_of<Float16> = DType::f16;
template <>
inline constexpr DType dtype_of<std::int32_t> = DType::i32;
template <>
inline constexpr DType dtype_of<std::uint8_t> = DType::u8;

/// Sizes of an array, outermost first; rank 0 is a scalar.
class Shape {
 public:
  static constexpr int max_rank = 4;

  Shape() = default;
  Shape(std::initializer_list<std::int64_t> sizes);

  int rank() const { return rank_; }
  /// Size of dimension i; negative i counts from the last.
  std::int64_t operator[](int i) const;
  /// Number of elements.
  std::int64_t count() const;
  bool operator==(const Shape&) const = default;

 private:
  std::array<std::int64_t, max_rank> sizes_{};
  int rank_ = 0;
};

std::ostream& operator<<(std::ostream& out, const Shape& shape);  // (128, 32, 32, 3)

struct ConstArray {
  const void* data = nullptr;
  DType dtype = DType::f32;
  Shape shape;

  std::int64_t count() const { return shape.count(); }
  template <class T>
  const T* as() const {
    ACTLAB_CHECK(dtype == dtype_of<T>, "array of ", dtype, " read as ", dtype_of<T>);
    return static_cast<const T*>(data);
  }
};

struct Array {
  void* data = nullptr;
  DType dtype = DType::f32;
  Shape shape;

  operator ConstArray() const { return {data, dtype, shape}; }
  std::int64_t count() const { return shape.count(); }
  template <class T>
  T* as() const {
    ACTLAB_CHECK(dtype == dtype_of<T>, "array of ", dtype, " written as ", dtype_of<T>);
    return static_cast<T*>(data);
  }
};

}  // namespace actlab
