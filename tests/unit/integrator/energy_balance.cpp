// When the energies of a run are said not to add up.

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/simulation.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/mechanisms.hpp"

namespace semirec::test {
namespace {

using V = Eigen::Vector3d;

/// 1 kg on a slide at 1 m/s against a damper.
Mechanism make_braked_mass(double damping) {
  Mechanism m;
  m.name = "braked mass";
  m.gravity.setZero();
  const BodyIndex mass = add_body(m, "mass", 1.0, Frame{}, Eigen::Matrix3d::Identity());
  add_joint(m, "slide", JointType::prismatic, kGround, mass, Frame{});
  m.joints.back().velocity = {1.0};
  add_spring(m, "damper", kGround, mass, V(0, 0, -1), V::Zero(), 0.0, 1.0, damping);
  return m;
}

RunReport run_for(const Mechanism& mechanism, double h, double until,
                  const SchemeChoice& scheme = {}, Closing closing = Closing::penalty) {
  const Model model = compile(mechanism);
  Workspace ws(model);
  State state = make_initial_state(model);
  RunSettings settings;
  settings.step.h = h;
  settings.step.scheme = scheme;
  settings.step.closing = closing;
  settings.until = until;
  initialize(model, settings.step, state, ws);
  return run(model, settings, state, ws);
}

TEST(EnergyBalance, IsCalledBrokenWhereTheStepIsFarTooLongForADamper) {
  // 0.5 J are there to dissipate; the trapezoid of the power c v^2 over the first step of 1 ms
  // counts at least c/2 1 ms = 625 J
  const RunReport report = run_for(make_braked_mass(1.25e6), 1e-3, 0.01);
  EXPECT_EQ(report.status, RunStatus::finished);
  EXPECT_GT(report.energy_error, 624.0);
  EXPECT_LT(report.energy_turned_over, 1.0);
  EXPECT_TRUE(is_balance_broken(report));
}

TEST(EnergyBalance, HoldsWhereTheStepResolvesTheMotion) {
  // v = exp(-10 t) m/s: all of the 0.5 J but exp(-20) of it turn over
  const RunReport report = run_for(make_braked_mass(10.0), 1e-3, 1.0);
  expect_close(report.energy_turned_over, 0.5 * (1.0 - std::exp(-20.0)), 1e-4, 0.0);
  EXPECT_FALSE(is_balance_broken(report));
}

TEST(EnergyBalance, HoldsWhereNothingMovesAndBreaksWithWhatIsNoNumber) {
  RunReport report;
  EXPECT_FALSE(is_balance_broken(report));
  report.start.kinetic = report.end.kinetic = 4e5;  // J, a car at constant speed
  report.energy_error = 1e-4;                       // its round-off
  EXPECT_FALSE(is_balance_broken(report));
  report.energy_error = 1.0;  // more than a millionth of them, and nothing turned over
  EXPECT_TRUE(is_balance_broken(report));
  report.energy_error = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(is_balance_broken(report));
}

// a mass at rest, whose rates are round-off; expected: what 3 kg have at 1e-12 m/s
// Expected: a free body keeps its energy. The linearly implicit Euler method turns it by the rates
// at the begin of a step: what is gyroscopic pushes outwards, step by step.
TEST(EnergyBalance, IsCalledBrokenWhereTheSchemeAddsEnergy) {
  Mechanism top;
  top.name = "top";
  top.gravity.setZero();
  const BodyIndex body =
      add_body(top, "body", 20.0, Frame{}, V(0.5, 0.9, 0.5).asDiagonal().toDenseMatrix());
  add_joint(top, "free", JointType::free, kGround, body, Frame{});
  top.joints.back().velocity = {0.0, 0.0, 0.0, 1.0, 60.0, 0.0};
  const RunReport report =
      run_for(top, 1e-3, 5.0, choose_scheme("linearly_implicit_euler", {}), Closing::independent);
  EXPECT_GT(report.end.kinetic, 1.1 * report.start.kinetic);
  EXPECT_NEAR(energy_added_by_scheme(report), report.end.kinetic - report.start.kinetic,
              1e-6 * report.end.kinetic);
  EXPECT_TRUE(is_balance_broken(report));
  const RunReport trapezoid = run_for(top, 1e-3, 2.0);
  EXPECT_EQ(energy_added_by_scheme(trapezoid), 0.0);
  EXPECT_FALSE(is_balance_broken(trapezoid));
}

// Expected: two rods that hand their energy to one another, or a body that tumbles, keep it; the
// error of the scheme is far below what is handed over.
TEST(EnergyBalance, CountsWhatBodiesHandToOneAnother) {
  Mechanism rods = make_rod_chain(2, 1.0, 1.0);
  rods.gravity.setZero();
  rods.joints[0].velocity = {5.0};
  rods.joints[1].velocity = {-8.0};
  for (const double h : {1e-3, 1e-2}) {
    const RunReport report = run_for(rods, h, 2.0);
    EXPECT_NEAR(report.end.kinetic, report.start.kinetic, 1e-2 * report.start.kinetic);
    EXPECT_GT(report.energy_turned_over, 0.3 * report.start.kinetic);
    EXPECT_FALSE(is_balance_broken(report)) << h;
  }
  EXPECT_FALSE(is_balance_broken(run_for(make_free_body(), 1e-2, 5.0)));
}

TEST(EnergyBalance, OfWhatIsRoundOffIsNotBroken) {
  Mechanism m = make_braked_mass(10.0);
  m.bodies.back().mass = 3.0;
  m.joints.back().velocity = {0.0};
  RunReport report = run_for(m, 1e-3, 0.01);
  EXPECT_DOUBLE_EQ(report.energy_of_rest, 1.5e-24);
  EXPECT_FALSE(is_balance_broken(report));
  report.energy_error = report.energy_turned_over = 1e-37;
  EXPECT_FALSE(is_balance_broken(report));
  report.energy_error = 1e-20;
  EXPECT_TRUE(is_balance_broken(report));
}

}  // namespace
}  // namespace semirec::test
