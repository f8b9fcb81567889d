// Fibers on x86-64: a switch saves what a called function must keep, and changes the stack.
#include "tests/cuda_emulation/fiber.h"

#include <pthread.h>
#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <new>

extern "C" void emu_switch_stack(void** save, void* load);
asm(R"(
.text
.type emu_switch_stack,@function
emu_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size emu_switch_stack,.-emu_switch_stack
)");

namespace emu {

Fiber* running = nullptr;
Fiber host_fiber;
tsan::Identity keeper = nullptr, janitor = nullptr;

namespace {

constexpr std::size_t stack_bytes = 256 * 1024, page = 4096;

Fiber* idle[2];  // two sets under ThreadSanitizer, in turns
int turn = 0;
void (*start_in)() = nullptr;

void first_entry() {
  asan::finish_switch(nullptr);
  start_in();
}

void rewind(Fiber& fiber) {
  asan::unpoison(fiber.stack, fiber.bytes);
  void** top = reinterpret_cast<void**>(fiber.stack + fiber.bytes);
  *--top = nullptr;  // the end of the chain of calls, and the alignment that a called function finds
  *--top = reinterpret_cast<void*>(&first_entry);
  for (int saved = 0; saved < 6; ++saved) *--top = nullptr;
  fiber.stack_pointer = top;
}

// The race detector orders a fiber after the identity that created it.
tsan::Identity new_identity() {
  const tsan::As as(keeper);
  return tsan::create();
}

}  // namespace

void adopt_host() {
  struct Stack {
    void* low = nullptr;
    std::size_t bytes = 0;
    Stack() {
      pthread_attr_t attributes;
      pthread_getattr_np(pthread_self(), &attributes);
      pthread_attr_getstack(&attributes, &low, &bytes);
      pthread_attr_destroy(&attributes);
    }
  };
  thread_local const Stack stack;
  host_fiber.stack = static_cast<char*>(stack.low);
  host_fiber.bytes = stack.bytes;
  host_fiber.identity = tsan::current();
  if (keeper == nullptr) {
    keeper = tsan::create();
    janitor = tsan::create();
  }
  running = &host_fiber;
}

void switch_to(Fiber& next) {
  Fiber& before = *running;
  asan::start_switch(&before.fake_stack, next.stack, next.bytes);
  running = &next;
  tsan::become(next.identity);
  emu_switch_stack(&before.stack_pointer, next.stack_pointer);
  asan::finish_switch(before.fake_stack);
}

Fiber& take_fiber(void (*entry)()) {
  start_in = entry;
  if (Fiber* const fiber = idle[turn]) {
    idle[turn] = fiber->next_idle;
    return *fiber;
  }
  // The fiber itself, a page that nothing may touch, the stack.
  static_assert(sizeof(Fiber) <= page);
  void* const memory = mmap(nullptr, 2 * page + stack_bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    std::perror("cuda emulation: stacks of CUDA threads");
    std::abort();
  }
  Fiber& fiber = *new (memory) Fiber;
  char* const guard = static_cast<char*>(memory) + page;
  mprotect(guard, page, PROT_NONE);
  fiber.stack = guard + page;
  fiber.bytes = stack_bytes;
  fiber.identity = new_identity();
  rewind(fiber);
  return fiber;
}

void put_fiber(Fiber& fiber) {
  fiber.next_idle = idle[turn];
  idle[turn] = &fiber;
}

void put_abandoned_fiber(Fiber& fiber) {
  fiber.identity = new_identity();
  rewind(fiber);
  put_fiber(fiber);
}

void end_of_block() {
  if (tsan::enabled) turn = 1 - turn;
}

}  // namespace emu
