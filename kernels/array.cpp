// Element types and shapes: names, sizes, printing.
#include "kernels/array.h"

#include <limits>
#include <ostream>

namespace actlab {
namespace {

struct DTypeInfo {
  std::string_view name;
  std::size_t size;
};

constexpr DTypeInfo dtypes[] = {{"f32", 4}, {"bf16", 2}, {"f16", 2}, {"f64", 8}, {"i32", 4}, {"u8", 1}};

}  // namespace

std::size_t size_of(DType dtype) { return dtypes[static_cast<int>(dtype)].size; }

std::string_view name_of(DType dtype) { return dtypes[static_cast<int>(dtype)].name; }

DType parse_dtype(std::string_view name) {
  std::vector<std::string> known;
  for (int i = 0; i < static_cast<int>(std::size(dtypes)); ++i) {
    if (dtypes[i].name == name) return static_cast<DType>(i);
    known.emplace_back(dtypes[i].name);
  }
  throw ConfigError(concat("unknown element type '", name, "'", nearest_names(name, known)));
}

std::ostream& operator<<(std::ostream& out, DType dtype) { return out << name_of(dtype); }

Shape::Shape(std::initializer_list<std::int64_t> sizes) : rank_(static_cast<int>(sizes.size())) {
  ACTLAB_CHECK(rank_ <= max_rank, "shape: rank ", rank_, " is above ", max_rank);
  int i = 0;
  std::int64_t total = 1;
  for (const std::int64_t size : sizes) {
    ACTLAB_CHECK(size >= 0, "shape: size ", size, " of dimension ", i, " is negative");
    ACTLAB_CHECK(size == 0 || total <= std::numeric_limits<std::int64_t>::max() / 8 / size,
                 "shape: the number of elements does not fit 64 bits");
    total *= size == 0 ? 1 : size;
    sizes_[static_cast<std::size_t>(i++)] = size;
  }
}

std::int64_t Shape::operator[](int i) const {
  const int at = i < 0 ? i + rank_ : i;
  ACTLAB_CHECK(at >= 0 && at < rank_, "shape: no dimension ", i, " in ", *this);
  return sizes_[static_cast<std::size_t>(at)];
}

std::int64_t Shape::count() const {
  std::int64_t n = 1;
  for (int i = 0; i < rank_; ++i) n *= sizes_[static_cast<std::size_t>(i)];
  return n;
}

std::ostream& operator<<(std::ostream& out, const Shape& shape) {
  out << '(';
  for (int i = 0; i < shape.rank(); ++i) out << (i == 0 ? "" : ", ") << shape[i];
  return out << ')';
}

}  // namespace actlab
