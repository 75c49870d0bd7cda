#include "apps/realtime/input_unit.hpp"

#include <gtest/gtest.h>

namespace semirec::realtime {
namespace {

TEST(InputUnit, IsThatOfTheElementThatReadsTheInput) {
  Mechanism mechanism;
  for (const char* name :
       {"rod", "turn", "slide", "force", "torque", "motor", "excitation_wheel", "nobody"})
    mechanism.inputs.push_back({name, Curve(), {}});
  mechanism.joints.resize(2);
  mechanism.joints[0].type = JointType::revolute;
  mechanism.joints[1].type = JointType::cylindrical;
  mechanism.constraints.resize(1);
  mechanism.constraints[0].length_input = 0;
  mechanism.drivers = {{"turns", 0, 0, 1, {}}, {"slides", 1, 0, 2, {}}};
  mechanism.loads.resize(2);
  mechanism.loads[0].input = 3;
  mechanism.loads[1].input = 4;
  mechanism.loads[1].torque = true;
  mechanism.coordinate_forces.resize(1);
  mechanism.coordinate_forces[0].joint = 1;
  mechanism.coordinate_forces[0].coordinate = 1;  // the turn of a cylindrical joint
  mechanism.coordinate_forces[0].applied = 5;
  const char* units[] = {"m", "rad", "m", "N", "N m", "N m", "m", ""};
  for (int k = 0; k < 8; ++k) EXPECT_EQ(input_unit(mechanism, k), units[k]) << k;
}

}  // namespace
}  // namespace semirec::realtime
