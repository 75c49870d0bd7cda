#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "apps/fmi/parameters.hpp"
#include "apps/fmi/variables.hpp"
#include "vehicles/session/outputs_at_once.hpp"
#include "vehicles/session/session.hpp"

namespace semirec::fmi {

/// A text for the log that refers to no variable: `#n#` would be one, `##` is the sign itself.
std::string without_references(const std::string& text);

/// What a function answers, with the numbers of both standards.
enum class Status { ok, warning, discard, error, fatal };

/// Where an instance stands in the state machine of co-simulation. `event` is FMI 3.0's Event Mode.
/// `failed` is where a function
/// that answers an error leads (Terminated in FMI 3.0, error in FMI 2.0): values may be read, a
/// saved state, reset and the end lead out of it.
enum class Phase : std::uint8_t {
  instantiated,
  initialization,
  stepping,
  event,
  terminated,
  failed
};

/// Sets of phases, in which a function may be called.
constexpr unsigned in(Phase phase) { return 1U << static_cast<unsigned>(phase); }
inline constexpr unsigned kAnyPhase = 0x3F;
/// From the initialization on, that values of the model may be read.
inline constexpr unsigned kSinceInitialization = in(Phase::initialization) | in(Phase::stepping) |
                                                 in(Phase::event) | in(Phase::terminated) |
                                                 in(Phase::failed);
/// Between initialization and end.
inline constexpr unsigned kRunning = in(Phase::stepping) | in(Phase::event);

/// Names of the log's categories, as the standards list them.
inline constexpr const char* kErrorCategory = "logStatusError";
inline constexpr const char* kWarningCategory = "logStatusWarning";
inline constexpr const char* kAllCategories = "logAll";

/// The importer's function that takes the lines of the log.
using LogSink = std::function<void(Status, const char* category, const char* message)>;

/// A saved state as bytes; the same in every process that has the same FMU on such a processor.
struct SavedState {
  std::vector<std::byte> bytes;
};

/// One instance of the FMU behind the functions of both standards, which check nothing but what is
/// their own: call() keeps exceptions inside, refuses what the phase forbids and logs.
class Instance {
 public:
  /// Reads the package of the resources folder. Throws ModelError, also where `token` is not the
  /// one that the model description of this package has.
  Instance(const std::string& token, const std::string& folder, LogSink sink, bool logging);
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  /// Runs `body`, which answers a Status, if `phases` holds the present one.
  template <typename Body>
  Status call(const char* function, unsigned phases, const Body& body) noexcept {
    function_ = function;
    if ((phases & in(phase_)) == 0) return fail_phase();
    try {
      return body();
    } catch (const std::bad_alloc&) {
      return fail("there is no memory");
    } catch (const std::exception& error) {
      return fail_as(error.what());
    } catch (...) {
      return fail("what should not happen has happened");
    }
  }
  /// Logs the error with the function's name and ends the run. Returns Status::error.
  /// `#n#` in the message is the variable of that value reference.
  Status fail(const char* message) noexcept;
  /// The same with a text that refers to no variable.
  Status fail_as(const char* text) noexcept;

  Status set_logging(bool on, std::size_t count, const char* const* categories);

  // the state machine
  Status setup_experiment(double start, bool stops, double stop);
  Status enter_initialization();
  Status exit_initialization();
  /// Whole of the communication step, or up to the first event of the scenario in it where
  /// answers_events() said that it may end there.
  Status step(double point, double length);
  /// Whether events are handled in a mode of their own, and whether a step may return at one.
  void answers_events(bool in_event_mode, bool early) {
    has_event_mode_ = in_event_mode;
    returns_early_ = early;
  }
  Status enter_event_mode();
  Status enter_step_mode();
  /// Of the last step: an event has happened that wants Event Mode; the step ended at it.
  bool needs_event_mode() const { return event_happened_ && has_event_mode_; }
  bool returned_early() const { return returned_early_; }
  Status terminate();
  Status reset();

  // variables: `count` values of as many references; nothing is set unless all can be
  Status get(const std::uint32_t* references, std::size_t count, double* values);
  Status set(const std::uint32_t* references, std::size_t count, const double* values);
  /// `sensitivity` of each unknown, an output, to a change of the knowns, inputs, by `seed`: at the
  /// communication point, with the inputs as they are set and the state as it is.
  Status get_directional_derivative(const std::uint32_t* unknowns, std::size_t unknown_count,
                                    const std::uint32_t* knowns, std::size_t known_count,
                                    const double* seed, double* sensitivity);
  /// For functions of a type that no variable has, and of what the FMU does not offer: fails unless
  /// nothing is asked.
  Status refuse(std::size_t count, const char* what);

