#include "apps/realtime/exchange_link.hpp"

#include "apps/realtime/clock.hpp"

namespace semirec::realtime {

ExchangeLink::ExchangeLink(Exchange& exchange, const Session& session, std::uint32_t input_timeout,
                           OnTimeout on_timeout)
    : exchange_(exchange),
      on_timeout_(on_timeout),
      watch_(input_timeout),
      beyond_(session.drive().model, InputWatch::Of::given),
      from_client_(session.inputs().size(), 0) {}

Link::Act ExchangeLink::begin_period(Session& session) noexcept {
  is_fresh_ = false;
  const bool fresh = exchange_.take_inputs();
  if (fresh) ++report_.input_records;
  const ClientWatch::News news = watch_.look(exchange_.client_heartbeat());
  if (news == ClientWatch::News::fell_silent) {
    if (watch_.timeouts() == 1) report_.first_timeout = session.time();
    if (on_timeout_ == OnTimeout::stop) return Act::client_silent;
  }
  if (exchange_.input_record() == 0) return Act::step;
  const bool to_curves = watch_.silent() && on_timeout_ == OnTimeout::curve;
  for (std::size_t k = 0; k < from_client_.size(); ++k) {
    const int input = static_cast<int>(k);
    if (exchange_.given(k) && !to_curves) {
      // every period, also without a new record: the rate of a held input is zero
      const InputStatus status = session.set_input(input, exchange_.value(k));
      if (status == InputStatus::accepted) {
        from_client_[k] = 1;
        is_fresh_ = is_fresh_ || fresh;
      } else if (fresh) {
        // a record is told once, however long it stays the newest
        if (report_.refused.count++ == 0) {
          report_.refused.first_input = input;
          report_.refused.first_time = session.time();
        }
        if (status == InputStatus::not_finite) ++report_.refused.not_finite;
      }
    } else if (from_client_[k] != 0) {
      session.release_input(input);
      from_client_[k] = 0;
    }
  }
  return Act::step;
}

bool ExchangeLink::follows_client(const Session& session, InputIndex input) const noexcept {
  for (; input != kNoInput; input = session.inputs()[static_cast<std::size_t>(input)].of)
    if (from_client_[static_cast<std::size_t>(input)] != 0) return true;
  return false;
}

void ExchangeLink::end_period(const Session& session, std::uint64_t period, StepStatus status,
                              const double* outputs) noexcept {
  // inputs that follow the client's, too
  if (is_fresh_)
    beyond_.for_each_input([&](InputIndex input) {
      if (follows_client(session, input))
        beyond_.see(input, session.input_value(input), session.time());
    });
  const bool settled = status == StepStatus::converged && session.report().settled;
  exchange_.publish(period, now(), static_cast<std::uint64_t>(status), settled, outputs);
}

ClientReport ExchangeLink::report() const noexcept {
  ClientReport report = report_;
  report.timeouts = watch_.timeouts();
  report.silent_periods = watch_.silent_periods();
  report.silent = watch_.silent();
  report.overtaken = exchange_.overtaken();
  return report;
}

}  // namespace semirec::realtime
