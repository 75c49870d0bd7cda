#pragma once

#include <map>
#include <string>
#include <vector>

#include "recursive/forces/force_element.hpp"
#include "recursive/forces/states_at_rest.hpp"
#include "recursive/forces/switched_states.hpp"
#include "vehicles/equations/equation_program.hpp"
#include "vehicles/equations/motion.hpp"
#include "vehicles/expressions/slopes.hpp"

namespace semirec {

/// The equations of a vehicle's file: computes its variables, states, holds, logics and delays as
/// inputs, at every iterate of a step, and adds to the tangent what they make of the forces that
/// they drive.
///
/// States x are condensed with the Jacobian of their rates g, which is kept while Newton converges
/// fast:
///   x = x_hat + gain (xd_hat + g(x, motion)),   (I - gain g_x) dx = gain g_m dm
/// Channels of other elements, and what is sampled, change at the end of a step (update_states())
/// and are constant inside of it.
/// First-order states of the element: those that keep a value, a delay with its samples.
class EquationForce final : public ForceElement, public StatesAtRest, public SwitchedStates {
 public:
  /// `chassis` and `sensors` name motions. Throws ModelError at the equations' own faults.
  EquationForce(Equations equations, BodyIndex chassis, std::vector<Sensor> sensors);

  void bind(const Mechanism& mechanism, TreeModel& model) override;
  /// Throws ModelError at names that are no inputs, motions or channels, with the nearest ones.
  void find_channels(const std::vector<const ForceElement*>& elements, TreeModel& model) override;
  /// Names that are channels of other elements: taken from the end of the last step.
  std::vector<std::string> sampled_names() const;
  bool computes_inputs() const override { return true; }
  void compute_inputs(const ForceInput& in, InputSink& out) const override;
  void add_forces(const ForceInput& in, ForceSink& out) const override;
  ForcePower report(const ForceInput& /*in*/, double* /*values*/) const override { return {}; }
  bool add_reported_bodies(std::vector<TreeIndex>& bodies) const override;
  void put_into(Fingerprint& fingerprint) const override;
  /// Logics whose conditions are comparisons: above 0 while they are 1.
  int contact_count() const override { return contact_count_; }
  void measure_contacts(const ForceInput& in, double* pressed) const override;
  int state_count() const override { return state_count_; }
  std::string state_name(int k) const override;
  /// States whose file writes no `initial`.
  void add_states_at_rest(std::vector<int>& states) const override;
  /// The others, and what is kept and does not follow at once, where the file writes an `initial`.
  void begin_given_states(double* x) const override;
  /// Logics, and holds and delays in a circle, without an `initial`.
  void add_kept_values(std::vector<KeptValue>& values) const override;
  /// A hold, a delay or a logic whose `initial` is given, or that does not follow at once, and what
  /// it comes to.
  struct GivenStart {
    std::string name;
    int first = 0, count = 0;  ///< of State::x, without a delay's time
    double begins_at = 0.0;
    double comes_to = 0.0;  ///< what it follows, or as its conditions have it
  };
  /// Those of them that do not stay there, after the inputs have been computed with the motion
  /// taken as continuous. Allocates.
  void add_given_starts(const ForceInput& in, std::vector<GivenStart>& starts) const;
  /// Channels that are kept, holds and logics.
  void add_switched_states(std::vector<int>& states) const override;
  void update_states(const ForceInput& in, StateSink& out) const override;
  void settle_states(const ForceInput& in, StateSink& out) const override;

 private:
  /// Rows of numbers in the workspace.
  struct Rows {
    double* owner;       ///< id_ of the element that has used them last; 0: none yet
    double* values;      ///< of the program
    TermSlopes* slopes;  ///< [term] of those that are sloped
    double* adjoints;    ///< [value] and a spare one; zero where a path leads, between sweeps
    double* matrix;      ///< states x states, by rows: I - gain g_x, factored; at a start unknowns
    double* change;      ///< [state], at a start [unknown]
    int* pivots;         ///< [state], at a start [unknown]
  };
  /// A name from outside.
  struct Outside {
    enum class Kind { time, input, motion, channel } kind = Kind::time;
    InputIndex input = kNoInput;
    std::size_t motion = 0;
    int x = 0;  ///< of a channel: the element's own state that keeps it
  };
  /// Channels of another element that are kept from the end of each step.
  struct Sampled {
    const ForceElement* element = nullptr;
    int count = 0;  ///< of its channels
    struct Kept {
      int channel = 0;
      int x = 0;
    };
    std::vector<Kept> kept;
  };
  /// An equation that keeps a value, and where it is kept.
  struct Stored {
    std::size_t equation = 0;
    int leaf = 0;     ///< of the program
    int formula = 0;  ///< where its formula's value stands
    int x = 0;        ///< first of the element's states that are its own
  };
  /// A state, hold or delay without `initial`: found where its rate vanishes, or where it is its
  /// formula's value.
  struct Unknown {
    Stored stored;
    bool is_state = false;
    bool comes_back = false;  ///< whether its formula depends on it, straight or by way of others
    SlopePath path;           ///< from its formula to all unknowns
  };
  class Settling;
  /// A motion that acts along a driven force: the leaf by which the equation reads it.
  struct Along {
    int leaf = 0;
    std::size_t motion = 0;
  };
  /// A force that an equation drives, along a line between two bodies or in a coordinate.
  struct Driven {
    int value = 0;         ///< of the program
    double sign = 1.0;     ///< of the force in the direction in which the motion grows
    int connection = -1;   ///< -1: in a coordinate
    std::size_t line = 0;  ///< motion whose line the force has
    int coordinate = -1;
    std::vector<Along> along;
    SlopePath path;  ///< from the value to these motions and to the states
  };

