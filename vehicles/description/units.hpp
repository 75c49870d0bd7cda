#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vehicles/description/vehicle.hpp"

namespace semirec {

/// Wheels of one unit side by side across it; one or more (twins) on each side.
struct UnitAxle {
  std::string name;         ///< `front`, `rear`; between them `axle_2`, ...
  double x = 0.0;           ///< mean of the wheel centres in the design position, m
  std::vector<int> left;    ///< in Vehicle::wheels; y > 0 in the design position, from outside in
  std::vector<int> right;   ///< the same for y <= 0; a side without wheels is empty
  double y_left = 0.0;      ///< mean of the left wheel centres in the design position, m
  double y_right = 0.0;     ///< mean of the right ones, m
  double outer_left = 0.0;  ///< of the outermost left wheel centre, m
  double outer_right = 0.0;

  bool paired() const { return !left.empty() && !right.empty(); }
  double track() const { return y_left - y_right; }  ///< between the middles of both sides, m
  int wheels() const { return static_cast<int>(left.size() + right.size()); }
};

/// A part of a vehicle that does not bend in itself as it corners: the car, a trailer, a dolly.
struct Unit {
  std::string name;  ///< of its frame
  BodyIndex frame =
      kGround;            ///< the chassis, or the body that the file names, or the heaviest no rim
  JointIndex hitch = -1;  ///< by which it hangs on the unit in front; -1: by no joint
  int leader = -1;        ///< that unit, in find_units(); -1: none
  std::vector<int> bodies;      ///< in Mechanism::bodies
  std::vector<int> wheels;      ///< in Vehicle::wheels
  std::vector<UnitAxle> axles;  ///< from the front to the rear
};

/// The units of a vehicle; the first one carries the chassis, a unit comes after its leader.
///
/// A unit is all bodies that reach its frame by joints, rods, guides, bushings or springs without
/// passing a hitch. A joint is a hitch where
///   - it leaves the yaw angle free: spherical, universal across a vertical direction in its axes,
///     or revolute about an axis within 25 degrees of the vertical;
///   - nothing else holds what hangs on it: without the joint no joint, rod, guide, bushing or
///     spring with a stiffness leads back to the chassis (dampers and torsion springs may);
///   - nothing turns it: no driver, no force of an input stands on it;
///   - what hangs on it has wheels to the left and to the right of it.
/// So a steered knuckle is no unit (one side, and its tie rod holds it), nor is a solid axle (its
/// springs hold it), nor a bogie that rocks about a lateral axis; a dolly is one. Bodies between
/// two hitches that carry no wheel belong to the unit behind them. Wheels that nothing joins to
/// the chassis are a unit without leader. A vehicle without chassis is one unit.
///
/// The file says otherwise by `unit="yes"` (frame of a unit of its own, whatever holds it: each
/// body then belongs to the frame that is fewer joints and elements away) and `unit="no"` (a body
/// of what the rule takes for a unit: it belongs to the unit in front) on a body.
/// Axles: wheels of a unit whose centres have the same x within 0.2 m. An only axle is `front` when
/// it lies ahead of the unit's centre of mass. Cost: the graph once for each joint that could be a
/// hitch; nothing without wheels.
std::vector<Unit> find_units(const Vehicle& vehicle);

/// Whether axles that do not steer scrub in a turn, so that even the slowest one bends the tyres:
/// the first unit has more than two axles, or another more than one.
bool has_scrubbing_axles(const std::vector<Unit>& units);

bool has_wheel(const Unit& unit, int wheel);

/// Whether a left and a right wheel of an axle are on one body that spins.
bool has_solid_axle(const UnitAxle& axle, const std::vector<Wheel>& wheels);

/// Centre of mass of a unit in the design position, m.
Eigen::Vector3d find_unit_centre(const Mechanism& mechanism, const Unit& unit);
double find_unit_mass(const Mechanism& mechanism, const Unit& unit);  ///< kg

/// Axles ahead of the widest gap between two neighbours and those behind it: of a truck with a
/// tandem the front axle and both of the tandem.
struct AxleGroups {
  double front = 0.0, rear = 0.0;  ///< mean x of each, m
  double gap = 0.0;                ///< middle of the gap, m; behind an only axle
  bool is_rear(double x) const { return x < gap; }
  /// Of the theoretical car with two axles, m; zero for an only axle.
  double wheelbase() const { return front - rear; }
  /// Of the theoretical car that steers by an axle at x, m: from the other group to this axle;
  /// negative for an axle of the rear group.
  double steered_wheelbase(double x) const { return x - (is_rear(x) ? front : rear); }
};
/// `x`: of the axles, falling. An only axle is both groups.
AxleGroups group_axles(const std::vector<double>& x);
AxleGroups group_axles(const Unit& unit);

/// `counted: 4 wheels of 'chassis', 2 axles; 'trailer': 2 wheels, 1 axle`. Empty for a vehicle of
/// one unit with at most two axles of two wheels: there nothing needs to be said.
std::string describe_units(const std::vector<Unit>& units);

}  // namespace semirec
