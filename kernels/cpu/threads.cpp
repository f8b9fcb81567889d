// Thread count and binding.
#include "kernels/cpu/threads.h"

#include <omp.h>
#include <sched.h>

#include <vector>

namespace actlab {

int use_threads(int threads, bool bind) {
  static const int all = omp_get_max_threads();
  static const cpu_set_t allowed = [] {
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    return set;
  }();
  const int count = threads > 0 ? threads : all;
  omp_set_dynamic(0);
  omp_set_num_threads(count);
  if (!bind || CPU_COUNT(&allowed) < count) return count;

  std::vector<std::size_t> cores;
  for (std::size_t core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &allowed)) cores.push_back(core);
#pragma omp parallel num_threads(count)
  {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cores[static_cast<std::size_t>(omp_get_thread_num())], &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  return count;
}

}  // namespace actlab
