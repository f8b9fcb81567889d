// Convolution by oneDNN. Images name NHWC on both sides: with a free choice of the destination's layout
// oneDNN falls back to its reference implementation. Filters take the layout it likes and are copied from or
// to OHWI.
#include <optional>

#include "kernels/cpu/bias.h"
#include "kernels/cpu/f32.h"
#include "kernels/cpu/onednn/families.h"
#include "kernels/cpu/onednn/primitive.h"

namespace actlab {
namespace onednn {
namespace {

using Tag = dnnl::memory::format_tag;

enum class Pass { forward, backward_data, backward_weights };

struct ConvolutionKey {
  Pass pass;
  ConvolutionSizes sizes;
  bool bias;
  int threads;
  bool operator==(const ConvolutionKey&) const = default;
};

std::string describe(const ConvolutionKey& key) {
  static constexpr const char* names[] = {"forward", "backward by data", "backward by weights"};
  const ConvolutionSizes& s = key.sizes;
  return concat("convolution ", names[static_cast<int>(key.pass)], " of x ",
                Shape{s.batch, s.height, s.width, s.in_channels}, ", w ",
                Shape{s.out_channels, s.kernel_h, s.kernel_w, s.in_channels}, ", stride ",
                Shape{s.stride_h, s.stride_w}, ", padding ", Shape{s.pad_h, s.pad_w},
                key.bias ? ", bias" : "");
}

ConvolutionDescs descs(const ConvolutionSizes& s, bool bias, Tag filter_layout) {
  constexpr auto type = dnnl::memory::data_type::f32;
  return {.x = Desc({s.batch, s.in_channels, s.height, s.width}, type, Tag::nhwc),
          .w = Desc({s.out_channels, s.in_channels, s.kernel_h, s.kernel_w}, type, filter_layout),
          .bias = bias ? Desc({s.out_channels}, type, Tag::a) : Desc(),
          .y = Desc({s.batch, s.out_channels, s.out_height(), s.out_width()}, type, Tag::nhwc),
          .strides = {s.stride_h, s.stride_w},
          .pads = {s.pad_h, s.pad_w}};
}

// A pass for given sizes: its primitive, the layouts of its arrays, and the copy of the filters if one is
// due.
struct ConvolutionPlan {
  ConvolutionDescs user;  // filters OHWI
  Desc filters;           // as the primitive wants them
  Primitive primitive;
  std::optional<Primitive> copy_filters;
};

ConvolutionPlan make_plan(const ConvolutionKey& key) {
  const ConvolutionDescs any = descs(key.sizes, key.bias, Tag::any);
  const ConvolutionDescs user = descs(key.sizes, key.bias, Tag::ohwi);
  const dnnl::primitive_attr attr = user_scratchpad();
  const ForwardDesc forward = forward_desc(engine(), attr, any);
  const auto plan = [&](const Desc& filters, Primitive primitive) {
    std::optional<Primitive> copy;
    const bool by_weights = key.pass == Pass::backward_weights;
    if (filters != user.w) copy = by_weights ? make_reorder(filters, user.w) : make_reorder(user.w, filters);
    return ConvolutionPlan{user, filters, std::move(primitive), std::move(copy)};
  };
  switch (key.pass) {
    case Pass::forward:
      break;
    case Pass::backward_data: {
      const DataDesc desc = data_desc(engine(), attr, any, forward);
      return plan(desc.weights_desc(), {desc, dnnl::convolution_backward_data(desc)});
    }
    case Pass::backward_weights: {
      const WeightsDesc desc = weights_desc(engine(), attr, any, forward);
      return plan(desc.diff_weights_desc(), {desc, dnnl::convolution_backward_weights(desc)});
    }
  }
  return plan(forward.weights_desc(), {forward, dnnl::convolution_forward(forward)});
}

class Convolution final : public ConvolutionKernels, public OnednnChoices {
 public:
  explicit Convolution(Memory& memory) : memory_(memory) {}

  std::string implementation() const override { return version(); }

  std::vector<std::string> choices() const override {
    return plans_.list([](const ConvolutionKey& key, const ConvolutionPlan& plan) {
      return concat(describe(key), ": ", plan.primitive.implementation());
    });
  }

