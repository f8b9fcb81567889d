// Prints every activation whose name is given, with f and f' at 0.75 by the CPU's kernels.
#include <iostream>

#include "kernels/cpu/activation.h"

int main(int count, char** names) {
  try {
    const auto kernels = actlab::make_cpu_activation(actlab::best_isa());
    for (int i = 1; i < count; ++i) {
      const auto handle = actlab::ActivationHandle::parse(names[i]);
      const float x[] = {0.75f}, one[] = {1};
      float y[1], dx[1];
      const actlab::Shape shape{1};
      kernels->forward(handle, {x, actlab::DType::f32, shape}, {y, actlab::DType::f32, shape});
      kernels->backward(handle, {x, actlab::DType::f32, shape}, {one, actlab::DType::f32, shape},
                        {dx, actlab::DType::f32, shape});
      std::cout << handle.spelled() << ' ' << y[0] << ' ' << dx[0] << '\n';
    }
  } catch (const actlab::Error& error) {
    std::cout << error.what() << '\n';
    return 1;
  }
}
