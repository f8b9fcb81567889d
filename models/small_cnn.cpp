// The small convolutional network.
#include "models/small_cnn.h"

#include <numbers>

#include "framework/nn/layers.h"
#include "framework/nn/norm.h"

namespace actlab {
namespace {

void check_context(const ModelContext& context, const ImageSpec& images,
                   const std::vector<std::int64_t>& widths) {
  if (context.activation.gated())
    throw ConfigError(
        concat("model.activation: '", context.activation.spelled(),
               "' is gated and needs a second projection, which small_cnn does not have; the models bert_ffn "
               "and bert_encoder take gated activations"));
  constexpr std::int64_t widest = 65536;
  const auto fits = [](std::int64_t width) { return 1 <= width && width <= widest; };
  if (widths.size() != 2 || !fits(widths[0]) || !fits(widths[1]))
    throw ConfigError(
        concat("model.widths: two channel counts from 1 to ", widest, " wanted, such as [32, 64]"));
  if (images.height < 4 || images.width < 4)
    throw ConfigError(
        concat("model.name: small_cnn halves images twice and needs at least 4 x 4 pixels, the data has ",
               images.height, " x ", images.width));
}

// The gain of the layers before an activation; the last layer has 1.
double gain_of(const std::string& init, const ActivationHandle& activation) {
  if (init == "activation") return activation.gain();
  return init == "kaiming" ? std::numbers::sqrt2 : 1.0;
}

std::unique_ptr<Module> make(const Options& options, const ImageSpec& images, const ModelContext& context) {
  const std::vector<std::int64_t>& widths = options.integers("widths");
  check_context(context, images, widths);
  const std::string& scheme = options.text("init");
  Initializer init(context.seed, scheme == "xavier" ? InitScheme::xavier : InitScheme::kaiming,
                   context.backend, context.precision);
  const double gain = gain_of(scheme, context.activation);
  const Conv2dOptions same{.pad_h = 1, .pad_w = 1};

  // Norms read f32.
  const DType convolved = options.flag("batch_norm") ? DType::f32 : context.precision;
  auto model = std::make_unique<Sequential>();
  std::int64_t channels = images.channels;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    model->add("conv" + number,
               std::make_unique<Conv2d>(channels, widths[i], 3, same, init, gain, convolved));
    if (options.flag("batch_norm"))
      model->add("norm" + number, std::make_unique<BatchNorm2d>(widths[i], init));
    if (context.fuse && context.activation.learned() == Learned::fixed) {
      model->add("act_pool" + number, std::make_unique<ActivationMaxPool2d>(context.activation, 2, init));
    } else {
      model->add("act" + number, std::make_unique<Activation>(context.activation, widths[i], init));
      model->add("pool" + number, std::make_unique<MaxPool2d>(2));
    }
    channels = widths[i];
  }
  const std::int64_t features = channels * (images.height / 2 / 2) * (images.width / 2 / 2);
  model->add("flatten", std::make_unique<Flatten>());
  model->add("dropout", std::make_unique<Dropout>(options.number("dropout"), init));
  model->add("head", std::make_unique<Linear>(features, images.classes, init, 1.0));
  return model;
}

}  // namespace

ModelType small_cnn() {
  return {
      .name = "small_cnn",
      .summary = "two convolutions with activation and pooling, one linear layer; images of 4 x 4 and more",
      .options = {{.name = "widths",
                   .fallback = std::vector<std::int64_t>{32, 64},
                   .help = "channels of the convolutions"},
                  {.name = "init",
                   .fallback = std::string("xavier"),
                   .help = "initial weights: xavier, kaiming (gain sqrt 2), or activation (kaiming with the "
                           "activation's own "
                           "gain: then arms of a comparison do not share their weights)",
                   .choices = {"xavier", "kaiming", "activation"}},
                  {.name = "batch_norm",
                   .fallback = false,
                   .help = "batch norm between each convolution, which keeps its bias, and its activation"},
                  {.name = "dropout",
                   .fallback = 0.0,
                   .help = "probability that a feature before the linear layer is dropped",
                   .least = 0,
                   .most = 1}},
      .make = MakeModel<ImageSpec>(make)};
}

}  // namespace actlab
