#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "integrator/event.hpp"
#include "integrator/event_watcher.hpp"
#include "integrator/outputs/recorder.hpp"
#include "integrator/report.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"
#include "vehicles/session/drive.hpp"

namespace semirec {

/// How a session steps.
struct SessionSettings {
  double step = 1e-3;  ///< s, above 0 and at most 1
  /// Newton iterations of every step, 1 to 100; its work does not vary. 0: as many as usual.
  int iterations = 0;
  /// Of them the first so many factor the tangent anew; 0: all. One does at steps up to 2 ms and
  /// saves an eighth of the time; at 10 ms and a hard edge it may diverge.
  int factorizations = 0;
  CompileSettings compile;
};

/// Two, or one with a scheme that does not iterate.
int usual_iterations(const SchemeChoice& scheme);

enum class InputStatus {
  accepted,
  not_finite,  ///< the number is refused, the input keeps what it had
  unknown,     ///< no input has this index
  computed     ///< an equation of the vehicle computes it: nobody else sets it
};

enum class RestoreStatus {
  restored,
  wrong_size,   ///< truncated, or of another model
  not_a_state,  ///< no state of this program and version
  other_model,  ///< of a vehicle, scenario or setting that is not this one
  corrupt       ///< the checksum does not fit, or a number is none
};

class Session;

/// A controller inside the loop: called at the begin of every step with the outputs of the state,
/// in the order of Session::outputs(). It may set and release inputs, and nothing else. What it
/// remembers is its own affair: a saved session does not hold it.
struct Controller {
  void (*call)(void* user, Session& session, const double* outputs) noexcept = nullptr;
  void* user = nullptr;
};

/// All that a session must keep to go on.
struct SessionMemory {
  State state;                    ///< its live inputs are those at the end of the last step
  std::vector<LiveInput> coming;  ///< [input] at the end of the coming step
  std::vector<EventWatcher::Memory> watched;  ///< [conditional event]
  std::uint64_t timed_events = 0;             ///< so many have happened
};

/// A vehicle that is stepped from outside at a fixed rate: inputs in, one step, outputs out. After
/// the constructor nothing here takes memory or a lock, makes a system call, prints or throws, in
/// the hybrid and recursive formulations. (The global one takes memory at events and for reactions
/// among the outputs, the topological one in the step after an event that changes the degrees of
/// freedom.)
///
/// Every step of step() lies on the grid t = k h and does the same work: `iterations` Newton
/// iterations and one projection pass. An event of the scenario happens at the first grid time at
/// or after its own, a condition's at the end of the step that crossed it; such a step has the work
/// of the impact on top. Jumps of an input's curve are stepped over (run() stops at them). The
/// state is untouched by a step that fails, also by one whose event is impossible, and the session
/// may go on from there with other inputs or a restored state.
class Session {
 public:
  /// Reads nothing: both descriptions come from read_drive(). Throws
  /// ModelError, also where the settings are out of range. `elements`: as in make_drive(); their
  /// channels are outputs like all others, and what the session promises of its steps holds as far
  /// as they keep the contract of ForceElement.
  Session(const Vehicle& vehicle, const Scenario& scenario, const SessionSettings& settings = {},
          std::vector<std::unique_ptr<ForceElement>> elements = {});
  explicit Session(const DriveDescription& read, const SessionSettings& settings = {},
                   std::vector<std::unique_ptr<ForceElement>> elements = {})
      : Session(read.vehicle, read.scenario, settings, std::move(elements)) {}

  /// Another session at the same state, with the same inputs to come, for a hundredth of the time
  /// that a first one takes: both read the one model, which nothing changes, and may be stepped in
  /// threads of their own. It has no controller. Takes memory.
  Session(const Session& other);
  Session& operator=(const Session&) = delete;

