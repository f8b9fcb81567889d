// The models by name. Adding one: its file, and its line in models.cpp, or of a program's own main(). See
// README.md.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "framework/core/component.h"
#include "framework/data/dataset.h"
#include "framework/nn/module.h"
#include "kernels/activation.h"

namespace actlab {

/// What a model is built from, beside its own options and the data that it takes.
struct ModelContext {
  ActivationHandle activation;
  std::uint64_t seed;
  Backend& backend;
  bool fuse = true;  ///< an activation and the pooling or the linear layer after it are one operation
  /// What matrix products, convolutions and activations compute in, f32, bf16 or f16. Parameters, norms,
  /// softmax, losses and sums of layers are f32 in both.
  DType precision = DType::f32;
};

/// Throws ConfigError where the data or the activation does not suit the model.
template <class Spec>
using MakeModel = std::function<std::unique_ptr<Module>(const Options&, const Spec&, const ModelContext&)>;

struct ModelType {
  std::string name;
  std::string summary;
  std::vector<Option> options;
  std::variant<MakeModel<ImageSpec>, MakeModel<TextSpec>> make;  ///< by the kind of data that it takes
};

const std::vector<ModelType>& model_types();
/// One more, before any is used: a program's own. Throws Error for a name that is taken or no snake_case.
void add_model(ModelType type);

/// Throws ConfigError for data of the other kind, naming the models for it, beside what `make` throws.
std::unique_ptr<Module> make_model(const ModelType& type, const Options& options, const DataSpec& data,
                                   const ModelContext& context);

}  // namespace actlab
