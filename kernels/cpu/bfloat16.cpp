// bf16 to f32 and back, by all threads.
#include "kernels/cpu/bfloat16.h"

#include "kernels/cpu/instruction_sets.h"
#include "kernels/cpu/parallel.h"
#include "kernels/f32.h"
#include "kernels/math/half.h"

namespace actlab {
namespace {

ACTLAB_EACH_INSTRUCTION_SET
void widen_part(const BFloat16* __restrict x, std::int64_t n, float* __restrict y) {
  for (std::int64_t i = 0; i < n; ++i) y[i] = math::to_float(x[i]);
}

ACTLAB_EACH_INSTRUCTION_SET
void narrow_part(const float* __restrict x, std::int64_t n, BFloat16* __restrict y) {
  for (std::int64_t i = 0; i < n; ++i) y[i] = math::from_float<BFloat16>(x[i]);
}

}  // namespace

void widen(const BFloat16* x, std::int64_t n, float* y) {
  parallel_for(n, elements_a_part,
               [=](std::int64_t begin, std::int64_t end) { widen_part(x + begin, end - begin, y + begin); });
}

void narrow(const float* x, std::int64_t n, BFloat16* y) {
  parallel_for(n, elements_a_part,
               [=](std::int64_t begin, std::int64_t end) { narrow_part(x + begin, end - begin, y + begin); });
}

}  // namespace actlab
