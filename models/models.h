// The models by name. Adding one: its file, and its line in models.cpp.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "framework/core/component.h"
#include "framework/data/dataset.h"
#include "framework/nn/module.h"
#include "kernels/activation.h"

namespace actlab {

/// What a model is built from, beside its own options.
struct ModelContext {
  DataSpec data;
  ActivationHandle activation;
  std::uint64_t seed;
  Backend& backend;
};

/// The data's spec, where it is of that kind; ConfigError that names the model, and those for the other kind.
const ImageSpec& images_of(const ModelContext& context, std::string_view model);
const TextSpec& text_of(const ModelContext& context, std::string_view model);

/// Throws ConfigError where the data or the activation does not suit the model.
using ModelType = Component<std::unique_ptr<Module>(const Options&, const ModelContext&)>;

const std::vector<ModelType>& model_types();

}  // namespace actlab
