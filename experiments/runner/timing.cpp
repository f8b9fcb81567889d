// Medians of timings, and random numbers.
#include "experiments/runner/timing.h"

#include "experiments/results/statistics.h"
#include "framework/ops/ops.h"
#include "kernels/cpu/parallel.h"
#include "kernels/random.h"

namespace actlab {

std::vector<double> medians_in_turns(std::int64_t repeats, Memory& memory,
                                     const std::vector<std::function<void()>>& passes) {
  std::vector<std::vector<double>> times(passes.size());
  for (std::int64_t i = -2; i < repeats; ++i) {
    for (std::size_t k = 0; k < passes.size(); ++k) {
      const double seconds = seconds_of(memory, passes[k]);
      if (i >= 0) times[k].push_back(seconds);
    }
  }
  std::vector<double> medians;
  for (const std::vector<double>& of_pass : times) medians.push_back(median(of_pass));
  return medians;
}

double median_seconds(std::int64_t repeats, Memory& memory, const std::function<void()>& pass) {
  return medians_in_turns(repeats, memory, {pass}).front();
}

Tensor normal_values(const Shape& shape, DType dtype, std::uint64_t seed, Backend& backend) {
  Tensor values = Tensor::empty(shape, DType::f32, backend, MemoryKind::temporaries);
  const bool on_host = backend.memory.on_host();
  std::vector<float> sent(on_host ? 0 : static_cast<std::size_t>(shape.count()));
  float* out = on_host ? values.mutable_data().as<float>() : sent.data();
  parallel_for(values.count(), 4096,
               [=, random = Random(seed, RandomPurpose::synthetic)](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t i = begin; i < end; ++i)
                   out[i] = static_cast<float>(random.normal(static_cast<std::uint64_t>(i)));
               });
  if (!on_host) values = Tensor::from(sent, shape, backend, MemoryKind::temporaries);
  return dtype == DType::f32 ? values : cast(values, dtype);
}

}  // namespace actlab
