// The check of trained parameters of activations on the device.
#include "kernels/cuda/learned.h"

#include "kernels/cuda/fault.h"
#include "kernels/cuda/reduce.h"
#include "kernels/reference/learned.h"

namespace actlab::cuda {
namespace {

// One block, for the first wrong value.
__global__ void __launch_bounds__(block_threads)
    check_learned_kernel(std::int64_t n, const float* values, Fault fault, Fault* record) {
  std::int64_t first = n;
  for (std::int64_t i = threadIdx.x; i < n; i += blockDim.x) {
    const double value = double{values[i]};
    const bool inside = value >= fault.least && value <= fault.most;  // a NaN is not
    if (!inside && i < first) first = i;
  }
  first = team_min(first);
  if (threadIdx.x == 0 && first < n) report(fault, first, double{values[first]}, record);
}

std::string text(const Fault& f) { return learned_text(f.operation, f.name, f.value, f.least, f.most); }

}  // namespace

void check_learned(const ActivationHandle& activation, ConstArray learned) {
  const ParameterInfo& info = learnable_parameter(activation);
  const Fault fault{.text = text,
                    .operation = activation.info().name,
                    .name = info.name,
                    .least = Parameter(info.least).value,
                    .most = Parameter(info.most).value};
  launch("check of trained parameters", check_learned_kernel, block_for_each(1), learned.count(),
         learned.as<float>(), fault, fault_record());
}

}  // namespace actlab::cuda
