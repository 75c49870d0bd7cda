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

State drive(bool cut, double h, Model& model) {
  model = compile(make_bar(cut));
  Workspace ws(model);
  State state = make_initial_state(model);
  StepSettings settings;
  settings.h = h;
  initialize(model, settings, state, ws);
  while (state.t < 0.25 - 1e-9)
    EXPECT_EQ(step(model, settings, state, ws).status, StepStatus::converged);
  return state;
}

// The error of the trapezoidal rule falls with the step squared: (4 error(h/2) - error(h))/3 is of
// fourth order, about (h w)^4 = 4e-13 of 6 rad/s at h = 0.1 ms, w = 8 rad/s. Round-off of 5000
// steps and the loops' tolerance are more.
constexpr double kStep = 1e-4;
constexpr double kExtrapolated = 1e-9;  // rad/s, m/s

TEST(AddAJointPage, PinInASlotInTheTreeKeepsMomentumAndEnergy) {
  double turning[2], sliding[2];
  for (const int k : {0, 1}) {
    Model model;
    const State state = drive(false, k == 0 ? kStep : 0.5 * kStep, model);
    ASSERT_EQ(model.n(), 2);
    ASSERT_EQ(model.m(), 0);
    const double phi = kStart + state.z[1];
    EXPECT_LT(phi, 0.7 * kStart);  // it has swung
    turning[k] = std::abs(state.zd[1]) - rate_at(phi);
    sliding[k] = state.zd[0] - l * std::cos(phi) * state.zd[1];
  }
  EXPECT_NEAR((4.0 * turning[1] - turning[0]) / 3.0, 0.0, kExtrapolated);
  EXPECT_NEAR((4.0 * sliding[1] - sliding[0]) / 3.0, 0.0, kExtrapolated);
}

TEST(AddAJointPage, PinInASlotThatIsCutMovesTheSame) {
  double along[2], up[2], turning[2];
  for (const int k : {0, 1}) {
    const double h = k == 0 ? kStep : 0.5 * kStep;
    Model tree, loop;
    const State expected = drive(false, h, tree);
    const State state = drive(true, h, loop);
    ASSERT_EQ(loop.m(), 4);
    const double phi = kStart + expected.z[1];
    along[k] = state.zd[0];
    up[k] = state.zd[2] - l * std::sin(phi) * expected.zd[1];
    turning[k] = std::abs(state.zd[4]) - rate_at(phi);
  }
  EXPECT_NEAR((4.0 * along[1] - along[0]) / 3.0, 0.0, kExtrapolated);
  EXPECT_NEAR((4.0 * up[1] - up[0]) / 3.0, 0.0, kExtrapolated);
  EXPECT_NEAR((4.0 * turning[1] - turning[0]) / 3.0, 0.0, kExtrapolated);
}

}  // namespace
}  // namespace semirec::test
