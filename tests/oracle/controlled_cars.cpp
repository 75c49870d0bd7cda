// The cars whose files hold controllers, beside the passive sedan: what each controller is for, by
// the measures of the standards' manoeuvres.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/outputs/recorder.hpp"
#include "integrator/step.hpp"
#include "tests/support/drives.hpp"
#include "vehicles/analysis/metrics/sine_with_dwell.hpp"
#include "vehicles/analysis/steady_state.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/manoeuvre/manoeuvre.hpp"
#include "vehicles/manoeuvre/method.hpp"
#include "vehicles/road/road_surface.hpp"

namespace semirec::test {
namespace {

const std::string kVehicles = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";

Answer drive(const std::string& car, const std::string& manoeuvre,
             const std::vector<ManoeuvreChange>& changes,
             const std::vector<std::string>& overrides = {}) {
  std::vector<Override> parsed;
  for (const std::string& text : overrides) parsed.push_back(parse_override(text));
  ManoeuvreOptions quick;
  quick.quick = true;
  return run_manoeuvre(read_vehicle(kVehicles + "models/" + car, parsed),
                       read_manoeuvre(kVehicles + "manoeuvres/" + manoeuvre + ".xml", changes),
                       quick);
}

double value(const Answer& answer, const std::string& name) {
  const int k = find_quantity(answer, name);
  EXPECT_GE(k, 0) << name;
  return k < 0 ? std::nan("") : answer.quantities[static_cast<std::size_t>(k)].value;
}

/// Columns of channels over a drive, every fifth step.
std::vector<std::vector<double>> record(ShippedDrive& car, const std::vector<std::string>& names,
                                        double until) {
  const Recorder recorder(car.drive.model, car.drive.recorder);
  std::vector<std::size_t> places;
  for (const std::string& name : names)
    for (std::size_t k = 0; k < recorder.channels().size(); ++k)
      if (recorder.channels()[k].name == name) places.push_back(k);
  EXPECT_EQ(places.size(), names.size());
  std::vector<std::vector<double>> columns(names.size());
  std::vector<double> row;
  for (int k = 0; car.state.t < until - 1e-9; ++k) {
    if (k % 5 == 0) {
      row.clear();
      recorder.record(car.drive.model, car.state, car.ws, row);
      for (std::size_t c = 0; c < places.size(); ++c) columns[c].push_back(row[places[c]]);
    }
    const StepReport report = step(car.drive.model, car.drive.settings.step, car.state, car.ws);
    EXPECT_EQ(report.status, StepStatus::converged) << car.state.t;
    if (report.status != StepStatus::converged) break;
  }
  return columns;
}

/// 49 CFR 571.126 at one amplitude of the steering wheel, the rear tyres worn to four fifths of
/// their friction.
SineWithDwellRun drive_sine_with_dwell(const std::string& model, double amplitude) {
  SineWithDwell test;
  test.start = 1.0;
  test.amplitude = amplitude;
  const auto steer = [&](Scenario& scenario) {
    const double omega = 2.0 * std::numbers::pi * test.frequency;
    const double dwells = test.start + 0.75 / test.frequency;
    const double goes_on = dwells + test.dwell;
    Input steering;
    steering.name = "steering";
    steering.curve.add_sine({amplitude, omega, -omega * test.start, 0.0, test.start, dwells});
    steering.curve.add_sine({amplitude, omega, -omega * (test.start + test.dwell), 0.0, goes_on,
                             steer_completed(test)});
    steering.curve.add_piece(-1e300, 0.0, {0.0});
    steering.curve.add_piece(dwells, 0.0, {-amplitude});
    steering.curve.add_piece(goes_on, 0.0, {0.0});
    std::erase_if(scenario.inputs, [](const Input& input) { return input.name == "steering"; });
    scenario.inputs.push_back(steering);
    scenario.speed = 80.0 / 3.6 + 0.2;  // coasts for a second
  };
  ShippedDrive car = start_shipped(model, "step_steer.xml", {"wheel_r*.friction_scale=0.8"}, steer);
  const auto columns = record(car, {"steering.value", "chassis.wz", "imu.ay_body", "chassis.y"},
                              steer_completed(test) + 2.0);
  return judge_sine_with_dwell(test, columns[0], columns[1], columns[2], columns[3], 5e-3);
}

TEST(StabilityControl, PassesTheSineWithDwellInWhichTheCarWithWornRearTyresSpins) {
  EXPECT_FALSE(drive_sine_with_dwell("sedan.xml", 270.0 * kDegree).stable);
  // 7 A (A = 0.34 rad at 0.3 g) to both sides, and 270 degrees
  for (const double amplitude : {2.4, -2.4, 270.0 * kDegree}) {
    const SineWithDwellRun passive = drive_sine_with_dwell("sedan.xml", amplitude);
    const SineWithDwellRun held = drive_sine_with_dwell("sedan_abs_esc.xml", amplitude);
    // spins on; where it never follows the second swing the ratio is far below zero
    EXPECT_GT(std::abs(passive.ratio_1_00), 0.9) << amplitude;
    EXPECT_TRUE(held.stable) << amplitude;
    // the regulation's limits; the car comes nowhere near them
    EXPECT_LT(std::abs(held.ratio_1_00), 0.35) << amplitude;
    EXPECT_LT(std::abs(held.ratio_1_75), 0.20) << amplitude;
    EXPECT_GT(held.ground_displacement, required_displacement(1500.0)) << amplitude;
  }
}

ShippedDrive start(const std::string& model, const std::string& scenario,
                   const std::vector<Override>& overrides = {},
                   Formulation formulation = Formulation::hybrid) {
  CompileSettings settings;
  settings.formulation = formulation;
  Drive made = make_drive(DriveDescription{read_vehicle(kVehicles + "models/" + model, overrides),
                                           read_scenario_text(scenario, "scenario.xml")},
                          settings);
  Workspace ws(made.model);
  State state = start_drive(made, ws);
  return {std::move(made), std::move(ws), std::move(state)};
}

// From rest on ice with all the throttle, the steering wheel to and fro: wheels that spin near
// standstill. The formulations share nothing but the forces; steps have one solution each, and
// Newton's method finds it only with a tangent that holds nothing more than the tyre does.
TEST(SpinningWheels, AreOneMotionInAllFormulations) {
  const std::string ice = R"(<scenario name="ice" version="1"><run step="0.001" until="3"/>
    <start from="equilibrium"/><road><friction mu="0.1"/></road><input name="gear" value="1"/>
    <input name="brake"><table><point t="0" value="1"/><point t="0.2" value="1"/>
      <point t="0.3" value="0"/></table></input>
    <input name="throttle"><ramp from="0" to="1" start="0.2" end="0.4"/></input>
    <input name="steering"><sine amplitude="4" frequency="1"/></input></scenario>)";
  std::vector<std::vector<double>> ends;
  for (const Formulation formulation :
       {Formulation::hybrid, Formulation::global, Formulation::cartesian}) {
    ShippedDrive car = start("sedan.xml", ice, {}, formulation);
    const auto columns = record(car, {"chassis.y", "chassis.yaw"}, 3.0);
    ends.push_back({columns[0].back(), columns[1].back()});
  }
  EXPECT_GT(std::abs(ends[0][0]), 0.04);  // m
  EXPECT_GT(std::abs(ends[0][1]), 0.02);  // rad
  for (const std::vector<double>& end : ends) {
    EXPECT_NEAR(end[0], ends[0][0], 5e-5);
    EXPECT_NEAR(end[1], ends[0][1], 5e-5);
  }
}

TEST(TractionControl, LeavesACarAloneThatReversesWithoutSpinning) {
  ShippedDrive car = start("sedan_abs_esc.xml",
                           R"(<scenario name="back" version="1"><run step="0.001" until="2"/>
    <start from="equilibrium" speed="-8"/><input name="gear" value="-1"/>
    <input name="throttle" value="0.3"/></scenario>)");
  for (const std::vector<double>& torques :
       record(car, {"caliper_fl.torque", "caliper_fr.torque"}, 2.0))
    for (const double torque : torques) EXPECT_EQ(torque, 0.0);
}

// A car that rolls back on a hill while a wheel spins forward on ice: the brake of that wheel gives
// the other one the torque that takes the car up.
TEST(TractionControl, StartsUphillWithAWheelOnIce) {
  ShippedDrive car = start("sedan_abs_esc.xml",
                           R"(<scenario name="hill" version="1"><run step="0.001" until="8"/>
    <start from="equilibrium"/><road><slope angle="0.12"/><friction mu="0.9"/>
      <friction mu="0.1" y_from="0"/></road><input name="gear" value="1"/>
    <input name="brake"><table><point t="0" value="1"/><point t="0.2" value="1"/>
      <point t="0.3" value="0"/></table></input>
    <input name="throttle"><ramp from="0" to="0.5" start="0.5" end="1.5"/></input></scenario>)");
  const auto columns = record(car, {"chassis.vx", "caliper_fl.torque", "chassis.x"}, 8.0);
  EXPECT_LT(*std::min_element(columns[0].begin(), columns[0].end()), -0.05);  // it rolls back
  EXPECT_LT(*std::min_element(columns[1].begin(), columns[1].end()), -100.0);
  EXPECT_GT(columns[0].back(), 0.0);
}

// A bank is a tilted plane: seen from the car that rolls along it gravity is turned, and nothing
// else.
TEST(BankedStart, RollsAsOnATiltedPlane) {
  const std::string begin = R"(<scenario name="bank" version="1"><run step="0.001" until="1"/>
    <start from="equilibrium" speed="20"/>)";
  const double bank = 0.2;
  const std::string tilted =
      "0 " + std::to_string(-9.81 * std::sin(bank)) + " " + std::to_string(-9.81 * std::cos(bank));
  ShippedDrive on_bank =
      start("sedan.xml", begin + R"(<road><slope bank="0.2"/></road></scenario>)");
  ShippedDrive on_plane =
      start("sedan.xml", begin + "</scenario>", {{"sedan", "gravity", tilted, {}}});
  for (const char* wheel : {"wheel_fl", "wheel_fr", "wheel_rl", "wheel_rr"})
    EXPECT_NEAR(channel(on_bank, std::string(wheel) + ".alpha"),
                channel(on_plane, std::string(wheel) + ".alpha"), 1e-5)
        << wheel;
}

