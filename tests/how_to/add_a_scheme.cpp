// The scheme of docs/how_to/add_a_scheme.md, on a mass between springs.

#include "pages/add_a_scheme.cpp"

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "integrator/step.hpp"

namespace semirec::test {
namespace {

TEST(AddASchemePage, StepsOfAnOscillatorAreThoseOfTheRule) {
  constexpr double m = 2.0, k = 800.0, h = 5e-3;  // kg, N/m, s
  Mechanism mechanism;
  mechanism.name = "mass";
  mechanism.gravity.setZero();
  Body body;
  body.name = "body";
  body.mass = m;
  body.inertia.setIdentity();
  mechanism.bodies.push_back(body);
  Joint rail;
  rail.name = "rail";
  rail.type = JointType::prismatic;
  rail.b.body = 0;
  rail.position = {0.1};
  mechanism.joints.push_back(rail);
  CoordinateForce spring;
  spring.name = "spring";
  spring.joint = 0;
  spring.spring = Curve::linear(k);
  mechanism.coordinate_forces.push_back(spring);

  const Model model = compile(mechanism);
  Workspace ws(model);
  State state = make_initial_state(model);
  StepSettings settings;
  settings.h = h;
  settings.scheme.family = &kImplicitEuler;
  initialize(model, settings, state, ws);

  // v = v_n - h k/m (z_n + h v), z = z_n + h v
  double z = 0.1, v = 0.0;
  for (int n = 0; n < 100; ++n) {
    ASSERT_EQ(step(model, settings, state, ws).status, StepStatus::converged);
    v = (v - h * k / m * z) / (1.0 + h * h * k / m);
    z += h * v;
    ASSERT_NEAR(state.z[0], z, 1e-10) << "step " << n;  // tolerance of the iteration
    ASSERT_NEAR(state.zd[0], v, 1e-8) << "step " << n;
  }
  EXPECT_LT(std::abs(z), 0.05);  // the rule damps
}

}  // namespace
}  // namespace semirec::test
