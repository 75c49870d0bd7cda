// The whole car in a control loop: tyres, driveline, brakes and air take no memory in a step, and a
// copied state goes on with the same bits.

#include <gtest/gtest.h>

#include "integrator/step.hpp"
#include "tests/support/drives.hpp"
#include "tests/support/heap_guard.hpp"

namespace semirec::test {
namespace {

ShippedDrive start_turning() {
  return start_shipped("sedan.xml", "step_steer.xml", {}, [](Scenario& scenario) {
    scenario.inputs.push_back({"throttle", Curve::constant(0.6), {}});  // shifts on the way
  });
}

TEST(SedanSteps, TakeNoMemory) {
  if (!HeapGuard::works()) GTEST_SKIP() << "the sanitizer brings its own malloc";
  for (const int iterations : {0, 2}) {
    ShippedDrive car = start_turning();
    StepSettings settings = car.drive.settings.step;
    settings.iterations = iterations;
    ASSERT_EQ(step(car.drive.model, settings, car.state, car.ws).status, StepStatus::converged);
    const HeapGuard guard;
    for (int k = 0; k < 3000; ++k)
      static_cast<void>(step(car.drive.model, settings, car.state, car.ws));
    EXPECT_EQ(guard.calls(), 0) << iterations;
    EXPECT_NEAR(car.state.t, 3.001, 1e-9);
  }
}

TEST(SedanSteps, GoOnFromACopyWithTheSameBits) {
  ShippedDrive car = start_turning();
  ShippedDrive other = start_turning();
  const StepSettings& settings = car.drive.settings.step;
  for (int k = 0; k < 1000; ++k)
    ASSERT_EQ(step(car.drive.model, settings, car.state, car.ws).status, StepStatus::converged);
  other.state = car.state;
  for (int k = 0; k < 500; ++k) {
    ASSERT_EQ(step(car.drive.model, settings, car.state, car.ws).status, StepStatus::converged);
    ASSERT_EQ(step(other.drive.model, settings, other.state, other.ws).status,
              StepStatus::converged);
  }
  EXPECT_TRUE((car.state.z.array() == other.state.z.array()).all());
  EXPECT_TRUE((car.state.x.array() == other.state.x.array()).all());
  EXPECT_TRUE((car.state.zdd.array() == other.state.zdd.array()).all());
}

}  // namespace
}  // namespace semirec::test
