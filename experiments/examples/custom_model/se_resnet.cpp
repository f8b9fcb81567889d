// The residual network: its blocks, the whole, and what an experiment file may say of it.
#include "se_resnet.h"

#include "squeeze_excite.h"

namespace example {

using namespace actlab;

namespace {

constexpr Conv2dOptions same_size{.pad_h = 1, .pad_w = 1};

class Block : public Module {
 public:
  Block(std::int64_t width, std::int64_t reduction, const ActivationHandle& activation, Initializer& init)
      : act1_(activation, width, init),
        conv1_(width, width, 3, same_size, init, 1.0, init.precision()),
        act2_(activation, width, init),
        conv2_(width, width, 3, same_size, init, 1.0),
        gate_(width, reduction, activation, init) {
    add_part("act1", act1_);
    add_part("conv1", conv1_);
    add_part("act2", act2_);
    add_part("conv2", conv2_);
    add_part("gate", gate_);
  }

  Tensor forward(const Tensor& x) override { return add(x, gate_(conv2_(act2_(conv1_(act1_(x)))))); }

 private:
  Activation act1_;
  Conv2d conv1_;
  Activation act2_;
  Conv2d conv2_;
  SqueezeExcite gate_;
};

class SeResnet : public Module {
 public:
  SeResnet(const ImageSpec& images, std::int64_t width, std::int64_t blocks, std::int64_t reduction,
           const ActivationHandle& activation, Initializer& init)
      : stem_(images.channels, width, 3, same_size, init, 1.0),
        activation_(activation, width, init),
        head_(width, images.classes, init, 1.0) {
    add_part("stem", stem_);
    for (std::int64_t i = 1; i <= blocks; ++i) {
      blocks_.push_back(std::make_unique<Block>(width, reduction, activation, init));
      add_part(concat("block", i), *blocks_.back());
    }
    add_part("activation", activation_);
    add_part("head", head_);
  }

  Tensor forward(const Tensor& images) override {
    Tensor x = max_pool2d(stem_(images), 2, 2);  // (N, H / 2, W / 2, width)
    for (const auto& block : blocks_) x = (*block)(x);
    return head_(channel_means(activation_(x)));  // (N, classes)
  }

 private:
  Conv2d stem_;
  std::vector<std::unique_ptr<Block>> blocks_;
  Activation activation_;
  Linear head_;
};

std::unique_ptr<Module> make(const Options& options, const ImageSpec& images, const ModelContext& context) {
  const std::int64_t width = options.integer("width"), reduction = options.integer("reduction");
  if (context.activation.gated())
    throw ConfigError(concat("model.activation: '", context.activation.spelled(),
                             "' is gated, and se_resnet has no second projection for it"));
  if (width % reduction != 0)
    throw ConfigError(
        concat("model.reduction: wanted a divisor of model.width, ", width, ", found ", reduction));
  if (images.height < 2 || images.width < 2)
    throw ConfigError(
        concat("model.name: se_resnet halves images and needs at least 2 x 2 pixels, the data "
               "has ",
               images.height, " x ", images.width));
  Initializer init(context.seed, InitScheme::xavier, context.backend, context.precision);
  return std::make_unique<SeResnet>(images, width, options.integer("blocks"), reduction, context.activation,
                                    init);
}

Option count(const char* name, std::int64_t fallback, const char* help) {
  return {.name = name, .fallback = fallback, .help = help, .least = 1, .most = 4096};
}

}  // namespace

ModelType se_resnet() {
  return {.name = "se_resnet",
          .summary = "a small residual network with squeeze and excite; images of 2 x 2 and more",
          .options = {count("width", 32, "channels of every convolution"),
                      count("blocks", 2, "residual blocks, of two convolutions each"),
                      count("reduction", 4, "channels for one unit between squeeze and excite")},
          .make = MakeModel<ImageSpec>(make)};
}

}  // namespace example
