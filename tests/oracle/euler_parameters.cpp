// Rotation by Euler parameters: what a scheme does to a spin with rates by [EP] Eq. (34) and by
// the scheme itself. Free spin and spin-up about a principal axis are known exactly; the V8 crank
// drive of that paper runs on data of our own, with its exact reduction to one coordinate.

#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "integrator/simulation.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/motion.hpp"

namespace semirec::test {
namespace {

using V = Eigen::Vector3d;

constexpr double kStep = 1e-3;  // s

/// A body of moments of inertia 1, 2, 3 kg m^2 that turns freely about its y axis.
Mechanism make_spinner(double spin, double torque) {
  Mechanism m;
  m.name = "spinner";
  m.gravity.setZero();
  const BodyIndex body =
      add_body(m, "body", 1.0, Frame{}, V(1.0, 2.0, 3.0).asDiagonal().toDenseMatrix());
  add_joint(m, "flight", JointType::free, kGround, body, Frame{});
  m.joints.back().velocity = {0.0, 0.0, 0.0, 0.0, spin, 0.0};
  AppliedLoad load;
  load.name = "torque";
  load.at = marker_at(m, body, Frame{});
  load.torque = true;
  load.direction = V::UnitY();
  load.input = add_input(m, "size", Curve::constant(torque));
  m.loads.push_back(load);
  return m;
}

SchemeChoice newmark(double gamma) { return choose_scheme("newmark", {{"gamma", gamma}}); }

/// Angular velocity about y at the end.
double spin_after(double until, double start, double torque, const SchemeChoice& scheme,
                  bool classic) {
  Simulation run(make_spinner(start, torque), kStep, Formulation::cartesian);
  run.settings.scheme = scheme;
  run.settings.classic_euler_parameters = classic;
  run.settings.tolerance = 1e-13;
  run.run_to(until);
  return run.body("body").w.y();
}

TEST(EulerParameterRates, KeepAFreeSpinUnderAnyDamping) {
  // round-off of two thousand steps
  constexpr double kRoundOff = 1e-10;
  for (const double gamma : {0.5, 0.55, 0.6, 0.8})
    EXPECT_NEAR(spin_after(2.0, 60.0, 0.0, newmark(gamma), false), 60.0, kRoundOff) << gamma;
  const double lost = 60.0 - spin_after(2.0, 60.0, 0.0, newmark(0.6), true);
  RecordProperty("classic_loss", std::to_string(lost));
  EXPECT_GT(lost, 1.0);
}

TEST(EulerParameterRates, SpinUpAsTheTorqueAsks) {
  // J w = T t: 2 kg m^2, 40 N m
  EXPECT_NEAR(spin_after(2.0, 0.0, 40.0, {}, false), 40.0, 1e-10);
}

/// Ninety degrees between the banks, pins at 0, 90, 270 and 180 degrees with two rods each, crank
/// about x; 10 N m on the crank from rest, no gravity. Joints keep no more than they must: rods on
/// cylindrical and ball joints, pistons prismatic.
Mechanism make_v8() {
  constexpr double r = 0.045, l = 0.150, to_com = 0.045;
  Mechanism m;
  m.name = "V8";
  m.gravity.setZero();
  const BodyIndex crank = add_body(m, "crank", 20.0, Frame{}, 0.25 * Eigen::Matrix3d::Identity());
  add_joint(m, "bearing", JointType::revolute, kGround, crank, make_frame(V::Zero(), V::UnitX()),
            Placement::tree);
  CoordinateForce motor;
  motor.name = "motor";
  motor.joint = 0;
  motor.applied = add_input(m, "torque", Curve::constant(10.0));
  m.coordinate_forces.push_back(motor);
  const std::array<double, 4> pins{0.0, 90.0, 270.0, 180.0};
  for (int k = 0; k < 8; ++k) {
    const double angle = pins[static_cast<std::size_t>(k / 2)] * std::numbers::pi / 180.0;
    const double bank = (k % 2 == 0 ? 1.0 : -1.0) * std::numbers::pi / 4.0;
    const V up(0.0, -std::sin(bank), std::cos(bank));
    const V arm(0.0, -std::sin(angle), std::cos(angle));
    const V place(0.1 * (k / 2) + 0.02 * (k % 2), 0.0, 0.0);
    const double along = r * arm.dot(up);
    const V pin = place + r * arm;
    const V wrist = place + (along + std::sqrt(l * l - r * r + along * along)) * up;
    const std::string number = std::to_string(k);
    const BodyIndex rod =
        add_body(m, "rod" + number, 0.6,
                 Frame{Eigen::Matrix3d::Identity(), pin + to_com / l * (wrist - pin)},
                 0.003 * Eigen::Matrix3d::Identity());
    const BodyIndex piston =
        add_body(m, "piston" + number, 0.55, Frame{Eigen::Matrix3d::Identity(), wrist},
                 1e-3 * Eigen::Matrix3d::Identity());
    add_joint(m, "big_end" + number, JointType::cylindrical, crank, rod,
              make_frame(pin, V::UnitX()));
    add_joint(m, "small_end" + number, JointType::spherical, rod, piston,
              Frame{Eigen::Matrix3d::Identity(), wrist});
    add_joint(m, "bore" + number, JointType::prismatic, kGround, piston, make_frame(wrist, up));
  }
  return m;
}

TEST(EulerParameterRates, MoveTheDoubleFourBarAsAProgramApartDoes) {
  // trapezoid with [EP] (34), index 3 with multipliers, projections by M; (x, y, e_0, e_3) a rod,
  // written apart from the engine: largest deviation of the energy over 10 s, J
  constexpr double kDeviation = 0.0858540536;
  Simulation bars(make_four_bars(2), 0.01, Formulation::cartesian);
  RunSettings settings;
  settings.step = bars.settings;
  settings.step.kappa = 1e8;  // flat positions: rows are dependent there
  settings.step.tolerance = 1e-11;
  settings.until = 10.0;
  const RunReport report = run(bars.model, settings, bars.state, bars.ws);
  EXPECT_EQ(report.status, RunStatus::finished) << report.message;
  EXPECT_NEAR(report.energy_error, kDeviation, 1e-6);
}

TEST(CrankDrive, HasThePapersNumbersOfCoordinatesAndConstraints) {
  Simulation run(make_v8(), kStep, Formulation::cartesian);
  EXPECT_EQ(run.model.n(), 119);
  EXPECT_EQ(run.model.m(), 118);
  const ClosureRank rank = find_closure_rank(run.model, run.state, run.ws);
  EXPECT_EQ(rank.rank, 118);
}

double crank_speed(double until, double h, Formulation formulation, const SchemeChoice& scheme = {},
                   bool classic = false) {
  Simulation run(make_v8(), h, formulation);
  run.settings.scheme = scheme;
  run.settings.classic_euler_parameters = classic;
  run.run_to(until);
  return run.com("crank").w.x();
}

TEST(CrankDrive, SpeedsUpAsItsReductionToOneCoordinateDoes) {
  // one coordinate, tolerance 3e-8
  constexpr double kExact = 19.011631694666;
  for (const Formulation formulation : {Formulation::hybrid, Formulation::cartesian}) {
    SCOPED_TRACE(name_of(formulation));
    const double coarse = crank_speed(0.5, kStep, formulation) - kExact;
    const double fine = crank_speed(0.5, 0.5 * kStep, formulation) - kExact;
    RecordProperty(name_of(formulation), std::to_string(1e6 * coarse));
    EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1);
    // the rule's own error in a rod's turns at 19 rad/s
    EXPECT_LT(std::abs(fine), 2e-5);
  }
}

TEST(CrankDrive, LosesLittleToADampedSchemeWithTheModifiedRates) {
  constexpr double kExact = 76.0870687110152;  // at 2 s
  const auto loss = [](double h, bool classic) {
    return kExact - crank_speed(2.0, h, Formulation::cartesian, newmark(0.6), classic);
  };
  const double modified = loss(kStep, false);
  const double classic = loss(kStep, true);
  RecordProperty("modified", std::to_string(modified));
  RecordProperty("classic", std::to_string(classic));
  // what is left is taken from rods and pistons, of first order
  EXPECT_NEAR(std::log2(modified / loss(0.5 * kStep, false)), 1.0, 0.1);
  EXPECT_LT(modified, 0.25 * classic);
}

}  // namespace
}  // namespace semirec::test
