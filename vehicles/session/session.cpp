#include "vehicles/session/session.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "integrator/method/methods.hpp"
#include "integrator/same_time.hpp"
#include "integrator/statics/initial_conditions.hpp"
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

/// Checked.
int iterations_of(const Scenario& scenario, const SessionSettings& settings) {
  if (settings.iterations < 0 || settings.iterations > 100)
    refuse("iterations", settings.iterations, "1 to 100, or 0 for as many as usual");
  return settings.iterations == 0 ? usual_iterations(scenario.scheme) : settings.iterations;
}

Scenario with_step(Scenario scenario, const SessionSettings& settings) {
  if (!(settings.step > 0.0 && settings.step <= 1.0))
    refuse("step", settings.step, "a step above 0 and of at most 1 s");
  scenario.iterations = iterations_of(scenario, settings);
  if (settings.factorizations < 0 || settings.factorizations > scenario.iterations)
    refuse("factorizations", settings.factorizations, "0 to the number of iterations");
  scenario.step = settings.step;
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

SessionMemory start(const Drive& drive, Workspace& ws, const std::vector<LiveInput>& held,
                    std::vector<std::string>& notes) {
  SessionMemory memory;
  StartReport report;
  memory.state = start_drive(drive, ws, report, nullptr, held);
  prepare_method(drive.model, drive.settings.step, memory.state, ws);
  notes.insert(notes.end(), report.notes.begin(), report.notes.end());
  memory.state.live.resize(drive.model.mechanism.inputs.size());
  memory.state.independent.reserve(static_cast<std::size_t>(drive.model.n()));
  memory.coming = memory.state.live;
  return memory;
}

/// `iterations`: of a step.
std::vector<std::string> find_notes(const Vehicle& vehicle, const Scenario& scenario,
                                    int iterations) {
  std::vector<std::string> notes = vehicle.notes;
  notes.insert(notes.end(), scenario.road_notes.begin(), scenario.road_notes.end());
  if (scenario.error_tolerance > 0.0)
    notes.push_back("the scenario's error_tolerance is not followed: here steps have one length");
  if (scenario.cut_contacts)
    notes.push_back("the scenario's cut_contacts is not followed: here steps have one length");
  if (scenario.tolerance > 0.0)
    notes.push_back("the scenario's tolerance is not followed: here steps make " +
                    std::to_string(iterations) + " iterations whatever they leave");
  if (scenario.iterations > 0 && scenario.iterations != iterations)
    notes.push_back("the scenario's iterations of " + std::to_string(scenario.iterations) +
                    " are not followed: here steps make " + std::to_string(iterations) +
                    ", or as many as are asked for");
  return notes;
}

}  // namespace

Session::Car::Car(const Vehicle& vehicle, const Scenario& scenario, const SessionSettings& settings,
                  std::vector<std::unique_ptr<ForceElement>> elements)
    : drive(std::make_shared<const Drive>(
          make_session_drive(vehicle, scenario, settings, std::move(elements)))),
      other_length(drive->settings.step),
      ws(drive->model),
      output_ws(drive->model),
      recorder(drive->model, drive->recorder),
      watcher(drive->model, drive->settings.events),
      timed(find_timed(drive->settings.events)),
      fingerprint(semirec::fingerprint(vehicle, scenario, *drive)) {}

Session::Car::Car(const Car& other)
    : drive(other.drive),
      other_length(other.other_length),
      ws(drive->model),
      output_ws(drive->model),
      recorder(other.recorder),
      watcher(drive->model, drive->settings.events),
      timed(other.timed),
      fingerprint(other.fingerprint) {}

int usual_iterations(const SchemeChoice& scheme) {
  return scheme.family->kind == StepKind::linearly_implicit ? 1 : 2;
}

Session::Session(const Vehicle& vehicle, const Scenario& scenario, const SessionSettings& settings,
                 std::vector<std::unique_ptr<ForceElement>> elements)
    : car_(std::make_unique<Car>(vehicle, scenario, settings, std::move(elements))),
      notes_(find_notes(vehicle, scenario, car_->drive->settings.step.iterations)),
      notes_of_files_(notes_.size()),
      memory_(start(*car_->drive, car_->ws, {}, notes_)),
      spare_(memory_),
      balanced_(memory_.state),
      event_ws_(car_->drive->model, memory_.state),
      values_(car_->recorder.channels().size()) {
  car_->watcher.remember(car_->drive->model, memory_.state);
  memory_.watched = car_->watcher.memory();
  spare_ = memory_;
  for (State* state : {&spare_.state, &balanced_})
    state->independent.reserve(static_cast<std::size_t>(car_->drive->model.n()));
  saved_size_ = saved_session_size(memory_);
}

