// The order of threads. A thread runs until it waits or returns; it needs a fiber of its own only once it
// waits, so that kernels without barriers are a loop on one fiber.
#include "tests/cuda_emulation/scheduler.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <utility>

#include "tests/cuda_emulation/block.h"
#include "tests/cuda_emulation/emulator.h"

namespace emu {

Block block;
int self = 0;

namespace {

std::mutex launch_mutex;
std::uint64_t seed = 0, random_state = 1;
int held_back = 0;  // a warp that waits while others can run
const std::function<void()>* body = nullptr;

// For the race detector: all threads come after the launch, and what follows the launch comes after all of
// them.
char launched, returned;

/// The thread to run next; -1 where all wait.
int pick() {
  ReadyQueue& ready = block.ready;
  if (ready.size() == 0) return -1;
  if (seed == 1) return ready.pop_last();
  for (int tries = 0; random_order() && tries < 8; ++tries) {
    std::swap(ready.at(0), ready.at(random_below(ready.size())));
    if (ready.at(0) / warpSize != held_back) break;
  }
  return ready.pop_first();
}

void become(int thread) {
  Thread& t = block.threads[static_cast<std::size_t>(thread)];
  self = thread;
  threadIdx = t.index;
  t.fiber = running;
}

[[noreturn]] void run_threads();

Fiber& fiber_of(int thread) {
  if (Fiber* const fiber = block.threads[static_cast<std::size_t>(thread)].fiber) return *fiber;
  Fiber& fiber = take_fiber(run_threads);
  fiber.first_thread = thread;
  return fiber;
}

void finish(int thread) {
  block.threads[static_cast<std::size_t>(thread)].state = State::done;
  ++block.finished;
  block.warps[static_cast<std::size_t>(thread / warpSize)].live &= ~(1u << (thread % warpSize));
  settle(thread / warpSize);
}

// What a fiber does: one thread, then others that have not begun.
void run_threads() {
  for (;;) {
    int thread = running->first_thread;
    for (;;) {
      become(thread);
      block.threads[static_cast<std::size_t>(thread)].state = State::ready;
      tsan::acquire(&launched);
      (*body)();
      tsan::release(&returned);
      finish(self);
      thread = pick();
      // To the race detector each thread of a block is one of its own.
      if (tsan::enabled || thread < 0 || block.threads[static_cast<std::size_t>(thread)].fiber != nullptr)
        break;
    }
    Fiber& next = thread < 0 ? host_fiber : fiber_of(thread);
    if (!tsan::enabled) put_fiber(*running);
    switch_to(next);
  }
}

void prepare(dim3 threads) {
  const unsigned count = threads.x * threads.y * threads.z;
  block.threads.assign(count, {});
  block.warps.assign((count + warpSize - 1) / warpSize, {});
  block.ready.clear();
  block.finished = block.waiting = block.counted = 0;
  for (unsigned t = 0; t < count; ++t) {
    block.threads[t].index = {t % threads.x, t / threads.x % threads.y, t / threads.x / threads.y};
    block.ready.push(static_cast<int>(t));
  }
  for (std::size_t w = 0; w < block.warps.size(); ++w) {
    const unsigned lanes = std::min<unsigned>(warpSize, count - static_cast<unsigned>(w) * warpSize);
    block.warps[w].live = 0xffffffffu >> (warpSize - lanes);
  }
  // Fresh for every block, so that blocks are not ordered by them.
  if (tsan::enabled) {
    SharedArray& objects = block.shared[block.shared_arrays++];
    objects = allocate_shared(nullptr, (2 + 2 * block.warps.size()) * sizeof(std::uint64_t), 16);
    block.sync_objects = static_cast<std::uint64_t*>(objects.array);
  }
  hold_back_a_warp();
}

void give_back_fibers() {
  for (Thread& t : block.threads) {
    if (t.fiber == nullptr) continue;
    if (t.state == State::done) {
      if (tsan::enabled) put_fiber(*t.fiber);
      continue;
    }
    {
      const tsan::As as(t.fiber->identity);  // the race detector is told that the thread ends
      tsan::release(&returned);
    }
    put_abandoned_fiber(*t.fiber);
  }
  end_of_block();
}

void run_block(dim3 threads) {
  prepare(threads);
  while (block.finished < static_cast<int>(block.threads.size()) && block.fault.empty()) {
    const int thread = pick();
    if (thread < 0)
      block.fault = describe_deadlock();
    else
      switch_to(fiber_of(thread));
  }
  give_back_fibers();
  const tsan::As as(janitor);
  tsan::acquire(&returned);
  free_shared();
}

/// In which order the blocks run: each is visited once.
class BlockOrder {
 public:
  explicit BlockOrder(std::uint64_t blocks) : blocks_(blocks) {
    if (!random_order()) return;
    const std::uint64_t most = std::min<std::uint64_t>(blocks, 1u << 30);
    do stride_ = 1 + random_below(most);
    while (std::gcd(stride_, blocks) != 1);
    offset_ = random_below(most);
  }
  std::uint64_t operator[](std::uint64_t i) const {
    return seed == 1 ? blocks_ - 1 - i : (i * stride_ + offset_) % blocks_;
  }

 private:
  std::uint64_t blocks_, stride_ = 1, offset_ = 0;
};

}  // namespace

void set_schedule(std::uint64_t new_seed) {
  seed = new_seed;
  random_state = new_seed * 0x9e3779b97f4a7c15u + 1;
}

bool random_order() { return seed > 1; }

unsigned random_below(std::uint64_t n) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<unsigned>(((random_state >> 33) * n) >> 31);
}

void hold_back_a_warp() { held_back = static_cast<int>(random_below(block.warps.size())); }

void wake(int thread) {
  block.threads[static_cast<std::size_t>(thread)].state = State::ready;
  if (thread != self || random_order()) block.ready.push(thread);
}

void wait_turn(int thread) {
  if (block.threads[static_cast<std::size_t>(thread)].state != State::ready || random_order()) {
    const int next = pick();
    // Where nothing can run, run_block decides whether that is a deadlock.
    if (next != thread) switch_to(next < 0 ? host_fiber : fiber_of(next));
    become(thread);
  }
  if (!block.fault.empty()) switch_to(host_fiber);
}

void run_grid(dim3 blocks, dim3 threads, const std::function<void()>& kernel) {
  const std::lock_guard lock(launch_mutex);
  adopt_host();
  gridDim = blocks;
  blockDim = threads;
  body = &kernel;
  block.fault.clear();
  tsan::release(&launched);
  const std::uint64_t count = std::uint64_t{blocks.x} * blocks.y * blocks.z;
  const BlockOrder order(count);
  for (std::uint64_t i = 0; i < count && block.fault.empty(); ++i) {
    const std::uint64_t b = order[i];
    blockIdx = {static_cast<unsigned>(b % blocks.x), static_cast<unsigned>(b / blocks.x % blocks.y),
                static_cast<unsigned>(b / blocks.x / blocks.y)};
    run_block(threads);
  }
  tsan::acquire(&returned);
  if (!block.fault.empty()) throw KernelError("cuda emulation: " + std::exchange(block.fault, {}));
}

}  // namespace emu
