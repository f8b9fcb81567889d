// How faults of kernels are told: with the place in the source, the thread and the block.
#include <cstdlib>
#include <map>
#include <string_view>

#include "tests/cuda_emulation/block.h"

namespace emu {
namespace {

std::string triple(unsigned x, unsigned y, unsigned z) {
  return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
}

}  // namespace

std::string describe(Site at) {
  std::string_view file = at.file_name();
  file.remove_prefix(file.rfind('/') + 1);
  return std::string(file) + ":" + std::to_string(at.line());
}

std::string describe_thread(int thread) {
  const uint3 index = block.threads[static_cast<std::size_t>(thread)].index;
  return triple(index.x, index.y, index.z);
}

std::string describe_block() { return " of block " + triple(blockIdx.x, blockIdx.y, blockIdx.z); }

std::string describe_deadlock() {
  struct Group {
    int threads, example;
  };
  std::map<std::string, Group> groups;
  for (int t = 0; t < static_cast<int>(block.threads.size()); ++t) {
    const Thread& thread = block.threads[static_cast<std::size_t>(t)];
    const std::string what = thread.state == State::done ? "have returned"
                             : thread.state == State::at_barrier
                                 ? "wait in __syncthreads at " + describe(thread.site)
                                 : "wait in an operation of a warp at " + describe(thread.site);
    ++groups.try_emplace(what, 0, t).first->second.threads;
  }
  std::string text = "threads" + describe_block() + " do not meet:";
  for (const auto& [what, group] : groups)
    text += " " + std::to_string(group.threads) + " " + what + " (such as " + describe_thread(group.example) +
            ");";
  text.back() = '.';
  return text;
}

void fail(const char* what, Site at, const Site* others) {
  block.fault = what + (others == nullptr ? "" : ", which wait at " + describe(*others)) + ", at " +
                describe(at) + ", thread " + describe_thread(self) + describe_block();
  switch_to(host_fiber);
  std::abort();  // the fiber is abandoned
}

}  // namespace emu
