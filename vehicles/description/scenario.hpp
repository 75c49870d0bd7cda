#pragma once

#include <memory>
#include <string>
#include <vector>

#include "integrator/report.hpp"
#include "integrator/scheme/schemes.hpp"
#include "topology/mechanism.hpp"
#include "vehicles/description/override.hpp"
#include "vehicles/road/road_profile.hpp"
#include "vehicles/road/road_surface.hpp"
#include "vehicles/road/wheel_contact.hpp"
#include "vehicles/tyre/contact_law.hpp"

namespace semirec {

enum class StartMode {
  design,      ///< the coordinates written in the vehicle file, assembled
  equilibrium  ///< static equilibrium on the road at the start
};

enum class SpeedMode {
  coast,   ///< start speed only
  hold,    ///< driver closure: chassis x = start + speed t; straight runs
  control  ///< force along the heading, gain (speed - v); any course
};

/// Road motion under one wheel over time (four-post rig, benchmark cars), m.
struct Excitation {
  std::string wheel;
  Curve curve;
  Source source;
};

/// A plane that lies on the road under one wheel and is moved from outside:
///   z(X, Y) = height + slope_x (X - x) + slope_y (Y - y)  on top of the road's height.
/// These are the values at which its inputs stand until they are set.
struct RoadPlane {
  std::string wheel;
  double x = 0.0, y = 0.0, height = 0.0;  ///< m, world
  double slope_x = 0.0, slope_y = 0.0;
  double friction = 1.0;  ///< times that of the road
  Source source;
};

/// A change of configuration in words; make_drive() looks the names up. One with `changes` makes
/// another vehicle: apps/seat/ carries that out, make_drive() refuses it.
struct ScenarioEvent {
  std::string name;
  double time = -1.0;   ///< s; below zero: by condition
  std::string channel;  ///< a number of the results
  double level = 0.0;
  bool rising = true;
  bool repeats = false;
  struct Action {
    std::string closure;
    bool attach = true;
    bool at_current = false;
    Source source;
  };
  std::vector<Action> actions;
  std::vector<Override> changes;  ///< on top of those of the vehicle; only where `time` is given
  Source source;
};

/// What stands on the road for the driver's eyes alone: no wheel feels it.
struct Scenery {
  /// The lanes of a standard, whose widths follow from the car's.
  struct Gates {
    int part = 1;                                     ///< of ISO 3888
    Eigen::Vector2d place = Eigen::Vector2d::Zero();  ///< middle of the entry, m
    double heading = 0.0;                             ///< in which they are driven, rad
  };
  std::vector<Eigen::Vector2d> cones;  ///< m
  std::vector<Gates> gates;
};

/// What is done with a vehicle: plain data, SI.
struct Scenario {
  // compiled once, in scenario.cpp, not in every source that copies or destroys one
  Scenario();
  Scenario(const Scenario&);
  Scenario(Scenario&&) noexcept;
  Scenario& operator=(const Scenario&);
  Scenario& operator=(Scenario&&) noexcept;
  ~Scenario();

  std::string name = "scenario";
  double step = 1e-3;                  ///< s
  double until = 1.0;                  ///< s
  double record = 0.0;                 ///< interval of results, s; 0: every step
  SchemeChoice scheme;                 ///< time integration, the trapezoidal rule unless chosen
  Closing closing = Closing::penalty;  ///< how the closures enter the equations
  bool projection = true;  ///< move rates and accelerations onto the closures after each step
  int iterations = 0;      ///< fixed number of Newton iterations; 0: until converged
  double tolerance = 0.0;  ///< on rms(dz), m or rad; 0: the integrator's, tied to the step
  /// Local error that a step may have, m or rad: steps take lengths of their own, from `step` on;
  /// 0: equal steps.
  double error_tolerance = 0.0;
  double longest_step = 0.0;  ///< of these steps, s; 0: as the road asks for
  bool cut_contacts = false;  ///< steps end where contacts and stops begin and end
  StartMode start = StartMode::design;
  bool at_origin = false;  ///< wherever the file has the vehicle, along x: that of a manoeuvre
  double speed = 0.0;      ///< initial forward speed of the chassis and all it carries, m/s
  SpeedMode speed_mode = SpeedMode::coast;
  double speed_gain = 0.0;  ///< N per m/s, for SpeedMode::control
  ContactLaw contact = ContactLaw::normal;
  ContactMethod contact_method = ContactMethod::point;  ///< how wheels meet `surface`
  bool lateral = true;  ///< use the lateral tyre law where a wheel has one
  Road road;
  std::shared_ptr<const RoadSurface> surface;  ///< null: `road`; otherwise it replaces `road`
  std::vector<std::string> road_notes;  ///< what a road file asks for and does not get, one a line
  std::vector<Input> inputs;            ///< replace inputs of the vehicle by name
  std::vector<Excitation> excitations;
  std::vector<RoadPlane> road_planes;
  std::vector<ScenarioEvent> events;
  std::vector<Override> overrides;
  std::vector<std::string> markers;  ///< markers whose position, velocity, acceleration are written
  std::vector<std::string> reactions;  ///< joints and constraints whose reactions are written
  std::vector<std::string> bodies;     ///< bodies whose pose and rates are written
  std::vector<std::string> efforts;    ///< inputs whose effort (force or torque) is written
  Scenery scenery;
  Source source;
};

}  // namespace semirec
