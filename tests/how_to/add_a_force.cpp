// The force elements of docs/how_to/add_a_force.md, against closed forms, and in a shipped car.

#include "pages/add_a_force.cpp"

#include <gtest/gtest.h>
#include <unsupported/Eigen/MatrixFunctions>

#include "integrator/compile.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "integrator/step.hpp"

namespace semirec::test {
namespace {

constexpr double kMass = 2.0;  // kg

/// A mass on a vertical rail.
Mechanism make_mass(double height) {
  Mechanism mechanism;
  mechanism.name = "mass";
  Body body;
  body.name = "body";
  body.mass = kMass;
  body.inertia.setIdentity();
  mechanism.bodies.push_back(body);
  Joint rail;
  rail.name = "rail";
  rail.type = JointType::prismatic;
  rail.b.body = 0;
  rail.position = {height};
  mechanism.joints.push_back(rail);
  return mechanism;
}

template <class Element>
State drive(const Mechanism& mechanism, std::unique_ptr<Element> element, double until) {
  std::vector<std::unique_ptr<ForceElement>> elements;
  elements.push_back(std::move(element));
  const Model model = compile(mechanism, std::move(elements));
  Workspace ws(model);
  State state = make_initial_state(model);
  StepSettings settings;
  settings.h = 1e-4;
  initialize(model, settings, state, ws);
  while (state.t < until - 1e-9)
    EXPECT_EQ(step(model, settings, state, ws).status, StepStatus::converged);
  return state;
}

TEST(AddAForcePage, SkyhookLetsAMassSinkAsTheClosedFormSays) {
  constexpr double c = 5.0;  // N s/m
  const State state =
      drive(make_mass(0.0), std::make_unique<page_add_a_force::SkyhookDamper>(0, c), 0.5);
  // m dv/dt = -m g - c v from rest
  const double exact = -kMass * 9.81 / c * (1.0 - std::exp(-c / kMass * state.t));
  EXPECT_NEAR(state.zd[0], exact, 1e-6);  // error of the rule at 0.1 ms, with room
}

TEST(AddAForcePage, SkyhookActsInAShippedCar) {
  const std::string vehicles = SEMIREC_SOURCE_DIR "/vehicles/";
  const double force = page_add_a_force::drive_with_skyhook(vehicles + "models/iltis.xml",
                                                            vehicles + "scenarios/bump_5.xml");
  EXPECT_TRUE(std::isfinite(force));
}

TEST(AddAForcePage, MaxwellElementMovesAMassAsTheClosedFormSays) {
  constexpr double k = 2e3, T = 0.02, start = 0.1;  // N/m, s, m
  Mechanism mechanism = make_mass(start);
  mechanism.gravity.setZero();
  const State state =
      drive(mechanism, std::make_unique<page_add_a_force::MaxwellElement>(0, k, T), 0.1);
  // (s, v, x): s' = v, m v' = -k (s - x), x' = (s - x) / T, by the exponential of its matrix
  Eigen::Matrix3d A;
  A << 0, 1, 0, -k / kMass, 0, k / kMass, 1 / T, 0, -1 / T;
  const Eigen::Vector3d exact = (A * state.t).exp() * Eigen::Vector3d(start, 0, 0);
  EXPECT_NEAR(state.z[0], exact[0], 1e-5 * start);
  EXPECT_NEAR(state.x[0], exact[2], 1e-5 * start);
}

}  // namespace
}  // namespace semirec::test
