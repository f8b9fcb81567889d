// The loader's calls and their errors.
#include "kernels/cuda/loaded_library.h"

#include <dlfcn.h>

#include <utility>

#include "kernels/error.h"

namespace actlab::cuda {

LoadedLibrary::LoadedLibrary(const std::string& file, LibraryTexts texts)
    : texts_(std::move(texts)), opened_(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (opened_ != nullptr) return;
  const std::string reason = dlerror();
  opened_ = dlopen(concat(ACTLAB_CUDA_LIBRARIES "/", file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (opened_ == nullptr)
    throw ConfigError(concat(reason, "; ", texts_.wanted_by, " needs ", texts_.name,
                             ": install it, or put the folder of ", file, " in LD_LIBRARY_PATH, or ",
                             texts_.otherwise));
}

void* LoadedLibrary::find(const char* name) const {
  void* const found = dlsym(opened_, name);
  if (found == nullptr)
    throw ConfigError(
        concat(dlerror(), "; ", texts_.wanted_by, " needs another ", texts_.name, ", or ", texts_.otherwise));
  return found;
}

std::string version_text(const char* name, std::size_t (*version)()) {
  try {
    const std::size_t number = version();
    return concat(name, " ", number / 10000, ".", number / 100 % 100, ".", number % 100);
  } catch (const ConfigError& error) {
    return concat("no: ", error.what());
  }
}

}  // namespace actlab::cuda
