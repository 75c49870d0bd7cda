#include "vehicles/driveline/driveline_model.hpp"

#include <array>
#include <cmath>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "tests/support/eigen_system.hpp"
#include "vehicles/driveline/motor.hpp"

namespace semirec::test {
namespace {

namespace place = driveline_state;

/// A motor of constant torque on one axle with two wheels.
Driveline one_axle(double torque, double inertia = 0.1) {
  Driveline driveline;
  driveline.name = "driveline";
  driveline.motor.inertia = inertia;
  driveline.motor.full = Curve::constant(torque);
  driveline.gearbox.gears = {Gear{2.0, 1e300, 0.0}};
  DrivenAxle axle;
  axle.name = "rear";
  axle.wheels = {0, 1};
  axle.ratio = 4.0;
  driveline.axles = {axle};
  return driveline;
}

Driveline two_axles(double torque) {
  Driveline driveline = one_axle(torque);
  DrivenAxle second = driveline.axles[0];
  second.wheels = {2, 3};
  driveline.axles.push_back(second);
  return driveline;
}

/// Wheels of some inertia on the shafts, by the trapezoidal rule.
struct Rig {
  explicit Rig(const Driveline& driveline, double wheel_inertia = 1.0)
      : model(make_driveline_model(driveline)) {
    J.fill(wheel_inertia);
    x = settle_driveline(model, demand);
    refresh();
  }

  /// The trapezoidal rule of a step from the state at hand; h = 0: it stays.
  DrivelineRule rule(double h) const {
    return {.h = h, .gain = 0.5 * h, .x_begin = x, .x_hat = x, .xd_hat = xd};
  }

  /// Rates and torques at the state at hand.
  void refresh() {
    solve_driveline(model, demand, rule(0.0), now);
    xd = now.xd;
  }

  void step(double h) {
    const std::array<double, 4> w_begin = demand.wheel_speed;
    const std::array<double, 4> T_begin = now.torque;
    const std::array<double, 4> load_begin = last_load;
    for (int iteration = 0; iteration < 20; ++iteration) {
      solve_driveline(model, demand, rule(h), now);
      EXPECT_TRUE(now.converged);
      Eigen::Vector4d F = Eigen::Vector4d::Zero();
      Eigen::Matrix4d A = 0.5 * h * now.resistance;
      for (int j = 0; j < 4; ++j) {
        const auto k = static_cast<std::size_t>(j);
        A(j, j) += J[k];
        F[j] = J[k] * (demand.wheel_speed[k] - w_begin[k]) -
               0.5 * h * (now.torque[k] + T_begin[k] + load[k] + load_begin[k]);
      }
      const Eigen::Vector4d way = A.lu().solve(F);
      for (int j = 0; j < 4; ++j) demand.wheel_speed[static_cast<std::size_t>(j)] -= way[j];
      if (way.norm() < 1e-12) break;
    }
    solve_driveline(model, demand, rule(h), now);
    last_load = load;
    shift_gear(model, demand, h, now);
    x = now.x;
    refresh();
    t += h;
  }

  double w(std::size_t j) const { return demand.wheel_speed[j]; }
  double wheel_energy() const {
    double energy = 0.0;
    for (std::size_t j = 0; j < 4; ++j) energy += 0.5 * J[j] * w(j) * w(j);
    return energy;
  }

