#include "vehicles/fleet/tasks_in_turns.hpp"

#include <exception>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

#include <cxxabi.h>
#include <ucontext.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SEMIREC_STACKS_ARE_WATCHED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define SEMIREC_STACKS_ARE_WATCHED
#endif
#ifdef SEMIREC_STACKS_ARE_WATCHED
#include <sanitizer/common_interface_defs.h>
#endif

namespace semirec {

namespace {

/// Address space of a stack; memory is what a task touches of it.
constexpr std::size_t kStackSize = std::size_t{4} << 20;

/// A stack whose lowest page may not be touched: one that is too deep ends there.
class Stack {
 public:
  Stack() {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    memory_ = mmap(nullptr, kStackSize + page, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
    size_ = kStackSize + page;
    if (mprotect(memory_, page, PROT_NONE) != 0) {
      munmap(memory_, size_);
      throw std::bad_alloc();
    }
    begin_ = static_cast<std::byte*>(memory_) + page;
  }
  ~Stack() { munmap(memory_, size_); }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;
  void* begin() const { return begin_; }

 private:
  void* memory_ = nullptr;
  std::size_t size_ = 0;
  std::byte* begin_ = nullptr;
};

/// Exceptions that are being handled, as the C++ ABI keeps them for a thread (Itanium C++ ABI,
/// 2.2.2): a task that waits within a handler takes its own along.
struct ExceptionsAtHand {
  void* caught = nullptr;
  unsigned int uncaught = 0;
};
ExceptionsAtHand& exceptions_of_thread() {
  return *reinterpret_cast<ExceptionsAtHand*>(abi::__cxa_get_globals());
}

/// Who is to be entered.
thread_local TasksInTurns* starting = nullptr;

}  // namespace

struct TasksInTurns::Task {
  std::function<void()> function;
  std::unique_ptr<Stack> stack;  ///< none: the thread's own
  ucontext_t context{};
  ExceptionsAtHand exceptions;
  bool ended = false;
  // what the address sanitizer keeps of a stack that is left
  const void* bottom = nullptr;
  std::size_t size = 0;
  void* kept = nullptr;

  /// Goes on with `to`; returns when somebody goes on with this one.
  void hand_over_to(Task& to) {
    ExceptionsAtHand& exceptions_at_hand = exceptions_of_thread();
    exceptions = exceptions_at_hand;
    exceptions_at_hand = to.exceptions;
#ifdef SEMIREC_STACKS_ARE_WATCHED
    __sanitizer_start_switch_fiber(ended ? nullptr : &kept, to.bottom, to.size);
#endif
    swapcontext(&context, &to.context);
    has_come(to);
  }
  /// The first thing after a stack has been changed; `from`: any other.
  void has_come([[maybe_unused]] Task& from) {
#ifdef SEMIREC_STACKS_ARE_WATCHED
    __sanitizer_finish_switch_fiber(kept, &from.bottom, &from.size);
#endif
  }
};

TasksInTurns::TasksInTurns(std::vector<std::function<void()>> tasks)
    : here_(std::make_unique<Task>()) {
  for (std::function<void()>& function : tasks) {
    tasks_.push_back(std::make_unique<Task>());
    Task& task = *tasks_.back();
    task.function = std::move(function);
    task.stack = std::make_unique<Stack>();
    task.bottom = task.stack->begin();
    task.size = kStackSize;
    getcontext(&task.context);
    task.context.uc_stack.ss_sp = task.stack->begin();
    task.context.uc_stack.ss_size = kStackSize;
    task.context.uc_link = nullptr;
    makecontext(&task.context, &TasksInTurns::enter, 0);
  }
}

TasksInTurns::~TasksInTurns() = default;

void TasksInTurns::enter() {
  TasksInTurns& turns = *starting;
  Task& own = *turns.tasks_[turns.current_];
  own.has_come(*turns.here_);
  try {
    own.function();
  } catch (...) {
    if (!turns.error_) turns.error_ = std::current_exception();
  }
  own.ended = true;
  own.hand_over_to(*turns.here_);
}

bool TasksInTurns::go_on() {
  bool any = false;
  for (current_ = 0; current_ < tasks_.size(); ++current_) {
    Task& task = *tasks_[current_];
    if (task.ended) continue;
    starting = this;
    here_->hand_over_to(task);
    any = any || !task.ended;
  }
  return any;
}

void TasksInTurns::wait() { tasks_[current_]->hand_over_to(*here_); }

}  // namespace semirec
