#pragma once

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <ctime>

namespace semirec::realtime {

inline std::int64_t read_clock(clockid_t clock) noexcept {
  timespec time{};
  clock_gettime(clock, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

/// CLOCK_MONOTONIC, ns.
inline std::int64_t now() noexcept { return read_clock(CLOCK_MONOTONIC); }
/// CPU time of the calling thread, ns: a system call on Linux.
inline std::int64_t thread_time() noexcept { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

/// Sleeps until `spin` before `release` and then asks the clock until `release`; at once when that
/// is past. Returns early when `stop` is set. Times in ns on CLOCK_MONOTONIC.
inline void wait_until(std::int64_t release, std::int64_t spin,
                       const std::atomic<int>& stop) noexcept {
  const std::int64_t wake = release - spin;
  const timespec until{static_cast<time_t>(wake / 1'000'000'000),
                       static_cast<long>(wake % 1'000'000'000)};
  while (stop.load(std::memory_order_relaxed) == 0 &&
         clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
  }
  while (spin > 0 && stop.load(std::memory_order_relaxed) == 0 && now() < release) {
  }
}

}  // namespace semirec::realtime