TEST(StabilityControl, LeavesAnOrdinaryTurnAlone) {
  // 0.3 rad of steering wheel within 2 s on new tyres: no brake is asked for
  const auto slowly = [](Scenario& scenario) {
    std::erase_if(scenario.inputs, [](const Input& input) { return input.name == "steering"; });
    Input steering;
    steering.name = "steering";
    steering.curve = Curve::table({{0.5, 0.0}, {2.5, 0.3}});
    scenario.inputs.push_back(steering);
  };
  ShippedDrive passive = start_shipped("sedan.xml", "step_steer.xml", {}, slowly);
  ShippedDrive held = start_shipped("sedan_abs_esc.xml", "step_steer.xml", {}, slowly);
  const auto free = record(passive, {"chassis.wz"}, 3.0);
  const auto with = record(held, {"chassis.wz", "caliper_fl.torque", "caliper_fr.torque"}, 3.0);
  for (std::size_t k = 0; k < free[0].size(); ++k) {
    EXPECT_NEAR(with[0][k], free[0][k], 1e-9);
    EXPECT_EQ(with[1][k], 0.0);
    EXPECT_EQ(with[2][k], 0.0);
  }
}

TEST(AntiLock, StopsShorterOnAWetRoadThanLockedWheels) {
  const std::vector<ManoeuvreChange> wet{{"pedal", "1"}, {"mu_left", "0.5"}, {"mu_right", "0.5"}};
  const Answer locked = drive("sedan.xml", "split_mu_braking", wet);
  const Answer valves = drive("sedan_abs_esc.xml", "split_mu_braking", wet);
  EXPECT_EQ(value(locked, "locked_wheels"), 4.0);
  EXPECT_EQ(value(valves, "locked_wheels"), 0.0);
  // v^2/(2 mu g) with the seven tenths to which the tyre's friction falls when it slides; 5 %: air,
  // and the time in which the pedal is pressed
  const double sliding = 27.778 * 27.778 / (2.0 * 0.5 * 0.71 * 9.81);
  EXPECT_NEAR(value(locked, "distance"), sliding, 0.05 * sliding);
  EXPECT_LT(value(valves, "distance"), 0.9 * value(locked, "distance"));
}

