#include "vehicles/session.hpp"

#include <cmath>

#include "integrator/step.hpp"

namespace semirec {

namespace {

Scenario with_step(Scenario scenario, const SessionSettings& settings) {
  scenario.step = settings.step;
  scenario.iterations = settings.iterations;
  return scenario;
}

int index_of(std::string_view name, const auto& list) {
  for (std::size_t k = 0; k < list.size(); ++k)
    if (list[k].name == name) return static_cast<int>(k);
  return -1;
}

}  // namespace

Session::Session(const Vehicle& vehicle, const Scenario& scenario, const SessionSettings& settings)
    : drive_(make_drive(vehicle, with_step(scenario, settings), settings.compile)),
      ws_(drive_.model),
      output_ws_(drive_.model),
      state_(start_drive(drive_, ws_)),
      recorder_(drive_.model, drive_.recorder),
      values_(recorder_.channels().size()) {
  state_.live.resize(inputs().size());
}

int Session::find_input(std::string_view name) const noexcept { return index_of(name, inputs()); }
int Session::find_output(std::string_view name) const noexcept { return index_of(name, outputs()); }

InputStatus Session::set_input(int input, double value) noexcept {
  if (input < 0 || static_cast<std::size_t>(input) >= state_.live.size())
    return InputStatus::unknown;
  const LiveInput& last = state_.live[static_cast<std::size_t>(input)];
  const double before =
      last.given ? last.value.f : inputs()[static_cast<std::size_t>(input)].curve.value(state_.t);
  return set_input(input, {value, (value - before) / settings().h, 0.0});
}

InputStatus Session::set_input(int input, const CurveValue& value) noexcept {
  if (input < 0 || static_cast<std::size_t>(input) >= state_.live.size())
    return InputStatus::unknown;
  if (!std::isfinite(value.f) || !std::isfinite(value.fd) || !std::isfinite(value.fdd))
    return InputStatus::not_finite;
  state_.live[static_cast<std::size_t>(input)] = {true, value};
  return InputStatus::accepted;
}

InputStatus Session::release_input(int input) noexcept {
  if (input < 0 || static_cast<std::size_t>(input) >= state_.live.size())
    return InputStatus::unknown;
  state_.live[static_cast<std::size_t>(input)].given = false;
  return InputStatus::accepted;
}

StepStatus Session::step() noexcept {
  report_ = semirec::step(drive_.model, settings(), state_, ws_);
  return report_.status;
}

void Session::read_outputs(double* values) noexcept {
  recorder_.record(drive_.model, state_, output_ws_, values_);
  std::copy(values_.begin(), values_.end(), values);
}

}  // namespace semirec
