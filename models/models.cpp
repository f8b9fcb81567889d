// The list of models.
#include "models/models.h"

#include "kernels/error.h"
#include "models/bert_encoder.h"
#include "models/bert_ffn.h"
#include "models/small_cnn.h"

namespace actlab {
namespace {

constexpr const char* kind_of(const ImageSpec& /*images*/) { return "images"; }
constexpr const char* kind_of(const TextSpec& /*text*/) { return "text"; }

std::vector<ModelType>& types() {
  static std::vector<ModelType> all = {small_cnn(), bert_ffn(), bert_encoder()};
  return all;
}

template <class Spec>
std::string models_for() {
  std::string names;
  for (const ModelType& type : model_types())
    if (std::holds_alternative<MakeModel<Spec>>(type.make)) names += (names.empty() ? "" : ", ") + type.name;
  return names;
}

}  // namespace

const std::vector<ModelType>& model_types() { return types(); }

void add_model(ModelType type) { add_component("model", std::move(type), types()); }

std::unique_ptr<Module> make_model(const ModelType& type, const Options& options, const DataSpec& data,
                                   const ModelContext& context) {
  return std::visit(
      [&]<class Spec>(const Spec& spec) {
        if (const auto* make = std::get_if<MakeModel<Spec>>(&type.make))
          return (*make)(options, spec, context);
        throw ConfigError(concat("model.name: ", type.name, " does not take ", kind_of(spec),
                                 ", which the data set gives; models for it: ", models_for<Spec>()));
      },
      data);
}

}  // namespace actlab
