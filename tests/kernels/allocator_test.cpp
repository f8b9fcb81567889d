// The caching allocator: reuse, counts, trimming, threads, failure.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <thread>

#include "kernels/caching_allocator.h"
#include "kernels/cpu/host_memory.h"
#include "tests/kernels/arrays.h"

namespace actlab {
namespace {

constexpr std::int64_t mib = std::int64_t{1} << 20;

/// A device with `limit` bytes.
class SmallDevice final : public SegmentSource {
 public:
  explicit SmallDevice(std::int64_t limit) : limit_(limit) {}
  void* request(std::int64_t bytes) noexcept override {
    if (held_ + bytes > limit_) return nullptr;
    held_ += bytes;
    return std::aligned_alloc(64, static_cast<std::size_t>(bytes));
  }
  void give_back(void* segment, std::int64_t bytes) noexcept override {
    held_ -= bytes;
    std::free(segment);
  }
  std::int64_t held() const { return held_; }

 private:
  std::int64_t limit_, held_ = 0;
};

TEST(CachingAllocator, ResettingThePeakKeepsTheCurrentCount) {
  HostMemory memory;
  void* a = memory.allocate(4 * mib, MemoryKind::activations);
  memory.reset_peak();
  EXPECT_EQ(memory.stats().total.peak, 4194304);
  void* b = memory.allocate(8 * mib, MemoryKind::temporaries);
  memory.release(b);
  EXPECT_EQ(memory.stats().total.peak, 12582912);
  EXPECT_EQ(memory.stats().total.current, 4194304);
  memory.release(a);
}

TEST(CachingAllocator, CountsWhatWasAskedForByKind) {
  HostMemory memory;
  const Buffer weights(memory, 1000, MemoryKind::parameters), scratch(memory, 77, MemoryKind::workspace);
  { const Buffer more(memory, 23, MemoryKind::workspace); }
  const MemoryStats stats = memory.stats();
  EXPECT_EQ(stats.total.current, 1077);
  EXPECT_EQ(stats.total.peak, 1100);
  const auto of = [&](MemoryKind kind) { return stats.by_kind[static_cast<std::size_t>(kind)]; };
  EXPECT_EQ(of(MemoryKind::parameters).current, 1000);
  EXPECT_EQ(of(MemoryKind::workspace).current, 77);
  EXPECT_EQ(of(MemoryKind::workspace).peak, 100);
  EXPECT_EQ(of(MemoryKind::gradients).peak, 0);
  EXPECT_GE(stats.reserved_bytes, stats.total.peak);
}

TEST(CachingAllocator, AlignsBlocksAndLosesAtMostAnEighth) {
  for (const std::int64_t bytes : {0, 1, 63, 64, 65, 511, 512, 513, 1000, 4097, 100'001, 3'000'001}) {
    HostMemory memory;
    const Buffer block(memory, bytes, MemoryKind::temporaries);
    ASSERT_NE(block.data(), nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.data()) % 64, 0u);
    EXPECT_LE(memory.stats().reserved_bytes, bytes + std::max<std::int64_t>(64, bytes / 8)) << bytes;
    std::memset(block.data(), 1, static_cast<std::size_t>(bytes));
  }
}

TEST(CachingAllocator, AnEmptyBlockIsABlock) {
  HostMemory memory;
  void* a = memory.allocate(0, MemoryKind::temporaries);
  void* b = memory.allocate(0, MemoryKind::temporaries);
  EXPECT_NE(a, b);
  memory.release(a);
  memory.release(b);
  EXPECT_THROW(memory.allocate(-1, MemoryKind::temporaries), Error);
}

TEST(CachingAllocator, AsksForNothingNewInASteadyPattern) {
  HostMemory memory;
  const auto step = [&](std::uint64_t number) {
    const Random random(3, RandomPurpose::synthetic);
    std::vector<Buffer> kept;
    for (std::uint64_t i = 0; i < 200; ++i) {
      const auto bytes = std::int64_t{1} << random.below(2 * i, 20);
      kept.emplace_back(memory, bytes + random.below(2 * i + 1, 1000), MemoryKind::activations);
      if (i % 3 == 2) kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(i % kept.size()));
    }
    return number;
  };
  for (std::uint64_t i = 0; i < 3; ++i) step(i);
  const std::int64_t segments = memory.stats().segments_requested;
  for (std::uint64_t i = 0; i < 20; ++i) step(i);
  EXPECT_EQ(memory.stats().segments_requested, segments);
  EXPECT_EQ(memory.stats().total.current, 0);
}

TEST(CachingAllocator, ReusesTheLastReleasedBlock) {
  HostMemory memory;
  void* a = memory.allocate(5000, MemoryKind::temporaries);
  void* b = memory.allocate(5000, MemoryKind::temporaries);
  memory.release(a);
  memory.release(b);
  EXPECT_EQ(memory.allocate(5001, MemoryKind::temporaries), b);
  EXPECT_EQ(memory.allocate(3000, MemoryKind::temporaries), a);  // a larger block of at most twice the size
  memory.release(a);
  memory.release(b);
  EXPECT_EQ(memory.stats().segments_requested, 2);
}

TEST(CachingAllocator, TrimGivesFreeBlocksBack) {
  SmallDevice device(10 * mib);
  CachingAllocator allocator("device", device);
  void* kept = allocator.allocate(mib, MemoryKind::temporaries);
  allocator.release(allocator.allocate(4 * mib, MemoryKind::temporaries));
  EXPECT_EQ(device.held(), 5 * mib);
  allocator.trim();
  EXPECT_EQ(device.held(), mib);
  EXPECT_EQ(allocator.stats().reserved_bytes, mib);
  allocator.release(kept);
}

TEST(CachingAllocator, GivesBackWhatAnEarlierPatternLeft) {
  SmallDevice device(100 * mib);
  CachingAllocator allocator("device", device);
  allocator.release(allocator.allocate(64 * mib, MemoryKind::temporaries));
  allocator.reset_peak();
  for (int i = 0; i < 20'000; ++i) allocator.release(allocator.allocate(1000, MemoryKind::temporaries));
  EXPECT_GE(device.held(), 64 * mib);
  allocator.release(allocator.allocate(mib, MemoryKind::temporaries));
  EXPECT_LT(device.held(), 2 * mib);
}

TEST(CachingAllocator, TrimsBeforeItFailsAndThenSaysWhatItHolds) {
  SmallDevice device(10 * mib);
  CachingAllocator allocator("device", device);
  allocator.release(allocator.allocate(6 * mib, MemoryKind::temporaries));
  void* a = allocator.allocate(mib, MemoryKind::activations);
  void* b = allocator.allocate(8 * mib, MemoryKind::activations);  // fits once the 6 MiB are given back
  EXPECT_EQ(device.held(), 9 * mib);
  try {
    allocator.allocate(2 * mib, MemoryKind::activations);
    FAIL();
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("2097152 bytes asked for"), std::string::npos) << text;
    EXPECT_NE(text.find("9437184 in use (activations 9437184), 9437184 held"), std::string::npos) << text;
  }
  EXPECT_EQ(allocator.stats().total.current, 9 * mib);
  allocator.release(a);
  allocator.release(b);
  allocator.release(allocator.allocate(2 * mib, MemoryKind::activations));
}

TEST(CachingAllocator, ServesThreads) {
  HostMemory memory;
  std::vector<std::thread> threads;
  for (unsigned char t = 0; t < 4; ++t) {
    threads.emplace_back([&memory, t] {
      for (std::int64_t i = 0; i < 2000; ++i) {
        const std::int64_t bytes = 1 + i * 37 % 5000;
        const Buffer block(memory, bytes, MemoryKind::temporaries);
        auto* first = static_cast<unsigned char*>(block.data());
        std::memset(first, t, static_cast<std::size_t>(bytes));
        ASSERT_TRUE(std::all_of(first, first + bytes, [t](unsigned char byte) { return byte == t; }));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(memory.stats().total.current, 0);
}

TEST(CachingAllocatorDeathTest, EndsTheProgramOnASecondRelease) {
  HostMemory memory;
  void* block = memory.allocate(100, MemoryKind::temporaries);
  memory.release(block);
  EXPECT_DEATH(memory.release(block), "");
}

#ifdef __SANITIZE_ADDRESS__
TEST(CachingAllocatorDeathTest, TheSanitizerSeesUseAfterRelease) {
  HostMemory memory;
  auto* block = static_cast<volatile char*>(memory.allocate(100, MemoryKind::temporaries));
  EXPECT_DEATH(block[100] = 1, "poison");
  memory.release(const_cast<char*>(block));
  EXPECT_DEATH(block[0] = 1, "poison");
}
#endif

TEST(HostMemory, CopiesAndZeroes) {
  Memory& memory = find_backend("cpu").memory;
  const std::int64_t bytes = 3 * mib + 5;
  const Buffer a(memory, bytes, MemoryKind::temporaries), b(memory, bytes, MemoryKind::temporaries);
  std::memset(a.data(), 7, static_cast<std::size_t>(bytes));
  memory.copy(b.data(), a.data(), bytes);
  EXPECT_EQ(std::memcmp(a.data(), b.data(), static_cast<std::size_t>(bytes)), 0);
  memory.zero(a.data(), bytes);
  const auto* first = static_cast<const unsigned char*>(a.data());
  EXPECT_TRUE(std::all_of(first, first + bytes, [](unsigned char byte) { return byte == 0; }));
  EXPECT_EQ(&memory, &find_backend("reference").memory);
}

}  // namespace
}  // namespace actlab
