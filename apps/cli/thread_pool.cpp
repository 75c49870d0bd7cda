#include "apps/cli/thread_pool.hpp"

#include <chrono>
#include <iterator>
#include <system_error>

#include "apps/cli/terminal.hpp"
#include "topology/mechanism.hpp"

namespace semirec::cli {

ThreadPool::ThreadPool(std::size_t threads, Work work) : work_(std::move(work)) {
  // where the system starts fewer, the others do the work
  try {
    while (threads_.size() < threads) threads_.emplace_back([this] { serve(); });
  } catch (const std::system_error& error) {
    if (threads_.empty())
      throw ModelError(std::string("sweep: no thread can be started (") + error.code().message() +
                       "), expected a system that allows at least one more");
    complain("note: {} of {} threads could be started ({}), the sweep goes on with them\n",
             threads_.size(), threads, error.code().message());
  }
}

ThreadPool::~ThreadPool() { stop(); }

void ThreadPool::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    given_.wait(lock, [&] { return stop_ || !groups_.empty(); });
    if (stop_) return;
    const SampleGroup group = std::move(groups_.front());
    groups_.pop_front();
    lock.unlock();
    std::vector<StudyRow> rows = work_(group, stop_);
    lock.lock();
    if (rows.empty()) continue;
    rows_.push_back(std::move(rows));
    done_.notify_one();
  }
}

void ThreadPool::give(const std::vector<SampleGroup>& groups) {
  const std::lock_guard lock(mutex_);
  groups_.insert(groups_.end(), groups.begin(), groups.end());
  open_ += groups.size();
  given_.notify_all();
}

std::size_t ThreadPool::waiting() {
  const std::lock_guard lock(mutex_);
  return groups_.size();
}

std::size_t ThreadPool::open() {
  const std::lock_guard lock(mutex_);
  return open_;
}

std::vector<StudyRow> ThreadPool::take(int milliseconds) {
  std::unique_lock lock(mutex_);
  done_.wait_for(lock, std::chrono::milliseconds(milliseconds), [&] { return !rows_.empty(); });
  std::vector<StudyRow> rows;
  for (std::vector<StudyRow>& of_group : rows_)
    rows.insert(rows.end(), std::make_move_iterator(of_group.begin()),
                std::make_move_iterator(of_group.end()));
  open_ -= rows_.size();
  rows_.clear();
  return rows;
}

void ThreadPool::stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    open_ -= groups_.size();
    groups_.clear();
    given_.notify_all();
  }
  for (std::thread& thread : threads_)
    if (thread.joinable()) thread.join();
}

}  // namespace semirec::cli
