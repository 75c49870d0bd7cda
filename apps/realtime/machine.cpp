#include "apps/realtime/machine.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "apps/realtime/clock.hpp"

namespace semirec::realtime {

namespace {

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

double cost_of(clockid_t clock) {
  constexpr int kCalls = 1000;
  std::int64_t best = INT64_MAX;
  for (int round = 0; round < 5; ++round) {
    const std::int64_t begin = now();
    for (int k = 0; k < kCalls; ++k) read_clock(clock);
    best = std::min(best, now() - begin);
  }
  return static_cast<double>(best) / kCalls;
}

std::string limit_of(int resource, const std::string& unit) {
  rlimit limit{};
  getrlimit(static_cast<__rlimit_resource>(resource), &limit);
  return limit.rlim_cur == RLIM_INFINITY ? "unlimited" : std::to_string(limit.rlim_cur) + unit;
}

// touches the pages a step may use of its stack
[[gnu::noinline]] void touch_stack() {
  volatile char pages[256 * 1024];
  for (std::size_t k = 0; k < sizeof pages; k += 1024) pages[k] = 0;
}

}  // namespace

Machine find_machine(int core) {
  Machine machine;
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (machine.processor.empty() && line.rfind("model name", 0) == 0)
      machine.processor = line.substr(std::min(line.size(), line.find(':') + 2));
    if (line.rfind("flags", 0) == 0 && line.find(" hypervisor") != std::string::npos)
      machine.is_virtual = true;
  }
  utsname system{};
  if (uname(&system) == 0)
    machine.kernel = std::string(system.sysname) + " " + system.release + " " + system.version;
  machine.governor = first_line("/sys/devices/system/cpu/cpu" + std::to_string(std::max(0, core)) +
                                "/cpufreq/scaling_governor");
  machine.clock_source =
      first_line("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  machine.isolated_cores = first_line("/sys/devices/system/cpu/isolated");
  machine.cores = static_cast<int>(sysconf(_SC_NPROCESSORS_CONF));
  machine.now_cost = cost_of(CLOCK_MONOTONIC);
  machine.thread_time_cost = cost_of(CLOCK_THREAD_CPUTIME_ID);
  return machine;
}

RealtimeThread::RealtimeThread(const Privileges& wanted) {
  const auto note = [&](const std::string& what, bool done, const std::string& missing) {
    attempts_.push_back({what, done, done ? "" : std::strerror(errno) + missing});
  };
  touch_stack();
  note("memory locked", mlockall(MCL_CURRENT | MCL_FUTURE) == 0,
       "; needs CAP_IPC_LOCK, or a limit memlock above the size of the program (now " +
           limit_of(RLIMIT_MEMLOCK, " bytes") + ")");
  touch_stack();
  if (wanted.core >= 0) {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(static_cast<std::size_t>(wanted.core), &cores);
    note("bound to core " + std::to_string(wanted.core),
         sched_setaffinity(0, sizeof cores, &cores) == 0,
         "; the core is off line or outside the cores this process may use");
  }
  if (wanted.priority > 0) {
    sched_param parameters{};
    parameters.sched_priority = wanted.priority;
    note("SCHED_FIFO at priority " + std::to_string(wanted.priority),
         sched_setscheduler(0, SCHED_FIFO, &parameters) == 0,
         "; needs CAP_SYS_NICE, or a limit rtprio of at least " + std::to_string(wanted.priority) +
             " (now " + limit_of(RLIMIT_RTPRIO, "") + ")");
  }
  note("timer slack 1 ns", prctl(PR_SET_TIMERSLACK, 1UL) == 0, "");
  constexpr const char* kLatency = "/dev/cpu_dma_latency";
  if (access(kLatency, F_OK) == 0) {
    latency_ = open(kLatency, O_WRONLY | O_CLOEXEC);
    const std::int32_t none = 0;
    note("deep idle states refused",
         latency_ >= 0 && write(latency_, &none, sizeof none) == sizeof none,
         std::string("; needs the right to write ") + kLatency);
  }
}

RealtimeThread::~RealtimeThread() {
  if (latency_ >= 0) close(latency_);
  const sched_param ordinary{};
  sched_setscheduler(0, SCHED_OTHER, &ordinary);
  prctl(PR_SET_TIMERSLACK, 0UL);
  munlockall();
}

}  // namespace semirec::realtime
