// The block that runs: its threads, warps and shared memory. For the files of the scheduler only.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tests/cuda_emulation/device_calls.h"
#include "tests/cuda_emulation/fiber.h"

namespace emu {

inline constexpr unsigned most_threads = 1024;
inline constexpr std::size_t shared_bytes_per_block = 48 * 1024;

enum class State : unsigned char { fresh, ready, at_barrier, in_warp, done };

struct Thread {
  uint3 index;
  State state = State::fresh;
  Fiber* fiber = nullptr;  // the one it runs on, once it has begun
  Site site{};             // where it waits
  std::uint64_t value = 0, result = 0;
  int source = 0;
};

/// An operation of a warp that some lanes have reached.
struct Collective {
  unsigned mask, arrived;
  Op op;
  Site site;
};

struct Warp {
  unsigned live;  // lanes that exist and have not returned
  std::array<Collective, 32> pending;
  std::size_t pendings = 0;
  unsigned syncs = 0;
};

/// Threads that can run, in the order in which they became so; each at most once.
class ReadyQueue {
 public:
  void clear() { head_ = size_ = 0; }
  unsigned size() const { return size_; }
  int& at(unsigned i) { return threads_[(head_ + i) % most_threads]; }
  void push(int thread) { at(size_++) = thread; }
  int pop_first() {
    const int thread = at(0);
    head_ = (head_ + 1) % most_threads;
    --size_;
    return thread;
  }
  int pop_last() { return at(--size_); }

 private:
  std::array<int, most_threads> threads_{};
  unsigned head_ = 0, size_ = 0;
};

struct SharedArray {
  const void* key;
  void* memory;  // as allocated
  void* array;
};

// Nothing here allocates while a kernel runs, unless to report a fault: the race detector would see the
// allocator's accesses.
struct Block {
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  ReadyQueue ready;
  int finished = 0;

  int waiting = 0, counted = 0,
      count = 0;  // at the barrier: threads, their predicates; the sum at the last one
  unsigned barriers = 0;
  Site barrier_site{};

  std::array<SharedArray, 64> shared{};
  std::size_t shared_arrays = 0, shared_bytes = 0;
  std::uint64_t* sync_objects = nullptr;

  std::string fault;
};

extern Block block;

/// For the race detector, what threads release and acquire: two objects for the barriers and two for each
/// warp, used in turns.
inline void* sync_object(unsigned i) { return tsan::enabled ? block.sync_objects + i : nullptr; }
/// The thread that runs.
extern int self;

/// Whether the order of threads is random.
bool random_order();
/// The next of the schedule's random numbers below n.
unsigned random_below(std::uint64_t n);
/// Another warp is held back from now on.
void hold_back_a_warp();

/// Lets a thread that waited run again: one that made the call by which the wait ended goes on at once,
/// unless the order is random.
void wake(int thread);
/// Waits until this thread was woken and it is its turn. Does not return where a fault was found.
void wait_turn(int thread);
/// Completes the collectives of a warp for which no lane is missing any longer.
void settle(int warp);

/// Ends the block with a fault of the thread that runs, `at`; `others` is where those stand whom it did not
/// meet. The caller's frame is abandoned: it may own nothing.
[[noreturn]] void fail(const char* what, Site at, const Site* others = nullptr);
std::string describe(Site at);
std::string describe_thread(int thread);
std::string describe_block();
/// Which threads wait where, when none can run.
std::string describe_deadlock();

/// Filled with NaN. To the race detector none of the block's threads wrote that.
SharedArray allocate_shared(const void* key, std::size_t bytes, std::size_t alignment);
void free_shared();
/// Released when shared memory is filled; acquired by who uses it.
extern char shared_object;

}  // namespace emu
