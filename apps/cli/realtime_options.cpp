#include "apps/cli/realtime_options.hpp"

#include <sched.h>
#include <unistd.h>

#include <fmt/core.h>

#include "topology/mechanism.hpp"

namespace semirec::cli {

void expect_within(const char* option, double value, double low, double high, const char* words) {
  if (value >= low && value <= high) return;
  throw ModelError(fmt::format("{} is {:g}, expected {}", option, value, words));
}

void expect_core(std::optional<int> core) {
  const long cores = sysconf(_SC_NPROCESSORS_CONF);
  if (core && (*core < 0 || *core >= cores || *core >= CPU_SETSIZE))
    throw ModelError(
        fmt::format("--core is {}, expected one of the {} cores of this machine: 0 to {}", *core,
                    cores, cores - 1));
}

}  // namespace semirec::cli
