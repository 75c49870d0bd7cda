#include "apps/realtime/busy.hpp"

#include <algorithm>
#include <csignal>
#include <exception>
#include <pthread.h>
#include <sched.h>
#include <stdexcept>
#include <string>

#include "apps/realtime/clock.hpp"

namespace semirec::realtime {

namespace {

constexpr std::size_t kWords = 32 * 1024 * 1024 / sizeof(std::uint64_t);

void load(std::uint64_t* memory, const std::atomic<bool>& done) {
  std::uint64_t seed = 1;
  while (!done.load(std::memory_order_relaxed)) {
    // a sweep for the bandwidth, then jumps for the caches
    for (std::size_t k = 0; k < kWords; k += 8) memory[k] += k;
    for (int k = 0; k < 100000; ++k) {
      seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
      memory[(seed >> 33) % kWords] += seed;
    }
  }
}

}  // namespace

double work(std::int64_t rounds) noexcept {
  double a = 1.0;
  for (std::int64_t k = 0; k < rounds; ++k) a = 0.5 * (a + 2.0 / a);
  return a;
}

double measure_work() {
  constexpr std::int64_t kRounds = 100'000;
  double best = 0.0;
  volatile double sink = 0.0;
  for (int k = 0; k < 10; ++k) {
    const std::int64_t begin = now();
    sink = sink + work(kRounds);
    const std::int64_t end = now();
    best = std::max(best, static_cast<double>(kRounds) /
                              static_cast<double>(std::max<std::int64_t>(1, end - begin)));
  }
  return best;
}

Load::Load(int threads, int away_from) {
  // signals are for the thread that runs
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (int k = 0; k < threads; ++k) {
    try {
      memory_.push_back(std::make_unique<std::uint64_t[]>(kWords));
      threads_.emplace_back(load, memory_.back().get(), std::cref(done_));
    } catch (const std::exception&) {
      stop();
      pthread_sigmask(SIG_SETMASK, &before, nullptr);
      throw std::runtime_error("--load: " + std::to_string(k) + " of " + std::to_string(threads) +
                               " busy threads could be started, expected room for all");
    }
    cpu_set_t cores;
    CPU_ZERO(&cores);
    if (sched_getaffinity(0, sizeof cores, &cores) == 0 && away_from >= 0 &&
        away_from < CPU_SETSIZE) {
      CPU_CLR(static_cast<std::size_t>(away_from), &cores);
      pthread_setaffinity_np(threads_.back().native_handle(), sizeof cores, &cores);
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Load::~Load() { stop(); }

void Load::stop() {
  done_ = true;
  for (std::thread& thread : threads_) thread.join();
}

}  // namespace semirec::realtime
