// Numbers in random order.
#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "kernels/random.h"

namespace actlab {

/// 0 to count - 1, every order as likely: Fisher and Yates, Durstenfeld's form.
inline std::vector<std::int64_t> permutation(std::int64_t count, const Random& random) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  for (std::size_t i = order.size(); i-- > 1;)
    std::swap(order[i], order[random.below(i, static_cast<std::uint32_t>(i + 1))]);
  return order;
}

}  // namespace actlab
