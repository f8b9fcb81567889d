// What every optimizer offers, and the optimizers by name. Adding one: its file, and its line in
// optimizers.cpp, or of a program's own main().
#pragma once

#include <memory>
#include <vector>

#include "framework/core/component.h"
#include "framework/nn/module.h"

namespace actlab {

class Optimizer {
 public:
  virtual ~Optimizer() = default;
  /// One update of every parameter that has a gradient; the gradients are cleared.
  virtual void step(double lr) = 0;
  /// Its state beside the parameters, by name, for checkpoints: tensors that share the optimizer's elements.
  /// With it and the parameters another optimizer of the same options goes on bit for bit.
  virtual std::vector<NamedParameter> state() const = 0;
};

/// Makes an optimizer of a model's parameters. Every optimizer has an option `lr`, the base of the schedule.
using OptimizerType =
    Component<std::unique_ptr<Optimizer>(const Options&, const std::vector<NamedParameter>&)>;

const std::vector<OptimizerType>& optimizer_types();
/// One more, before any is used: a program's own. Throws Error for a name that is taken or no snake_case, and
/// where there is no option `lr`.
void add_optimizer(OptimizerType type);

/// State of an optimizer beside a parameter, named "PARAMETER.NAME": zeros of its shape and type.
NamedParameter state_beside(const NamedParameter& parameter, std::string_view name);

}  // namespace actlab
