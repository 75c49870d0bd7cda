// First-order states of tyres and drivelines under Newmark's scheme: they end every step by its
// formula, in every formulation.

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "integrator/step.hpp"
#include "tests/support/drives.hpp"
#include "vehicles/driveline/driveline_force.hpp"
#include "vehicles/tyre/rolling_tyres.hpp"

namespace semirec::test {
namespace {

constexpr double kGamma = 0.6;

ShippedDrive start_car(const std::string& scenario, Formulation formulation, double gamma) {
  const auto change = [&](Scenario& s) { s.scheme = choose_scheme("newmark", {{"gamma", gamma}}); };
  return start_shipped("sedan.xml", scenario, {}, change, formulation);
}

class SchemeStates : public testing::TestWithParam<Formulation> {};

TEST_P(SchemeStates, EndEveryStepByNewmarksFormula) {
  ShippedDrive car = start_car("step_steer.xml", GetParam(), kGamma);
  const StepSettings& settings = car.drive.settings.step;
  int tyre_states = 0;
  int drivelines = 0;
  for (int k = 0; k < 40; ++k) {
    const State before = car.state;
    ASSERT_EQ(step(car.drive.model, settings, car.state, car.ws).status, StepStatus::converged);
    const auto check = [&](Eigen::Index i) {
      // x = x_n + h ((1 - gamma) xd_n + gamma xd)
      const double x =
          before.x[i] + settings.h * ((1.0 - kGamma) * before.xd[i] + kGamma * car.state.xd[i]);
      EXPECT_NEAR(car.state.x[i], x, 1e-10 * (1.0 + std::abs(x))) << k << ' ' << i;
    };
    for (const auto& force : car.drive.model.forces) {
      const int first = force->states().first;
      if (dynamic_cast<const RollingTyres*>(force.get()) != nullptr) {
        for (int i = 0; i < force->state_count(); ++i) check(first + i);
        tyre_states += force->state_count();
      }
      if (dynamic_cast<const DrivelineForce*>(force.get()) != nullptr) {
        for (int wheel = 0; wheel < 2; ++wheel) check(first + driveline_state::kTwist + wheel);
        check(first + driveline_state::kMotorSpeed);
        ++drivelines;
      }
    }
  }
  // four tyres of two states, forty steps
  EXPECT_EQ(tyre_states, 320);
  EXPECT_EQ(drivelines, 40);
}

INSTANTIATE_TEST_SUITE_P(All, SchemeStates, testing::ValuesIn(all_formulations()),
                         [](const auto& test) { return std::string(name_of(test.param)); });

}  // namespace
}  // namespace semirec::test
