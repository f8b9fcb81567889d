// Names and parameters of modules.
#include "framework/nn/module.h"

#include "framework/autograd/node.h"

namespace actlab {

Tensor Module::operator()(const Tensor& x) {
  const LayerScope scope(name_);
  return forward(x);
}

std::vector<NamedParameter> Module::parameters() const {
  std::vector<NamedParameter> all = own_;
  for (const Module* part : parts_)
    for (NamedParameter& parameter : part->parameters())
      all.push_back({concat(part->name_, '.', parameter.name), parameter.tensor});
  return all;
}

void Module::add_parameter(std::string name, Tensor& tensor) {
  tensor.require_grad();
  own_.push_back({std::move(name), tensor});
}

void Module::add_part(std::string name, Module& part) {
  part.name_ = std::move(name);
  parts_.push_back(&part);
}

}  // namespace actlab
