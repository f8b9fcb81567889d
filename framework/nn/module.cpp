// Names, parameters and modes of modules.
#include "framework/nn/module.h"

#include "framework/autograd/node.h"

namespace actlab {

void keep_in_range(const std::vector<LearnedParameter>& parameters) {
  for (LearnedParameter p : parameters)
    p.tensor.backend().elementwise.clamp(p.tensor.data(), Parameter(p.info->least).value,
                                         Parameter(p.info->most).value, p.tensor.mutable_data());
}

Tensor Module::operator()(const Tensor& x) {
  const LayerScope scope = layer_scope();
  return forward(x);
}

LayerScope Module::layer_scope() const { return LayerScope(name_); }

Tensor Module::logits(const Batch& batch) { return (*this)(batch.inputs); }

template <class T>
std::vector<T> Module::collect(std::vector<T> Module::*own) const {
  std::vector<T> all = this->*own;
  for (const Module* part : parts_)
    for (T& item : part->collect(own)) {
      item.name = concat(part->name_, '.', item.name);
      all.push_back(std::move(item));
    }
  return all;
}

std::vector<NamedParameter> Module::parameters() const { return collect(&Module::own_parameters_); }

std::vector<NamedParameter> Module::buffers() const { return collect(&Module::own_buffers_); }

std::vector<LearnedParameter> Module::learned() const { return collect(&Module::own_learned_); }

void Module::train(std::int64_t pass) {
  training_ = true;
  pass_ = pass;
  for (Module* part : parts_) part->train(pass);
}

void Module::eval() {
  training_ = false;
  for (Module* part : parts_) part->eval();
}

void Module::add_parameter(std::string name, Tensor& tensor) {
  tensor.require_grad();
  own_parameters_.push_back({std::move(name), tensor});
}

void Module::add_buffer(std::string name, Tensor& tensor) {
  own_buffers_.push_back({std::move(name), tensor});
}

void Module::add_learned(const ParameterInfo& info, Tensor& tensor) {
  add_parameter(std::string(info.name), tensor);
  own_learned_.push_back({std::string(info.name), tensor, &info});
}

void Module::add_part(std::string name, Module& part) {
  part.name_ = std::move(name);
  parts_.push_back(&part);
}

EvaluationMode::EvaluationMode(Module& module) : module_(module), training_(module.training()) {
  module.eval();
}

EvaluationMode::~EvaluationMode() {
  if (training_) module_.train(module_.pass());
}

}  // namespace actlab