TEST(AntiLock, KeepsTheCarStraightOnTwoFrictions) {
  const std::vector<ManoeuvreChange> split{{"pedal", "1"}};
  const Answer locked = drive("sedan.xml", "split_mu_braking", split);
  const Answer valves = drive("sedan_abs_esc.xml", "split_mu_braking", split);
  EXPECT_GT(std::abs(value(locked, "heading")), 1.0);  // rad: spins
  EXPECT_LT(std::abs(value(valves, "heading")), 0.15);
  EXPECT_LT(value(valves, "largest_yaw_rate"), 0.05 * value(locked, "largest_yaw_rate"));
  EXPECT_LT(value(valves, "distance"), value(locked, "distance"));
  // a driver who steers stays on the middle
  const Answer steered =
      drive("sedan_abs_esc.xml", "split_mu_braking", {{"pedal", "1"}, {"correct", "1"}});
  EXPECT_LT(std::abs(value(steered, "deviation")), 0.5);
}

TEST(AntiLock, KeepsTheSlipInItsBand) {
  ShippedDrive car = start_shipped("sedan_abs_esc.xml", "step_steer.xml", {}, [](Scenario& s) {
    s.speed = 27.778;
    s.inputs.clear();
    Input pedal;
    pedal.name = "pedal";
    pedal.curve = Curve::table({{0.5, 0.0}, {0.7, 1.0}});
    s.inputs.push_back(pedal);
  });
  auto kappa = record(car, {"wheel_fl.kappa", "wheel_rl.kappa", "chassis.vx"}, 3.2);
  EXPECT_GT(kappa[2].back(), 3.0);  // on a dry road, still rolling
  for (const std::size_t wheel : {0U, 1U}) {
    // from the second cycle of the valves on
    std::vector<double> slip(kappa[wheel].begin() + 200, kappa[wheel].end());
    std::sort(slip.begin(), slip.end());
    const auto share = [&](double part) {
      return -slip[static_cast<std::size_t>(part * static_cast<double>(slip.size() - 1))];
    };
    EXPECT_LT(share(0.5), 0.20) << wheel;  // releases there
    EXPECT_GT(share(0.5), 0.03) << wheel;
    EXPECT_LT(share(0.05), 0.40) << wheel;  // what a sample of 10 ms lets pass
  }
}