void Session::start_again(const std::vector<LiveInput>& held) {
  std::vector<std::string> notes(notes_.begin(),
                                 notes_.begin() + static_cast<std::ptrdiff_t>(notes_of_files_));
  SessionMemory begun = start(*car_->drive, car_->ws, held, notes);
  car_->watcher.recall(std::vector<EventWatcher::Memory>(memory_.watched.size()));
  car_->watcher.remember(car_->drive->model, begun.state);
  begun.watched = car_->watcher.memory();
  memory_ = std::move(begun);
  spare_ = memory_;
  spare_.state.independent.reserve(static_cast<std::size_t>(car_->drive->model.n()));
  notes_ = std::move(notes);
  report_ = {};
  unsettled_ = 0;
  ++changes_;
  event_happened_ = is_balanced_ = false;
}

Session::Session(const Session& other)
    : car_(std::make_unique<Car>(*other.car_)),
      notes_(other.notes_),
      notes_of_files_(other.notes_of_files_),
      memory_(other.memory_),
      spare_(other.memory_),
      balanced_(other.memory_.state),
      event_ws_(car_->drive->model, memory_.state),
      report_(other.report_),
      values_(other.values_.size()),
      saved_size_(other.saved_size_) {
  car_->watcher.recall(memory_.watched);
  // a copy of a vector has no more room than it needs
  for (State* state : {&memory_.state, &spare_.state, &balanced_})
    state->independent.reserve(static_cast<std::size_t>(car_->drive->model.n()));
}

bool Session::trade_cars(Session& other) noexcept {
  const auto alike = [](const auto& a, const auto& b) { return a.size() == b.size(); };
  const State& a = memory_.state;
  const State& b = other.memory_.state;
  if (saved_size_ != other.saved_size_ || !alike(a.z, b.z) || !alike(a.lambda, b.lambda) ||
      !alike(a.x, b.x) || !alike(a.live, b.live) || !alike(a.switches, b.switches) ||
      !alike(values_, other.values_) || !alike(car_->timed, other.car_->timed) ||
      settings().h != other.settings().h)
    return false;
  car_.swap(other.car_);
  ++changes_;
  ++other.changes_;
  is_balanced_ = other.is_balanced_ = false;
  car_->watcher.recall(memory_.watched);
  other.car_->watcher.recall(other.memory_.watched);
  return true;
}

int Session::find_input(std::string_view name) const noexcept { return index_of(name, inputs()); }
int Session::find_output(std::string_view name) const noexcept { return index_of(name, outputs()); }

InputStatus Session::set_input(int input, double value, double length) noexcept {
  if (input < 0 || static_cast<std::size_t>(input) >= memory_.coming.size())
    return InputStatus::unknown;
  if (!(length > 0.0)) return InputStatus::not_finite;
  return set_input(input, {value, (value - input_value(input)) / length, 0.0});
}

double Session::input_value(int input) const noexcept {
  if (input < 0 || static_cast<std::size_t>(input) >= memory_.state.live.size())
    return std::numeric_limits<double>::quiet_NaN();
  const auto k = static_cast<std::size_t>(input);
  const LiveInput& live = memory_.state.live[k];
  if (live.given) return live.value.f;
  const Input& own = inputs()[k];
  const double value = own.curve.value(time());
  return own.of == kNoInput ? value : value + own.factor * input_value(own.of);
}

InputStatus Session::set_input(int input, const CurveValue& value) noexcept {
  if (input < 0 || static_cast<std::size_t>(input) >= memory_.coming.size())
    return InputStatus::unknown;
  if (inputs()[static_cast<std::size_t>(input)].computed) return InputStatus::computed;
  if (!std::isfinite(value.f) || !std::isfinite(value.fd) || !std::isfinite(value.fdd))
    return InputStatus::not_finite;
  memory_.coming[static_cast<std::size_t>(input)] = {true, value};
  return InputStatus::accepted;
}

InputStatus Session::release_input(int input) noexcept {
  if (input < 0 || static_cast<std::size_t>(input) >= memory_.coming.size())
    return InputStatus::unknown;
  memory_.coming[static_cast<std::size_t>(input)] = {};
  return InputStatus::accepted;
}