  // inputs: all inputs of the vehicle and of the scenario (excitations, speed), by name
  const std::vector<Input>& inputs() const { return car_->drive->model.mechanism.inputs; }
  /// -1 when no input has this name.
  int find_input(std::string_view name) const noexcept;
  /// Value of an input, not one that an equation computes, at the state; NaN for an index that
  /// there is not.
  double input_value(int input) const noexcept;
  /// The value of an input at the end of the coming step, held from then on; until the first call
  /// the input follows its curve. The rate at the end of the coming step is the difference from the
  /// value at time() over one step, in the steps after that zero. A number that is not finite (or
  /// so large that the rate is not) is refused.
  InputStatus set_input(int input, double value) noexcept {
    return set_input(input, value, settings().h);
  }
  /// The same where the coming step has another length, above 0 s; not_finite for any other.
  InputStatus set_input(int input, double value, double length) noexcept;
  /// The same with rate and second rate (drivers use them), 1/s and 1/s^2 of the input's unit.
  InputStatus set_input(int input, const CurveValue& value) noexcept;
  /// Back to the input's own curve.
  InputStatus release_input(int input) noexcept;
  /// What the coming step will find at an index from 0 to inputs().size() - 1.
  const LiveInput& input_to_come(int input) const noexcept {
    return memory_.coming[static_cast<std::size_t>(input)];
  }

  /// Back to the start, which is looked for anew with the inputs that are given among `held`, one
  /// for each input, in place of their curves; they stay so from then on. Notes become those of
  /// this start. Throws ModelError where there is none; the session is then as it was. Takes
  /// memory.
  void start_again(const std::vector<LiveInput>& held);

  /// From the next step on; one without `call` ends it. Outputs are evaluated for it at each step.
  void set_controller(const Controller& controller) noexcept { controller_ = controller; }

  /// One step of settings().h, after the controller, then the events that are due. An attachment
  /// that stays open is event_impossible, with the gap in report().Phi.
  StepStatus step() noexcept { return step(settings().h); }
  /// The same over another length, above 0 and at most settings().h (elsewhere nothing happens and
  /// the step is non_finite): for a caller whose times lie beside the grid. Steps of settings().h
  /// go on from there; once back on the grid, to 1e-6 of a step, they stay on it.
  StepStatus step(double length) noexcept;
  /// Whether its steps may be taken elsewhere, beside those of other sessions (SessionsSideBySide):
  /// neither events nor a controller go with them.
  bool may_step_elsewhere() const noexcept {
    return controller_.call == nullptr && car_->drive->settings.events.empty();
  }
  /// Steps of settings().h that are taken elsewhere begin: the state, its live inputs those at the
  /// end of the first of them. It may be moved to the end of the last good one; end_elsewhere()
  /// comes next.
  State& begin_elsewhere() noexcept;
  /// One of them has been taken; counts it if it has not settled.
  void note_elsewhere(const StepReport& report) noexcept { count_unsettled(report); }
  /// Such steps have ended, with the report of the last.
  void end_elsewhere(const StepReport& report) noexcept;
  /// Differs from what it was where the state has changed otherwise than between the last
  /// begin_elsewhere() and its end_elsewhere(): who took those steps need not read it again. 0:
  /// before any change.
  std::uint64_t changes() const noexcept { return changes_; }
  /// time() after a step from `t`, to the bit.
  double next_time(double t) const noexcept { return on_grid(t + settings().h); }
  /// Takes the coming step on a copy and forgets it: for a loop that has time to spare before a
  /// step is due, so that the step finds its numbers and its code in the caches. Changes nothing.
  void rehearse() noexcept;
  /// Of the last step: iterations, correction, closure errors.
  const StepReport& report() const noexcept { return report_; }
  /// Steps that were taken without having settled (StepReport::has_settled()), since the session
  /// was made, also as a copy, begun again or restored.
  std::uint64_t unsettled_steps() const noexcept { return unsettled_; }
  /// Whether events of the scenario have happened at the end of the last step.
  bool event_happened() const noexcept { return event_happened_; }
  double time() const noexcept { return memory_.state.t; }  ///< s
  /// time() after the coming step, to the bit.
  double next_time() const noexcept { return next_time(memory_.state.t); }
  const StepSettings& settings() const noexcept { return car_->drive->settings.step; }

