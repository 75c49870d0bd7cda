#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "integrator/statics/travel.hpp"
#include "vehicles/analysis/answer.hpp"
#include "vehicles/driver/manual_gearbox.hpp"
#include "vehicles/session/drive.hpp"
#include "vehicles/session/wheel_spin.hpp"

namespace semirec {

/// What keeps the speed of a car against what slows it down.
enum class SpeedHold {
  force,    ///< along the heading of the chassis, level, at its centre of mass: input `drive_force`
  throttle  ///< the driver's, in the gear that the speed asks for
};

/// How an AnalysisError begins where no throttle holds a speed.
inline constexpr const char* kThrottleRefusal = "the throttle cannot hold ";

/// One wheel of a steady state.
struct SteadyWheel {
  std::string name;
  double load = 0.0;        ///< N
  double slip_angle = 0.0;  ///< rad, as the tyre's own channel `.alpha` has it
  double lateral = 0.0;     ///< N, of the road on the wheel, to the left in world axes
};

/// A car at rest, straight on at a speed, or in a circle: solved, not simulated. Positive to the
/// left, axes ISO 8855.
struct SteadyTurn {
  double speed = 0.0;                 ///< m/s, of the chassis' centre of mass along its path
  double lateral_acceleration = 0.0;  ///< m/s^2, centripetal: speed times yaw rate
  double yaw_rate = 0.0;              ///< rad/s
  double radius = 0.0;                ///< m, of the centre of mass; infinite when straight
  double steering = 0.0;              ///< of the input Controls::steering, rad or m
  double steering_wheel = 0.0;        ///< rad
  /// N m, that holds it; NaN where the steering input moves no joint, rod or sliding end.
  double steering_wheel_torque = std::numeric_limits<double>::quiet_NaN();
  double sideslip = 0.0;           ///< rad, from the heading to the velocity at the centre of mass
  double heading = 0.0;            ///< rad; not 0 where a driver keeps the car on a line along x
  double roll = 0.0, pitch = 0.0;  ///< rad, of the chassis
  double drive_force = 0.0;        ///< N; zero when the throttle holds the speed
  double throttle = 0.0;
  std::vector<SteadyWheel> wheels;
  /// Of Drive::units from the second one on, rad (compute_articulation()).
  std::vector<double> articulations;
  std::vector<int> followers;  ///< coordinates that follow the wheels, as half shafts do
  double residual = 0.0;       ///< N or N m: the largest that is left over anywhere
  double closure = 0.0;        ///< m
  int iterations = 0;
  State state;  ///< of SteadyCar::drive(), all inputs live
};

/// How the wheels of a car turn by its steering wheel, rad/rad: means over the wheels that are
/// steered (by more than a thousandth) of the axles in front and of those behind (group_axles()).
struct SteeringTurn {
  double front = 0.0, rear = 0.0;  ///< 0: no wheel there is steered
  bool is_steered = false;         ///< any wheel is
  bool rear_is_steered = false;
  /// Steering wheel over what turns the car: the angle of the front wheels less that of the rear
  /// ones. 0 where no wheel is steered, or all alike: the car then goes aside without turning.
  double ratio() const {
    constexpr double kAlike = 1e-3;
    const double turn = front - rear;
    return std::abs(turn) <= kAlike * std::max(std::abs(front), std::abs(rear)) ? 0.0 : 1.0 / turn;
  }
};

/// A vehicle in a scenario, of which steady states are asked one after the other. Of the scenario
/// it takes road, contact, inputs at the start (held there) and replacements; speed and events are
/// left out. Added to the vehicle: an input `drive_force` (N) and a sensor `cg` at the chassis'
/// centre of mass (`cg.vy_body`, ...).
class SteadyCar {
 public:
  /// Throws ModelError.
  SteadyCar(const Vehicle& vehicle, const Scenario& scenario, SpeedHold hold = SpeedHold::force);

