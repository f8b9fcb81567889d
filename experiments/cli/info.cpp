// actlab info: this build, and where it runs.
#include <unistd.h>

#include "experiments/cli/output.h"
#include "experiments/cli/verbs.h"
#include "experiments/runner/environment.h"

namespace actlab {
namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// What computes products on the CPU, with versions.
std::string gemm_libraries() {
  std::vector<std::string> libraries;
  for (const std::string& name : gemm_names())
    libraries.push_back(concat(name, " (", find_backend("cpu", name).matmul.implementation(), ")"));
  return joined(libraries);
}

std::string cuda_device() {
  const DeviceChoice best = best_device();
  return best.reason.empty() ? find_backend(best.device).activation.implementation()
                             : concat("no: ", best.reason);
}

}  // namespace

int info_verb(const InfoArguments& arguments) {
  Record record = environment(find_backend("cpu"));
  std::erase_if(record, [](const auto& entry) { return entry.first == "backend"; });
  record.emplace_back("memory_bytes", std::int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE));
  record.emplace_back("backends", joined(device_names()));
  record.emplace_back("gemm", gemm_libraries());
  record.emplace_back("cuda", cuda_device());
  record.emplace_back("cublaslt", cublaslt_version());
  record.emplace_back("cudnn", cudnn_version());
  std::vector<Column> columns;
  for (const auto& entry : record)
    columns.push_back({entry.first, entry.first == "memory_bytes" ? Unit::bytes : Unit::plain});
  print(record, columns, arguments.format);
  return 0;
}

}  // namespace actlab
