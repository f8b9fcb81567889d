// actlab bench kernel: activation kernels beside ReLU's.
#include <algorithm>

#include "experiments/cli/log.h"
#include "experiments/cli/roofline.h"
#include "experiments/runner/device.h"
#include "experiments/runner/timing.h"
#include "framework/ops/activated.h"
#include "kernels/cpu/activation.h"
#include "kernels/cpu/threads.h"

namespace actlab {
namespace {

// An activation's kernels on arrays that both of a pair share; a gated form's on rows of gate | up.
class KernelBench {
 public:
  KernelBench(const BenchKernelArguments& arguments, DType dtype, bool gated)
      : backend_(find_backend(usable_device(arguments.device, log_info))),
        kernels_(kernels_of(arguments)),
        gated_(gated) {
    const std::int64_t columns = gated ? std::min(arguments.elements, gated_columns) : arguments.elements;
    if (arguments.elements % columns != 0)
      throw ConfigError(concat("bench kernel: --elements ", arguments.elements, " of a gated form: rows of ",
                               columns, " wanted, so a multiple of it"));
    const Shape shape{arguments.elements / columns, columns}, wide{shape[0], 2 * columns};
    x_ = normal_values(gated ? wide : shape, dtype, 1, backend_);
    dy_ = normal_values(shape, dtype, 2, backend_);
    y_ = normal_values(shape, dtype, 3, backend_);  // touched, so that no page is fresh
    dx_ = gated ? normal_values(wide, dtype, 4, backend_) : y_;
  }

  void forward(const ActivationHandle& a) {
    const ActivationHandle of_x = activation_for(a, x_);
    gated_ ? kernels().gate(of_x, x_.data(), y_.mutable_data())
           : kernels().forward(of_x, x_.data(), y_.mutable_data());
  }
  void backward(const ActivationHandle& a) {
    gated_ ? kernels().gate_backward(a, x_.data(), dy_.data(), dx_.mutable_data())
           : kernels().backward(a, x_.data(), dy_.data(), dx_.mutable_data());
  }
  Backend& backend() const { return backend_; }
  ActivationKernels& kernels() const { return kernels_ ? *kernels_ : backend_.activation; }
  double forward_bytes() const { return static_cast<double>(x_.bytes() + y_.bytes()); }
  double backward_bytes() const { return static_cast<double>(x_.bytes() + dy_.bytes() + dx_.bytes()); }

 private:
  static constexpr std::int64_t gated_columns = 2048;

  // Those of an instruction set, where one is asked for.
  std::unique_ptr<ActivationKernels> kernels_of(const BenchKernelArguments& arguments) const {
    if (arguments.isa.empty()) return nullptr;
    if (backend_.name != "cpu")
      throw ConfigError(concat("bench kernel: --isa is of the CPU, --device is ", arguments.device));
    return make_cpu_activation(parse_isa(arguments.isa));
  }
  Backend& backend_;
  std::unique_ptr<ActivationKernels> kernels_;
  bool gated_;
  Tensor x_, dy_, y_, dx_;
};

DType checked_dtype(const std::string& name) {
  const DType dtype = parse_dtype(name);
  if (dtype != DType::f32 && dtype != DType::bf16 && dtype != DType::f16)
    throw ConfigError(concat("bench kernel: --dtype ", dtype, " is not one of f32, bf16, f16"));
  return dtype;
}

}  // namespace

int bench_kernel_verb(const BenchKernelArguments& arguments) {
  BenchReport report(arguments);
  const DType dtype = checked_dtype(arguments.dtype);
  const ActivationHandle activation = ActivationHandle::parse(arguments.activation);
  if (activation.learned() != Learned::fixed)
    throw ConfigError(concat("bench kernel: '", arguments.activation, "' is learned; leave `learned` out"));
  const ActivationHandle relu = ActivationHandle::parse(activation.gated() ? "reglu" : "relu");
  const int threads = use_threads(static_cast<int>(arguments.threads), true);
  report.subject("activation", activation.spelled());
  report.subject("elements", arguments.elements);
  report.subject("dtype", std::string(name_of(dtype)));
  KernelBench bench(arguments, dtype, activation.gated());
  report.condition("device", bench.backend().name);
  report.condition("kernels", bench.kernels().implementation());
  report.condition("threads", std::int64_t{threads});

  const std::vector<double> times =
      medians_in_turns(arguments.repeats, bench.backend().memory,
                       {[&] { bench.forward(activation); }, [&] { bench.forward(relu); },
                        [&] { bench.backward(activation); }, [&] { bench.backward(relu); }});
  const double forward = times[0], relu_forward = times[1], backward = times[2], relu_backward = times[3];

  report.measured("gbs_forward", bench.forward_bytes() / forward * 1e-9);
  report.measured("gbs_backward", bench.backward_bytes() / backward * 1e-9);
  report.measured("relu_gbs_forward", bench.forward_bytes() / relu_forward * 1e-9);
  report.measured("relu_gbs_backward", bench.backward_bytes() / relu_backward * 1e-9);
  report.measured("of_relu_forward", relu_forward / forward);
  report.measured("of_relu_backward", relu_backward / backward);
  if (arguments.roofline)
    add_roofline(report,
                 {{"share_forward", {bench.forward_bytes(), 0}, forward},
                  {"share_backward", {bench.backward_bytes(), 0}, backward}},
                 bench.backend());
  report.print();
  return 0;
}

}  // namespace actlab
