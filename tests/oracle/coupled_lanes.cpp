// Branches in lanes that something ties to one another: only what is tied leaves the lanes, and the
// motion is that of a dense tangent.

#include <gtest/gtest.h>

#include "integrator/step.hpp"
#include "recursive/lanes/lane_rows.hpp"
#include "tests/support/drives.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec::test {
namespace {

Drive make(const std::string& model, const std::string& scenario, TangentChoice tangent) {
  const std::string root = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";
  CompileSettings settings;
  settings.tangent = tangent;
  return make_drive(read_drive(root + "models/" + model, root + "scenarios/" + scenario), settings);
}

State run_steps(const Drive& drive, int count) {
  Workspace ws(drive.model);
  State state = start_drive(drive, ws);
  StepSettings settings = drive.settings.step;
  settings.tolerance = 1e-11;
  for (int k = 0; k < count; ++k)
    EXPECT_EQ(step(drive.model, settings, state, ws).status, StepStatus::converged) << k;
  return state;
}

TEST(CoupledLanes, AntiRollBarsLeaveTheRestOfACarInLanes) {
  const Drive lanes = make("sedan.xml", "step_steer.xml", TangentChoice::automatic);
  ASSERT_EQ(lanes.model.tree.pattern.kind(), PatternKind::lanes);
  const LaneRows& rows = lanes.model.tree.pattern.lane_rows();
  // 30 coordinates: chassis 6, four halves of the bars, five a corner
  EXPECT_EQ(rows.shared.size(), 10u);
  EXPECT_EQ(rows.rows.size(), 5u);
  const Drive dense = make("sedan.xml", "step_steer.xml", TangentChoice::dense);
  const State a = run_steps(lanes, 700);  // 50 ms into the turn of the steering wheel
  const State b = run_steps(dense, 700);
  // each step is solved to 1e-11 m or rad
  EXPECT_LE((a.z - b.z).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LE((a.zd - b.zd).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(CoupledLanes, CornersThatNothingTiesStayInLanes) {
  const Drive drive = make("car26.xml", "shaker.xml", TangentChoice::automatic);
  ASSERT_EQ(drive.model.tree.pattern.kind(), PatternKind::lanes);
  EXPECT_EQ(drive.model.tree.pattern.lane_rows().shared.size(), 6u);  // the chassis
}

}  // namespace
}  // namespace semirec::test
