#include "vehicles/session/outputs_at_once.hpp"

#include "integrator/formulation/evaluate.hpp"

namespace semirec {

OutputsAtOnce::OutputsAtOnce(const Session& session)
    : model_(&session.drive().model),
      ws_(*model_),
      recorder_(*model_, session.drive().recorder),
      row_(recorder_.channels().size()),
      state_(session.state()),
      changed_(state_),
      live_(state_.live),
      own_(model_->mechanism.inputs.size()),
      now_(own_),
      change_(*model_, ws_) {
  for (std::size_t k = 0; k < row_.size(); ++k)
    follows_.push_back(recorder_.source_of(*model_, k) == ChannelSource::all ? 1 : 0);
  for (State* state : {&state_, &changed_})
    state->independent.reserve(static_cast<std::size_t>(model_->n()));
}

void OutputsAtOnce::follow(Session& session) noexcept {
  state_ = session.output_state();
  live_ = state_.live;
  evaluate_inputs(model_->mechanism, state_.live, state_.t, own_);
  has_begun_ = false;
}

void OutputsAtOnce::set_input(int input, double value) noexcept {
  const auto k = static_cast<std::size_t>(input);
  const CurveValue& own = own_[k];
  // what the state has stays as it is, to the bit, unless it follows another input
  const bool follows = !state_.live[k].given && model_->mechanism.inputs[k].of != kNoInput;
  if (value == own.f && !follows)
    live_[k] = state_.live[k];
  else
    live_[k] = {true, {value, own.fd, own.fdd}};
}

double OutputsAtOnce::value(int input) noexcept {
  now_ = own_;  // with those that an equation computes
  evaluate_inputs(model_->mechanism, live_, state_.t, now_);
  return now_[static_cast<std::size_t>(input)].f;
}

bool OutputsAtOnce::read(const OutputChoice& choice, double* values) noexcept {
  bool differs = false;
  for (std::size_t k = 0; k < own_.size(); ++k) {
    const LiveInput& now = live_[k];
    const LiveInput& then = state_.live[k];
    differs = differs || now.given != then.given || (now.given && now.value.f != then.value.f);
  }
  bool follows = false;
  for (const std::size_t channel : choice.channels) follows = follows || follows_[channel] != 0;
  changed_ = state_;
  changed_.live = live_;
  if (differs && follows) {
    if (!has_begun_ && !change_.begin(*model_, state_, ws_)) return false;
    has_begun_ = true;
    if (!change_.add(*model_, changed_, ws_)) return false;
  }
  // where it finds accelerations for reactions itself, the factor of the changes is gone
  constexpr double kFactor = 1.0;
  ws_.kept_scale = kFactor;
  recorder_.record(*model_, changed_, choice, ws_, row_.data(), values);
  if (ws_.kept_scale != kFactor) has_begun_ = false;
  return true;
}

}  // namespace semirec
