#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "integrator/formulation/operation_count.hpp"
#include "vehicles/session/drive.hpp"

namespace semirec::cli {

/// A formulation as it is compared.
struct Method {
  std::string name;
  CompileSettings compile;
  bool reselect = true;  ///< topological
  /// topological: the coordinates that are integrated; empty: chosen by complete pivoting
  std::vector<int> independent;
  std::optional<SchemeChoice> scheme = std::nullopt;  ///< here and below: empty: the scenario's
  std::optional<Closing> closing = std::nullopt;
  std::optional<bool> projection = std::nullopt;
  bool classic_euler_parameters = false;  ///< cartesian

  /// Puts the scheme, the closing and the projection into a scenario.
  void apply(Scenario& scenario) const;
};

/// Steps of a length of their own.
struct VariableStep {
  double tolerance = 0.0;  ///< local error of a step, m or rad
  bool printed = false;    ///< estimated with the constant that the paper of hht prints
};

/// The formulations first, then
///   global_tree        tangent stored and factored along the tree in place of CHOLMOD
///   topological_plain  keeps the independent coordinates of the start, as the hybrid paper's
///                      program does
///   cartesian_classic  rates of Euler parameters by the scheme, not by the modified formula
const std::vector<Method>& all_methods();
/// Throws ModelError for a name that is none.
const Method& find_method(const std::string& name);

/// What is called the error of a run.
///   energy        total energy against the start, where it is farthest, J: conservative examples
///   balance       largest gap in the energy balance, J
///   lost_gravity  energy dissipated less lost potential energy of the weights, J
///   closing       distance of a marker's place at the end from that at the start, mm
///   reference     root mean square distance from a converged run, mm, rad or the channel's unit
///   end_pose      chassis at the end against a converged run; 1: 2 mm of height or 0.02 deg of
///                 pitch, the larger counts
struct Measure {
  enum class Kind { energy, balance, lost_gravity, closing, reference, end_pose };
  Kind kind = Kind::reference;
  std::string subject;  ///< closing: marker; reference: channel, empty: main body or all joints
};

/// `energy`, `closing:hand`, ... Throws ModelError.
Measure parse_measure(const std::string& text);
/// The measure in words, for headings.
std::string words_for(const Measure& measure);

/// Limits of the measure `end_pose`.
inline constexpr double kEndHeight = 2e-3;                          // m
inline constexpr double kEndPitch = 0.02 * 3.14159265358979 / 180;  // rad

/// An error this many times the good limit is called wrong.
inline constexpr double kWrong = 20.0;

/// Positions over time against which runs are measured.
struct Reference {
  std::string failure;  ///< why there is none; empty: there is one
  double step = 0.0;
  std::vector<std::string> channels;
  std::vector<double> times;
  std::vector<std::vector<double>> rows;  ///< [time][channel]
  double kinetic = 0.0;                   ///< largest kinetic energy, J
  double lost_gravity = 0.0;              ///< J
  double height = 0.0, pitch = 0.0;       ///< chassis at the end
  double own_error = 0.0;  ///< of the measure: difference from the run with twice the step
};

enum class Verdict { good, poor, wrong, failed, refused, interrupted };
const char* name_of(Verdict verdict);

/// One formulation at one step.
struct Cell {
  std::string method;
  double step = 0.0;       ///< s; the mean where steps have lengths of their own
  double tolerance = 0.0;  ///< local error of such steps, m or rad; 0: equal steps
  Verdict verdict = Verdict::failed;
  std::string reason;   ///< failed, refused: in words, short
  std::string message;  ///< the same as the engine tells it
  int coordinates = 0;
  int constraints = 0;
  int independent = 0;        ///< topological: coordinates integrated; else 0
  OperationCount operations;  ///< of one iteration; zero: not known
  /// NaN where there is none
  double error = std::numeric_limits<double>::quiet_NaN();
  /// Its size, what is judged; lost_gravity: distance from the reference's.
  double deviation = std::numeric_limits<double>::quiet_NaN();
  double farthest = 0.0;                         ///< from the reference's motion, m; if watched
  double height_error = 0.0, pitch_error = 0.0;  ///< end_pose: m, rad
  double cpu = 0.0;                              ///< s, smallest of the repeated runs
  double realtime = 0.0;                         ///< simulated time over CPU time
  long steps = 0;                                ///< of the grid
  long halved = 0;                               ///< of these, how many had to be halved
  long iterations = 0;
  long factorizations = 0;
  long reselections = 0;                      ///< topological: new sets of independent coordinates
  double Phi = 0.0, Phid = 0.0, Phidd = 0.0;  ///< largest closure errors after the steps
  double energy_error = 0.0;                  ///< largest gap in the energy balance, J

