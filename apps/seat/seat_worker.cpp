#include "apps/seat/seat_worker.hpp"

#include <utility>

namespace semirec::seat {

SeatWorker::SeatWorker() : thread_([this] { work(); }) {}

SeatWorker::~SeatWorker() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  news_.notify_one();
  thread_.join();
}

void SeatWorker::post(std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  news_.notify_one();
}

void SeatWorker::work() {
  while (true) {
    std::function<void()> job;
    {
      std::unique_lock lock(mutex_);
      news_.wait(lock, [this] { return over_ || !jobs_.empty(); });
      if (jobs_.empty()) return;
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    job();
  }
}

}  // namespace semirec::seat
