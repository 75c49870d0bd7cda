#pragma once

#include <memory>
#include <string>
#include <vector>

namespace semirec::realtime {

/// What figures depend on, as far as the system tells; "" where it does not.
struct Machine {
  std::string processor, kernel, governor, clock_source, isolated_cores;
  int cores = 0;
  bool is_virtual = false;
  double now_cost = 0.0, thread_time_cost = 0.0;  ///< of a call of each clock, ns
};
/// `core`: whose governor; -1: that of core 0.
Machine find_machine(int core);

/// One thing asked of the system.
struct Attempt {
  std::string what;  ///< `memory locked`, ...
  bool done = false;
  std::string reason;  ///< why it was not done, and what is missing
};

/// What the running thread asks for.
struct Privileges {
  int core = -1;     ///< bind to it; -1: stay free
  int priority = 0;  ///< SCHED_FIFO 1..99; 0: ordinary scheduling
};

/// Prepares the calling thread for a periodic task while it lives: memory locked, stack touched,
/// bound to a core, scheduled first-in-first-out, timer slack 1 ns, deep idle states of the
/// processor refused (where /dev/cpu_dma_latency exists). What cannot be had is left, and said in
/// attempts(). The destructor gives all back but the core.
class RealtimeThread {
 public:
  explicit RealtimeThread(const Privileges& wanted);
  ~RealtimeThread();
  RealtimeThread(const RealtimeThread&) = delete;
  RealtimeThread& operator=(const RealtimeThread&) = delete;
  const std::vector<Attempt>& attempts() const { return attempts_; }

 private:
  std::vector<Attempt> attempts_;
  int latency_ = -1;
};

}  // namespace semirec::realtime
