// Holds the operation's gradients against central differences; the exit code is 1 where they differ.
#include <iostream>

#include "framework/autograd/gradient_check.h"
#include "scale_channels.h"

int main() {
  const actlab::GradientCheck check = actlab::check_gradients(
      [](const std::vector<actlab::Tensor>& inputs) { return example::scale_channels(inputs[0], inputs[1]); },
      {actlab::random_input({2, 3, 4, 5}, 1), actlab::random_input({2, 5}, 2)});
  std::cout << "scale_channels: largest error of a gradient " << check.worst << '\n';
  if (!check.passed) std::cerr << check.message << '\n';
  return check.passed ? 0 : 1;
}
