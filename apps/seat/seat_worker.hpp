#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace semirec::seat {

/// A thread for what takes long and must keep neither the loop nor the page waiting: jobs, one
/// after another. The destructor waits until all are done. A job throws nothing.
class SeatWorker {
 public:
  SeatWorker();
  ~SeatWorker();
  SeatWorker(const SeatWorker&) = delete;
  SeatWorker& operator=(const SeatWorker&) = delete;

  void post(std::function<void()> job);

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable news_;
  std::deque<std::function<void()>> jobs_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace semirec::seat