  void forward(const ConvolutionSizes& sizes, ConstArray x, ConstArray w, ConstArray bias, Array y) override {
    const float* in = f32("convolution", x);
    const float* filters = f32("convolution", w);
    const float* row = f32("convolution", bias);
    float* out = f32("convolution", y);
    if (sizes.batch == 0) return;
    run(Pass::forward, sizes, row != nullptr, [&](const ConvolutionPlan& plan, const dnnl::memory& inner) {
      if (plan.copy_filters) copy_filters(plan, view(plan.user.w, filters), inner);
      std::unordered_map<int, dnnl::memory> arguments = {
          {DNNL_ARG_SRC, view(plan.user.x, in)},
          {DNNL_ARG_WEIGHTS, plan.copy_filters ? inner : view(plan.user.w, filters)},
          {DNNL_ARG_DST, view(plan.user.y, out)}};
      if (row != nullptr) arguments.emplace(DNNL_ARG_BIAS, view(plan.user.bias, row));
      plan.primitive.run(memory_, std::move(arguments));
    });
  }

  void backward_data(const ConvolutionSizes& sizes, ConstArray dy, ConstArray w, Array dx) override {
    const float* gradient = f32("convolution", dy);
    const float* filters = f32("convolution", w);
    float* out = f32("convolution", dx);
    if (sizes.batch == 0) return;
    run(Pass::backward_data, sizes, false, [&](const ConvolutionPlan& plan, const dnnl::memory& inner) {
      if (plan.copy_filters) copy_filters(plan, view(plan.user.w, filters), inner);
      plan.primitive.run(memory_, {{DNNL_ARG_DIFF_DST, view(plan.user.y, gradient)},
                                   {DNNL_ARG_WEIGHTS, plan.copy_filters ? inner : view(plan.user.w, filters)},
                                   {DNNL_ARG_DIFF_SRC, view(plan.user.x, out)}});
    });
  }

  void backward_weights(const ConvolutionSizes& sizes, ConstArray x, ConstArray dy, Array dw,
                        Array dbias) override {
    const float* in = f32("convolution", x);
    const float* gradient = f32("convolution", dy);
    float* out = f32("convolution", dw);
    float* row = f32("convolution", dbias);
    if (sizes.batch == 0) {
      fill_rows(nullptr, 1, dw.count(), out);
      if (row != nullptr) fill_rows(nullptr, 1, dbias.count(), row);
      return;
    }
    run(Pass::backward_weights, sizes, row != nullptr,
        [&](const ConvolutionPlan& plan, const dnnl::memory& inner) {
          std::unordered_map<int, dnnl::memory> arguments = {
              {DNNL_ARG_SRC, view(plan.user.x, in)},
              {DNNL_ARG_DIFF_DST, view(plan.user.y, gradient)},
              {DNNL_ARG_DIFF_WEIGHTS, plan.copy_filters ? inner : view(plan.user.w, out)}};
          if (row != nullptr) arguments.emplace(DNNL_ARG_DIFF_BIAS, view(plan.user.bias, row));
          plan.primitive.run(memory_, std::move(arguments));
          if (plan.copy_filters) copy_filters(plan, inner, view(plan.user.w, out));
        });
  }

 private:
  // Calls f(plan, filters in the primitive's layout, uninitialised) for the pass.
  template <class F>
  void run(Pass pass, const ConvolutionSizes& sizes, bool bias, const F& f) {
    const Threads threads;
    const ConvolutionKey key{pass, sizes, bias, threads.count()};
    with_errors_named(key, [&] {
      const auto plan = plans_.get(key, [&] { return make_plan(key); });
      const auto bytes = static_cast<std::int64_t>(plan->copy_filters ? plan->filters.get_size() : 0);
      const Buffer filters(memory_, bytes, MemoryKind::workspace);
      f(*plan, view(plan->filters, filters.data()));
    });
  }

  void copy_filters(const ConvolutionPlan& plan, const dnnl::memory& from, const dnnl::memory& to) {
    plan.copy_filters->run(memory_, {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
  }

  Memory& memory_;
  Cache<ConvolutionKey, ConvolutionPlan> plans_;
};

}  // namespace
}  // namespace onednn

std::unique_ptr<ConvolutionKernels> make_onednn_convolution(Memory& memory) {
  return std::make_unique<onednn::Convolution>(memory);
}

}  // namespace actlab
