// Names of the kinds of memory.
#include "kernels/memory.h"

namespace actlab {

std::string_view name_of(MemoryKind kind) {
  static constexpr std::array<std::string_view, memory_kinds> names = {
      "parameters", "gradients", "optimizer_state", "activations", "temporaries", "workspace"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace actlab
