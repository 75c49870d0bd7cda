// The force element of docs/how_to/add_a_force.md on a sliding mass.

#include "pages/add_a_force.cpp"

#include <memory>

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "integrator/step.hpp"

namespace semirec::test {
namespace {

TEST(AddAForcePage, DragSlowsAMassAsTheClosedFormSays) {
  constexpr double m = 2.0, c = 0.8, v0 = 10.0;  // kg, N s^2/m^2, m/s
  Mechanism mechanism;
  mechanism.name = "mass";
  Body body;
  body.name = "body";
  body.mass = m;
  body.inertia.setIdentity();
  mechanism.bodies.push_back(body);
  Joint rail;
  rail.name = "rail";
  rail.type = JointType::prismatic;
  rail.a.X_BF.A = rail.b.X_BF.A = make_frame({0, 0, 0}, {1, 0, 0}, {0, 1, 0}).A;  // slides along x
  rail.b.body = 0;
  rail.velocity = {v0};
  mechanism.joints.push_back(rail);

  std::vector<std::unique_ptr<ForceElement>> extra;
  extra.push_back(std::make_unique<page_add_a_force::Drag>(0, c));
  const Model model = compile(mechanism, std::move(extra));
  Workspace ws(model);
  State state = make_initial_state(model);
  StepSettings settings;
  settings.h = 1e-3;
  initialize(model, settings, state, ws);
  while (state.t < 1.0 - 1e-9)
    ASSERT_EQ(step(model, settings, state, ws).status, StepStatus::converged);
  // m dv/dt = -c v^2 has the solution v0 / (1 + c v0 t / m); the rule is of second order in h
  const double expected = v0 / (1.0 + c * v0 * state.t / m);
  EXPECT_NEAR(state.zd[0], expected, 1e-6 * v0);
}

}  // namespace
}  // namespace semirec::test