  // saved states belong to the instance until they are freed
  Status get_state(void** state);
  Status set_state(const void* state);
  Status free_state(void** state);
  Status find_size(const void* state, std::size_t* size);
  Status serialize(const void* state, std::uint8_t* bytes, std::size_t size);
  Status deserialize(const std::uint8_t* bytes, std::size_t size, void** state);

  Phase phase() const { return phase_; }
  /// Of the state, on the importer's axis, s.
  double time() const { return start_time_ + session_->time(); }
  const std::vector<Variable>& variables() const { return variables_; }

 private:
  /// An input as the importer left it.
  struct GivenInput {
    bool given = false;  ///< it no longer follows its curve
    bool fresh = false;  ///< set since the last step
    double value = 0.0;
  };

  Status fail_phase() noexcept;
  void log(Status status, const char* category, const char* message) noexcept;
  /// Where `take` throws, the parameters are again those that the session has.
  template <typename Take>
  void hold_values(const Take& take);
  /// Makes the session of the parameters as they are, at its start. Throws ModelError.
  void make_session();
  /// The session is that of the parameters and, before the first step, at the start that goes with
  /// the inputs as they are set. Throws ModelError.
  void follow_changes();
  void follow_tuning();
  void log_notes();
  void count_step(double length) noexcept;
  bool check_references(const std::uint32_t* references, std::size_t count, const void* values);
  double value_of(const Variable& variable) const;
  /// Outputs among these are then those of the session's state with the inputs as they are set;
  /// what was ever asked for is evaluated with them, and nothing else. False where that fails.
  bool evaluate_outputs(const std::uint32_t* references, std::size_t count);
  /// at_once_ at the session's state with the inputs as they are set.
  OutputsAtOnce& follow_inputs();
  void take_inputs();
  /// Outputs of derivative_choice_ with another value of an input: at the session's state, where
  /// follow_inputs() has been called, or in the initialization at the start that it leads to.
  bool read_derived(int input, double value, double* outputs);
  /// Adds to `sensitivity` what the outputs of derivative_choice_ change with a known by `seed`.
  bool add_derivative(const Variable& known, double seed, double* sensitivity);
  bool check_causality(const std::uint32_t* references, std::size_t count, Causality expected,
                       const char* fault);
  std::vector<std::byte> save();
  void restore(const std::vector<std::byte>& bytes);
  SavedState* find_state(const void* state) const;

  LogSink sink_;
  bool logs_errors_ = false, logs_warnings_ = false;
  const char* function_ = "";
  std::string folder_, token_;
  Package package_;
  std::vector<Parameter> parameters_;
  std::vector<std::optional<double>> parameter_values_;
  std::vector<std::optional<double>> driven_values_;  ///< those that the session has
  bool tuned_ = false;                                ///< since the last step
  bool parameters_changed_ = false;
  bool start_changed_ = false;  ///< by inputs that were set before the first step
  bool derives_ = false;        ///< starts of inputs that are moved for a derivative say nothing
  std::unique_ptr<Session> session_;
  std::vector<std::string> logged_notes_;
  long steps_ = 0, unsettled_ = 0;  ///< of the session, and those of them that have not settled
  std::vector<Variable> variables_;
  std::vector<GivenInput> inputs_;
  std::vector<double> outputs_;
  std::vector<std::size_t> asked_;  ///< outputs that the importer has read so far
  std::vector<char> is_asked_;      ///< [output]
  OutputChoice choice_;             ///< of asked_
  std::vector<double> read_;        ///< [asked_]
  /// outputs_ of asked_ are those of the session's state with the inputs as they are set.
  bool evaluated_ = false;
  bool inputs_fresh_ = false;               ///< one at least is
  std::unique_ptr<OutputsAtOnce> at_once_;  ///< of this session's car; made when first needed
  bool at_state_ = false;                   ///< at_once_ is at the session's state
  std::vector<std::size_t> derived_;        ///< outputs of the last derivative
  OutputChoice derivative_choice_;          ///< of derived_
  std::vector<double> derivative_, derivative_first_;  ///< [derived_] scratch
  Phase phase_ = Phase::instantiated;
  double start_time_ = 0.0, stop_time_ = 0.0;
  bool stops_ = false;
  bool has_event_mode_ = false, returns_early_ = false;  ///< as the importer asked for
  bool event_happened_ = false, returned_early_ = false;
  std::vector<std::unique_ptr<SavedState>> states_;
};

}  // namespace semirec::fmi
