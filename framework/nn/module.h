// A layer or model: parameters and buffers by name, a forward pass, and whether it is in training.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "framework/core/tensor.h"
#include "framework/data/dataset.h"

namespace actlab {

class LayerScope;

struct NamedParameter {
  std::string name;  ///< dotted path: "0.weight"
  Tensor tensor;     ///< shares its elements and its gradient with the module's
};

/// A trained parameter of an activation, and what its header says of it.
struct LearnedParameter {
  std::string name;  ///< dotted path, as in Module::parameters()
  Tensor tensor;     ///< f32, one value or one a channel
  const ParameterInfo* info;
};

/// Brings what an update moved out of a parameter's range back to its end. To be called after every update.
void keep_in_range(const std::vector<LearnedParameter>& parameters);

class Module {
 public:
  virtual ~Module() = default;
  virtual Tensor forward(const Tensor& x) = 0;
  /// forward() with its operations recorded under this module's name.
  Tensor operator()(const Tensor& x);
  /// Of a model: logits (M, classes) of the M labels that the batch asks for; here (*this)(batch.inputs).
  virtual Tensor logits(const Batch& batch);

  /// Own parameters and those of the parts, in order of their making.
  std::vector<NamedParameter> parameters() const;
  /// Tensors that training changes otherwise than by gradients, such as running means: kept in checkpoints,
  /// unknown to optimizers.
  std::vector<NamedParameter> buffers() const;
  /// Those of the parameters that are activations' own.
  std::vector<LearnedParameter> learned() const;

  /// Training, the state at first: forward passes use batch statistics and dropout, and move running
  /// statistics. `pass` numbers the forward passes of a run; dropout masks depend on it, not on what ran
  /// before, so that a resumed run draws the same ones.
  void train(std::int64_t pass);
  /// Evaluation: forward passes are functions of their input alone, and change nothing.
  void eval();
  bool training() const { return training_; }
  std::int64_t pass() const { return pass_; }

 protected:
  /// Records operations under this module's name, as operator() does: for passes of more inputs than one.
  LayerScope layer_scope() const;
  /// Makes `tensor` a parameter.
  void add_parameter(std::string name, Tensor& tensor);
  void add_buffer(std::string name, Tensor& tensor);
  /// Makes `tensor` a parameter that is an activation's, of the name that its header gives it.
  void add_learned(const ParameterInfo& info, Tensor& tensor);
  /// Makes `part`, which must live as long as this module, one of its parts.
  void add_part(std::string name, Module& part);

 private:
  template <class T>
  std::vector<T> collect(std::vector<T> Module::*own) const;

  std::string name_;  ///< within the module it is part of
  std::vector<NamedParameter> own_parameters_;
  std::vector<NamedParameter> own_buffers_;
  std::vector<LearnedParameter> own_learned_;
  std::vector<Module*> parts_;
  bool training_ = true;
  std::int64_t pass_ = 0;
};

/// Evaluation mode for a scope; then the mode from before.
class EvaluationMode {
 public:
  explicit EvaluationMode(Module& module);
  ~EvaluationMode();
  EvaluationMode(const EvaluationMode&) = delete;
  EvaluationMode& operator=(const EvaluationMode&) = delete;

 private:
  Module& module_;
  bool training_;
};

}  // namespace actlab
