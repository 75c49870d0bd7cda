#pragma once

#include <string>
#include <vector>

#include "recursive/forces/force_input.hpp"
#include "recursive/forces/force_sink.hpp"

namespace semirec {

class Fingerprint;
struct FormsOfCars;

/// Name and unit of a reported number.
struct Channel {
  std::string name;
  std::string unit;
};

/// Where the energy of a force element goes: its power on the bodies is
///   - d(stored)/dt - dissipated + input.
/// An element that leans on the surroundings (a tyre on a road with steps) may change what it
/// stores without any motion of the bodies. It sets `open` and gives as `input` its whole power on
/// the bodies plus what it dissipates; the change of its store is then counted as input from
/// outside.
struct ForcePower {
  double stored = 0.0;      ///< J
  double dissipated = 0.0;  ///< W
  double input = 0.0;       ///< W
  bool open = false;
};

/// A force law: the one open set of the engine. Springs, bushings and loads are such elements;
/// tyres in vehicles/ and users' own forces derive from it. It takes a ForceInput, which is const,
/// and gives to a ForceSink; it sees no other part of the engine after bind().
///
/// An element may have first-order states of its own, xd = g(x, motion): tyre deflections, shaft
/// speeds, bristles of friction. They are condensed: add_forces() eliminates them by the rule of
/// the step that its ForceInput carries.
///
/// An element adds its wrenches to the bodies, and the symmetric positive semidefinite part of
///   K = -Q_z and C = -Q_zd  ([H03] Eqs. (28), (32))
/// to the tangent; what it leaves out of K and C costs iterations, not accuracy. add_forces() is
/// called in every Newton iteration: it neither allocates nor throws, keeps no state and is safe to
/// call from several threads at once.
class ForceElement {
 public:
  ForceElement(std::string name, Source source)
      : name_(std::move(name)), source_(std::move(source)) {}
  virtual ~ForceElement() = default;

  const std::string& name() const { return name_; }
  const Source& source() const { return source_; }

  /// Looks up bodies, connections and coordinates; once, at build time. May throw ModelError.
  virtual void bind(const Mechanism& mechanism, TreeModel& model) = 0;
  /// Adds the element's forces and their tangents at the motion of `in`, and sets the values x of
  /// its states there.
  virtual void add_forces(const ForceInput& in, ForceSink& out) const = 0;
  /// Returns where the energy goes, and writes the values of channels() in their order. `values`
  /// may be null.
  virtual ForcePower report(const ForceInput& in, double* values) const = 0;
  virtual std::vector<Channel> channels() const { return {}; }
  /// Adds the bodies whose motion report() reads, for outputs by choice; after bind(). False where
  /// it may read any: such an element is right, and costs the sweep over all bodies.
  virtual bool add_reported_bodies(std::vector<TreeIndex>& /*bodies*/) const { return false; }

  /// Puts the numbers that the element has beside the description into a hash: a saved session is
  /// restored into elements of the same numbers only. What is made from a description has none.
  virtual void put_into(Fingerprint& /*fingerprint*/) const {}

  /// How elements of this kind act in cars that are stepped side by side; nullptr: they are asked
  /// car by car.
  virtual const FormsOfCars* forms_of_cars() const { return nullptr; }

  /// Number of contacts: places of the law where it begins and ends to act, such as the limit of a
  /// stop, or a wheel on the road.
  virtual int contact_count() const { return 0; }
  /// Writes for each contact how far it is pressed in at the motion at hand: above 0 where it acts,
  /// below where it is open, continuous in between; m or rad. Neither allocates nor throws.
  virtual void measure_contacts(const ForceInput& /*in*/, double* /*pressed*/) const {}

  /// Whether its law takes a rotation that it knows within half a turn either way only: beyond, the
  /// law jumps.
  virtual bool takes_a_part_turn() const { return false; }
  /// That rotation at the motion at hand as a vector along its axis, rad.
  virtual Eigen::Vector3d part_turn(const ForceInput& /*in*/) const {
    return Eigen::Vector3d::Zero();
  }

  /// Looks up what it reads of others' channels; once, when all elements of the model are bound, in
  /// their order, itself among them. May throw ModelError.
  virtual void find_channels(const std::vector<const ForceElement*>& /*elements*/,
                             TreeModel& /*model*/) {}

  /// Whether the element computes inputs of the mechanism from the motion: compute_inputs() is
  /// called then.
  virtual bool computes_inputs() const { return false; }
  /// Sets those inputs, and the values x of the element's states as add_forces() would, at the
  /// motion at hand. Called before any element reads an input. Neither allocates nor throws.
  virtual void compute_inputs(const ForceInput& /*in*/, InputSink& /*out*/) const {}

  /// Number of first-order states.
  virtual int state_count() const { return 0; }
  /// Name of a state, k from 0.
  virtual std::string state_name(int k) const { return name_ + ".x[" + std::to_string(k) + "]"; }
  /// Sets the states at the motion at hand, without forces: inside a step their values x as
  /// add_forces() finds them, always their rates xd. Neither allocates nor throws.
  virtual void update_states(const ForceInput& /*in*/, StateSink& /*out*/) const {}
  /// Sets the values x of the states in which their rates vanish at the motion at hand, where there
  /// are such: the initial states of a simulation.
  virtual void settle_states(const ForceInput& /*in*/, StateSink& /*out*/) const {}
  /// Gives the states their index in TreeWorkspace::x; build time.
  void place_states(int first) { states_ = {first, state_count()}; }
  const StateRange& states() const { return states_; }

 private:
  std::string name_;
  Source source_;
  StateRange states_;
};

}  // namespace semirec