/// The road is slippery right of the middle.
class TwoFrictions final : public RoadSurface {
 public:
  RoadPoint evaluate(double /*x*/, double y) const override {
    return {0.0, 0.0, 0.0, y > 0.0 ? 1.0 : 0.15};
  }
  void put_into(Fingerprint& fingerprint) const override { fingerprint("two frictions"); }
};

TEST(TractionControl, SendsTheTorqueOfTheOpenDifferentialToTheWheelThatGrips) {
  const auto start = [](Scenario& scenario) {
    scenario.speed = 1.0;
    scenario.surface = std::make_shared<TwoFrictions>();
    std::erase_if(scenario.inputs, [](const Input& input) { return input.name == "steering"; });
    Input throttle;
    throttle.name = "throttle";
    throttle.curve = Curve::table({{0.5, 0.0}, {1.0, 0.7}});
    scenario.inputs.push_back(throttle);
  };
  ShippedDrive passive = start_shipped("sedan.xml", "step_steer.xml", {}, start);
  ShippedDrive braked = start_shipped("sedan_abs_esc.xml", "step_steer.xml", {}, start);
  const auto free = record(passive, {"chassis.vx"}, 4.0);
  const auto held = record(braked, {"chassis.vx"}, 4.0);
  // an open differential gives both wheels the torque of the one that slips
  EXPECT_GT(held[0].back() - 1.0, 2.0 * (free[0].back() - 1.0));
}

