// A layer or model: parameters by name, and a forward pass.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "framework/core/tensor.h"

namespace actlab {

struct NamedParameter {
  std::string name;  ///< dotted path: "0.weight"
  Tensor tensor;     ///< shares its elements and its gradient with the module's
};

class Module {
 public:
  virtual ~Module() = default;
  virtual Tensor forward(const Tensor& x) = 0;
  /// forward() with its operations recorded under this module's name.
  Tensor operator()(const Tensor& x);

  /// Own parameters and those of the parts, in order of their making.
  std::vector<NamedParameter> parameters() const;

 protected:
  /// Makes `tensor` a parameter.
  void add_parameter(std::string name, Tensor& tensor);
  /// Makes `part`, which must live as long as this module, one of its parts.
  void add_part(std::string name, Module& part);

 private:
  std::string name_;  ///< within the module it is part of
  std::vector<NamedParameter> own_;
  std::vector<Module*> parts_;
};

}  // namespace actlab