  DrivelineModel model;
  DrivelineDemand demand;
  DrivelineStates x{}, xd{};
  DrivelineSolution now;
  std::array<double, 4> J{}, load{}, last_load{};
  double t = 0.0;
};

TEST(Driveline, ConstantTorqueAcceleratesAsTheSumOfInertias) {
  for (const double h : {0.25e-3, 1e-3, 2e-3}) {
    Rig rig(one_axle(100.0));
    rig.demand.throttle = 1.0;
    rig.refresh();
    while (rig.t < 1.0 - 0.5 * h) rig.step(h);
    // J w = T t at the wheels: J = 2 * 1 + 0.1 * 8^2 = 8.4 kg m^2, T = 800 N m
    EXPECT_NEAR(rig.w(0), 800.0 / 8.4, 1e-3 * 800.0 / 8.4) << h;
    EXPECT_NEAR(rig.w(1), rig.w(0), 1e-9) << h;
    EXPECT_NEAR(rig.x[place::kMotorSpeed], 8.0 * rig.w(0), 1e-3 * 800.0) << h;
  }
}

TEST(Driveline, AnOpenDifferentialGivesBothWheelsTheSameTorque) {
  Rig rig(one_axle(100.0));
  rig.demand.throttle = 1.0;
  rig.J[1] = 5.0;
  rig.refresh();
  for (int k = 0; k < 500; ++k) {
    rig.step(1e-3);
    ASSERT_NEAR(rig.now.torque[0], rig.now.torque[1], 1e-6);
  }
  // the light wheel takes five times the speed of the heavy one: equal impulses
  EXPECT_NEAR(rig.w(0) / rig.w(1), 5.0, 1e-6);
}

TEST(Driveline, ALockedDifferentialKeepsItsSideGearsAtOneSpeed) {
  Driveline driveline = one_axle(100.0);
  driveline.axles[0].differential.type = DifferentialType::locked;
  Rig rig(driveline);
  rig.demand.throttle = 1.0;
  rig.J[1] = 5.0;
  rig.refresh();
  for (int k = 0; k < 2000; ++k) rig.step(1e-3);
  EXPECT_NEAR(rig.w(0), rig.w(1), 1e-3 * rig.w(0));
  // torque over inertia is the same: 1 kg m^2 and 5 kg m^2
  EXPECT_NEAR(rig.now.torque[1] / rig.now.torque[0], 5.0, 0.05);
}

TEST(Driveline, ALimitedSlipDifferentialHoldsBackItsPreloadAndBias) {
  Driveline driveline = one_axle(100.0);
  driveline.axles[0].differential = {DifferentialType::limited_slip, 40.0, 0.3};
  Rig rig(driveline);
  rig.demand.throttle = 1.0;
  rig.J[0] = 0.5;
  rig.J[1] = 50.0;
  rig.refresh();
  for (int k = 0; k < 300; ++k) rig.step(1e-3);
  ASSERT_GT(rig.w(0), rig.w(1) + 5.0);
  const double sum = rig.now.torque[0] + rig.now.torque[1];
  // the definition in Differential: T_slow - T_fast = preload + bias * sum
  EXPECT_NEAR(rig.now.torque[1] - rig.now.torque[0], 40.0 + 0.3 * sum, 1e-6 * sum);
}

TEST(Driveline, ALimitedSlipDifferentialHoldsWheelsThatDifferByLess) {
  Driveline driveline = one_axle(100.0);
  driveline.axles[0].differential = {DifferentialType::limited_slip, 40.0, 0.3};
  Rig rig(driveline);
  rig.demand.throttle = 1.0;
  rig.load = {-20.0, 0.0, 0.0, 0.0};
  rig.refresh();
  for (int k = 0; k < 3000; ++k) rig.step(1e-3);
  EXPECT_NEAR(rig.w(0), rig.w(1), 1e-4);
  EXPECT_NEAR(rig.now.torque[0] - rig.now.torque[1], 20.0, 0.5);  // the load it holds
}

TEST(Driveline, ACentreDifferentialSharesTheTorqueAsWritten) {
  Driveline driveline = two_axles(100.0);
  driveline.share = 0.4;
  Rig rig(driveline);
  rig.demand.throttle = 1.0;
  rig.refresh();
  for (int k = 0; k < 200; ++k) rig.step(1e-3);
  const double front = rig.now.torque[0] + rig.now.torque[1];
  const double rear = rig.now.torque[2] + rig.now.torque[3];
  EXPECT_NEAR(front / (front + rear), 0.4, 1e-9);
}

TEST(Driveline, ALockedCentreKeepsTheAxlesTogether) {
  Driveline driveline = two_axles(100.0);
  driveline.centre.type = DifferentialType::locked;
  Rig rig(driveline);
  rig.demand.throttle = 1.0;
  rig.J = {1.0, 1.0, 4.0, 4.0};
  rig.refresh();
  for (int k = 0; k < 1000; ++k) rig.step(1e-3);
  EXPECT_NEAR(rig.w(0), rig.w(2), 2e-3 * rig.w(0));
}

TEST(Driveline, AClutchKeepsMomentumAndDissipatesTheTextbookEnergy) {
  for (const double h : {0.25e-3, 1e-3, 2e-3}) {
    Driveline driveline = one_axle(0.0, 0.2);
    driveline.coupling.type = CouplingType::clutch;
    driveline.coupling.capacity = 200.0;
    Rig rig(driveline, 4.0);
    rig.x[place::kMotorSpeed] = 300.0;
    rig.refresh();
    const double start = rig.now.stored;
    double dissipated = 0.0;
    for (double t = 0.0; t < 1.5; t += h) {
      const double before = rig.now.dissipated;
      rig.step(h);
      dissipated += 0.5 * h * (before + rig.now.dissipated);
    }
    // i = 8, J_wheels = 8: w = i J_m w_0 / (J_w + i^2 J_m) = 8 * 0.2 * 300 / 20.8
    EXPECT_NEAR(rig.w(0), 8.0 * 0.2 * 300.0 / 20.8, 0.01) << h;
    EXPECT_NEAR(rig.x[place::kMotorSpeed], 8.0 * rig.w(0), 0.05) << h;
    // 1/2 w_0^2 J_m J_w' / (J_m + J_w'), J_w' = 8/64
    const double textbook = 0.5 * 300.0 * 300.0 * 0.2 * 0.125 / 0.325;
    EXPECT_NEAR(start - rig.now.stored - rig.wheel_energy(), textbook, 1.0) << h;
    EXPECT_NEAR(dissipated, textbook, 0.01 * textbook) << h;
  }
}

TEST(Driveline, AnOpenClutchLetsTheMotorGo) {
  Driveline driveline = one_axle(50.0, 0.2);
  driveline.coupling.type = CouplingType::clutch;
  driveline.coupling.capacity = 200.0;
  Rig rig(driveline);
  rig.demand.throttle = 1.0;
  rig.demand.pedal = 1.0;
  rig.refresh();
  for (int k = 0; k < 1000; ++k) rig.step(1e-3);
  EXPECT_NEAR(rig.w(0), 0.0, 1e-12);
  EXPECT_NEAR(rig.x[place::kMotorSpeed], 250.0, 1e-6);  // 50 N m / 0.2 kg m^2 for 1 s
}

Coupling make_converter() {
  Coupling coupling;
  coupling.type = CouplingType::converter;
  coupling.torque_ratio = Curve::table({{0.0, 2.0}, {0.85, 1.0}, {1.0, 1.0}});
  coupling.capacity_factor = Curve::table({{0.0, 15.0}, {0.85, 20.0}, {1.0, 40.0}});
  return coupling;
}

TEST(Driveline, AConverterStallsWhereItsPumpTakesTheMotorsTorque) {
  Driveline driveline = one_axle(150.0);
  driveline.coupling = make_converter();
  driveline.motor.idle_speed = 80.0;
  Rig rig(driveline, 1e9);
  rig.demand.throttle = 1.0;
  rig.refresh();
  for (int k = 0; k < 3000; ++k) rig.step(1e-3);
  EXPECT_NEAR(rig.x[place::kMotorSpeed], 15.0 * std::sqrt(150.0), 1e-3);  // T = (w/K)^2 at rest
  EXPECT_NEAR(rig.now.coupling_torque, 300.0, 0.01);                      // torque ratio 2
  EXPECT_NEAR(rig.now.torque[0], 1200.0, 0.1);  // times 2 * 4, half to each wheel
}

TEST(Driveline, AConvertersSlopesAreThoseOfItsTorques) {
  const Coupling coupling = make_converter();
  const double d = 1e-5;
  for (const auto& [w, w_turbine] :
       {std::pair{200.0, 60.0}, {200.0, 180.0}, {200.0, 198.0}, {200.0, 203.0}, {150.0, 220.0}}) {
    const ConverterTorque at = compute_converter_torque(coupling, w, w_turbine);
    const ConverterTorque a = compute_converter_torque(coupling, w - d, w_turbine);
    const ConverterTorque b = compute_converter_torque(coupling, w + d, w_turbine);
    const ConverterTorque e = compute_converter_torque(coupling, w, w_turbine - d);
    const ConverterTorque f = compute_converter_torque(coupling, w, w_turbine + d);
    EXPECT_NEAR(at.pump_w, (b.pump - a.pump) / (2 * d), 1e-4) << w_turbine;
    EXPECT_NEAR(at.turbine_w, (b.turbine - a.turbine) / (2 * d), 1e-4) << w_turbine;
    EXPECT_NEAR(at.pump_w_turbine, (f.pump - e.pump) / (2 * d), 1e-4) << w_turbine;
    EXPECT_NEAR(at.turbine_w_turbine, (f.turbine - e.turbine) / (2 * d), 1e-4) << w_turbine;
  }
}

TEST(Driveline, AConverterIsContinuousAtEqualSpeedsAndDragsTheMotorBeyond) {
  const Coupling coupling = make_converter();
  EXPECT_NEAR(compute_converter_torque(coupling, 200.0, 200.0 - 1e-9).pump, 0.0, 1e-6);
  EXPECT_NEAR(compute_converter_torque(coupling, 200.0, 200.0 + 1e-9).pump, 0.0, 1e-6);
  const ConverterTorque overrun = compute_converter_torque(coupling, 150.0, 220.0);
  EXPECT_LT(overrun.pump, 0.0);
  EXPECT_EQ(overrun.pump, overrun.turbine);
  const ConverterTorque rest = compute_converter_torque(coupling, 0.0, 0.0);
  EXPECT_EQ(rest.pump, 0.0);
  // a turbine that is turned backwards gives the stall torque
  EXPECT_EQ(compute_converter_torque(coupling, 150.0, -30.0).turbine, 200.0);
}

// 0.9 times 1.4, and 0.98 times the last torque ratio, which holds beyond its point
TEST(Driveline, AConverterThatMakesPowerIsNamed) {
  Driveline driveline = one_axle(100.0);
  driveline.coupling.type = CouplingType::converter;
  const auto told = [&](const std::vector<std::pair<double, double>>& ratios) {
    driveline.coupling.torque_ratio = Curve::table(ratios);
    return describe_gaining_converter(driveline);
  };
  EXPECT_EQ(told({{0.0, 2.0}, {0.85, 1.0}, {1.0, 1.0}}), "");
  EXPECT_EQ(told({{0.0, 2.0}, {0.9, 1.4}, {1.0, 1.0}}),
            "driveline 'driveline': at a speed ratio of 0.9 its converter gives off 1.26 times the "
            "power that it takes: speed ratio times torque ratio is above 1");
  EXPECT_NE(told({{0.0, 2.0}, {0.85, 1.05}}).find("at a speed ratio of 1 "), std::string::npos);
}

TEST(Driveline, ItsResistanceIsTheSlopeOfItsTorques) {
  Driveline closed_clutch = two_axles(100.0);
  closed_clutch.coupling.type = CouplingType::clutch;
  closed_clutch.coupling.capacity = 300.0;
  closed_clutch.centre = {DifferentialType::limited_slip, 200.0, 0.0};
  Driveline locked = two_axles(100.0);
  locked.centre.type = DifferentialType::locked;
  locked.axles[1].differential.type = DifferentialType::locked;
  for (const Driveline& driveline : {one_axle(100.0), two_axles(100.0), closed_clutch, locked}) {
    Rig rig(driveline);
    rig.demand.throttle = 0.5;
    rig.demand.wheel_speed = {30.0, 30.2, 30.1, 29.9};
    rig.x = settle_driveline(rig.model, rig.demand);
    // differentials that stick
    for (int k = 6; k < 9; ++k) rig.x[static_cast<std::size_t>(k)] = 0.0;
    rig.refresh();
    const DrivelineRule rule = rig.rule(1e-3);
    solve_driveline(rig.model, rig.demand, rule, rig.now);
    const DrivelineSolution at = rig.now;
    for (std::size_t j = 0; j < static_cast<std::size_t>(rig.model.wheels); ++j) {
      const double d = 1e-6;
      DrivelineSolution a;
      DrivelineSolution b;
      DrivelineDemand moved = rig.demand;
      moved.wheel_speed[j] -= d;
      solve_driveline(rig.model, moved, rule, a);
      moved.wheel_speed[j] += 2.0 * d;
      solve_driveline(rig.model, moved, rule, b);
      for (std::size_t i = 0; i < static_cast<std::size_t>(rig.model.wheels); ++i)
        EXPECT_NEAR(at.resistance(static_cast<int>(i), static_cast<int>(j)),
                    -(b.torque[i] - a.torque[i]) / (2.0 * d), 1e-3)
            << i << " " << j;
    }
    const Eigen::VectorXd values =
        symmetric_eigenvalues(Eigen::Matrix4d(at.resistance.selfadjointView<Eigen::Lower>()));
    EXPECT_GT(values.minCoeff(), -1e-9);
  }
}

TEST(Driveline, AnAutomaticShiftsAtItsWrittenSpeeds) {
  Driveline driveline = one_axle(100.0);
  driveline.coupling = make_converter();
  driveline.gearbox.automatic = true;
  driveline.gearbox.gears = {{3.0, 400.0, 0.0}, {2.0, 420.0, 150.0}, {1.0, 1e300, 160.0}};
  Rig rig(driveline, 10.0);
  rig.demand.throttle = 1.0;
  rig.refresh();
  double last_gear = 1.0;
  double last_output = 0.0;
  int shifts = 0;
  for (int k = 0; k < 20000 && last_gear < 3.0; ++k) {
    const double output = rig.now.y[DrivelineModel::kOutput];
    rig.step(1e-3);
    const double gear = rig.x[place::kGear];
    if (gear == last_gear) {
      last_output = rig.now.y[DrivelineModel::kOutput];
      continue;
    }
    ++shifts;
    EXPECT_EQ(gear, last_gear + 1.0);
    // input speed: 400 rad/s in the first gear, 420 in the second
    EXPECT_NEAR(output * (last_gear == 1.0 ? 3.0 : 2.0), last_gear == 1.0 ? 400.0 : 420.0, 1.0);
    last_gear = gear;
  }
  EXPECT_EQ(shifts, 2);
  EXPECT_GT(last_output, 0.0);
  // coasting against a load it goes down again
  rig.demand.throttle = 0.0;
  rig.load = {-200.0, -200.0, 0.0, 0.0};
  double at_down = 0.0;
  for (int k = 0; k < 20000 && rig.x[place::kGear] == 3.0; ++k) {
    at_down = rig.now.y[DrivelineModel::kOutput];
    rig.step(1e-3);
  }
  EXPECT_EQ(rig.x[place::kGear], 2.0);
  EXPECT_NEAR(at_down, 160.0, 0.5);  // ratio 1
}

// Put into drive, or out of reverse, while it rolls it takes the gear of its speed: 100 rad/s at
// the output are 420 at the input in no gear but the third, whose ratio is 1.
TEST(Driveline, AnAutomaticTakesTheGearOfItsSpeedOutOfNeutral) {
  Driveline driveline = one_axle(100.0);
  driveline.coupling = make_converter();
  driveline.gearbox.automatic = true;
  driveline.gearbox.selector = 0;
  driveline.gearbox.gears = {{3.0, 400.0, 0.0}, {2.0, 420.0, 150.0}, {1.0, 1e300, 160.0}};
  for (const double before : {0.0, -1.0}) {
    Rig rig(driveline);
    const double final_ratio = 4.0;  // of one_axle()
    rig.demand.wheel_speed = {250.0 / final_ratio, 250.0 / final_ratio, 0.0, 0.0};
    rig.demand.selector = before;
    rig.x = settle_driveline(rig.model, rig.demand);
    rig.refresh();
    rig.step(1e-3);
    rig.demand.selector = 1.0;
    rig.refresh();
    rig.step(1e-3);
    EXPECT_EQ(rig.x[place::kGear], 3.0) << before;
  }
}

TEST(Driveline, AShiftTakesItsTimeWithoutTorque) {
  Driveline driveline = one_axle(100.0);
  driveline.gearbox.gears = {{3.0, 1e300, 0.0}, {2.0, 1e300, 0.0}};
  driveline.gearbox.shift_time = 0.05;
  driveline.gearbox.selector = 0;
  driveline.motor.max_speed = 600.0;
  Rig rig(driveline, 10.0);
  rig.demand.throttle = 1.0;
  rig.refresh();
  for (int k = 0; k < 300; ++k) rig.step(1e-3);
  EXPECT_EQ(rig.now.ratio, 3.0);
  rig.demand.selector = 2.0;
  int without = 0;
  for (int k = 0; k < 200; ++k) {
    rig.step(1e-3);
    if (rig.now.ratio == 0.0) {
      ++without;
      EXPECT_EQ(rig.now.coupling_torque, 0.0);
    }
  }
  EXPECT_EQ(without, 50);  // 0.05 s of 1 ms
  EXPECT_EQ(rig.now.ratio, 2.0);
}

// Two shifts that the motor would make within a tenth of a second are the latency apart, and the
// torque never ends.
TEST(Driveline, ALatencyHoldsBackTheNextShiftWithTorqueOn) {
  Driveline driveline = one_axle(100.0);
  driveline.gearbox.automatic = true;
  driveline.gearbox.gears = {{3.0, 30.0, 0.0}, {2.0, 25.0, 5.0}, {1.5, 1e300, 5.0}};
  driveline.gearbox.shift_latency = 0.3;
  Rig rig(driveline, 2.0);
  rig.demand.throttle = 1.0;
  rig.refresh();
  std::vector<double> shifts;
  for (int k = 0; k < 4000; ++k) {
    const double before = rig.x[place::kGear];
    rig.step(1e-3);
    EXPECT_NE(rig.now.ratio, 0.0) << k;
    if (rig.x[place::kGear] != before) shifts.push_back(1e-3 * k);
  }
  ASSERT_EQ(shifts.size(), 2U);
  EXPECT_NEAR(shifts[1] - shifts[0], 0.3, 1.5e-3);  // a step more at most
}

TEST(Driveline, ReverseTurnsTheWheelsBackwards) {
  Driveline driveline = one_axle(100.0);
  driveline.gearbox.selector = 0;
  driveline.gearbox.reverse = 3.0;
  Rig rig(driveline);
  rig.demand.throttle = 1.0;
  rig.demand.selector = -1.0;
  rig.x = settle_driveline(rig.model, rig.demand);
  rig.refresh();
  for (int k = 0; k < 500; ++k) rig.step(1e-3);
  EXPECT_EQ(rig.now.ratio, -3.0);
  // J w = T t: J = 2 + 0.1 * 12^2 = 16.4, T = 100 * 12
  EXPECT_NEAR(rig.w(0), -1200.0 * 0.5 / 16.4, 0.5);
}

// Expected: power out over power in is the efficiency, whichever side drives. Over a ratio of 8 a
// motor of 100 N m gives 800 N m times the efficiency, one that is dragged at 40 N m takes 320 over
// it.
TEST(Driveline, LosesTheSameShareOfPowerBothWays) {
  for (const double efficiency : {0.2, 0.5, 0.93}) {
    Driveline driveline = one_axle(100.0);
    driveline.gearbox.efficiency = efficiency;
    driveline.motor.closed = Curve::constant(-40.0);
    for (const double throttle : {0.0, 1.0}) {
      Rig rig(driveline, 1e9);  // wheels that keep their speed
      rig.demand.wheel_speed.fill(30.0);
      rig.demand.throttle = throttle;
      rig.x = settle_driveline(rig.model, rig.demand);
      rig.refresh();
      for (int k = 0; k < 10000; ++k) rig.step(1e-3);
      const double expected = throttle > 0.0 ? 800.0 * efficiency : -320.0 / efficiency;
      EXPECT_NEAR(rig.now.torque[0] + rig.now.torque[1], expected, 1e-3 * std::abs(expected))
          << efficiency << ", " << throttle;
    }
  }
}

// One shaft from the motor of 0.5 kg m^2 to the gears (8 times in all): what passes the gears is
// the motor's torque less 0.5 * 8 wd, and its efficiency acts on that. Two wheels of 1 kg m^2:
//   2 wd = 0.8 * 8 (T - 4 wd) + load
TEST(Driveline, OfOneShaftLosesOfWhatPassesTheGears) {
  Driveline driveline = one_axle(100.0, 0.5);
  driveline.gearbox.efficiency = 0.8;
  const auto expect_torques = [](const Rig& rig, double wd, double motor, const char* what) {
    const double passed = motor - 4.0 * wd;
    EXPECT_NEAR(rig.now.coupling_torque, passed, 2e-3 * std::abs(passed)) << what;
    EXPECT_NEAR(rig.now.torque[0] + rig.now.torque[1], 6.4 * passed, 2e-3 * std::abs(6.4 * passed))
        << what;
    EXPECT_NEAR(rig.xd[place::kMotorSpeed], 8.0 * wd, 2e-3 * std::abs(8.0 * wd)) << what;
  };
  Rig drives(driveline);
  drives.demand.throttle = 1.0;
  drives.refresh();
  for (int k = 0; k < 1000; ++k) drives.step(1e-3);
  expect_torques(drives, 640.0 / 27.6, 100.0, "drives");
  EXPECT_NEAR(drives.w(0), 640.0 / 27.6, 2e-3 * 640.0 / 27.6);
  // without throttle the motor turns on, and the wheels are braked by 20 N m
  Rig coasts(driveline);
  coasts.demand.wheel_speed.fill(50.0);
  coasts.x = settle_driveline(coasts.model, coasts.demand);
  coasts.refresh();
  coasts.load = {-10.0, -10.0, 0.0, 0.0};
  for (int k = 0; k < 1000; ++k) coasts.step(1e-3);
  expect_torques(coasts, -20.0 / 27.6, 0.0, "coasts");
}

TEST(Driveline, AccountsForItsEnergy) {
  Driveline driveline = two_axles(120.0);
  driveline.coupling = make_converter();
  driveline.gearbox.efficiency = 0.93;
  driveline.gearbox.automatic = true;
  driveline.gearbox.gears = {{3.0, 300.0, 0.0}, {2.0, 1e300, 150.0}};
  driveline.gearbox.shift_time = 0.02;
  driveline.axles[0].differential = {DifferentialType::limited_slip, 40.0, 0.2};
  driveline.centre = {DifferentialType::limited_slip, 20.0, 0.1};
  driveline.motor.idle_speed = 80.0;
  driveline.motor.closed = Curve::constant(-20.0);
  Rig rig(driveline, 3.0);
  rig.J[1] = 6.0;
  rig.demand.throttle = 0.8;
  rig.refresh();
  const double start = rig.now.stored;
  double balance = 0.0;
  const double h = 0.25e-3;
  for (int k = 0; k < 12000; ++k) {
    const double before = rig.now.input - rig.now.dissipated;
    rig.step(h);
    balance += 0.5 * h * (before + rig.now.input - rig.now.dissipated);
  }
  EXPECT_EQ(rig.x[place::kGear], 2.0);
  const double gained = rig.now.stored + rig.wheel_energy() - start;
  EXPECT_GT(gained, 1000.0);
  EXPECT_NEAR(balance, gained, 2e-3 * gained);
}

TEST(Driveline, TheMotorIdlesAndDoesNotRunAway) {
  Motor motor;
  motor.inertia = 0.1;
  motor.full = Curve::constant(200.0);
  motor.closed = Curve::constant(-20.0);
  motor.idle_speed = 80.0;
  motor.max_speed = 600.0;
  EXPECT_EQ(compute_motor_torque(motor, 0.0, 300.0).torque, -20.0);
  EXPECT_EQ(compute_motor_torque(motor, 1.0, 300.0).torque, 200.0);
  EXPECT_EQ(compute_motor_torque(motor, 0.5, 300.0).torque, 90.0);
  EXPECT_EQ(compute_motor_torque(motor, 2.0, 300.0).torque, 200.0);
  EXPECT_EQ(compute_motor_torque(motor, -1.0, 300.0).torque, -20.0);
  EXPECT_EQ(compute_motor_torque(motor, std::nan(""), 300.0).torque, -20.0);
  EXPECT_EQ(compute_motor_torque(motor, 1.0, 620.0).torque, -20.0);
  EXPECT_EQ(compute_motor_torque(motor, 0.0, 70.0).torque, 200.0);
  for (const double w : {73.0, 79.0, 605.0}) {
    const double d = 1e-6;
    const double throttle = w < 100.0 ? 0.0 : 1.0;
    EXPECT_NEAR(compute_motor_torque(motor, throttle, w).slope,
                (compute_motor_torque(motor, throttle, w + d).torque -
                 compute_motor_torque(motor, throttle, w - d).torque) /
                    (2.0 * d),
                1e-5);
  }
}

// Drag takes power whichever way the motor turns: none is made at a closed throttle.
TEST(Driveline, AClosedThrottleDragsBothWays) {
  Motor motor;
  motor.inertia = 0.1;
  motor.full = Curve::constant(200.0);
  motor.closed = Curve::table({{80.0, -15.0}, {600.0, -50.0}});
  const auto drag = [&](double w) { return compute_motor_torque(motor, 0.0, w); };
  EXPECT_EQ(drag(80.0).torque, -15.0);
  EXPECT_EQ(drag(40.0).torque, -15.0);
  EXPECT_EQ(drag(0.0).torque, 0.0);
  EXPECT_EQ(drag(-40.0).torque, 15.0);
  EXPECT_EQ(drag(-700.0).torque, 15.0);
  for (double w = -700.0; w <= 700.0; w += 1.7) EXPECT_LE(drag(w).torque * w, 0.0) << w;
  for (const double w : {-6.0, -4.0, -0.1, 2.0, 4.0, 6.0, 90.0}) {
    const double d = 1e-6;
    EXPECT_NEAR(drag(w).slope, (drag(w + d).torque - drag(w - d).torque) / (2.0 * d), 1e-6) << w;
  }
  // a closed throttle that drives, as some files have it at low speed, is as written
  motor.closed = Curve::table({{0.0, 20.0}, {600.0, -50.0}});
  EXPECT_EQ(drag(-10.0).torque, 20.0);
}

TEST(Driveline, AnElectricMotorMirrorsItsCurveWithinItsPower) {
  Motor motor;
  motor.type = MotorType::electric;
  motor.inertia = 0.05;
  motor.full = Curve::constant(300.0);
  motor.power = 60e3;
  EXPECT_EQ(compute_motor_torque(motor, 1.0, 100.0).torque, 300.0);
  EXPECT_EQ(compute_motor_torque(motor, 1.0, 400.0).torque, 150.0);  // 60 kW / 400 rad/s
  EXPECT_EQ(compute_motor_torque(motor, -1.0, 400.0).torque, -150.0);
  EXPECT_EQ(compute_motor_torque(motor, -0.5, 100.0).torque, -150.0);
  EXPECT_EQ(compute_motor_torque(motor, 1.0, -400.0).torque, 150.0);
  EXPECT_EQ(compute_motor_torque(motor, -0.5, -100.0).torque, -150.0);
  for (const double w : {100.0, 400.0, -400.0}) {
    const double d = 1e-5;
    EXPECT_NEAR(compute_motor_torque(motor, 0.9, w).slope,
                (compute_motor_torque(motor, 0.9, w + d).torque -
                 compute_motor_torque(motor, 0.9, w - d).torque) /
                    (2.0 * d),
                1e-6);
  }
}

TEST(Friction, HoldsWhatIsBelowItsCapacityWithoutCreep) {
  const Friction friction{0.01, 2.0};
  // a disc of 1 kg m^2 under half of 2000 N m, shaken by a third of it, for 20 s
  const double h = 1e-3;
  double w = 0.0;
  double z = 0.0;
  double angle = 0.0;
  double after_one = 0.0;
  double part_begin = 0.0;
  for (int k = 0; k < 20000; ++k) {
    const double load = 1000.0 + 660.0 * std::sin(200.0 * k * h);
    double next = w;
    for (int iteration = 0; iteration < 50; ++iteration) {
      const FrictionTorque f = compute_friction(friction, z, next, h);
      const double F = next - w - 0.5 * h * (2.0 * load - 2000.0 * (f.part + part_begin));
      const double way = F / (1.0 + 0.5 * h * 2000.0 * f.secant);
      next -= way;
      if (std::abs(way) < 1e-12) break;
    }
    const FrictionTorque f = compute_friction(friction, z, next, h);
    angle += 0.5 * h * (w + next);
    w = next;
    z = f.z;
    part_begin = f.part;
    if (k == 999) after_one = angle;
  }
  EXPECT_LT(std::abs(angle), 0.011);              // the bristle alone gives way
  EXPECT_LT(std::abs(angle - after_one), 0.004);  // and shakes about its mean
}

TEST(Friction, StaysWithinItsCapacityAtAnySpeedAndStep) {
  const Friction friction{0.01, 2.0};
  for (const double dw : {-1e300, -1e3, -1e-12, 0.0, 1e-12, 1e3, 1e300})
    for (const double h : {0.0, 1e-9, 1e-3, 10.0})
      for (const double z : {-1.0, -0.3, 0.0, 1.0}) {
        const FrictionTorque f = compute_friction(friction, z, dw, h);
        EXPECT_LE(std::abs(f.part), 1.0);
        EXPECT_LE(std::abs(f.z), 1.0);
        EXPECT_GE(f.slope, 0.0);
        EXPECT_GE(f.secant, f.slope);
        EXPECT_TRUE(std::isfinite(f.secant));
      }
}

TEST(Driveline, RefusesNumbersThatCannotTurn) {
  const auto refuses = [](auto change) {
    Driveline driveline = one_axle(100.0);
    change(driveline);
    EXPECT_THROW(check_driveline(driveline), ModelError);
  };
  EXPECT_NO_THROW(check_driveline(one_axle(100.0)));
  refuses([](Driveline& d) { d.motor.inertia = 0.0; });
  refuses([](Driveline& d) { d.gearbox.gears.clear(); });
  refuses([](Driveline& d) { d.gearbox.gears[0].ratio = -1.0; });
  refuses([](Driveline& d) { d.gearbox.efficiency = 1.5; });
  refuses([](Driveline& d) { d.coupling.type = CouplingType::clutch; });
  refuses([](Driveline& d) { d.axles.clear(); });
  refuses([](Driveline& d) { d.axles.resize(3); });
  refuses([](Driveline& d) { d.axles[0].wheels = {0, 1, 2}; });
  refuses([](Driveline& d) { d.axles[0].ratio = std::nan(""); });
  refuses([](Driveline& d) { d.axles[0].shaft_damping = 0.0; });
}

}  // namespace
}  // namespace semirec::test
