// peer_onednn_step: the small CNN's training step as bare oneDNN primitives, each timed alone, beside
// actlab's step in alternating rounds. Their sum is what a step costs that fuses nothing; the loss and the
// update are left out.
#include <CLI/CLI.hpp>
#include <cstring>
#include <functional>
#include <iostream>
#include <unordered_map>

#include "experiments/cli/log.h"
#include "experiments/cli/output.h"
#include "experiments/cli/step_bench.h"
#include "experiments/config/resolve.h"
#include "experiments/peers/peer_main.h"
#include "experiments/results/statistics.h"
#include "experiments/runner/build.h"
#include "experiments/runner/precision.h"
#include "experiments/runner/timing.h"
#include "kernels/cpu/onednn/compat.h"
#include "kernels/cpu/threads.h"

namespace actlab {
namespace {

using namespace onednn;
using Tag = dnnl::memory::format_tag;

struct Arguments {
  std::string activation = "gelu", precision = "f32", format = "table";
  std::int64_t batch = 128, threads = 0, rounds = 15;
};

// The step's primitives on zeros, in NHWC on both sides as actlab has them.
class BareStep {
 public:
  BareStep(std::int64_t batch, const Eltwise& activation, dnnl::memory::data_type type)
      : activation_(activation), type_(type) {
    dnnl::memory x = zeros(images({batch, 3, 32, 32}));
    x = convolve("conv1", x, 32, false);
    x = pool("pool1", activate("act1", x));
    x = convolve("conv2", x, 64, true);
    pool("pool2", activate("act2", x));
    head(batch, 64 * 8 * 8, 10);
  }

  // Runs each part once and notes its time.
  void run() {
    for (Part& part : parts_) part.seconds.push_back(seconds_of(find_backend("cpu").memory, part.run));
  }
  double report(Table& table) const {
    double sum = 0;
    for (const Part& part : parts_) {
      const double seconds = median(part.seconds);
      table.rows.push_back({"oneDNN " + part.name, seconds, Cell()});
      sum += seconds;
    }
    return sum;
  }

 private:
  struct Part {
    std::string name;
    std::function<void()> run;
    std::vector<double> seconds;
  };

  Desc images(const Dims& dims) const { return {dims, type_, Tag::nhwc}; }
  Desc matrix(const Dims& dims, Tag tag) const { return {dims, type_, tag}; }

  dnnl::memory zeros(const Desc& desc) const {
    dnnl::memory memory(desc, engine_);
    std::memset(memory.get_data_handle(), 0, desc.get_size());
    return memory;
  }
  void add(const std::string& name, const dnnl::primitive& primitive,
           const std::unordered_map<int, dnnl::memory>& arguments) {
    parts_.push_back(
        {name, [this, primitive, arguments] { primitive.execute(stream_, arguments), stream_.wait(); }, {}});
  }

  dnnl::memory convolve(const std::string& name, const dnnl::memory& x, std::int64_t out, bool by_data) {
    const Dims in = dims_of(x.get_desc());
    const ConvolutionDescs descs{.x = x.get_desc(),
                                 .w = Desc({out, in[1], 3, 3}, type_, Tag::any),
                                 .bias = matrix({out}, Tag::a),
                                 .y = images({in[0], out, in[2], in[3]}),
                                 .strides = {1, 1},
                                 .pads = {1, 1}};
    const dnnl::primitive_attr none;
    const ForwardDesc forward = forward_desc(engine_, none, descs);
    const dnnl::memory w = zeros(forward.weights_desc()), b = zeros(descs.bias), y = zeros(descs.y),
                       dy = zeros(descs.y);
    add(name, dnnl::convolution_forward(forward),
        {{DNNL_ARG_SRC, x}, {DNNL_ARG_WEIGHTS, w}, {DNNL_ARG_BIAS, b}, {DNNL_ARG_DST, y}});
    const WeightsDesc weights = weights_desc(engine_, none, descs, forward);
    add(name + " by weights", dnnl::convolution_backward_weights(weights),
        {{DNNL_ARG_SRC, x},
         {DNNL_ARG_DIFF_DST, dy},
         {DNNL_ARG_DIFF_WEIGHTS, zeros(weights.diff_weights_desc())},
         {DNNL_ARG_DIFF_BIAS, zeros(descs.bias)}});
    if (!by_data) return y;
    const DataDesc data = data_desc(engine_, none, descs, forward);
    add(name + " by data", dnnl::convolution_backward_data(data),
        {{DNNL_ARG_DIFF_DST, dy},
         {DNNL_ARG_WEIGHTS, zeros(data.weights_desc())},
         {DNNL_ARG_DIFF_SRC, zeros(descs.x)}});
    return y;
  }

  dnnl::memory activate(const std::string& name, const dnnl::memory& x) {
    const Desc desc = x.get_desc();
    const EltwiseDesc forward = eltwise_desc(engine_, activation_, desc);
    const dnnl::memory y = zeros(desc);
    add(name, dnnl::eltwise_forward(forward), {{DNNL_ARG_SRC, x}, {DNNL_ARG_DST, y}});
    add(name + " backward",
        dnnl::eltwise_backward(eltwise_backward_desc(engine_, activation_, desc, forward)),
        {{DNNL_ARG_SRC, x}, {DNNL_ARG_DIFF_DST, zeros(desc)}, {DNNL_ARG_DIFF_SRC, zeros(desc)}});
    return y;
  }

