#include "apps/realtime/triple_buffer.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

namespace semirec::realtime {
namespace {

TEST(TripleBuffer, TheReaderGetsTheNewestValueOnce) {
  TripleBuffer<int> buffer(7);
  EXPECT_FALSE(buffer.update());
  EXPECT_EQ(buffer.front(), 7);
  for (const int value : {1, 2, 3}) {
    buffer.back() = value;
    buffer.publish();
  }
  EXPECT_TRUE(buffer.update());
  EXPECT_EQ(buffer.front(), 3);
  EXPECT_FALSE(buffer.update());
  EXPECT_EQ(buffer.front(), 3);
}

TEST(TripleBuffer, AWriterThatStopsHalfwayLeavesTheReaderItsLastValue) {
  TripleBuffer<std::array<int, 2>> buffer({5, 5});
  buffer.back() = {6, 6};
  buffer.publish();
  buffer.back()[0] = 7;  // never published
  EXPECT_TRUE(buffer.update());
  EXPECT_EQ(buffer.front(), (std::array<int, 2>{6, 6}));
  EXPECT_FALSE(buffer.update());
}

TEST(TripleBuffer, TwoThreadsNeverSeeATornOrAnOlderValue) {
  using Value = std::array<std::uint64_t, 64>;
  TripleBuffer<Value> buffer(Value{});
  std::atomic<bool> done{false};
  std::thread writer([&] {
    for (std::uint64_t n = 1; !done.load(std::memory_order_relaxed); ++n) {
      buffer.back().fill(n);
      buffer.publish();
    }
  });
  std::uint64_t last = 0, taken = 0, torn = 0, older = 0;
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  while (std::chrono::steady_clock::now() < until) {
    if (!buffer.update()) continue;
    ++taken;
    const Value& value = buffer.front();
    for (const std::uint64_t word : value) torn += word != value[0];
    older += value[0] <= last;
    last = value[0];
  }
  done = true;
  writer.join();
  EXPECT_EQ(torn, 0U);
  EXPECT_EQ(older, 0U);
  EXPECT_GT(taken, 1U);
}

}  // namespace
}  // namespace semirec::realtime
