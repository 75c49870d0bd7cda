// Electric power steering, written in the vehicle's file: on a bench against closed forms, and in
// the sedan.

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/step.hpp"
#include "tests/support/drives.hpp"
#include "vehicles/analysis/modes.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/manoeuvre/manoeuvre.hpp"
#include "vehicles/manoeuvre/method.hpp"
#include "vehicles/session/session.hpp"

namespace semirec::test {
namespace {

const std::string kBench = "../../tests/data/power_steering_bench.xml";
constexpr double kPinion = 0.008;  // of the bench, m
const std::vector<std::string> kSmooth{"rack_friction.value=0", "column_friction.value=0"};

using Overrides = std::vector<std::string>;

Overrides with(Overrides all, const Overrides& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

void set_input(Scenario& scenario, const std::string& name, const Curve& curve) {
  std::erase_if(scenario.inputs, [&](const Input& input) { return input.name == name; });
  Input input;
  input.name = name;
  input.curve = curve;
  scenario.inputs.push_back(input);
}

/// Up to the time; `see` after every step, may be empty.
void drive_until(ShippedDrive& car, double until, const std::function<void()>& see = {}) {
  while (car.state.t < until - 1e-9) {
    const StepReport report = step(car.drive.model, car.drive.settings.step, car.state, car.ws);
    ASSERT_EQ(report.status, StepStatus::converged) << car.state.t;
    if (see) see();
  }
}

ShippedDrive start_bench(const Overrides& overrides, const Curve& load) {
  return start_shipped(kBench, "let_go.xml", overrides,
                       [&](Scenario& scenario) { set_input(scenario, "load", load); });
}

// The steering wheel is held straight, the rack pushed with F. At rest F r = T + boost(T, v): the
// load is chosen for a torque T at the steering wheel that is a point of the table.
TEST(PowerSteering, AssistsByItsCurveAtEachSpeed) {
  struct Point {
    double speed, torque, boost;  // of <template name="boost_curve">
  };
  for (const Point& point :
       {Point{0.0, 2.0, 3.5}, Point{0.0, 4.0, 16.0}, Point{0.0, 8.0, 60.0}, Point{5.0, 4.0, 12.0},
        Point{15.0, 4.0, 6.0}, Point{40.0, 2.0, 0.7}, Point{40.0, 8.0, 14.0}}) {
    for (const double side : {1.0, -1.0}) {
      const double load = side * (point.torque + point.boost) / kPinion;
      ShippedDrive bench =
          start_bench(with(kSmooth, {"forward.value=" + std::to_string(point.speed)}),
                      Curve::table({{0.0, 0.0}, {0.5, load}}));
      drive_until(bench, 3.0);
      EXPECT_NEAR(channel(bench, "torsion_bar.torque"), side * point.torque, 1e-6);
      EXPECT_NEAR(channel(bench, "assist.value"), side * point.boost, 1e-6);
      // k twist, and F / teeth between pinion and rack
      const double pinion = -side * point.torque / 115.0;
      EXPECT_NEAR(channel(bench, "pinion_joint.z"), pinion, 1e-8);
      EXPECT_NEAR(channel(bench, "rack_joint.z"), kPinion * pinion - load / 1e7, 1e-9);
    }
  }
}

// Hands off, no motor: what the rack's bristles hold, the column follows without a torque.
TEST(PowerSteering, HoldsByFrictionWithoutCreep) {
  const Overrides free{"hands.value=torque", "grip.value=0", "boost_scale.value=0",
                       "column_friction.value=0"};
  constexpr double kMost = 100.0, kWay = 1e-4;  // N, m
  // half of what it holds, shaken at 20 Hz by a tenth: bent by way F/most and back, nothing else
  Curve shaken = Curve::table({{0.0, 0.0}, {0.5, 50.0}});
  shaken.add_sine({10.0, 2.0 * std::numbers::pi * 20.0, 0.0, 0.0, 1.0, 6.0});
  ShippedDrive bench = start_bench(free, shaken);
  drive_until(bench, 16.0);
  EXPECT_NEAR(channel(bench, "rack_joint.z"), -kWay * 50.0 / kMost, 1e-12);
  EXPECT_NEAR(channel(bench, "rack_joint.rate"), 0.0, 1e-10);
}

TEST(PowerSteering, SlidesWhenItIsPushedHarder) {
  const Overrides free{"hands.value=torque", "grip.value=0", "boost_scale.value=0",
                       "column_friction.value=0"};
  ShippedDrive bench = start_bench(free, Curve::table({{0.0, 0.0}, {0.5, 120.0}}));
  drive_until(bench, 4.0);
  // 20 N move the dampers of rack, column (0.02) and motor (0.5 N m s/rad)
  const double damping = 300.0 + (0.02 + 0.5) / (kPinion * kPinion);
  EXPECT_NEAR(channel(bench, "rack_joint.rate"), -20.0 / damping, 1e-9);
  EXPECT_NEAR(channel(bench, "bristle_rack.value"), -1e-4, 1e-12);
  EXPECT_NEAR(channel(bench, "column_joint.rate"), -20.0 / damping / kPinion, 1e-6);
}

// A hand of 400 N m/rad, 2 N m s/rad that asks for 0.3 rad while the rack is pushed.
TEST(PowerSteering, IsHeldByAHandOrByATorque) {
  const double load = (2.0 + 3.5) / kPinion;
  for (const bool hand : {true, false}) {
    ShippedDrive bench = start_shipped(
        kBench, "let_go.xml", with(kSmooth, {"hands.value=torque", "damping.value=2"}),
        [&](Scenario& scenario) {
          set_input(scenario, "load", Curve::table({{0.0, 0.0}, {0.5, load}}));
          set_input(scenario, "steering", Curve::table({{0.0, 0.0}, {0.5, 0.3}}));
          // lets go and holds the torque alone
          if (!hand) {
            set_input(scenario, "grip", Curve::table({{2.0, 1.0}, {2.5, 0.0}}));
            set_input(scenario, "hand_torque", Curve::table({{2.0, 0.0}, {2.5, 2.0}}));
          }
        });
    drive_until(bench, hand ? 3.0 : 6.0);
    EXPECT_NEAR(channel(bench, "steering_wheel_torque.value"), 2.0, 1e-6) << hand;
    EXPECT_NEAR(channel(bench, "assist.value"), 3.5, 1e-4) << hand;
    EXPECT_NEAR(channel(bench, "column_joint.z"), 0.3 - 2.0 / 400.0, 1e-5) << hand;
  }
}

/// N m in the torsion bar that carry `sum` together with the assistance at rest: between 4 and
/// 8 N m the shipped table rises from 16 to 60.
double bar_torque_at_rest(double sum) { return 4.0 + (sum - 20.0) / (1.0 + (60.0 - 16.0) / 4.0); }

// At rest the steering wheel goes to 90 degrees to the left, to the right and back.
TEST(PowerSteering, ParksWithAFewNewtonMetres) {
  constexpr double kTurn = 0.5 * std::numbers::pi;
  struct Torques {
    double hands = 0.0, bar = 0.0, assist = 0.0;
  };
  const auto park = [&](const Overrides& overrides) {
    const auto to_and_fro = [&](Scenario& scenario) {
      Curve curve;  // cubic, at rest at the ends
      curve.add_piece(-1e300, 0.0, {});
      curve.add_piece(0.0, 0.0, {0.0, 0.0, kTurn / 3.0, -2.0 * kTurn / 27.0});
      curve.add_piece(3.0, 3.0, {kTurn, 0.0, -kTurn / 6.0, kTurn / 54.0});
      curve.add_piece(9.0, 9.0, {-kTurn, 0.0, kTurn / 6.0, -kTurn / 54.0});
      set_input(scenario, "steering", curve);
      scenario.efforts.emplace_back("steering");
    };
    ShippedDrive car = start_shipped("sedan_eps.xml", "rest.xml", overrides, to_and_fro);
    drive_until(car, 15.0);
    return Torques{channel(car, "steering.effort"), channel(car, "torsion_bar.torque"),
                   channel(car, "assist.value")};
  };
  const std::string turning = "wheel_*.turning_friction=0.8", none = "boost_scale.value=0";
  const Torques rolling = park({none});
  const Torques bare = park({turning, none});
  const Torques assisted = park({turning});
  // each front tyre (2/3) mu F a, a = sqrt(R F/k) by the numbers of its file; 2 %: the wheels'
  // ratios differ and change with the angle
  constexpr double kRadius = 0.3284, kStiffness = 215000.0, kLoad = 4025.0;  // N, 6 kg more
  const double tyre = 2.0 / 3.0 * 0.8 * kLoad * std::sqrt(kRadius * kLoad / kStiffness);
  const double expected = 2.0 * tyre / 15.5;
  EXPECT_NEAR(bare.hands - rolling.hands, expected, 0.02 * expected);
  EXPECT_GT(bare.hands, 15.0);  // as cars ask for without assistance
  EXPECT_LT(bare.hands, 25.0);
  // the same rack needs the same sum; 1 %: the pinion stands elsewhere by the twist that is saved
  EXPECT_NEAR(assisted.bar + assisted.assist, bare.bar, 0.01 * bare.bar);
  EXPECT_NEAR(assisted.bar, bar_torque_at_rest(assisted.bar + assisted.assist), 1e-3);
  // friction of the column, and its inertia: the cubic ends with -6 (2 kTurn)/(6 s)^2
  EXPECT_NEAR(assisted.hands - assisted.bar, 0.15 - 0.035 * kTurn / 3.0, 1e-3);
}

// A steady turn is solved, not simulated: steering wheel and motor carry the rack together.
TEST(PowerSteering, SharesTheTorqueOfASteadyTurn) {
  const auto turn = [](const std::string& model, const Overrides& overrides) {
    std::vector<Override> parsed;
    for (const std::string& text : overrides) parsed.push_back(parse_override(text));
    SteadyCar car(
        read_vehicle(std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/" + model, parsed), {});
    return car.turn(30.0, 2.0);
  };
  const SteadyTurn sedan = turn("sedan.xml", {});
  const SteadyTurn bare = turn("sedan_eps.xml", {"boost_scale.value=0"});
  const SteadyTurn assisted = turn("sedan_eps.xml", {});
  // 6 of 1506 kg, before the middle of the wheelbase
  EXPECT_NEAR(bare.steering_wheel_torque, sedan.steering_wheel_torque,
              0.02 * sedan.steering_wheel_torque);
  // T + boost(T, 30): between 15 and 40 m/s, 2 and 4 N m
  const auto boost = [](double torque) {
    const double at_15 = 1.4 + (torque - 2.0) * 2.3;
    const double at_40 = 0.7 + (torque - 2.0) * 1.15;
    return at_15 + (30.0 - 15.0) / (40.0 - 15.0) * (at_40 - at_15);
  };
  const double torque = assisted.steering_wheel_torque;
  EXPECT_NEAR(torque + boost(torque), bare.steering_wheel_torque, 2e-3);
  // the rack stands where it stood, the bar is twisted less
  EXPECT_NEAR(assisted.steering_wheel - bare.steering_wheel,
              (torque - bare.steering_wheel_torque) / 115.0, 1e-5);
  // bar and teeth give way; 1 %: the 6 kg again
  const double twist = bare.steering_wheel_torque * (1.0 / 115.0 + 1.0 / (0.00817 * 0.00817 * 1e7));
  EXPECT_NEAR(bare.steering_wheel - twist, sedan.steering_wheel, 0.01 * sedan.steering_wheel);
}

/// Yaw rates (rad/s) every 10 ms of the car whose steering wheel is pulled with `pull` N m for
/// 0.2 s at 130 km/h and let go; from 0.8 s on.
std::vector<double> let_go(double pull, const Overrides& overrides, double until) {
  ShippedDrive car = start_shipped(
      "sedan_eps.xml", "step_steer.xml", with({"hands.value=torque", "grip.value=0"}, overrides),
      [&](Scenario& scenario) {
        scenario.speed = 130.0 / 3.6;
        scenario.inputs.clear();
        set_input(scenario, "hand_torque",
                  Curve::table({{0.5, 0.0}, {0.6, pull}, {0.7, pull}, {0.8, 0.0}}));
      });
  std::vector<double> yaw;
  int k = 0;
  drive_until(car, until, [&] {
    if (++k % 10 == 0 && k > 800) yaw.push_back(channel(car, "chassis.wz"));
  });
  return yaw;
}

TEST(PowerSteering, LeavesTheCarDampedAtSpeedWhenItIsLetGo) {
  const std::vector<double> yaw = let_go(5.0, {}, 4.8);
  const double last = yaw.back();  // the friction of the rack holds it in a wide turn
  EXPECT_LT(std::abs(last), 0.005);
  double peak = 0.0;
  for (std::size_t k = 0; k < yaw.size(); ++k) {
    peak = std::max(peak, std::abs(yaw[k]));
    // the slowest mode without friction, exp(-1.8 t): 0.03 within 2 s
    if (k > 200) EXPECT_LT(std::abs(yaw[k] - last), 0.03 * peak) << k;
  }
  EXPECT_GT(peak, 0.1);
}

// Without friction, in the end only the slowest of the linearized car's modes is left.
TEST(PowerSteering, FadesAsTheModesOfTheFreeSteeringSay) {
  std::vector<Override> parsed;
  // what the steady search needs to go straight: a hand of one part in a thousand
  for (const std::string& text :
       with(kSmooth, {"hands.value=torque", "grip.value=0.001", "damping.value=1"}))
    parsed.push_back(parse_override(text));
  SteadyCar car(
      read_vehicle(std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/sedan_eps.xml", parsed), {});
  const CarModes modes = find_modes(car, car.turn(130.0 / 3.6, 0.0), {});
  std::complex<double> slow(-1e300, 0.0);
  for (const Mode& mode : modes.modes)
    // the branch that rolls at 20 m/s turns and slides most by now
    if (mode.eigen.value.imag() > 1.0 && mode.name == "roll") slow = mode.eigen.value;
  ASSERT_LT(slow.real(), 0.0);
  ASSERT_GT(slow.real(), -5.0);
  // extremes of the yaw rate from 1 s after the hands let go on, while the swings are large
  const std::vector<double> yaw = let_go(1.0, with(kSmooth, {"damping.value=1"}), 3.8);
  std::vector<std::size_t> turns;
  for (std::size_t k = 100; k + 1 < yaw.size(); ++k)
    if ((yaw[k] - yaw[k - 1]) * (yaw[k + 1] - yaw[k]) <= 0.0) turns.push_back(k);
  ASSERT_GE(turns.size(), 6U);
  const auto swing = [&](std::size_t k) { return std::abs(yaw[turns[k + 1]] - yaw[turns[k]]); };
  const std::size_t count = turns.size() - 2;
  const double time = 0.01 * static_cast<double>(turns[count] - turns[0]);
  // 3 %: the next mode has not quite gone; times are multiples of 10 ms
  EXPECT_NEAR(std::log(swing(0) / swing(count)) / time, -slow.real(), -0.03 * slow.real());
  EXPECT_NEAR(std::numbers::pi * static_cast<double>(count) / time, slow.imag(),
              0.02 * slow.imag());
}

// ISO 17288-1: without friction the swing is that of the linearized car.
TEST(ReleasedSteering, SwingsInATurnAsTheModesSay) {
  const auto car_with = [](const Overrides& overrides) {
    std::vector<Override> parsed;
    for (const std::string& text : overrides) parsed.push_back(parse_override(text));
    return read_vehicle(std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/sedan_eps.xml", parsed);
  };
  const Overrides free = with(kSmooth, {"hands.value=torque", "damping.value=1"});
  ManoeuvreOptions quick;
  quick.quick = true;
  const std::string file =
      std::string(SEMIREC_SOURCE_DIR) + "/vehicles/manoeuvres/steering_release.xml";
  const Answer answer = run_manoeuvre(car_with(free), read_manoeuvre(file), quick);
  const auto value = [&](const std::string& name) {
    const int k = find_quantity(answer, name);
    EXPECT_GE(k, 0) << name;
    return k < 0 ? std::nan("") : answer.quantities[static_cast<std::size_t>(k)].value;
  };
  SteadyCar car(car_with(with(free, {"grip.value=0.001"})), {});
  const CarModes modes = find_modes(car, car.turn(100.0 / 3.6, 0.0), {});
  std::complex<double> swing(0.0, 0.0);
  for (const Mode& mode : modes.modes)
    // as above, of the branch that rolls at 20 m/s
    if (mode.name == "roll" && mode.eigen.value.imag() > 1.0) swing = mode.eigen.value;
  // of the steering wheel's own mode, exp(-7.4 t), a tenth is left at the first peak: 5 %
  EXPECT_NEAR(value("yaw_rate.damping"), -swing.real() / std::abs(swing), 0.02);
  EXPECT_NEAR(value("yaw_rate.period"), 2.0 * std::numbers::pi / swing.imag(),
              0.05 * 2.0 * std::numbers::pi / swing.imag());
  EXPECT_NEAR(value("lateral_acceleration.before"), 1.0, 0.005);
  EXPECT_NEAR(value("yaw_rate.residual"), 0.0, 1e-4);
}

// The hand is a spring: the same torque bends one of half the stiffness twice as far.
TEST(ReleasedSteering, IsHeldAsFirmlyAsTheFileSays) {
  ManoeuvreOptions quick;
  quick.quick = true;
  const std::string root = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";
  const auto gap = [&](const char* grip) {
    const Vehicle car = read_vehicle(root + "models/sedan_eps.xml",
                                     {parse_override("hands.value=torque"), parse_override(grip)});
    const Answer answer =
        run_manoeuvre(car, read_manoeuvre(root + "manoeuvres/steering_release.xml"), quick);
    const auto value = [&](const char* name) {
      return answer.quantities[at(find_quantity(answer, name))].value;
    };
    return value("steering_wheel") - value("column.before");
  };
  const double firm = gap("grip.value=1");
  EXPECT_GT(firm, 0.0);
  // 2 %: both turns end within 0.5 % of the lateral acceleration, friction keeps some of the angle
  EXPECT_NEAR(gap("grip.value=0.5"), 2.0 * firm, 0.02 * 2.0 * firm);
  EXPECT_THROW(gap("grip.value=0"), ModelError);
}

// As a packet that is late brings it: the bristles of the friction begin to slide within the step.
TEST(PowerSteering, TakesASteeringWheelThatJumps) {
  const std::string root = std::string(SEMIREC_SOURCE_DIR) + "/";
  const DriveDescription read = read_drive(root + "vehicles/models/sedan_eps.xml",
                                           root + "vehicles/scenarios/step_steer.xml");
  for (const double step : {1e-3, 2e-3})
    for (const double jump : {0.2, 0.3, 0.5, 1.2})
      for (const int iterations : {1, 2, 3}) {
        SCOPED_TRACE(std::to_string(step) + " " + std::to_string(jump) + " " +
                     std::to_string(iterations));
        Session session(read, {.step = step, .iterations = iterations});
        for (int k = 0; k < 500; ++k) {
          if (k == 50)
            EXPECT_EQ(session.set_input(session.find_input("steering"), jump),
                      InputStatus::accepted);
          ASSERT_EQ(session.step(), StepStatus::converged) << k;
        }
      }
}

TEST(PowerSteering, StandsStillWhenItIsLetGoAtRest) {
  ShippedDrive car =
      start_shipped("sedan_eps.xml", "rest.xml", {"hands.value=torque", "grip.value=0"});
  const double column = channel(car, "column_joint.z");
  const double rack = channel(car, "rack_joint.z");
  drive_until(car, 5.0);
  EXPECT_NEAR(channel(car, "column_joint.z"), column, 1e-10);
  EXPECT_NEAR(channel(car, "rack_joint.z"), rack, 1e-12);
}

}  // namespace
}  // namespace semirec::test
