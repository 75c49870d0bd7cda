// The joint of docs/how_to/add_a_joint.md: the files as the page changes them, compiled in front of
// the libraries.

#include <cmath>

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "integrator/step.hpp"

namespace semirec::test {
namespace {

constexpr double m = 3.0, l = 0.5, J = 0.2;  // kg, m from pin to centre of mass, kg m^2
constexpr double kStart = 0.8;               // rad from hanging down

/// A bar on a pin that slides without friction in a horizontal slot along x. It begins at rest.
Mechanism make_bar(bool cut) {
  Mechanism mechanism;
  mechanism.name = "bar";
  Body bar;
  bar.name = "bar";
  bar.mass = m;
  bar.com = {-l * std::sin(kStart), 0.0, -l * std::cos(kStart)};
  bar.inertia.diagonal() << 0.2, J, 0.02;
  mechanism.bodies.push_back(bar);
  Joint pin;
  pin.name = "pin";
  pin.type = JointType::slot;
  pin.a.X_BF = pin.b.X_BF = make_frame({0, 0, 0}, {0, 1, 0}, {1, 0, 0});  // z along y, x along x
  pin.b.body = 0;
  if (cut) {
    Joint flight;
    flight.name = "flight";
    flight.type = JointType::free;
    flight.a.X_BF.p = flight.b.X_BF.p = bar.com;
    flight.b.body = 0;
    mechanism.joints.push_back(flight);
    pin.placement = Placement::cut;
  }
  mechanism.joints.push_back(pin);
  return mechanism;
}

/// Momentum along the slot is conserved, so the centre of mass moves up and down only; at the angle
/// phi from hanging down the rate is given by the energy,
///   m/2 (l sin(phi) w)^2 + J/2 w^2 = m g l (cos(phi) - cos(start)).
double rate_at(double phi) {
  const double drop = l * (std::cos(phi) - std::cos(kStart));
  const double inertia = m * l * l * std::sin(phi) * std::sin(phi) + J;
  return std::sqrt(2.0 * m * 9.81 * drop / inertia);
}

State drive(bool cut, Model& model) {
  model = compile(make_bar(cut));
  Workspace ws(model);
  State state = make_initial_state(model);
  StepSettings settings;
  settings.h = 1e-4;
  initialize(model, settings, state, ws);
  while (state.t < 0.25 - 1e-9)
    EXPECT_EQ(step(model, settings, state, ws).status, StepStatus::converged);
  return state;
}

constexpr double kTolerance = 1e-6;  // rad/s, m/s: the rule's error at 0.1 ms, with room

TEST(AddAJointPage, PinInASlotInTheTreeKeepsMomentumAndEnergy) {
  Model model;
  const State state = drive(false, model);
  ASSERT_EQ(model.n(), 2);
  ASSERT_EQ(model.m(), 0);
  const double phi = kStart + state.z[1];
  EXPECT_LT(phi, 0.7 * kStart);  // it has swung
  EXPECT_NEAR(std::abs(state.zd[1]), rate_at(phi), kTolerance);
  EXPECT_NEAR(state.zd[0], l * std::cos(phi) * state.zd[1], kTolerance);
}

TEST(AddAJointPage, PinInASlotThatIsCutMovesTheSame) {
  Model tree, loop;
  const State expected = drive(false, tree);
  const State state = drive(true, loop);
  ASSERT_EQ(loop.m(), 4);
  const double phi = kStart + expected.z[1];
  EXPECT_NEAR(state.zd[0], 0.0, kTolerance);                                 // along the slot
  EXPECT_NEAR(state.zd[2], l * std::sin(phi) * expected.zd[1], kTolerance);  // up and down
  EXPECT_NEAR(std::abs(state.zd[4]), rate_at(phi), kTolerance);              // about y
}

}  // namespace
}  // namespace semirec::test
