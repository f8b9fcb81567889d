// Convolution by oneDNN. Images name NHWC on both sides: with a free choice of the destination's layout
// oneDNN falls back to its reference implementation. Filters take the layout it likes and are copied from or
// to OHWI.
#include <optional>

#include "kernels/cpu/bias.h"
#include "kernels/cpu/onednn/families.h"
#include "kernels/cpu/onednn/primitive.h"
#include "kernels/cpu/widening.h"
#include "kernels/f32.h"

namespace actlab {
namespace onednn {
namespace {

using Tag = dnnl::memory::format_tag;

enum class Pass { forward, backward_data, backward_weights };

struct ConvolutionKey {
  Pass pass;
  ConvolutionSizes sizes;
  bool bias;
  DType operands, result;
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
                key.bias ? ", bias" : "", ", ", key.operands, " to ", key.result);
}

// The arrays of a pass: its result is that of the pass's name, the others are its operands.
ConvolutionDescs descs(const ConvolutionKey& key, Tag filter_layout) {
  const ConvolutionSizes& s = key.sizes;
  const auto type = [&](Pass makes) {
    return type_of("convolution", key.pass == makes ? key.result : key.operands);
  };
  return {.x = Desc({s.batch, s.in_channels, s.height, s.width}, type(Pass::backward_data), Tag::nhwc),
          .w = Desc({s.out_channels, s.in_channels, s.kernel_h, s.kernel_w}, type(Pass::backward_weights),
                    filter_layout),
          .bias = key.bias ? Desc({s.out_channels}, dnnl::memory::data_type::f32, Tag::a) : Desc(),
          .y = Desc({s.batch, s.out_channels, s.out_height(), s.out_width()}, type(Pass::forward), Tag::nhwc),
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
  const ConvolutionDescs any = descs(key, Tag::any), user = descs(key, Tag::ohwi);
  const dnnl::primitive_attr attr = user_scratchpad();
  // The backward passes take it as a hint: all their types are those of a forward pass.
  ConvolutionKey forward_key = key;
  forward_key.pass = Pass::forward;
  if (key.pass != Pass::forward) forward_key.result = key.operands;
  const ForwardDesc forward = forward_desc(engine(), attr, descs(forward_key, Tag::any));
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

class Convolution final : public WideningConvolution, public OnednnChoices {
 public:
  Convolution(Memory& memory, Multiplication multiplication)
      : WideningConvolution(memory, multiplication == Multiplication::native && has_code_for(DType::bf16)) {}

  std::string implementation() const override { return version(); }

  std::vector<std::string> choices() const override {
    return plans_.list([](const ConvolutionKey& key, const ConvolutionPlan& plan) {
      return concat(describe(key), ": ", plan.primitive.implementation());
    });
  }

 protected:
  void run_forward(const ConvolutionSizes& sizes, ConstArray x, ConstArray w, ConstArray bias,
                   Array y) override {
    const float* row = f32("convolution", bias);
    run(Pass::forward, sizes, row != nullptr, x.dtype, y.dtype,
        [&](const ConvolutionPlan& plan, const dnnl::memory& inner) {
          if (plan.copy_filters) copy_filters(plan, view(plan.user.w, w.data), inner);
          std::unordered_map<int, dnnl::memory> arguments = {
              {DNNL_ARG_SRC, view(plan.user.x, x.data)},
              {DNNL_ARG_WEIGHTS, plan.copy_filters ? inner : view(plan.user.w, w.data)},
              {DNNL_ARG_DST, view(plan.user.y, y.data)}};
          if (row != nullptr) arguments.emplace(DNNL_ARG_BIAS, view(plan.user.bias, row));
          plan.primitive.run(memory(), std::move(arguments));
        });
  }

  void run_backward_data(const ConvolutionSizes& sizes, ConstArray dy, ConstArray w, Array dx) override {
    run(Pass::backward_data, sizes, false, dy.dtype, dx.dtype,
        [&](const ConvolutionPlan& plan, const dnnl::memory& inner) {
          if (plan.copy_filters) copy_filters(plan, view(plan.user.w, w.data), inner);
          plan.primitive.run(memory(),
                             {{DNNL_ARG_DIFF_DST, view(plan.user.y, dy.data)},
                              {DNNL_ARG_WEIGHTS, plan.copy_filters ? inner : view(plan.user.w, w.data)},
                              {DNNL_ARG_DIFF_SRC, view(plan.user.x, dx.data)}});
        });
  }

  void run_backward_weights(const ConvolutionSizes& sizes, ConstArray x, ConstArray dy, Array dw,
                            Array dbias) override {
    float* out = f32("convolution", dw);
    float* row = f32("convolution", dbias);
    if (sizes.batch == 0) {
      fill_rows(nullptr, 1, dw.count(), out);
      if (row != nullptr) fill_rows(nullptr, 1, dbias.count(), row);
    }
    run(Pass::backward_weights, sizes, row != nullptr, x.dtype, dw.dtype,
        [&](const ConvolutionPlan& plan, const dnnl::memory& inner) {
          std::unordered_map<int, dnnl::memory> arguments = {
              {DNNL_ARG_SRC, view(plan.user.x, x.data)},
              {DNNL_ARG_DIFF_DST, view(plan.user.y, dy.data)},
              {DNNL_ARG_DIFF_WEIGHTS, plan.copy_filters ? inner : view(plan.user.w, out)}};
          if (row != nullptr) arguments.emplace(DNNL_ARG_DIFF_BIAS, view(plan.user.bias, row));
          plan.primitive.run(memory(), std::move(arguments));
          if (plan.copy_filters) copy_filters(plan, inner, view(plan.user.w, out));
        });
  }

 private:
  // Calls f(plan, filters in the primitive's layout, uninitialised) for the pass; not for a batch of nothing.
  template <class F>
  void run(Pass pass, const ConvolutionSizes& sizes, bool bias, DType operands, DType result, const F& f) {
    type_of("convolution", operands);
    if (sizes.batch == 0) return;
    const Threads threads;
    const ConvolutionKey key{pass, sizes, bias, operands, result, threads.count()};
    with_errors_named(key, [&] {
      const auto plan = plans_.get(key, [&] { return make_plan(key); });
      const auto bytes = static_cast<std::int64_t>(plan->copy_filters ? plan->filters.get_size() : 0);
      const Buffer filters(memory(), bytes, MemoryKind::workspace);
      f(*plan, view(plan->filters, filters.data()));
    });
  }

  void copy_filters(const ConvolutionPlan& plan, const dnnl::memory& from, const dnnl::memory& to) {
    plan.copy_filters->run(memory(), {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
  }

  Cache<ConvolutionKey, ConvolutionPlan> plans_;
};

}  // namespace
}  // namespace onednn

std::unique_ptr<ConvolutionKernels> make_onednn_convolution(Memory& memory, Multiplication multiplication) {
  return std::make_unique<onednn::Convolution>(memory, multiplication);
}

}  // namespace actlab