  dnnl::memory pool(const std::string& name, const dnnl::memory& x) {
    const Dims in = dims_of(x.get_desc());
    const Desc from = x.get_desc(), to = images({in[0], in[1], in[2] / 2, in[3] / 2});
    const PoolDesc forward = max_pool_desc(engine_, from, to, {2, 2});
    const dnnl::memory y = zeros(to), argmax = zeros(forward.workspace_desc());
    add(name, dnnl::pooling_forward(forward),
        {{DNNL_ARG_SRC, x}, {DNNL_ARG_DST, y}, {DNNL_ARG_WORKSPACE, argmax}});
    add(name + " backward",
        dnnl::pooling_backward(max_pool_backward_desc(engine_, from, to, {2, 2}, forward)),
        {{DNNL_ARG_DIFF_DST, zeros(to)}, {DNNL_ARG_DIFF_SRC, zeros(from)}, {DNNL_ARG_WORKSPACE, argmax}});
    return y;
  }

  // x (batch, in) times the transpose of w (out, in), and the products of both gradients.
  void head(std::int64_t batch, std::int64_t in, std::int64_t out) {
    multiply("head", matrix({batch, in}, Tag::ab), matrix({in, out}, Tag::ba));
    multiply("head by data", matrix({batch, out}, Tag::ab), matrix({out, in}, Tag::ab));
    multiply("head by weights", matrix({out, batch}, Tag::ba), matrix({batch, in}, Tag::ab));
  }
  void multiply(const std::string& name, const Desc& a, const Desc& b) {
    const Desc y = matrix({dims_of(a)[0], dims_of(b)[1]}, Tag::ab);
    const MatmulDesc desc = matmul_desc(engine_, {}, a, b, Desc(), y);
    add(name, dnnl::matmul(desc),
        {{DNNL_ARG_SRC, zeros(a)}, {DNNL_ARG_WEIGHTS, zeros(b)}, {DNNL_ARG_DST, zeros(y)}});
  }

  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  Eltwise activation_;
  dnnl::memory::data_type type_;
  std::vector<Part> parts_;
};

Eltwise eltwise_of(const std::string& activation) {
  return {activation == "relu" ? dnnl::algorithm::eltwise_relu : dnnl::algorithm::eltwise_gelu_erf, 0, 0};
}

void compare(const Arguments& arguments) {
  use_threads(static_cast<int>(arguments.threads), true);
  Settings settings;
  add_arguments({"model.activation=" + arguments.activation, "precision=" + arguments.precision}, settings);
  const Experiment experiment =
      with_usable_precision({resolve(settings.settings, known_schemas())}, log_warning).front();
  StepBench ours(experiment, cifar_images, arguments.batch, backend_of(experiment));
  BareStep theirs(
      arguments.batch, eltwise_of(arguments.activation),
      experiment.precision == "f32" ? dnnl::memory::data_type::f32 : dnnl::memory::data_type::bf16);
  for (int i = 0; i < 3; ++i) ours.step(), theirs.run();  // the first calls warm up
  std::vector<double> seconds;
  for (std::int64_t i = 0; i < arguments.rounds; ++i) {
    seconds.push_back(seconds_of(find_backend("cpu").memory, [&] { ours.step(); }));
    theirs.run();
  }
  Table table{{{"part"}, {"seconds", Unit::seconds}, {"of_sum"}}, {}};
  const double sum = theirs.report(table), step = median(seconds);
  table.rows.push_back({"sum of oneDNN's", sum, 1.0});
  table.rows.push_back({concat("actlab's step in ", experiment.precision), step, step / sum});
  print(table, arguments.format);
}

}  // namespace
}  // namespace actlab

int main(int argc, char** argv) {
  actlab::Arguments arguments;
  CLI::App app("The small CNN's step as single oneDNN primitives, beside actlab's", "peer_onednn_step");
  app.add_option("--activation", arguments.activation, "gelu or relu")
      ->check(CLI::IsMember({"gelu", "relu"}))
      ->capture_default_str();
  app.add_option("--precision", arguments.precision, "f32, or bf16 where the CPU has it")
      ->check(CLI::IsMember({"f32", "bf16"}))
      ->capture_default_str();
  app.add_option("--batch", arguments.batch, "images")->check(CLI::Range(1, 1 << 30))->capture_default_str();
  app.add_option("--threads", arguments.threads, "0: all cores")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
  app.add_option("--rounds", arguments.rounds, "timed turns of both")
      ->check(CLI::Range(1, 1 << 30))
      ->capture_default_str();
  app.add_option("--format", arguments.format, "how the result is printed")
      ->check(CLI::IsMember(actlab::table_format_names()))
      ->capture_default_str();
  return actlab::peer_main(app, argc, argv, [&] { actlab::compare(arguments); });
}
