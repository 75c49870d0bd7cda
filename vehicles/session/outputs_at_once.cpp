#include "vehicles/session/outputs_at_once.hpp"

#include "integrator/formulation/evaluate.hpp"
#include "integrator/statics/initial_conditions.hpp"

namespace semirec {

OutputsAtOnce::OutputsAtOnce(const Session& session)
    : model_(&session.drive().model),
      ws_(*model_),
      recorder_(*model_, session.drive().recorder),
      row_(recorder_.channels().size()),
      state_(session.state()),
      base_(state_),
      changed_(state_),
      live_(state_.live),
      own_(model_->mechanism.inputs.size()) {
  for (std::size_t k = 0; k < row_.size(); ++k)
    follows_.push_back(recorder_.source_of(*model_, k) == ChannelSource::all ? 1 : 0);
  for (State* state : {&state_, &base_, &changed_})
    state->independent.reserve(static_cast<std::size_t>(model_->n()));
}

void OutputsAtOnce::follow(const Session& session) noexcept {
  state_ = session.state();
  live_ = state_.live;
  evaluate_inputs(model_->mechanism, state_.live, state_.t, own_);
  has_base_ = false;
}

void OutputsAtOnce::set_input(int input, double value) noexcept {
  const auto k = static_cast<std::size_t>(input);
  const CurveValue& own = own_[k];
  // what the state has stays as it is, to the bit
  if (value == own.f)
    live_[k] = state_.live[k];
  else
    live_[k] = {true, {value, own.fd, own.fdd}};
}

bool OutputsAtOnce::accelerate() noexcept {
  if (!has_base_) {
    base_ = state_;
    if (!find_accelerations(*model_, base_, ws_)) return false;
    has_base_ = true;
  }
  if (!find_accelerations(*model_, changed_, ws_)) return false;
  changed_.zdd = state_.zdd + (changed_.zdd - base_.zdd);
  changed_.multipliers = state_.multipliers + (changed_.multipliers - base_.multipliers);
  changed_.xd = state_.xd + (changed_.xd - base_.xd);
  return changed_.zdd.allFinite();
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
  if (differs && follows && !accelerate()) return false;
  recorder_.record(*model_, changed_, choice, ws_, row_.data(), values);
  return true;
}

}  // namespace semirec
