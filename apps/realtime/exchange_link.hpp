#pragma once

#include <string>
#include <vector>

#include "apps/realtime/exchange.hpp"
#include "apps/realtime/link.hpp"
#include "vehicles/session/input_watch.hpp"

namespace semirec::realtime {

/// A client in shared memory: takes its inputs before each step and publishes the outputs after
/// it.
class ExchangeLink final : public Link {
 public:
  /// `input_timeout` in periods.
  ExchangeLink(Exchange& exchange, const Session& session, std::uint32_t input_timeout,
               OnTimeout on_timeout);
  Act begin_period(Session& session) noexcept override;
  void end_period(const Session& session, std::uint64_t period, StepStatus status,
                  const double* outputs) noexcept override;
  ClientReport report() const noexcept override;
  /// A line for each input whose values have left those that act.
  std::vector<std::string> notes() const { return beyond_.notes(); }

 private:
  /// Whether the client gives this input, or one that it follows.
  bool follows_client(const Session& session, InputIndex input) const noexcept;

  Exchange& exchange_;
  OnTimeout on_timeout_;
  ClientWatch watch_;
  ClientReport report_;
  InputWatch beyond_;
  bool is_fresh_ = false;          ///< a record came in this period
  std::vector<char> from_client_;  ///< [input] the client has given it
};

}  // namespace semirec::realtime
