#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "integrator/scheme/schemes.hpp"

namespace semirec {

enum class StepStatus {
  converged,
  iteration_limit,
  tangent_not_positive_definite,
  non_finite,
  independent_set_degenerate,  ///< topological: the independent coordinates no longer tell the
                               ///< motion
  event_impossible,            ///< an attachment that cannot close
  loops_open,                  ///< topological: no dependent coordinates close the loops
  saddle_singular,             ///< multipliers: no pivots in tangent and closures together
  closing_unfit,               ///< closing, scheme and formulation do not fit (method_fault())
  closures_lost                ///< constant work: closures are open beyond kLostClosure
};

/// Closures that are open by so much, m or rad, hold nothing together any more: no vehicle is as
/// large. Only a step that is not judged by its closures comes there.
inline constexpr double kLostClosure = 1e6;

/// `converged`, `iteration limit`, ...
const char* name_of(StepStatus status);

/// What a step did. Numbers are maxima over rows or root mean squares over coordinates, m and rad.
struct [[nodiscard]] StepReport {
  StepStatus status = StepStatus::converged;
  int iterations = 0;
  int factorizations = 0;
  /// Why the first of them was made: no factor was kept, it was made for another length of the
  /// step, the iteration converged too slowly with it, or the projections at the end of the step
  /// need the rows of this step in it.
  enum class Renewed { no, none_kept, step_length, slow, rows } renewed = Renewed::no;
  double correction = 0.0;  ///< rms of the last dz
  double Phi = 0.0;         ///< max closure error after the step
  double Phid = 0.0;        ///< max rate before projection
  int worst_row = -1;       ///< row of the largest |Phi|
  /// Constant work: whether the last correction and the closures came below settled_bound. A step
  /// that did not settle is accepted all the same and says so; the next ones take up what is left.
  bool settled = true;
  /// Converged mode: it took all iterations, and is within the tolerance of positions alone.
  bool at_limit = false;
  int reselections = 0;  ///< topological: new sets of independent coordinates
  /// topological: what round-off of closures that hardly tell the motion, near a singular position,
  /// may have changed the rates by; of the rates.
  double rates_lost = 0.0;
  int pivotings = 0;  ///< multipliers: factorizations that chose their pivots anew
  int dependent = 0;  ///< multipliers, independent coordinates: rows that depend on others

  /// A step that was not taken has not settled.
  bool has_settled() const { return status == StepStatus::converged && settled; }
};

/// How the closures enter the equations of a step.
///   penalty      index-3 augmented Lagrangian ([H03] section 3), or the formulation's own way
///   multipliers  the multipliers are unknowns beside the coordinates: one indefinite matrix
///   independent  accelerations of independent coordinates are the unknowns, chosen in every step;
///                schemes that do not iterate
enum class Closing { penalty, multipliers, independent };

/// `penalty`, ...
const char* name_of(Closing closing);
/// All of them, the default first.
inline constexpr std::array kClosings{Closing::penalty, Closing::multipliers, Closing::independent};
/// The one of a name; none: there is no such.
std::optional<Closing> find_closing(std::string_view name);

/// Options of a step, with their defaults.
struct StepSettings {
  double h = 1e-3;      ///< step, s
  SchemeChoice scheme;  ///< trapezoidal rule; others by choose_scheme()
  Closing closing = Closing::penalty;
  double kappa = 1e6;       ///< dimensionless penalty: alpha = kappa m_j c_a; 1e4 to 1e8 are good
  double tolerance = 1e-8;  ///< on rms(dz) and |Phi|, converged mode; m, rad
  /// Converged mode also wants rms(dz) c_a below this, m/s^2: at small steps the tolerance on
  /// positions alone would leave noise in the accelerations, which the trapezoidal rule never
  /// forgets. A wish: at the limit of iterations the tolerance alone decides.
  double acceleration_tolerance = 1e-2;
  /// And rms(dz)/h^3 below this, m/s^3: what the steps leave over adds up to this times h^2 a
  /// second at most, of second order as the error of the rule is. The least of the three below
  /// 1 ms. A wish, too; 0: not asked for.
  double order_tolerance = 2.5;
  int max_iterations = 15;  ///< converged mode
  /// The same for the recursive formulation, whose iteration converges linearly where forces are
  /// stiff: by a factor of (weighted C + K)/M each time.
  int max_fixed_point_iterations = 60;
  int iterations = 0;  ///< exactly this many (constant work); 0: until converged
  /// Constant work: the first so many iterations factor the tangent anew, the others solve with the
  /// factor that is there. 0: all of them.
  int factorizations = 0;
  /// Above 0: converged mode stops by the rate of convergence, when what the iteration leaves is
  /// expected to be a thousandth of this, m or rad, and keeps the factor of the tangent from step
  /// to step while it serves (steps of a length of their own, StepController). 0: as above.
  double error_tolerance = 0.0;
  double settled_bound = 1e-6;  ///< on rms(dz) and |Phi| of a constant-work step; m, rad
  int projections = 1;          ///< passes with the same factor; 0: as the rule leaves the rates
  bool reselect = true;  ///< topological: choose new independent coordinates when they degenerate
  /// Cartesian formulation: rates of Euler parameters as the scheme has them, not by formula (34)
  /// of [EP], which lets it act on the angular velocity.
  bool classic_euler_parameters = false;
  bool ends_on_breakpoint = false;  ///< an input jumps at the end: take its value before the jump
  bool operator==(const StepSettings&) const = default;
};

/// StepReport::settled of a step that was taken: constant work alone may leave more than the bound.
inline bool is_settled(const StepReport& report, const StepSettings& settings) {
  return settings.iterations <= 0 ||
         (report.correction <= settings.settled_bound && report.Phi <= settings.settled_bound);
}

/// The rms(dz) at which converged mode is content: the least of the tolerances at this step.
double content_correction(const StepSettings& settings, const Scheme& scheme);

}  // namespace semirec
