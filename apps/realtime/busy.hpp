#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace semirec::realtime {

/// Works for `rounds` rounds in registers; touches no memory beyond its stack. Returns a number
/// that depends on all of them.
double work(std::int64_t rounds) noexcept;

/// Rounds a nanosecond, measured for some milliseconds.
double measure_work();

/// Threads that read and write memory without a pause until they are destroyed, as a load on the
/// machine: 32 MiB each. They are kept off the core `away_from`. The system may start fewer than
/// asked for: started() tells.
class Load {
 public:
  Load(int threads, int away_from);
  ~Load();
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

  int started() const { return static_cast<int>(threads_.size()); }

 private:
  void stop();

  std::atomic<bool> done_{false};
  std::vector<std::unique_ptr<std::uint64_t[]>> memory_;
  std::vector<std::thread> threads_;
};

}  // namespace semirec::realtime
