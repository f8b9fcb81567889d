// The list of models.
#include "models/models.h"

#include "models/small_cnn.h"

namespace actlab {
namespace {

constexpr const char* models_of_images = "small_cnn";
constexpr const char* models_of_text = "bert_ffn, bert_encoder";

}  // namespace

const ImageSpec& images_of(const ModelContext& context, std::string_view model) {
  if (const auto* spec = std::get_if<ImageSpec>(&context.data)) return *spec;
  throw ConfigError(concat("model.name: ", model, " takes images, and the data is text; for text there are ",
                           models_of_text));
}

const TextSpec& text_of(const ModelContext& context, std::string_view model) {
  if (const auto* spec = std::get_if<TextSpec>(&context.data)) return *spec;
  throw ConfigError(concat("model.name: ", model,
                           " takes text, and the data are images; for images there is ", models_of_images));
}

const std::vector<ModelType>& model_types() {
  static const std::vector<ModelType> types = {small_cnn()};
  return types;
}

}  // namespace actlab
