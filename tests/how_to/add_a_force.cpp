// The force elements of docs/how_to/add_a_force.md on a sliding mass and in the sedan.

#include "pages/add_a_force.cpp"

#include <cmath>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "integrator/step.hpp"

namespace semirec::test {
namespace {

constexpr double kMass = 2.0;  // kg

Mechanism make_rising_mass(double speed) {
  Mechanism mechanism;
  mechanism.name = "mass";
  mechanism.gravity.setZero();
  Body body;
  body.name = "body";
  body.mass = kMass;
  body.inertia.setIdentity();
  mechanism.bodies.push_back(body);
  Joint rail;
  rail.name = "rail";
  rail.type = JointType::prismatic;  // slides along z
  rail.b.body = 0;
  rail.velocity = {speed};
  mechanism.joints.push_back(rail);
  return mechanism;
}

double speed_after(std::unique_ptr<ForceElement> element, double speed, double seconds) {
  std::vector<std::unique_ptr<ForceElement>> elements;
  elements.push_back(std::move(element));
  const Model model = compile(make_rising_mass(speed), std::move(elements));
  Workspace ws(model);
  State state = make_initial_state(model);
  StepSettings settings;
  settings.h = 1e-3;
  initialize(model, settings, state, ws);
  while (state.t < seconds - 1e-9)
    EXPECT_EQ(step(model, settings, state, ws).status, StepStatus::converged);
  return state.zd[0];
}

TEST(AddAForcePage, SkyhookSlowsAMassAsTheClosedFormSays) {
  constexpr double c = 3.0, v0 = 10.0;  // N s/m, m/s
  const double v = speed_after(std::make_unique<page_add_a_force::SkyhookDamper>(0, c), v0, 1.0);
  // m dv/dt = -c v; the rule is of second order in h
  EXPECT_NEAR(v, v0 * std::exp(-c / kMass), 1e-6 * v0);
}

TEST(AddAForcePage, MaxwellElementWithAStiffSpringIsItsDamper) {
  constexpr double c = 3.0, v0 = 10.0, k = 1e6;  // N s/m, m/s, N/m
  const double v =
      speed_after(std::make_unique<page_add_a_force::MaxwellElement>(0, k, c / k), v0, 1.0);
  // to c / (m k), by which the spring yields
  EXPECT_NEAR(v, v0 * std::exp(-c / kMass), 1e-5 * v0);
}

TEST(AddAForcePage, SkyhookDrivesInTheSedan) {
  const std::string folder = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";
  const double force = page_add_a_force::drive_with_skyhook(folder + "models/sedan.xml",
                                                            folder + "scenarios/step_steer.xml");
  EXPECT_TRUE(std::isfinite(force));
  EXPECT_NE(force, 0.0);
}

}  // namespace
}  // namespace semirec::test