TEST(SkyhookRide, IsSofterThanThePassiveCars) {
  const std::vector<ManoeuvreChange> road{{"seeds", "2"}, {"duration", "13"}};
  const Answer passive = drive("sedan.xml", "ride_random", road);
  const Answer sky = drive("sedan_skyhook.xml", "ride_random", road);
  EXPECT_LT(value(sky, "weighted.z_rms"), 0.8 * value(passive, "weighted.z_rms"));
  EXPECT_LT(value(sky, "weighted.total"), 0.8 * value(passive, "weighted.total"));
  // at the wheels' expense
  EXPECT_LT(value(sky, "wheel_fl.load_variation"), 1.2 * value(passive, "wheel_fl.load_variation"));
  // held to the ground as well, less of either
  const Answer both = drive("sedan_skyhook.xml", "ride_random", road, {"ground_*.value=1000"});
  EXPECT_LT(value(both, "weighted.z_rms"), 0.9 * value(passive, "weighted.z_rms"));
  EXPECT_LT(value(both, "wheel_fl.load_variation"), value(sky, "wheel_fl.load_variation"));
}

TEST(Skyhook, IsThePassiveCarWithoutItsGains) {
  ShippedDrive passive = start_shipped("sedan.xml", "step_steer.xml");
  ShippedDrive off =
      start_shipped("sedan_skyhook.xml", "step_steer.xml", {"sky_*.value=0", "soften_*.value=0"});
  for (int k = 0; k < 1000; ++k) {
    ASSERT_EQ(
        step(passive.drive.model, passive.drive.settings.step, passive.state, passive.ws).status,
        StepStatus::converged);
    ASSERT_EQ(step(off.drive.model, off.drive.settings.step, off.state, off.ws).status,
              StepStatus::converged);
  }
  EXPECT_LT((passive.state.z - off.state.z).cwiseAbs().maxCoeff(), 1e-12);
}

/// Names and values of all channels in a steady turn of 4 m/s^2 at 20 m/s.
std::map<std::string, double> corner(const std::string& model,
                                     const std::vector<std::string>& overrides) {
  std::vector<Override> parsed;
  for (const std::string& text : overrides) parsed.push_back(parse_override(text));
  SteadyCar car(read_vehicle(kVehicles + "models/" + model, parsed), {});
  const SteadyTurn turn = car.turn(20.0, 4.0);
  const std::vector<double> values = car.channels(turn);
  std::map<std::string, double> named{{"steering_wheel", turn.steering_wheel}};
  for (std::size_t k = 0; k < values.size(); ++k)
    named[car.recorder().channels()[k].name] = values[k];
  return named;
}

// What a motor adds to the torque of a bar of stiffness k that is twisted by phi, a bar of
// k + T/phi has by itself: the passive car on such bars stands as the active one does.
TEST(ActiveAntiRoll, LeansAsTheCarOnStifferBarsDoes) {
  const auto active = corner("sedan_active_anti_roll.xml", {});
  const auto stiffness = [&](const std::string& axle, double bar) {
    const double phi =
        active.at("hinge_left_" + axle + ".z") - active.at("hinge_right_" + axle + ".z");
    char text[100];
    std::snprintf(text, sizeof text, "torsion_%s.stiffness=%.17g", axle.c_str(),
                  bar + active.at("twist_" + axle + ".value") / phi);
    return std::string(text);
  };
  // the bars of sedan.xml: 900 and 400 N m/rad
  const auto stiff = corner("sedan.xml", {stiffness("front", 900.0), stiffness("rear", 400.0)});
  for (const char* name : {"chassis.roll", "steering_wheel", "wheel_fl.Fz", "wheel_rr.Fz"})
    EXPECT_NEAR(active.at(name), stiff.at(name), 1e-7 * std::abs(stiff.at(name))) << name;
  const auto passive = corner("sedan.xml", {});
  EXPECT_LT(active.at("chassis.roll"), 0.5 * passive.at("chassis.roll"));
}

}  // namespace
}  // namespace semirec::test
