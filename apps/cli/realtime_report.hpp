#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "apps/realtime/exchange.hpp"
#include "apps/realtime/machine.hpp"
#include "apps/realtime/runner.hpp"

namespace semirec::cli {

/// What a real-time run was asked for, as far as its report repeats it.
struct RealtimeSetup {
  std::string scenario, exchange;
  double rate = 1000.0;    ///< Hz
  double duration = 10.0;  ///< s
  int iterations = 2;
  int factorizations = 0;
  int core = -1, priority = 0, load = 0;
  std::uint32_t input_timeout = 100;  ///< periods
  realtime::OnTimeout on_timeout = realtime::OnTimeout::hold;
  realtime::RunnerSettings runner;
};

/// `finished`, `interrupted` or `stopped: ...`, and for those a sentence with the figures.
std::string realtime_status(const realtime::Runner& runner);
std::string realtime_message(const realtime::Runner& runner, const Session& session,
                             const RealtimeSetup& setup);

/// The file realtime.json. The tables of timings are in us.
nlohmann::ordered_json realtime_json(const realtime::Runner& runner, const Session& session,
                                     const RealtimeSetup& setup, const realtime::Machine& machine,
                                     const std::vector<realtime::Attempt>& attempts);

/// The same for people.
void print_realtime(const nlohmann::ordered_json& json);

}  // namespace semirec::cli
