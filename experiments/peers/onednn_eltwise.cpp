// peer_onednn_eltwise: oneDNN's elementwise functions beside ours, on the same arrays in alternating rounds,
// and the largest errors of both at the same floats.
#include <CLI/CLI.hpp>
#include <iostream>
#include <limits>

#include "experiments/cli/output.h"
#include "experiments/peers/activation_errors.h"
#include "experiments/peers/peer_main.h"
#include "experiments/results/statistics.h"
#include "experiments/runner/timing.h"
#include "kernels/cpu/activation.h"
#include "kernels/cpu/onednn/compat.h"
#include "kernels/cpu/threads.h"

namespace actlab {
namespace {

using dnnl::algorithm;

struct Peer {
  const char* activation;  // ours
  onednn::Eltwise theirs;
};

// oneDNN 3 wants the numbers of hardswish and soft_relu; 2 ignores them.
const Peer peers[] = {{"relu", {algorithm::eltwise_relu, 0, 0}},
                      {"leaky_relu", {algorithm::eltwise_relu, 0.01f, 0}},
                      {"elu", {algorithm::eltwise_elu, 1, 0}},
                      {"silu", {algorithm::eltwise_swish, 1, 0}},
                      {"gelu", {algorithm::eltwise_gelu_erf, 0, 0}},
                      {"gelu_tanh", {algorithm::eltwise_gelu_tanh, 0, 0}},
                      {"gelu_sigmoid", {algorithm::eltwise_swish, 1.702f, 0}},
                      {"mish", {algorithm::eltwise_mish, 0, 0}},
                      {"softplus", {algorithm::eltwise_soft_relu, 1, 0}},
                      {"hardswish", {algorithm::eltwise_hardswish, 1.0f / 6, 0.5f}},
                      {"sigmoid", {algorithm::eltwise_logistic, 0, 0}},
                      {"tanh", {algorithm::eltwise_tanh, 0, 0}}};

// oneDNN's function over arrays of n floats, forward and backward.
class TheirKernels {
 public:
  TheirKernels(const onednn::Eltwise& f, std::int64_t n)
      : desc_({n}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::a),
        forward_desc_(onednn::eltwise_desc(engine_, f, desc_)),
        forward_(forward_desc_),
        backward_(onednn::eltwise_backward_desc(engine_, f, desc_, forward_desc_)) {}

  void forward(const float* x, float* y) {
    forward_.execute(stream_, {{DNNL_ARG_SRC, view(x)}, {DNNL_ARG_DST, view(y)}});
    stream_.wait();
  }
  void backward(const float* x, const float* dy, float* dx) {
    backward_.execute(
        stream_, {{DNNL_ARG_SRC, view(x)}, {DNNL_ARG_DIFF_DST, view(dy)}, {DNNL_ARG_DIFF_SRC, view(dx)}});
    stream_.wait();
  }

