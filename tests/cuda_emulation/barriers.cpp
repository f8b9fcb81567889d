// Barriers of a block and collective operations of a warp: who waits for whom, and what each gets. Stricter
// than a device: all threads of a block must stand at the same barrier, all lanes of a mask at the same call.
#include <bit>
#include <cstring>

#include "tests/cuda_emulation/block.h"

namespace emu {
namespace {

char fenced;  // for the race detector

bool same(Site a, Site b) {
  return a.line() == b.line() && a.column() == b.column() && std::strcmp(a.file_name(), b.file_name()) == 0;
}

template <class F>
void for_each_lane(unsigned mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(std::countr_zero(mask));
}

/// What a vote tells all its lanes.
std::uint64_t vote(const Collective& c, const Thread* lanes) {
  std::uint64_t ballot = 0;
  for_each_lane(c.arrived, [&](int lane) { ballot |= lanes[lane].value << lane; });
  return c.op == Op::any ? ballot != 0 : c.op == Op::all ? ballot == c.arrived : ballot;
}

std::uint64_t shuffled(const Collective& c, const Thread* lanes, int lane, int warp) {
  const int source = lanes[lane].source;
  if (source >= 0 && source < warpSize && (c.arrived >> source & 1) != 0) return lanes[source].value;
  if (block.fault.empty())
    block.fault = "shuffle at " + describe(lanes[lane].site) + " reads lane " + std::to_string(source) +
                  ", which takes no part: thread " + describe_thread(warp * warpSize + lane) +
                  describe_block();
  return ~std::uint64_t{0};
}

void complete(int warp, std::size_t place) {
  Warp& w = block.warps[static_cast<std::size_t>(warp)];
  const Collective c = w.pending[place];
  w.pending[place] = w.pending[--w.pendings];
  if (c.op == Op::sync) ++w.syncs;
  Thread* const lanes = &block.threads[static_cast<std::size_t>(warp * warpSize)];
  const std::uint64_t votes = c.op == Op::shuffle ? 0 : vote(c, lanes);
  for_each_lane(c.arrived, [&](int lane) {
    lanes[lane].result = c.op == Op::shuffle ? shuffled(c, lanes, lane, warp) : votes;
    wake(warp * warpSize + lane);
  });
}

Collective& join(Warp& warp, Op op, unsigned mask, Site at) {
  for (std::size_t i = 0; i < warp.pendings; ++i) {
    Collective& c = warp.pending[i];
    if (c.mask != mask) continue;
    if (c.op != op || !same(c.site, at))
      fail("operation of a warp meets another one of the same lanes", at, &c.site);
    return c;
  }
  return warp.pending[warp.pendings++] = {mask, 0, op, at};
}

}  // namespace

int lane() { return self % warpSize; }

void fence() {
  tsan::acquire(&fenced);
  tsan::release(&fenced);
}

int barrier(int predicate, Site at) {
  const int me = self;
  if (block.waiting == 0)
    block.barrier_site = at;
  else if (!same(block.barrier_site, at))
    fail("thread reaches __syncthreads but not that of the others", at, &block.barrier_site);
  block.threads[static_cast<std::size_t>(me)].site = at;
  block.threads[static_cast<std::size_t>(me)].state = State::at_barrier;
  block.counted += predicate != 0;
  void* const order = sync_object(block.barriers & 1);
  tsan::release(order);
  if (++block.waiting == static_cast<int>(block.threads.size())) {
    block.count = block.counted;
    block.waiting = block.counted = 0;
    ++block.barriers;
    if (random_below(4) == 0) hold_back_a_warp();
    for (int t = 0; t < static_cast<int>(block.threads.size()); ++t) wake(t);
  }
  wait_turn(me);
  tsan::acquire(order);
  return block.count;
}

std::uint64_t collective(Op op, unsigned mask, std::uint64_t value, int source, Site at) {
  const int me = self, warp = me / warpSize;
  const unsigned bit = 1u << lane();
  if ((mask & bit) == 0) fail("operation of a warp by a lane that its own mask leaves out", at);
  Warp& w = block.warps[static_cast<std::size_t>(warp)];
  Collective& joined = join(w, op, mask, at);
  joined.arrived |= bit;
  Thread& thread = block.threads[static_cast<std::size_t>(me)];
  thread.value = value;
  thread.source = source;
  thread.site = at;
  thread.state = State::in_warp;
  void* const order = sync_object(2 + 2 * static_cast<unsigned>(warp) + (w.syncs & 1));
  if (op == Op::sync) tsan::release(order);
  settle(warp);
  wait_turn(me);
  if (op == Op::sync) tsan::acquire(order);
  return thread.result;
}

void settle(int warp) {
  Warp& w = block.warps[static_cast<std::size_t>(warp)];
  for (std::size_t i = 0; i < w.pendings;) {
    if ((w.pending[i].mask & w.live) == w.pending[i].arrived)
      complete(warp, i);
    else
      ++i;
  }
}

}  // namespace emu
