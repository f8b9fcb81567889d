// actlab bench kernel: activation kernels beside ReLU's.
#include "experiments/cli/output.h"
#include "experiments/cli/timing.h"
#include "experiments/cli/verbs.h"
#include "experiments/results/statistics.h"
#include "kernels/cpu/activation.h"
#include "kernels/cpu/threads.h"

namespace actlab {

int bench_kernel_verb(const BenchKernelArguments& arguments) {
  parse_table_format(arguments.format);
  const DType dtype = parse_dtype(arguments.dtype);
  if (dtype != DType::f32 && dtype != DType::bf16 && dtype != DType::f16)
    throw ConfigError(concat("bench kernel: --dtype ", dtype, " is not one of f32, bf16, f16"));
  const Isa isa = arguments.isa.empty() ? best_isa() : parse_isa(arguments.isa);
  const auto kernels = make_cpu_activation(isa);
  const int threads = use_threads(static_cast<int>(arguments.threads), true);
  const ActivationHandle activation = ActivationHandle::parse(arguments.activation),
                         relu = ActivationHandle::parse("relu");
  if (activation.gated())
    throw ConfigError(concat("bench kernel: '", arguments.activation, "' is a gated form; name '",
                             activation.info().name, "'"));
  if (activation.learned() != Learned::fixed)
    throw ConfigError(concat("bench kernel: '", arguments.activation, "' is learned; leave `learned` out"));
  Backend& backend = find_backend("cpu");
  const Tensor x = normal_values({arguments.elements}, dtype, 1, backend);
  const Tensor dy = normal_values({arguments.elements}, dtype, 2, backend);
  Tensor y = normal_values({arguments.elements}, dtype, 3, backend);  // touched, so that no page is fresh

  const auto forward = [&](const ActivationHandle& a) { kernels->forward(a, x.data(), y.mutable_data()); };
  const auto backward = [&](const ActivationHandle& a) {
    kernels->backward(a, x.data(), dy.data(), y.mutable_data());
  };
  std::vector<double> times[4];
  for (std::int64_t i = -2; i < arguments.repeats; ++i) {  // two rounds to warm up
    const double round[] = {seconds_of([&] { forward(activation); }), seconds_of([&] { forward(relu); }),
                            seconds_of([&] { backward(activation); }), seconds_of([&] { backward(relu); })};
    for (int k = 0; k < 4 && i >= 0; ++k) times[k].push_back(round[k]);
  }
  const double bytes = static_cast<double>(arguments.elements) * static_cast<double>(size_of(dtype));
  const auto rate = [&](int arrays, const std::vector<double>& seconds) {
    return arrays * bytes / median(seconds) * 1e-9;
  };
  print({{"activation", activation.spelled()},
         {"elements", arguments.elements},
         {"dtype", std::string(name_of(dtype))},
         {"isa", std::string(name_of(isa))},
         {"threads", std::int64_t{threads}},
         {"gbs_forward", rate(2, times[0])},
         {"gbs_backward", rate(3, times[2])},
         {"relu_gbs_forward", rate(2, times[1])},
         {"relu_gbs_backward", rate(3, times[3])}},
        {{"activation"},
         {"elements"},
         {"dtype"},
         {"isa"},
         {"threads"},
         {"gbs_forward"},
         {"gbs_backward"},
         {"relu_gbs_forward"},
         {"relu_gbs_backward"}},
        arguments.format);
  return 0;
}

}  // namespace actlab