  /// At rest on its wheels. Throws AnalysisError: what is left over, and where.
  SteadyTurn rest();
  /// The state of rest, or, where nothing holds the car along or across its way (a slope, wind),
  /// one in balance but for its acceleration as a whole: from where it travels. Throws
  /// AnalysisError.
  const State& standing();
  /// Whether standing() accelerates as a whole: nothing holds it.
  bool is_pushed() const { return !unheld_.empty(); }
  /// standing() as a turn of no speed. Throws as standing().
  SteadyTurn as_it_stands();
  /// Throws AnalysisError where the road is known to change somewhere: for answers about a motion
  /// that goes on for ever. turn() itself takes a road that is level about the car.
  void expect_even_road() const;
  /// Why the state of rest, from which all others were found, is not the one that was meant
  /// (find_start_faults()), what find_standing_car() names, inputs that act as something else
  /// (find_input_faults()), and a steering of the start that a speed has overruled.
  std::vector<std::string> rest_faults();
  /// At a speed above zero; lateral acceleration 0: straight on, the steering wheel where that
  /// takes it (a car without steering: the steering wheel's place is taken by the yaw rate).
  /// `near`: a state of this car to begin with; without one, and where that fails, the lateral
  /// acceleration grows from zero. Throws AnalysisError: out of reach, with the largest that was
  /// solved; what is left over; ModelError: no steering, no chassis, no throttle.
  SteadyTurn turn(double speed, double lateral_acceleration, const SteadyTurn* near = nullptr);

  const Drive& drive() const { return drive_; }
  const Recorder& recorder() const { return recorder_; }
  Workspace& workspace() { return ws_; }
  /// Value of the lever, Controls::gear, in a turn; 0 without one.
  double gear_in(const SteadyTurn& turn) const;
  /// All channels of the recorder, in its order.
  std::vector<double> channels(const SteadyTurn& turn);

  InputIndex steering() const { return steering_; }  ///< kNoInput without one
  InputIndex drive_force() const {
    return drive_force_;
  }  ///< kNoInput for a mechanism that
     ///< cannot travel
  BodyIndex chassis() const { return can_travel_ ? drive_.chassis : kGround; }
  /// Coordinates of all wheels that turn.
  std::vector<int> wheel_spins() const;
  /// A joint that the file sets turning and that goes on as it does: nothing depends on its angle,
  /// and no moment acts about its axle.
  struct Rotor {
    int z = 0;
    double rate = 0.0;  ///< rad/s
  };
  const std::vector<Rotor>& rotors() const { return rotors_; }
  /// Coordinates of wheels and rotors, whose angles have no effect.
  std::vector<int> turning() const;
  /// The travel of a state, for linearize().
  Travel travel_of(const SteadyTurn& turn) const;
  const Controls& controls() const { return controls_; }
  InputIndex throttle() const { return throttle_; }
  /// Of the first unit in the design position between its groups of axles, m; 0: not a car.
  double wheelbase() const { return wheelbase_; }
  /// How the wheels of the first unit turn at rest, about a value of the steering input; about that
  /// of rest() without one.
  SteeringTurn find_steering_turn();
  /// Wheels that the lean of the car alone turns do not count: castors.
  SteeringTurn find_steering_turn(double about);
  /// SteeringTurn::ratio() about rest.
  double steering_ratio() { return find_steering_turn().ratio(); }

