#pragma once

#include <string>
#include <vector>

#include "topology/mechanism.hpp"

namespace semirec {

enum class MotorType {
  combustion,  ///< between two curves: throttle 0 closed, 1 full
  electric     ///< throttle -1 to 1 times the full curve of the speed's size
};

/// What turns the driveline. Curves hold their end values outside of their points.
struct Motor {
  MotorType type = MotorType::combustion;
  double inertia = 0.0;  ///< about its shaft, with all that turns with it, kg m^2
  Curve full;            ///< rad/s to N m
  Curve closed;          ///< rad/s to N m; combustion only
  InputIndex throttle = kNoInput;
  double idle_speed = 0.0;  ///< rad/s; below it the throttle opens by itself; 0: no such governor
  double max_speed = 0.0;   ///< rad/s; above it the throttle closes; 0: no such limiter
  double power = 0.0;       ///< W, limits torque times speed of an electric motor; 0: no limit
};

enum class CouplingType {
  rigid,     ///< with one gear that stays in a shaft; with several a synchroniser (Friction)
  clutch,    ///< dry friction
  converter  ///< hydrodynamic
};

/// Between motor and gearbox.
struct Coupling {
  CouplingType type = CouplingType::rigid;
  double capacity = 0.0;        ///< friction, N m
  InputIndex pedal = kNoInput;  ///< 0 closed, 1 open
  Curve torque_ratio;           ///< converter: speed ratio to torque ratio
  Curve capacity_factor;  ///< converter: speed ratio to K, rad/s over root of N m: T = (w/K)^2
};

struct Gear {
  double ratio = 1.0;  ///< speed of its input over that of its output
  double up = 1e300;   ///< an automatic gearbox shifts up above this input speed, rad/s
  double down = 0.0;   ///< and down below this one
};

struct Gearbox {
  bool automatic = false;
  /// Manual: the gear, -1, 0, 1 ... Automatic: -1 reverse, 0 neutral, 1 or more drive. Not written:
  /// the first gear, or drive.
  InputIndex selector = kNoInput;
  double reverse = 0.0;  ///< ratio, above zero; 0: no reverse
  double efficiency = 1.0;
  double shift_time = 0.0;  ///< s without torque at each shift
  /// s from one shift that an automatic gearbox chooses to the next one, at least; torque flows.
  double shift_latency = 0.0;
  std::vector<Gear> gears;
};

enum class DifferentialType { open, locked, limited_slip };

/// Limited slip: the torques of the two sides differ by up to preload + bias |their sum|.
struct Differential {
  DifferentialType type = DifferentialType::open;
  double preload = 0.0;  ///< N m
  double bias = 0.0;     ///< 0 open, 1 locked as long as there is torque
};

/// Two wheels on half shafts behind a differential, or one wheel on a shaft.
struct DrivenAxle {
  std::string name;
  std::vector<int> wheels;  ///< in Vehicle::wheels
  double ratio = 1.0;       ///< speed of the propeller shaft over that of the wheels
  Differential differential;
  double shaft_stiffness = 8000.0;  ///< of each half shaft, N m/rad
  double shaft_damping = 60.0;      ///< N m s/rad, above zero
  BodyIndex body = kGround;         ///< takes the reaction of the half shafts
  Source source;
};

/// From a motor to one or two axles.
struct Driveline {
  std::string name;
  Motor motor;
  Coupling coupling;
  Gearbox gearbox;
  std::vector<DrivenAxle> axles;  ///< one or two
  Differential centre;            ///< between two axles
  double share = 0.5;             ///< torque to the first axle over that of both, centre open
  Source source;
};

/// Friction between a wheel's rim and its carrier: up to torque balance input, the input within 0
/// and 1.
struct Brake {
  std::string name;
  int wheel = 0;         ///< in Vehicle::wheels
  double torque = 0.0;   ///< N m, at input 1
  double balance = 1.0;  ///< share of it that this brake gets
  InputIndex input = kNoInput;
  double lock_speed = 2.0;  ///< rad/s; below about this speed a held wheel is damped, not rubbed
  Source source;
};

/// Torque of an input's size on a rim, against its carrier; positive forward.
struct HubTorque {
  std::string name;
  int wheel = 0;  ///< in Vehicle::wheels
  InputIndex input = kNoInput;
  Source source;
};

}  // namespace semirec
