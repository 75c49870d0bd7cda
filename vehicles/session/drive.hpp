#pragma once

#include <memory>
#include <vector>

#include "integrator/compile.hpp"
#include "integrator/model.hpp"
#include "integrator/outputs/recorder.hpp"
#include "integrator/simulation.hpp"
#include "integrator/statics/equilibrium.hpp"
#include "vehicles/description/drive_description.hpp"
#include "vehicles/description/units.hpp"

namespace semirec {

/// A vehicle in a scenario, ready to be compiled and run.
struct Drive {
  // compiled once, in drive.cpp, not in every source that copies or destroys one
  Drive();
  Drive(const Drive&);
  Drive(Drive&&) noexcept;
  Drive& operator=(const Drive&);
  Drive& operator=(Drive&&) noexcept;
  ~Drive();

  Model model;
  RecorderSettings recorder;
  RunSettings settings;
  BodyIndex chassis = kGround;
  double speed = 0.0;  ///< initial, m/s
  StartMode start = StartMode::design;
  bool at_origin = false;     ///< Scenario::at_origin
  bool held_along_x = false;  ///< SpeedMode::hold
  bool level_speed = false;   ///< `speed` is over level ground: it is held or controlled so
  std::vector<Wheel> wheels;
  std::vector<Unit> units;  ///< of find_units()
  std::vector<Driveline> drivelines;
  std::vector<Brake> brakes;
  std::vector<HubTorque> hub_torques;
  std::vector<Aero> aeros;
  std::vector<Sensor> sensors;
  Equations equations;
  std::vector<std::string> notes;  ///< what vehicle and scenario ask for and do not get together
};

/// Joins vehicle and scenario: inputs replaced by name, road and tyres, excitations, speed hold (a
/// driver closure on the chassis' x) or speed control; then compiles. `elements` are force elements
/// of the caller's own, not yet bound; their channels and states stand behind those of the
/// vehicle's tyres, driveline, brakes, air and sensors. Throws ModelError, also where the vehicle
/// was read without an override of the scenario.
Drive make_drive(const Vehicle& vehicle, const Scenario& scenario,
                 const CompileSettings& settings = {},
                 std::vector<std::unique_ptr<ForceElement>> elements = {});
Drive make_drive(const DriveDescription& read, const CompileSettings& settings = {},
                 std::vector<std::unique_ptr<ForceElement>> elements = {});

struct StandingTangent;

/// What start_drive() found on its way.
struct StartReport {
  EquilibriumReport equilibrium;  ///< of a start from equilibrium
  bool parked = false;            ///< it rests on a slope, held by its brakes
  bool rolls = false;             ///< a steady motion was looked for: equilibrium and speed
  EquilibriumReport motion;       ///< that one; not found: the wheels start without slip
  std::shared_ptr<const StandingTangent> standing;  ///< of that rest, to begin others with, or null
  std::shared_ptr<const SteadyTangent> tangent;  ///< of that motion, to begin others with, or null
  std::vector<std::string> notes;                ///< what is not as one would expect, a line each
};

/// Brings the state of a drive to its start: design position or static equilibrium, then every body
/// at the start speed, spinning wheels rolling; the state is one of the model's formulation.
/// Throws ModelError when there is no such start.
State start_drive(const Drive& drive, Workspace& ws, EquilibriumReport* equilibrium = nullptr);
/// The same with all that there is to say. `like`: the start of a vehicle that differs in numbers,
/// with whose derivatives the searches for equilibrium and steady motion begin; its own where these
/// do not lead there. The start is the same within the tolerance of the search. `live`: [input]
/// values that stand in place of the curves where they are given; empty: all inputs begin with
/// their curves.
State start_drive(const Drive& drive, Workspace& ws, StartReport& report,
                  const StartReport* like = nullptr, const std::vector<LiveInput>& live = {});

}  // namespace semirec