StepStatus Session::step(double length) noexcept {
  if (!(length > 0.0) || length > settings().h) {
    report_ = {};
    report_.status = StepStatus::non_finite;
    return report_.status;
  }
  ++changes_;
  // to the next whole number of steps, as a run does: what jumps there is met from the same side
  const double stop = on_grid(memory_.state.t + length);
  car_->other_length.h = stop - memory_.state.t;
  if (controller_.call != nullptr) {
    car_->recorder.record(car_->drive->model, output_state(), car_->output_ws, values_);
    controller_.call(controller_.user, *this, values_.data());
  }
  State& state = memory_.state;
  if (car_->drive->settings.events.empty())
    spare_.state.live = state.live;
  else
    spare_ = memory_;
  state.live = memory_.coming;
  event_happened_ = is_balanced_ = false;
  report_ = semirec::step(car_->drive->model, car_->other_length, state, car_->ws);
  if (report_.status != StepStatus::converged) {
    state.live = spare_.state.live;
    return report_.status;
  }
  state.t = stop;
  if (carry_out_events() != StepStatus::converged) {
    memory_ = spare_;
    car_->watcher.recall(memory_.watched);
    event_happened_ = false;
    return report_.status;
  }
  // what is held has no rate
  for (LiveInput& input : memory_.coming) input.value.fd = input.value.fdd = 0.0;
  count_unsettled(report_);
  return report_.status;
}

State& Session::begin_elsewhere() noexcept {
  ++changes_;
  State& state = memory_.state;
  spare_.state.live = state.live;
  spare_.state.t = state.t;
  state.live = memory_.coming;
  event_happened_ = is_balanced_ = false;
  return state;
}

void Session::end_elsewhere(const StepReport& report) noexcept {
  report_ = report;
  if (memory_.state.t == spare_.state.t) {
    // not even the first was good
    memory_.state.live = spare_.state.live;
    return;
  }
  // what is held has no rate
  for (LiveInput& input : memory_.coming) input.value.fd = input.value.fdd = 0.0;
}

void Session::rehearse() noexcept {
  spare_.state = memory_.state;
  spare_.state.live = memory_.coming;
  static_cast<void>(semirec::step(car_->drive->model, settings(), spare_.state, car_->ws));
  is_balanced_ = false;
  car_->recorder.record(car_->drive->model, output_state(), car_->output_ws, values_);
}

StepStatus Session::carry_out_events() noexcept {
  State& state = memory_.state;
  const auto happen = [&](const Event& event) {
    const EventOutcome outcome =
        apply_event(car_->drive->model, settings(), event, state, car_->ws, event_ws_);
    switch (outcome.status) {
      case EventStatus::done:
        car_->watcher.note(event);
        event_happened_ = true;
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
  // what is due by its condition, then by its time, then what these carry across its level
  EventWatcher& watcher = car_->watcher;
  for (bool any = true; any;) {
    any = false;
    for (const Event* event : watcher.find_crossings(car_->drive->model, state)) {
      if (!happen(*event)) return report_.status;
      any = true;
    }
    while (memory_.timed_events < car_->timed.size() &&
           has_come(car_->timed[memory_.timed_events]->time, state.t, settings().h)) {
      if (!happen(*car_->timed[memory_.timed_events])) return report_.status;
      ++memory_.timed_events;
      any = true;
    }
  }
  if (!watcher.watches()) return report_.status;
  watcher.keep();
  memory_.watched = watcher.memory();
  return report_.status;
}

const State& Session::output_state() noexcept {
  if (settings().scheme.family->kind != StepKind::linearly_implicit) return memory_.state;
  if (!is_balanced_) {
    balanced_ = memory_.state;
    // where M is singular those of the step stay
    if (!find_accelerations(car_->drive->model, balanced_, car_->output_ws))
      balanced_ = memory_.state;
    is_balanced_ = true;
  }
  return balanced_;
}

void Session::read_outputs(double* values) noexcept {
  car_->recorder.record(car_->drive->model, output_state(), car_->output_ws, values_);
  std::copy(values_.begin(), values_.end(), values);
}

void Session::read_outputs(const OutputChoice& choice, double* values) noexcept {
  car_->recorder.record(car_->drive->model, output_state(), choice, car_->output_ws, values_.data(),
                        values);
}

void Session::save(std::byte* out) const noexcept {
  write_session(memory_, car_->fingerprint, out);
}

RestoreStatus Session::restore(const std::byte* in, std::size_t size) noexcept {
  const RestoreStatus status =
      read_session(in, size, car_->fingerprint, car_->timed.size(), spare_);
  if (status != RestoreStatus::restored) return status;
  ++changes_;
  memory_ = spare_;
  is_balanced_ = false;
  car_->watcher.recall(memory_.watched);
  report_ = {};
  unsettled_ = 0;
  return status;
}

}  // namespace semirec