 private:
  dnnl::memory view(const float* data) const { return {desc_, engine_, const_cast<float*>(data)}; }

  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  onednn::Desc desc_;
  onednn::EltwiseDesc forward_desc_;
  dnnl::eltwise_forward forward_;
  dnnl::eltwise_backward backward_;
};

struct Arguments {
  std::vector<std::string> activations;
  std::int64_t elements = std::int64_t{1} << 19, threads = 0, rounds = 51;
  std::uint32_t stride = 4093;
  float most = std::numeric_limits<float>::max();
  std::string format = "table";
};

LargestErrors their_errors(const Peer& peer, const ActivationHandle& activation,
                           const std::vector<float>& x) {
  TheirKernels kernels(peer.theirs, static_cast<std::int64_t>(x.size()));
  std::vector<float> f(x.size()), df(x.size());
  const std::vector<float> ones(x.size(), 1.0f);
  kernels.forward(x.data(), f.data());
  kernels.backward(x.data(), ones.data(), df.data());
  return largest_errors(activation, x, f, df);
}

// Nanoseconds an element: ours forward, theirs forward, ours backward, theirs backward.
std::array<double, 4> times(const Peer& peer, const ActivationHandle& activation, ActivationKernels& ours,
                            const Arguments& arguments) {
  Backend& backend = find_backend("cpu");
  const Tensor x = normal_values({arguments.elements}, DType::f32, 1, backend);
  const Tensor dy = normal_values({arguments.elements}, DType::f32, 2, backend);
  Tensor y = normal_values({arguments.elements}, DType::f32, 3, backend);  // touched
  TheirKernels theirs(peer.theirs, arguments.elements);
  const float *from = x.data().as<float>(), *upstream = dy.data().as<float>();
  float* to = y.mutable_data().as<float>();
  std::array<std::vector<double>, 4> seconds;
  for (std::int64_t i = -3; i < arguments.rounds; ++i) {  // three rounds to warm up
    const double round[] = {
        seconds_of(backend.memory, [&] { ours.forward(activation, x.data(), y.mutable_data()); }),
        seconds_of(backend.memory, [&] { theirs.forward(from, to); }),
        seconds_of(backend.memory, [&] { ours.backward(activation, x.data(), dy.data(), y.mutable_data()); }),
        seconds_of(backend.memory, [&] { theirs.backward(from, upstream, to); })};
    for (std::size_t k = 0; k < 4 && i >= 0; ++k) seconds[k].push_back(round[k]);
  }
  std::array<double, 4> nanoseconds;
  for (std::size_t k = 0; k < 4; ++k)
    nanoseconds[k] = median(seconds[k]) * 1e9 / static_cast<double>(arguments.elements);
  return nanoseconds;
}

bool wanted(const Arguments& arguments, std::string_view name) {
  const auto& names = arguments.activations;
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

void compare(const Arguments& arguments) {
  use_threads(static_cast<int>(arguments.threads), true);
  const auto ours = make_cpu_activation(best_isa());
  const std::vector<float> x = sampled_floats(arguments.stride, arguments.most);
  Table table{{{"activation"},
               {"ns_forward"},
               {"onednn_ns_forward"},
               {"times_forward"},
               {"ns_backward"},
               {"onednn_ns_backward"},
               {"times_backward"},
               {"f"},
               {"onednn_f"},
               {"df"},
               {"onednn_df"}},
              {}};
  for (const Peer& peer : peers) {
    if (!wanted(arguments, peer.activation)) continue;
    const ActivationHandle activation = ActivationHandle::parse(peer.activation);
    const std::array<double, 4> ns = times(peer, activation, *ours, arguments);
    const LargestErrors our = largest_errors(activation, x, *ours);
    const LargestErrors their = their_errors(peer, activation, x);
    table.rows.push_back({activation.spelled(), ns[0], ns[1], ns[1] / ns[0], ns[2], ns[3], ns[3] / ns[2],
                          number_cell(our.f), number_cell(their.f), number_cell(our.df),
                          number_cell(their.df)});
  }
  print(table, arguments.format);
}

}  // namespace
}  // namespace actlab

int main(int argc, char** argv) {
  actlab::Arguments arguments;
  CLI::App app(
      "oneDNN's elementwise functions beside actlab's: ns an element, and the largest errors of f "
      "(units in the last place) and f' (units of the contract)",
      "peer_onednn_eltwise");
  std::vector<std::string> names;
  for (const actlab::Peer& peer : actlab::peers) names.emplace_back(peer.activation);
  app.add_option("--activation", arguments.activations, "which; all without it")
      ->delimiter(',')
      ->check(CLI::IsMember(names));
  app.add_option("--elements", arguments.elements, "of each array")
      ->check(CLI::Range(1, 1 << 30))
      ->capture_default_str();
  app.add_option("--threads", arguments.threads, "0: all cores")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
  app.add_option("--rounds", arguments.rounds, "timed turns of both")
      ->check(CLI::Range(1, 1 << 30))
      ->capture_default_str();
  app.add_option("--stride", arguments.stride, "every which float of both signs the errors are measured at")
      ->check(CLI::Range(1, 1 << 30))
      ->capture_default_str();
  app.add_option("--most", arguments.most, "the largest |x| of them")->check(CLI::Range(1e-30, 3.4e38));
  app.add_option("--format", arguments.format, "how the result is printed")
      ->check(CLI::IsMember(actlab::table_format_names()))
      ->capture_default_str();
  return actlab::peer_main(app, argc, argv, [&] { actlab::compare(arguments); });
}
