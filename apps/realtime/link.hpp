#pragma once

#include <cstdint>

#include "vehicles/session/session.hpp"

namespace semirec::realtime {

/// Numbers that the session refused: each counts once, in the period in which its record came.
struct Refused {
  std::uint64_t count = 0;
  std::uint64_t not_finite = 0;  ///< of these; the others are of inputs that are not to be given
  int first_input = -1;
  double first_time = 0.0;  ///< model time, s
};

/// What a runner's client has done.
struct ClientReport {
  std::uint64_t input_records = 0;  ///< taken
  std::uint64_t overtaken = 0;      ///< copies turned down
  std::uint64_t timeouts = 0, silent_periods = 0;
  double first_timeout = 0.0;  ///< model time, s
  bool silent = false;         ///< at the end
  Refused refused;
};

/// What stands at the other side of a runner's inputs and outputs. The functions are called by the
/// runner's thread: they wait for nothing, take no memory, make no system call.
class Link {
 public:
  enum class Act {
    step,
    wait,          ///< no step in this period
    end,           ///< the run is over
    client_silent  ///< the run is over, because the client is silent
  };

  virtual ~Link() = default;
  /// At the begin of a period: sets and releases inputs.
  virtual Act begin_period(Session& session) noexcept = 0;
  /// After the step of the period, which counts from 1: `outputs` of the state, or of the one
  /// before a step that failed.
  virtual void end_period(const Session& session, std::uint64_t period, StepStatus status,
                          const double* outputs) noexcept = 0;
  /// Whether the run goes on after a step that failed: the link then decides what comes next.
  virtual bool survives_failures() const noexcept { return false; }
  /// Wall time of the coming periods, ns; 0: as the runner's settings say.
  virtual std::int64_t period() const noexcept { return 0; }
  virtual ClientReport report() const noexcept { return {}; }
};

}  // namespace semirec::realtime
