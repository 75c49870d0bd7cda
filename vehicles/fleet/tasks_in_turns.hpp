#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

namespace semirec {

/// Functions that take turns in one thread, each on a stack of its own: one goes on until it calls
/// wait() or ends, then the next. What a task does does not depend on how many others there are.
class TasksInTurns {
 public:
  /// Throws std::bad_alloc where there is no memory for the stacks.
  explicit TasksInTurns(std::vector<std::function<void()>> tasks);
  /// All tasks have ended.
  ~TasksInTurns();
  TasksInTurns(const TasksInTurns&) = delete;
  TasksInTurns& operator=(const TasksInTurns&) = delete;

  /// Carries each task on to its next wait() or to its end, in their order. False: all have ended.
  /// In the thread of the constructor.
  bool go_on();
  /// Of a task that has ended by an exception: the first of these; null: none has.
  std::exception_ptr error() const { return error_; }

  // from within a task
  /// Returns with the next go_on().
  void wait();
  /// Which one it is.
  std::size_t current() const { return current_; }

 private:
  struct Task;
  static void enter();

  std::vector<std::unique_ptr<Task>> tasks_;
  std::size_t current_ = 0;
  std::exception_ptr error_;
  std::unique_ptr<Task> here_;  ///< who calls go_on()
};

}  // namespace semirec