  double per_step(long count) const;
  /// Multiplications of all iterations.
  double work() const { return operations.iteration() * static_cast<double>(iterations); }
  bool finished() const {
    return verdict == Verdict::good || verdict == Verdict::poor || verdict == Verdict::wrong;
  }
};

/// The largest step at which a formulation is still good.
struct LargestStep {
  std::string method;
  std::optional<double> step;  ///< empty: the smallest step tried is not good
  bool open_ended = false;     ///< good up to the largest step that was tried
  std::string beyond;          ///< what is wrong above it
  double good_again = 0.0;     ///< s, largest step of the scan beyond that which is good; 0: none
  Cell cell;                   ///< the run at that step
};

/// A vehicle in a scenario and how its runs are judged.
class Bench {
 public:
  Bench(const Vehicle& vehicle, const Scenario& scenario, Measure measure);

  /// Runs the hybrid formulation at this step and at twice of it; after that cells can be judged.
  /// Throws ModelError for a marker or channel that does not exist.
  void make_reference(double step);
  /// The largest error that is good; without it the measure's own criterion.
  void set_limit(std::optional<double> limit);
  /// A motion that is anywhere farther than this from the reference's is wrong, m; 0: not watched.
  /// For measures that do not tell where a mechanism is.
  void set_farthest(double farthest) { farthest_ = farthest; }
  double limit() const { return limit_; }
  /// Good, and wrong, in words.
  std::string criterion() const;
  std::string wrong_criterion() const;
  const char* unit() const { return unit_.c_str(); }
  const Reference& reference() const { return reference_; }
  const Measure& measure() const { return measure_; }
  const Scenario& scenario() const { return scenario_; }
  const Vehicle& vehicle() const { return vehicle_; }

  /// Measures errors in one audited run and CPU time in at least `repeat` plain ones. Steps are
  /// fixed: one that does not converge ends the run, unless `halve`. Never throws for a formulation
  /// that refuses the model: the cell says so.
  Cell run_cell(const Method& method, double step, int repeat, bool halve = false) const;
  /// The same with steps of a length of their own, from `first` on; named `FORMULATION_variable`.
  Cell run_variable(const Method& method, double first, const VariableStep& variable,
                    int repeat) const;
  /// Scan upwards from `smallest` by a tenth each until a run is not good, then bisection of the
  /// logarithm to 2 %. Here a hundredth of the steps may be halved: a single step, in which a wheel
  /// passes an edge of the road, may be without a solution.
  LargestStep find_largest_step(const Method& method, double smallest, double largest,
                                int repeat) const;
  /// `topological_plain` with each coordinate of a mechanism of one degree of freedom in turn as
  /// the independent one, named `plain:JOINT`.
  std::vector<Method> plain_methods() const;

  /// Called now and then; true: stop.
  std::function<bool()> interrupted = [] { return false; };

 private:
  struct Audit;
  Cell measure(const Method& method, double step, const VariableStep& variable, int repeat,
               bool halve) const;
  Audit audit(const Drive& drive, double record, const Reference* against, int halvings,
              const std::vector<int>& independent = {}) const;
  std::vector<std::string> choose_channels(const Recorder& recorder) const;
  double error_of(const Audit& audit) const;

  const Vehicle& vehicle_;
  Scenario scenario_;
  Measure measure_;
  Reference reference_;
  std::string unit_;
  double scale_ = 1.0;   ///< from SI to unit_
  double places_ = 1.0;  ///< channels are so many places: the distance is their mean
  double limit_ = 0.0;
  double farthest_ = 0.0;
  bool limit_given_ = false;
};

}  // namespace semirec::cli
