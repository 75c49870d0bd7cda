#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "vehicles/study/journal.hpp"

namespace semirec::cli {

/// Samples of a study that are worked through at once.
using SampleGroup = std::vector<std::size_t>;

/// Threads that work through groups of samples in the order in which they are given.
class ThreadPool {
 public:
  /// The rows of a group; none where `stop` became true.
  using Work =
      std::function<std::vector<StudyRow>(const SampleGroup&, const std::atomic<bool>& stop)>;

  /// Where the system starts fewer threads than asked for, those that run do all the work and one
  /// line on stderr says so. Throws ModelError when it starts none.
  ThreadPool(std::size_t threads, Work work);
  /// Stops.
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  void give(const std::vector<SampleGroup>& groups);
  /// Groups that nobody has begun.
  std::size_t waiting();
  /// Groups that were given and not taken back as rows.
  std::size_t open();
  /// All rows since the last time; waits for one up to so many milliseconds.
  std::vector<StudyRow> take(int milliseconds);
  /// Drops what waits, tells those at work to stop, and waits for them.
  void stop();

 private:
  void serve();

  Work work_;
  std::mutex mutex_;
  std::condition_variable given_, done_;
  std::deque<SampleGroup> groups_;
  std::vector<std::vector<StudyRow>> rows_;  ///< [group done]
  std::size_t open_ = 0;
  std::atomic<bool> stop_{false};
  std::vector<std::thread> threads_;
};

}  // namespace semirec::cli
