// Random numbers for benchmarks.
#include "experiments/cli/timing.h"

#include "framework/ops/ops.h"
#include "kernels/cpu/parallel.h"
#include "kernels/random.h"

namespace actlab {

Tensor normal_values(const Shape& shape, DType dtype, std::uint64_t seed, Backend& backend) {
  Tensor values = Tensor::empty(shape, DType::f32, backend, MemoryKind::temporaries);
  float* out = values.mutable_data().as<float>();
  parallel_for(values.count(), 4096,
               [=, random = Random(seed, RandomPurpose::synthetic)](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t i = begin; i < end; ++i)
                   out[i] = static_cast<float>(random.normal(static_cast<std::uint64_t>(i)));
               });
  return dtype == DType::f32 ? values : cast(values, dtype);
}

}  // namespace actlab