  Rows rows_of(const StateSink& out) const;
  /// Returns whether a leaf changed on which terms before the first moving one depend.
  bool read_leaves(const ForceInput& in, const Rows& rows) const;
  /// Makes rows that another car's element has used, or nobody yet, those of this one.
  void own(const Rows& rows) const;
  double read(const Outside& name, const ForceInput& in) const;
  void evaluate(std::size_t first, std::size_t last, const std::vector<char>& sloped,
                const Rows& rows) const;
  void evaluate(std::size_t first, std::size_t last, const Rows& rows) const;
  /// What the rates of the states need and the states change.
  void evaluate_rates(const Rows& rows) const;
  /// What else the states change.
  void evaluate_after(const Rows& rows) const;
  void evaluate_all(const Rows& rows) const;
  /// A formula over n of the leaves, leaf_of(0) to leaf_of(n - 1); adjoints are zero between calls.
  template <typename LeafOf>
  void fill_slopes(const SlopePath& path, int formula, std::size_t n, const LeafOf& leaf_of,
                   double* row, const Rows& rows) const {
    rows.adjoints[formula] = 1.0;
    pull_back(path, program_.leaf_count(), rows.slopes, rows.adjoints);
    for (std::size_t k = 0; k < n; ++k) {
      double& adjoint = rows.adjoints[leaf_of(k)];
      row[k] = adjoint;
      adjoint = 0.0;
    }
    rows.adjoints[formula] = 0.0;  // of one that is constant
  }
  /// Rates over states: g_x by rows.
  void fill_state_matrix(const Rows& rows) const;
  void solve_states(const ForceInput& in, const Rows& rows) const;
  void follow_at_once(const Rows& rows) const;
  /// Adds the derivatives of a driven force to its motions' adjoints, states as they follow in the
  /// step.
  void differentiate(const Driven& force, double gain, const Rows& rows) const;
  /// Begin of the step, s; between steps that of what the delay holds.
  double begin_of(const ForceInput& in, const Stored& delay) const;
  double delayed_value(const ForceInput& in, const Stored& stored) const;
  void keep_samples(const ForceInput& in, const Stored& stored, double now,
                    const StateSink& out) const;

  bool find_outside(const std::string& name, const Mechanism& mechanism, TreeModel& model,
                    Outside& found);
  void check_units(const std::map<std::string, std::string>& units) const;
  [[noreturn]] void refuse(const std::string& name, const std::vector<std::string>& names) const;
  void sample(const ForceInput& in, const StateSink& out) const;
  std::size_t add_motion(const Motion& motion);
  void place_stored();
  void bind_forces(const Mechanism& mechanism, TreeModel& model);
  void find_along(Driven& driven) const;
  void find_slope_paths();
  void find_unknowns();
  /// Whether a hold or a delay has its formula's value where the motion is taken as continuous.
  bool follows_at_once(const Stored& kept) const;
  /// Of the states of what is kept those that are its value: a delay's last is a time.
  int count_values(const Stored& kept) const;

  double id_;  ///< a whole number, of no other element of the process
  Equations equations_;
  EquationProgram program_;
  BodyIndex chassis_;
  std::vector<Sensor> sensors_;
  std::vector<Outside> outside_;
  std::vector<Motion> motions_;
  std::vector<Stored> states_of_;  ///< equations that are states
  std::vector<Stored> kept_;       ///< holds, logics and delays
  std::vector<Unknown> unknowns_;
  std::vector<char>
      logic_comes_back_;  ///< [kept] of a logic without `initial`: Unknown::comes_back
  std::vector<Driven> driven_;
  std::vector<SlopePath> rate_paths_;  ///< [state] from its rate to all states
  SlopePath rates_to_motions_;         ///< from all rates to the motions of all driven forces
  std::vector<char> sloped_;           ///< [term] whether it is on one of these paths
  std::vector<char> settle_sloped_;    ///< [term] the same or on the path of an unknown
  std::vector<Sampled> sampled_;
  std::vector<std::string> known_names_;  ///< until all channels are found, for messages
  /// What an equation drives: it needs this unit.
  struct Load {
    std::string unit;
    std::string element;
  };
  std::map<std::string, Load> loads_;  ///< [equation]
  int state_count_ = 0;
  int contact_count_ = 0;
  int scratch_ = 0;
  int settle_scratch_ = 0;
  int report_scratch_ = 0;  ///< for the channels of one other element
};

}  // namespace semirec