  // outputs: the columns of results.csv but the energies
  const std::vector<Channel>& outputs() const noexcept { return car_->recorder.channels(); }
  /// -1 when no output has this name.
  int find_output(std::string_view name) const noexcept;
  /// Evaluates output_state() and fills `values`, outputs().size() numbers.
  void read_outputs(double* values) noexcept;
  /// What it takes to evaluate some outputs alone, by their index among outputs(). For this session
  /// and its copies. Takes memory. Throws ModelError for an index that there is not.
  OutputChoice choose_outputs(const std::vector<std::size_t>& outputs) const {
    return car_->recorder.choose(car_->drive->model, outputs);
  }
  /// Evaluates these and fills `values` in their order, with the bits of the function above.
  void read_outputs(const OutputChoice& choice, double* values) noexcept;

  // the state as bytes: going on from a restored one gives the same bits, in this session or in one
  // made of the same files and settings by the same program on such a machine
  /// Bytes that save() writes, always the same.
  std::size_t saved_size() const noexcept { return saved_size_; }
  void save(std::byte* out) const noexcept;
  /// Verifies everything first: unless restored the session is as before.
  RestoreStatus restore(const std::byte* in, std::size_t size) noexcept;

  /// What is not as one would expect, a line each: of the vehicle's files, of the road's, of the
  /// start.
  const std::vector<std::string>& notes() const noexcept { return notes_; }
  const Drive& drive() const noexcept { return *car_->drive; }
  /// The same, for who goes on reading it after trade_cars().
  std::shared_ptr<const Drive> shared_drive() const noexcept { return car_->drive; }
  const State& state() const noexcept { return memory_.state; }
  /// The state as outputs read it: a scheme without iterations leaves mean accelerations over its
  /// step, in whose place stand those that balance the forces.
  const State& output_state() noexcept;

  /// Goes on with the car of `other`, a session of the same files in which numbers were changed:
  /// time, coordinates, inputs and all else that is kept stay as they are, and so do positions,
  /// velocities and accelerations over the change. `other` is left with the car from here at its
  /// own start. False, and nothing happens, where the two differ in coordinates, closures, inputs,
  /// outputs, events or step. What drive() gave before belongs to `other` now.
  bool trade_cars(Session& other) noexcept;

 private:
  /// All that follows from the description.
  struct Car {
    Car(const Vehicle& vehicle, const Scenario& scenario, const SessionSettings& settings,
        std::vector<std::unique_ptr<ForceElement>> elements);
    /// Reads the same model in a workspace of its own.
    Car(const Car& other);
    std::shared_ptr<const Drive> drive;
    StepSettings other_length;  ///< of a step that is not settings().h long
    Workspace ws, output_ws;
    Recorder recorder;
    EventWatcher watcher;
    std::vector<const Event*> timed;  ///< by time
    std::uint64_t fingerprint = 0;
  };
  /// The sum of many h leaves the grid; a time that is meant to lie beside it is left alone.
  double on_grid(double t) const noexcept {
    const double nearest = settings().h * std::floor(t / settings().h + 0.5);
    return std::abs(t - nearest) <= 1e-6 * settings().h ? nearest : t;
  }
  StepStatus carry_out_events() noexcept;
  void count_unsettled(const StepReport& report) noexcept {
    if (report.status == StepStatus::converged && !report.settled) ++unsettled_;
  }

  std::unique_ptr<Car> car_;
  std::vector<std::string> notes_;
  std::size_t notes_of_files_ = 0;  ///< the first so many of notes_, the others are of the start
  SessionMemory memory_, spare_;    ///< spare: the way back of a step, and a state being verified
  State balanced_;                  ///< of output_state(), where the scheme does not iterate
  bool is_balanced_ = false;        ///< it belongs to the state
  EventWorkspace event_ws_;
  StepReport report_;
  std::uint64_t unsettled_ = 0;
  std::uint64_t changes_ = 0;
  bool event_happened_ = false;
  std::vector<double> values_;
  Controller controller_;
  std::size_t saved_size_ = 0;
};

}  // namespace semirec
