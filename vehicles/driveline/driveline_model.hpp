#pragma once

#include <array>

#include <Eigen/Core>

#include "recursive/state_rule.hpp"
#include "vehicles/driveline/driveline.hpp"
#include "vehicles/driveline/friction.hpp"

namespace semirec {

inline constexpr int kMostDrivenWheels = 4;

/// Places of a driveline's states; those that it does not have stay zero.
namespace driveline_state {
inline constexpr int kTwist = 0;         ///< 4  of the half shafts, rad
inline constexpr int kMotorSpeed = 4;    ///< rad/s
inline constexpr int kClutch = 5;        ///< bristle
inline constexpr int kAxleFriction = 6;  ///< 3  bristles of the axles' differentials, the centre's
inline constexpr int kGear = 9;          ///< -1, 0, 1 ...; changes between steps only
inline constexpr int kShiftTimer = 10;   ///< s until an automatic gearbox may shift again
inline constexpr int kCount = 11;
}  // namespace driveline_state

using DrivelineStates = std::array<double, driveline_state::kCount>;
using DrivelineRule = BasicStateRule<DrivelineStates>;

/// A driveline compiled for solving. Its speeds are linear in up to five:
///   y = { motor, gearbox output, centre difference, axle differences }
///   side gears  w_s = B y
/// Only the motor has inertia. What has none has its torques in balance instead of a state.
struct DrivelineModel {
  static constexpr int kMotor = 0, kOutput = 1, kCentre = 2, kAxle = 3, kSpeeds = 5;
  using Speeds = Eigen::Matrix<double, kSpeeds, 1>;
  using Matrix = Eigen::Matrix<double, kSpeeds, kSpeeds>;

  Driveline driveline;
  int wheels = 0;
  Eigen::Matrix<double, kMostDrivenWheels, kSpeeds> B;
  std::array<double, kMostDrivenWheels> stiffness{}, damping{};  ///< of the half shafts
  std::array<bool, kSpeeds> free{};                              ///< speeds that there are
  bool fixed = false;  ///< motor and output turn as one shaft
  Friction clutch{0.05, 5.0};
  Friction differential{0.01, 1.0};

  /// Rows: torques taken into an axle, or out of the gearbox, are sums of half shafts.
  struct Slip {
    bool active = false;
    int speed = 0;         ///< column in y
    double sliding = 1.0;  ///< sliding speed over y
    double preload = 0.0, bias = 0.0;
    std::array<double, kMostDrivenWheels> load{};  ///< torque that presses = sum load_j T_j
  };
  std::array<Slip, 3> slips{};  ///< axles, centre
};

/// Needs a driveline whose numbers are sound (check_driveline()).
DrivelineModel make_driveline_model(const Driveline& driveline);

/// Throws ModelError at the first number or count that cannot be simulated.
void check_driveline(const Driveline& driveline);

/// Where a converter gives off more power than it takes, which none does: one line; empty where it
/// gives off less throughout, to 0.1 %.
std::string describe_gaining_converter(const Driveline& driveline);

/// What is engaged in a state of shift timer, s, and gear.
struct EngagedGear {
  bool shifts = false;  ///< none, because one is being changed
  double ratio = 0.0;   ///< signed; 0: none
};
EngagedGear find_engaged_gear(const DrivelineModel& model, double timer, double gear);

/// What is given to a driveline from outside.
struct DrivelineDemand {
  double throttle = 0.0;
  double pedal = 0.0;                                   ///< clutch, 0 closed, 1 open
  double selector = 1.0;                                ///< see Gearbox::selector
  std::array<double, kMostDrivenWheels> wheel_speed{};  ///< rad/s
};

struct DrivelineSolution {
  std::array<double, kMostDrivenWheels> torque{};  ///< on the wheels, N m
  /// -d torque / d wheel speed, N m s/rad: symmetric, positive semidefinite; what falls with the
  /// speed in motor and friction is left out.
  Eigen::Matrix<double, kMostDrivenWheels, kMostDrivenWheels> resistance;
  DrivelineStates x{}, xd{};
  DrivelineModel::Speeds y;
  double motor_torque = 0.0;     ///< N m
  double coupling_torque = 0.0;  ///< into the gearbox, N m
  double ratio = 0.0;            ///< of the gear that is engaged, signed; 0: none
  double stored = 0.0;           ///< J
  double dissipated = 0.0;       ///< W
  double input = 0.0;            ///< W, of the motor
  int iterations = 0;
  bool converged = false;
};

/// Torques and states at the end of a step by the rule of the scheme, x = x_hat + gain (xd_hat +
/// xd):
///   twist    theta = theta_hat + gain (thetad_hat + w_s - w_wheel)
///   half shaft   T = k theta + c (w_s - w_wheel)
///   motor    J (w - w_hat) = gain (J wd_hat + T_motor - T_coupling)
///   balance  of gearbox output and differentials, friction by Friction
/// gain 0: x = x_begin, and xd is their rate. Gear and timer stay as they are.
/// Cost: at most 30 Newton iterations (1 or 2 as a rule) of a 5 x 5 system; no heap use.
void solve_driveline(const DrivelineModel& model, const DrivelineDemand& demand,
                     const DrivelineRule& rule, DrivelineSolution& solution,
                     bool with_resistance = true);

/// Gear and timer after a step of length h that ended in `solution`, into its x; when they change,
/// xd has to be found anew.
bool shift_gear(const DrivelineModel& model, const DrivelineDemand& demand, double h,
                DrivelineSolution& solution);

/// States of a driveline that has long been turning with these wheels, without load.
DrivelineStates settle_driveline(const DrivelineModel& model, const DrivelineDemand& demand);

}  // namespace semirec
