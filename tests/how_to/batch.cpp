// The function of docs/how_to/batch.md on three cars, against step().

#include "pages/batch.cpp"

#include <gtest/gtest.h>

#include "integrator/step.hpp"
#include "tests/support/drives.hpp"

namespace semirec::test {
namespace {

TEST(HowToBatch, EqualsSingleCars) {
  std::vector<Drive> drives;
  for (const char* mass : {"chassis.mass=550", "chassis.mass=600", "chassis.mass=650"})
    drives.push_back(start_shipped("car26.xml", "shaker.xml", {mass}).drive);
  const std::vector<State> states = page_batch::drive_side_by_side(drives, 100);
  ASSERT_EQ(states.size(), drives.size());
  for (std::size_t k = 0; k < drives.size(); ++k) {
    Workspace ws(drives[k].model);
    State alone = start_drive(drives[k], ws);
    StepSettings settings = drives[k].settings.step;
    settings.iterations = 2;
    for (int n = 0; n < 100; ++n)
      ASSERT_EQ(step(drives[k].model, settings, alone, ws).status, StepStatus::converged);
    // round-off: test of the batch itself in tests/unit/vehicles/batch.cpp
    EXPECT_LE((states[k].zd - alone.zd).cwiseAbs().maxCoeff(), 1e-11);
    EXPECT_EQ(states[k].t, alone.t);
  }
  EXPECT_GT((states[0].zd - states[2].zd).cwiseAbs().maxCoeff(), 1e-6);
}

}  // namespace
}  // namespace semirec::test
