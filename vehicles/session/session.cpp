#include "vehicles/session/session.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "integrator/step.hpp"
#include "vehicles/session/fingerprint.hpp"
#include "vehicles/session/saved_session.hpp"

namespace semirec {

namespace {

void refuse(const char* what, double value, const char* expected) {
  std::ostringstream text;
  text << "session: " << what << " is " << value << ", expected " << expected;
  throw ModelError(text.str());
}

Scenario with_step(Scenario scenario, const SessionSettings& settings) {
  if (!(settings.step > 0.0 && settings.step <= 1.0))
    refuse("step", settings.step, "a step above 0 and of at most 1 s");
  if (settings.iterations < 1 || settings.iterations > 100)
    refuse("iterations", settings.iterations, "1 to 100");
  if (settings.factorizations < 0 || settings.factorizations > settings.iterations)
    refuse("factorizations", settings.factorizations, "0 to the number of iterations");
  scenario.step = settings.step;
  scenario.iterations = settings.iterations;
  // steps are the caller's, of one length
  scenario.error_tolerance = 0.0;
  scenario.cut_contacts = false;
  return scenario;
}

Drive make_session_drive(const Vehicle& vehicle, const Scenario& scenario,
                         const SessionSettings& settings,
                         std::vector<std::unique_ptr<ForceElement>> elements) {
  Drive drive =
      make_drive(vehicle, with_step(scenario, settings), settings.compile, std::move(elements));
  drive.settings.step.factorizations = settings.factorizations;
  return drive;
}

int index_of(std::string_view name, const auto& list) {
  for (std::size_t k = 0; k < list.size(); ++k)
    if (list[k].name == name) return static_cast<int>(k);
  return -1;
}

SessionMemory start(const Drive& drive, Workspace& ws, std::vector<std::string>& notes) {
  SessionMemory memory;
  StartReport report;
  memory.state = start_drive(drive, ws, report);
  notes.insert(notes.end(), report.notes.begin(), report.notes.end());
  memory.state.live.resize(drive.model.mechanism.inputs.size());
  memory.state.independent.reserve(static_cast<std::size_t>(drive.model.n()));
  memory.coming = memory.state.live;
  return memory;
}

std::vector<std::string> find_notes(const Vehicle& vehicle, const Scenario& scenario) {
  std::vector<std::string> notes = vehicle.notes;
  notes.insert(notes.end(), scenario.road_notes.begin(), scenario.road_notes.end());
  if (scenario.error_tolerance > 0.0)
    notes.push_back("the scenario's error_tolerance is not followed: here steps have one length");
  if (scenario.cut_contacts)
    notes.push_back("the scenario's cut_contacts is not followed: here steps have one length");
  return notes;
}

std::vector<const Event*> find_timed(const std::vector<Event>& events) {
  std::vector<const Event*> timed;
  for (const Event& event : events)
    if (event.is_timed()) timed.push_back(&event);
  std::stable_sort(timed.begin(), timed.end(),
                   [](const Event* a, const Event* b) { return a->time < b->time; });
  return timed;
}

}  // namespace

Session::Session(const Vehicle& vehicle, const Scenario& scenario, const SessionSettings& settings,
                 std::vector<std::unique_ptr<ForceElement>> elements)
    : drive_(std::make_shared<const Drive>(
          make_session_drive(vehicle, scenario, settings, std::move(elements)))),
      other_length_(drive_->settings.step),
      ws_(drive_->model),
      output_ws_(drive_->model),
      notes_(find_notes(vehicle, scenario)),
      memory_(start(*drive_, ws_, notes_)),
      spare_(memory_),
      recorder_(drive_->model, drive_->recorder),
      watcher_(drive_->model, drive_->settings.events),
      event_ws_(drive_->model, memory_.state),
      timed_(find_timed(drive_->settings.events)),
      values_(recorder_.channels().size()),
      fingerprint_(fingerprint(vehicle, scenario, *drive_)) {
  watcher_.remember(drive_->model, memory_.state);
  memory_.watched = watcher_.memory();
  spare_ = memory_;
  spare_.state.independent.reserve(static_cast<std::size_t>(drive_->model.n()));
  saved_size_ = saved_session_size(memory_);
}

Session::Session(const Session& other)
    : drive_(other.drive_),
      other_length_(other.other_length_),
      ws_(drive_->model),
      output_ws_(drive_->model),
      notes_(other.notes_),
      memory_(other.memory_),
      spare_(other.memory_),
      recorder_(other.recorder_),
      watcher_(drive_->model, drive_->settings.events),
      event_ws_(drive_->model, memory_.state),
      timed_(other.timed_),
      report_(other.report_),
      values_(recorder_.channels().size()),
      fingerprint_(other.fingerprint_),
      saved_size_(other.saved_size_) {
  watcher_.recall(memory_.watched);
  // a copy of a vector has no more room than it needs
  memory_.state.independent.reserve(static_cast<std::size_t>(drive_->model.n()));
  spare_.state.independent.reserve(static_cast<std::size_t>(drive_->model.n()));
}

int Session::find_input(std::string_view name) const noexcept { return index_of(name, inputs()); }
int Session::find_output(std::string_view name) const noexcept { return index_of(name, outputs()); }

InputStatus Session::set_input(int input, double value, double length) noexcept {
  if (input < 0 || static_cast<std::size_t>(input) >= memory_.coming.size())
    return InputStatus::unknown;
  const LiveInput& last = memory_.state.live[static_cast<std::size_t>(input)];
  const double before =
      last.given ? last.value.f : inputs()[static_cast<std::size_t>(input)].curve.value(time());
  return set_input(input, {value, (value - before) / length, 0.0});
}

InputStatus Session::set_input(int input, const CurveValue& value) noexcept {
  if (input < 0 || static_cast<std::size_t>(input) >= memory_.coming.size())
    return InputStatus::unknown;
  if (!std::isfinite(value.f) || !std::isfinite(value.fd) || !std::isfinite(value.fdd))
    return InputStatus::not_finite;
  memory_.coming[static_cast<std::size_t>(input)] = {true, value};
  return InputStatus::accepted;
}

InputStatus Session::release_input(int input) noexcept {
  if (input < 0 || static_cast<std::size_t>(input) >= memory_.coming.size())
    return InputStatus::unknown;
  memory_.coming[static_cast<std::size_t>(input)].given = false;
  return InputStatus::accepted;
}

StepStatus Session::step(double length) noexcept {
  if (!(length > 0.0) || length > settings().h) {
    report_ = {};
    report_.status = StepStatus::non_finite;
    return report_.status;
  }
  other_length_.h = length;
  if (controller_.call != nullptr) {
    recorder_.record(drive_->model, memory_.state, output_ws_, values_);
    controller_.call(controller_.user, *this, values_.data());
  }
  State& state = memory_.state;
  if (drive_->settings.events.empty())
    spare_.state.live = state.live;
  else
    spare_ = memory_;
  state.live = memory_.coming;
  report_ = semirec::step(drive_->model, other_length_, state, ws_);
  if (report_.status != StepStatus::converged) {
    state.live = spare_.state.live;
    return report_.status;
  }
  state.t = on_grid(state.t);
  if (carry_out_events() != StepStatus::converged) {
    memory_ = spare_;
    watcher_.recall(memory_.watched);
    return report_.status;
  }
  // what is held has no rate
  for (LiveInput& input : memory_.coming) input.value.fd = input.value.fdd = 0.0;
  return report_.status;
}

void Session::rehearse() noexcept {
  spare_.state = memory_.state;
  spare_.state.live = memory_.coming;
  static_cast<void>(semirec::step(drive_->model, settings(), spare_.state, ws_));
  recorder_.record(drive_->model, memory_.state, output_ws_, values_);
}

StepStatus Session::carry_out_events() noexcept {
  State& state = memory_.state;
  const auto happen = [&](const Event& event) {
    const EventOutcome outcome =
        apply_event(drive_->model, settings(), event, state, ws_, event_ws_);
    switch (outcome.status) {
      case EventStatus::done:
        return true;
      case EventStatus::too_wide:
      case EventStatus::open:
        report_.status = StepStatus::event_impossible;
        report_.Phi = outcome.gap;
        return false;
      case EventStatus::mass_not_positive_definite:
        break;
    }
    report_.status = StepStatus::tangent_not_positive_definite;
    return false;
  };
  bool happened = false;
  if (watcher_.watches()) {
    for (const Event* event : watcher_.find_crossings(drive_->model, state)) {
      if (!happen(*event)) return report_.status;
      happened = true;
    }
  }
  while (memory_.timed_events < timed_.size() &&
         timed_[memory_.timed_events]->time <= state.t + 1e-9 * settings().h) {
    if (!happen(*timed_[memory_.timed_events])) return report_.status;
    ++memory_.timed_events;
    happened = true;
  }
  if (!watcher_.watches()) return report_.status;
  if (happened) watcher_.remember(drive_->model, state);
  memory_.watched = watcher_.memory();
  return report_.status;
}

void Session::read_outputs(double* values) noexcept {
  recorder_.record(drive_->model, memory_.state, output_ws_, values_);
  std::copy(values_.begin(), values_.end(), values);
}

void Session::save(std::byte* out) const noexcept { write_session(memory_, fingerprint_, out); }

RestoreStatus Session::restore(const std::byte* in, std::size_t size) noexcept {
  const RestoreStatus status = read_session(in, size, fingerprint_, timed_.size(), spare_);
  if (status != RestoreStatus::restored) return status;
  memory_ = spare_;
  watcher_.recall(memory_.watched);
  report_ = {};
  return status;
}

}  // namespace semirec
