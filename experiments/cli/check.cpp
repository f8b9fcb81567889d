// actlab check: are the kernels right on this machine?
#include <algorithm>

#include "experiments/cli/exit_codes.h"
#include "experiments/cli/log.h"
#include "experiments/cli/output.h"
#include "experiments/cli/verbs.h"
#include "experiments/runner/activation_check.h"
#include "kernels/backend.h"
#include "kernels/error.h"

namespace actlab {
namespace {

bool built_in(std::string_view device) {
  const std::vector<std::string> names = device_names();
  return std::find(names.begin(), names.end(), device) != names.end();
}

}  // namespace

int check_verb(const CheckArguments& arguments) {
  std::vector<ActivationHandle> activations;
  for (const std::string& name : arguments.activations) activations.push_back(ActivationHandle::parse(name));
  if (activations.empty())
    for (const ActivationType& type : activation_types())
      activations.push_back(ActivationHandle::parse(type.info.name));

  for (const Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512})
    if (!cpu_supports(isa))
      log_warning(concat("this processor has no ", name_of(isa), ": its kernels are not checked"));
  if (const DeviceChoice best = best_device(); !best.reason.empty() && built_in("cuda"))
    log_warning(concat("no CUDA device can be used, its kernels are not checked: ", best.reason));
  Table table{{{"activation"}, {"backend"}, {"dtype"}, {"what"}, {"error"}, {"at"}, {"limit"}, {"passed"}},
              {}};
  std::size_t failed = 0;
  for (const ActivationHandle& activation : activations) {
    for (const ActivationCheckRow& row : check_activation(activation)) {
      if (!row.passed()) ++failed;
      table.rows.push_back({row.activation, row.backend, row.dtype, row.what, number_cell(row.error),
                            number_cell(row.at), row.limit, row.passed()});
    }
  }
  print(table, arguments.format);
  if (failed == 0) return 0;
  log_warning(concat(failed, " of ", table.rows.size(), " checks failed"));
  return exit_check_failed;
}

}  // namespace actlab
