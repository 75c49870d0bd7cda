#pragma once

#include <functional>
#include <string>
#include <vector>

#include "integrator/contact_report.hpp"
#include "integrator/event.hpp"
#include "integrator/model.hpp"
#include "integrator/outputs/energy.hpp"
#include "integrator/outputs/half_turns.hpp"
#include "integrator/report.hpp"
#include "integrator/state.hpp"
#include "integrator/step_controller.hpp"
#include "integrator/workspace.hpp"

namespace semirec {

struct RunSettings {
  StepSettings step;
  /// Tolerance above 0: steps of a length of their own, converged mode only; step.h is then the
  /// length of the first.
  ErrorControl control;
  double until = 1.0;    ///< s
  double record = 0.0;   ///< interval of records, s; 0: every step
  int max_halvings = 8;  ///< converged mode: a step that fails is retried in halves, so deep
  /// Converged mode: steps end where contacts of force elements begin and end (ContactCutter).
  bool cut_contacts = false;
  bool audit = true;  ///< energy and closure errors at every step
  std::vector<Event> events;
};

enum class RunStatus { finished, stopped, failed };

/// What a run did.
struct RunReport {
  RunStatus status = RunStatus::finished;
  StepStatus failure = StepStatus::converged;
  std::string message;  ///< one line when it failed: time, step, worst closure
  long steps = 0;       ///< grid steps done
  long substeps = 0;    ///< additional steps by halving or at breakpoints
  long halved = 0;      ///< grid steps that had to be halved, however often
  double iterations_mean = 0.0;
  int iterations_max = 0;
  long iterations_total = 0;
  double start_time = 0.0, end_time = 0.0;  ///< s
  long factorizations = 0;
  long unsettled = 0;        ///< constant work: steps that ended above StepSettings::settled_bound
  long at_limit = 0;         ///< steps of StepReport::at_limit
  double correction = 0.0;   ///< the largest last correction (rms), m or rad ...
  double correction_at = 0;  ///< ... and its time, s
  long reselections = 0;     ///< topological: new sets of independent coordinates
  double rates_lost = 0.0;   ///< topological: StepReport::rates_lost, root of the sum of squares
  long pivotings = 0;        ///< multipliers: factorizations that chose their pivots anew
  /// Other closings than penalty: what the rows belong to that depend on others, by name.
  std::vector<std::string> dependent_owners;
  struct Happened {
    std::string event;
    double t = 0.0;
  };
  std::vector<Happened> events;               ///< in the order in which they fired
  std::vector<HalfTurn> half_turns;           ///< of an audited run
  std::vector<FarthestTurn> farthest_turns;   ///< of an audited run
  double Phi = 0.0, Phid = 0.0, Phidd = 0.0;  ///< largest closure errors after the steps
  Energy start, end;
  double energy_error = 0.0;  ///< largest |energy balance|, J
  /// Largest sum of what the potential, elastic and kinetic energy, this one body by body and axis
  /// by axis, have changed since the start and of the work put in, J. What is called dissipated
  /// does not count: it may be the error.
  double energy_turned_over = 0.0;
  /// J, less counts as none: that of all masses at 1e-12 m/s and 1e-12 m high.
  double energy_of_rest = 0.0;
  ControlReport control;       ///< of a run with an error tolerance
  ContactReport contacts;      ///< of a run that cuts its steps at contacts
  double wall = 0.0;           ///< s, all of the run
  double step_time = 0.0;      ///< s, the steps alone
  double step_cpu = 0.0;       ///< s, CPU time of the run
  std::vector<float> step_us;  ///< duration of every step, microseconds
};

/// Share of the energy turned over by which a balance may be off before it is called broken.
inline constexpr double kBalanceShare = 0.01;

/// What a scheme has put into the motion by itself, J: one that damps takes.
double energy_added_by_scheme(const RunReport& report);

/// Whether the energy balance of an audited run is broken: off by more than kBalanceShare of the
/// energy turned over, or not finite; or the scheme has added more than that. What a millionth of
/// the largest energy explains counts as round-off, and so does what is below the energy of rest.
bool is_balance_broken(const RunReport& report);

/// StepReport::rates_lost of a run that is worth a line.
inline constexpr double kRatesLost = 1e-6;

/// The p-quantile (0..1) of the step durations, microseconds.
double step_quantile(const RunReport& report, double p);

/// Simulated time over the time of the steps; 0: no step was timed.
double times_real_time(const RunReport& report);

/// Callbacks of a run; each may be empty. `see` is called at the start and at the end of every
/// step, whatever the record interval; `record` at the start and every record interval (after `see`
/// where both are due at an end of a step, with an error tolerance also within the step that is
/// over) and returns false to stop (a full disk); `keep_going` after every step.
struct RunObserver {
  std::function<bool(const State&, const Energy&)> record;
  std::function<bool(double t)> keep_going;
  std::function<void(const State&, const Energy&)> see;
};

/// Runs from the state, which must be consistent, to settings.until. Steps lie on the grid t0 + k h
/// and are cut where an input jumps; there velocities and accelerations start anew (restart()).
/// They are cut at events too; the crossing of a condition is found by bisection of the step. With
/// an error tolerance the steps have lengths of their own and records are interpolated.
/// Never throws for numerical trouble: the report tells, the state is the last good one.
RunReport run(const Model& model, const RunSettings& settings, State& state, Workspace& ws,
              const RunObserver& observer = {});

}  // namespace semirec