 private:
  /// [wheel] its angle in the chassis about the upright, rad.
  std::vector<double> find_wheel_headings(const State& state);
  /// [wheel] whether it stays as it is by the steering wheel where the chassis is held: a castor,
  /// which follows the lean of the car. None where no balance is found so.
  std::vector<char> find_lean_followers(const State& about);
  /// Whether its forces hang on its heading: wind, or a gravity that is not upright.
  bool feels_directions();
  EquilibriumReport stand();
  /// Of at_rest_, which turns them.
  void find_rotors();
  /// Of a search: what follows the wheels, as half shafts do, from a state near.
  void find_what_follows(const State& state, SteadyTravel& search);
  /// rad, of the chassis.
  double find_yaw(const State& state);
  /// What a search finds whose wheels named by `lifted` ([spins_]) roll on at a known rate.
  bool search_turn(double speed, double lateral_acceleration, const std::vector<char>& lifted,
                   State& found, SteadyTurn& solved);
  /// The same with those of `turn` and of what is found, until both agree.
  bool search_contacts(double speed, double lateral_acceleration, bool with_driven, State& state,
                       SteadyTurn& turn);
  /// [spins_] whether a wheel carries nothing; none where `wheels` is empty.
  std::vector<char> find_lifted(const std::vector<SteadyWheel>& wheels, bool with_driven) const;
  bool try_turn(double speed, double lateral_acceleration, State& state, SteadyTurn& turn);
  /// Straight on by the throttle beside which no force is left to do anything, found by halving:
  /// where it changes nothing (a motor at its power), Newton's way ends. Throws AnalysisError where
  /// none is; false: no steady motion at all.
  bool hold_by_halving(double speed, State& state, SteadyTurn& turn);
  /// The force that holds the speed beside a throttle, N; nothing where there is no steady motion.
  std::optional<double> force_beside(double throttle, double speed, double lateral_acceleration,
                                     State& state, SteadyTurn& turn);
  std::string why_no_further(double speed, double lateral_acceleration, State state,
                             SteadyTurn turn);
  /// A state straight on at a speed near another, its wheels rolling freely, tyres settled.
  State roll_straight(double speed, const State& near);
  void fill(SteadyTurn& turn);
  void expect_level_road(const State& state);
  std::string left_over(const Eigen::VectorXd& forces,
                        const std::string& why = "that nothing balances") const;

  Drive drive_;
  Controls controls_;
  SpeedHold hold_;
  bool even_;  ///< the road is known to be the same everywhere
  InputIndex steering_ = kNoInput, throttle_ = kNoInput, drive_force_ = kNoInput;
  SteadyRange throttle_range_;
  std::optional<ManualGearbox> box_;  ///< whose gear is chosen by the speed
  InputIndex gear_ = kNoInput;        ///< with it
  int lower_ = 0;                     ///< gears below that one, where full throttle is short in it
  bool can_travel_ = false;
  std::vector<WheelSpin> spins_;
  double wheelbase_ = 0.0;
  Recorder recorder_;
  Workspace ws_;
  Eigen::VectorXd left_over_;
  std::vector<std::string> standing_notes_;
  std::string instability_;  ///< of the equilibrium at rest, which a car at speed does not keep
  State at_rest_;
  /// What it travels from where it rests with units turned at their hitches: as they were before.
  std::optional<State> straight_;
  std::vector<Rotor> rotors_;
  std::vector<char> driven_;  ///< [wheel] a driveline or a hub torque turns it
  std::string unheld_;        ///< why standing() is no rest; empty where it is
  int iterations_ = 0;        ///< to find it
  bool stood_ = false, level_ = false, steers_ = false, travelled_ = false;
  bool converged_ = true;  ///< the last search, be it at a state that is no solution
};

/// Whether the steering input takes a moment or a force, and so has no angle.
bool steers_by_force(const SteadyCar& car);

/// What `semirec equilibrium` asks.
struct SteadyOptions {
  double speed = 0.0;                         ///< m/s; 0: at rest
  std::vector<double> lateral_accelerations;  ///< m/s^2; empty: straight. More than one: a table
  SpeedHold hold = SpeedHold::force;
};

/// Quantities of the steady state (all channels of the recorder among them), or over lateral
/// acceleration: a table, charts and the gradients at its low end. Throws ModelError,
/// AnalysisError, Interrupted.
Answer analyse_steady_state(const Vehicle& vehicle, const Scenario& scenario,
                            const SteadyOptions& options, const Progress& progress = {});

}  // namespace semirec
