// What the tests of activations share: running a family on vectors, the contract's units, the table of exact
// values.
#pragma once

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "kernels/backend.h"
#include "kernels/math/half.h"
#include "kernels/reference/activation_units.h"
#include "tests/kernels/activation_reference.h"
#include "tests/kernels/arrays.h"

namespace actlab::test {

/// The values as an array of one dimension.
template <class T>
TestArray<T> array_of(const std::vector<T>& v) {
  return TestArray<T>({static_cast<std::int64_t>(v.size())}, v);
}

template <class T>
std::vector<T> forward(ActivationKernels& kernels, const ActivationHandle& handle, const std::vector<T>& x) {
  const TestArray<T> in = array_of(x);
  TestArray<T> y = in;
  kernels.forward(handle, in, y);
  return y.values();
}

/// dx from the input, through the output where the activation keeps that.
template <class T>
std::vector<T> backward(ActivationKernels& kernels, const ActivationHandle& handle, const std::vector<T>& x,
                        const std::vector<T>& dy) {
  const TestArray<T> upstream = array_of(dy);
  const TestArray<T> kept =
      array_of(handle.info().backward_reads == Reads::output ? forward(kernels, handle, x) : x);
  TestArray<T> dx = upstream;
  ConstArray from = kept;
  if (handle.info().backward_reads == Reads::nothing) from.data = nullptr;
  kernels.backward(handle, from, upstream, dx);
  return dx.values();
}

template <class T>
std::vector<T> derivative(ActivationKernels& kernels, const ActivationHandle& handle,
                          const std::vector<T>& x) {
  T one{};
  if constexpr (dtype_of<T> == DType::f64)
    one = 1;
  else
    one = math::from_float<T>(1);
  return backward(kernels, handle, x, std::vector<T>(x.size(), one));
}

/// A row of tests/data/activations.csv: exact values to 25 digits at a float x.
struct OracleRow {
  ActivationHandle handle;
  double x;
  Exact exact;
};

inline double parse_number(std::string_view text, std::chars_format format = std::chars_format::general) {
  const double sign = text.starts_with('-') ? -1 : 1;
  if (sign < 0) text.remove_prefix(1);
  if (format == std::chars_format::hex) text.remove_prefix(2);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, format);
  return sign * value;
}

inline std::vector<OracleRow> oracle_rows() {
  std::vector<OracleRow> rows;
  std::ifstream file(ACTLAB_SOURCE_DIR "/tests/data/activations.csv");
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::vector<std::string_view> cells;
    for (std::size_t begin = 0; begin <= line.size();) {
      const std::size_t end = std::min(line.find(',', begin), line.size());
      cells.push_back(std::string_view(line).substr(begin, end - begin));
      begin = end + 1;
    }
    rows.push_back({ActivationHandle::parse(cells.at(0)),
                    parse_number(cells.at(1), std::chars_format::hex),
                    {parse_number(cells.at(3)), parse_number(cells.at(4)), parse_number(cells.at(5))}});
  }
  return rows;
}

}  // namespace actlab::test
