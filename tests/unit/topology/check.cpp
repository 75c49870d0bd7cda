// Every rule of a description, broken once: the message says where, what is wrong and what was
// expected.

#include <functional>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expect_close.hpp"
#include "tests/support/random_mechanism.hpp"
#include "topology/doubtful_dampers.hpp"
#include "topology/mechanism.hpp"

namespace semirec::test {
namespace {

using testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct Rule {
  std::string name;
  std::function<void(Mechanism&)> violate;
  std::string element, message;
};
std::ostream& operator<<(std::ostream& out, const Rule& rule) { return out << rule.name; }

std::vector<Rule> rules() {
  using M = Mechanism&;
  const auto joint = [](M m, const char* name) -> Joint& {
    return m.joints[static_cast<std::size_t>(find_joint(m, name))];
  };
  return {
      {"EmptyName", [](M m) { m.bodies[2].name.clear(); }, "body", "has no name"},
      {"NameOfTwoBodies", [](M m) { m.bodies[2].name = "l1"; }, "l1", "this name is used twice"},
      {"NameOfBodyAndJoint", [](M m) { m.joints[1].name = "wheel"; }, "wheel",
       "this name is used twice"},
      {"NameOfInputAndSpring", [](M m) { m.springs[0].name = "push"; }, "push",
       "this name is used twice"},
      {"ZeroMass", [](M m) { m.bodies[1].mass = 0.0; }, "l1", "expected a positive number"},
      {"NegativeMass", [](M m) { m.bodies[1].mass = -1.0; }, "l1", "expected a positive number"},
      {"MassNotFinite", [](M m) { m.bodies[1].mass = kNaN; }, "l1", "expected a positive number"},
      {"ComNotFinite", [](M m) { m.bodies[1].com.x() = kNaN; }, "l1", "not finite"},
      {"PoseNotFinite", [](M m) { m.bodies[1].X_WB.p.x() = kNaN; }, "l1", "not finite"},
      {"InertiaNotFinite", [](M m) { m.bodies[1].inertia(0, 1) = kNaN; }, "l1", "not finite"},
      {"InertiaNotSymmetric", [](M m) { m.bodies[1].inertia(0, 1) += 0.01; }, "l1",
       "not symmetric"},
      {"InertiaNegative", [](M m) { m.bodies[1].inertia = -Eigen::Matrix3d::Identity(); }, "l1",
       "negative principal value"},
      {"GravityNotFinite", [](M m) { m.gravity.z() = kNaN; }, "two loops", "gravity is not finite"},
      {"JointOnNoBody", [=](M m) { joint(m, "r12").b.body = 99; }, "r12",
       "body that does not exist"},
      {"JointWithItself", [=](M m) { joint(m, "r12").b.body = joint(m, "r12").a.body; }, "r12",
       "with itself"},
      {"AttachmentNotFinite", [=](M m) { joint(m, "r12").b.X_BF.p.x() = kNaN; }, "r12",
       "attachment is not finite"},
      {"AttachmentNoFrame", [=](M m) { joint(m, "r12").b.X_BF.A *= 2.0; }, "r12",
       "no right-handed orthonormal frame"},
      {"AttachmentLeftHanded", [=](M m) { joint(m, "r12").b.X_BF.A.col(0) *= -1.0; }, "r12",
       "no right-handed orthonormal frame"},
      {"AxesOfABodyNoFrame", [](M m) { m.bodies[1].X_WB.A(0, 1) += 1e-3; }, "l1",
       "no right-handed orthonormal frame"},
      {"TooManyInitialValues",
       [=](M m) {
         joint(m, "r12").position = {1.0, 2.0};
       },
       "r12", "has 2 initial values, expected 1 for a revolute joint"},
      {"InitialRateNotFinite", [=](M m) { joint(m, "r12").velocity = {kNaN}; }, "r12",
       "not finite"},
      {"RodOfNoLength", [](M m) { m.constraints[0].length = 0.0; }, "rod",
       "expected a positive number"},
      {"RodLengthNotFinite", [](M m) { m.constraints[0].length = kNaN; }, "rod",
       "expected a positive number"},
      {"OffsetNotFinite",
       [](M m) {
         m.constraints[0].type = ConstraintType::point_in_plane;
         m.constraints[0].length = kNaN;
       },
       "rod", "expected"},
      {"SlideAlongNoAxis", [](M m) { m.constraints[0].slide_input = 0; }, "rod", "axis"},
      {"SlideAxisNotFinite",
       [](M m) {
         m.constraints[0].slide_input = 0;
         m.constraints[0].slide_axis.x() = kNaN;
       },
       "rod", "axis"},
      {"InputThatDoesNotExist", [](M m) { m.constraints[0].length_input = 7; }, "rod",
       "input that does not exist"},
      {"DriverWithoutInput", [](M m) { m.motions[0].input = kNoInput; }, "drive", "reads no input"},
      {"DriverOfNoJoint", [](M m) { m.motions[0].joint = 99; }, "drive",
       "joint that does not exist"},
      {"DriverOfNoCoordinate", [](M m) { m.motions[0].coordinate = 2; }, "drive",
       "coordinate 2 of joint 'guide', which has 2"},
      {"DriverOfARotationWithoutAngle",
       [](M m) {
         m.motions[0] = {"drive", find_joint(m, "s1"), 0, 0, {}};
       },
       "drive", "has no angle"},
      {"DriverOfAFreeRotation",
       [](M m) {
         m.motions[0] = {"drive", find_joint(m, "flight"), 3, 0, {}};
       },
       "drive", "has no angle"},
      {"SpringWithItself", [](M m) { m.springs[1].b.body = m.springs[1].a.body; }, "s_base_l2",
       "with itself"},
      {"SpringAxisNotUnit", [](M m) { m.springs[3].axis *= 2.0; }, "strut", "not a unit vector"},
      {"SpringAxisNotFinite", [](M m) { m.springs[3].axis.x() = kNaN; }, "strut",
       "not a unit vector"},
      {"RotationalSpringWithItself",
       [](M m) { m.rotational_springs[0].b.body = m.rotational_springs[0].a.body; }, "hinge",
       "with itself"},
      {"BushingNegative", [](M m) { m.bushings[0].stiffness[2] = -1.0; }, "bushing",
       "at least zero"},
      {"BushingNotFinite", [](M m) { m.bushings[0].damping[2] = kNaN; }, "bushing",
       "at least zero"},
      {"LoadWithoutInput", [](M m) { m.loads[0].input = kNoInput; }, "force", "reads no input"},
      {"LoadOnTheGround", [](M m) { m.loads[0].at.body = kGround; }, "force", "acts on the ground"},
      {"LoadDirectionNotUnit", [](M m) { m.loads[0].direction.setZero(); }, "force",
       "not a unit vector"},
      {"LoadDirectionNotFinite", [](M m) { m.loads[0].direction.x() = kNaN; }, "force",
       "not a unit vector"},
      {"LimitsReversed", [](M m) { m.coordinate_forces[0].lower = 1.0; }, "bearing",
       "lower limit is above the upper one"},
      {"LimitNotANumber", [](M m) { m.coordinate_forces[0].lower = kNaN; }, "bearing", "limit"},
      {"StopNotFinite", [](M m) { m.coordinate_forces[0].stop_stiffness = kNaN; }, "bearing",
       "expected"},
      {"MarkerOnNoBody",
       [](M m) {
         Marker marker;
         marker.name = "place";
         marker.body = 99;
         m.markers.push_back(marker);
       },
       "place", "body that does not exist"},
  };
}

class Description : public testing::TestWithParam<Rule> {};
INSTANTIATE_TEST_SUITE_P(Rules, Description, testing::ValuesIn(rules()),
                         [](const auto& test) { return test.param.name; });

TEST_P(Description, IsRefusedWhereItBreaksTheRule) {
  Mechanism m = make_loop_mechanism(1);
  ASSERT_NO_THROW(check(m));
  GetParam().violate(m);
  try {
    check(m);
    FAIL() << "accepted";
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("'" + GetParam().element + "'"));
    EXPECT_THAT(error.what(), HasSubstr(GetParam().message));
  }
}

TEST(Description, WithoutABodyIsRefused) {
  Mechanism m;
  m.name = "nothing";
  EXPECT_THROW(check(m), ModelError);
}

TEST(Description, MayHaveASlenderRodAndAPointMass) {
  Mechanism m = make_loop_mechanism(1);
  m.bodies[1].inertia.setZero();
  m.bodies[2].inertia = Eigen::Vector3d(0.0, 0.1, 0.1).asDiagonal();
  EXPECT_NO_THROW(check(m));
}

// Published tops, and link 3 of the PUMA (0.066, 0.086, 0.0125 kg m^2): no body of positive
// density, and yet a mass matrix that is positive definite.
TEST(Description, MayBreakTheTriangleInequalityAndIsNamedForIt) {
  Mechanism m = make_loop_mechanism(1);
  EXPECT_TRUE(find_doubtful_bodies(m).empty());
  m.bodies[1].inertia = Eigen::Vector3d(0.066, 0.086, 0.0125).asDiagonal();
  m.bodies[1].source = {"arm.xml", 7};
  ASSERT_NO_THROW(check(m));
  const std::vector<std::string> lines = find_doubtful_bodies(m);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0],
            "arm.xml:7: element 'l1': inertia breaks the triangle inequality (0.0125 + 0.066 < "
            "0.086 kg m^2), which no body of positive density does; it is taken as written");
}

// A law that falls with the rate, at 0.1 m/s for the first time: written -200 N there.
TEST(Description, MayHaveADamperThatDrivesAndIsNamedForIt) {
  Mechanism m;
  SpringDamper& spring = m.springs.emplace_back();
  spring.name = "strut";
  spring.source = {"arm.xml", 9};
  spring.damper = Curve::table({{-0.05, -100.0}, {0.05, 100.0}, {0.1, -200.0}});
  const std::vector<std::string> lines = find_doubtful_dampers(m);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0],
            "arm.xml:9: element 'strut': has a damper that pushes along with the motion at 0.1 m/s "
            "and gives it energy; it is taken as written");
  spring.damper = Curve::linear(100.0);
  EXPECT_TRUE(find_doubtful_dampers(m).empty());
  // beyond its last point it goes on falling: 0 at 2 m/s
  spring.damper = Curve::table({{-1.0, -200.0}, {-0.5, -300.0}, {0.5, 300.0}, {1.0, 200.0}}, true);
  ASSERT_EQ(find_doubtful_dampers(m).size(), 1U);
  EXPECT_NE(find_doubtful_dampers(m)[0].find("at 3 m/s"), std::string::npos);
  // dry friction as a jump: 40 N either way
  spring.damper = Curve::table({{-1.0, -40.0}, {0.0, -40.0}, {0.0, 40.0}, {1.0, 40.0}});
  ASSERT_EQ(find_doubtful_dampers(m).size(), 1U);
  EXPECT_NE(find_doubtful_dampers(m)[0].find("jumps from -40 to 40 at rest"), std::string::npos);
  spring.damper = Curve::linear(100.0);
  m.joints.emplace_back().type = JointType::prismatic;
  CoordinateForce& force = m.coordinate_forces.emplace_back();
  force.damper = Curve::linear(-300.0);
  ASSERT_EQ(find_doubtful_dampers(m).size(), 1U);
  EXPECT_NE(find_doubtful_dampers(m)[0].find("at 0.01 m/s"), std::string::npos);
}

TEST(ModelErrors, GiveFileLineElementAndMessage) {
  EXPECT_STREQ(ModelError({"car.xml", 12}, "arm", "is too long, expected less").what(),
               "car.xml:12: element 'arm': is too long, expected less");
  EXPECT_STREQ(ModelError({}, "arm", "is too long").what(), "element 'arm': is too long");
}

TEST(Frames, StandOnTheirAxis) {
  Random random(1);
  for (int k = 0; k < 20; ++k) {
    const Eigen::Vector3d axis = 3.0 * random.unit();
    const Eigen::Vector3d hint = k % 2 == 0 ? Eigen::Vector3d::Zero().eval() : random.unit();
    const Frame X = make_frame(random.vector(1.0), axis, hint);
    expect_close(Eigen::Matrix3d(X.A.transpose() * X.A), Eigen::Matrix3d::Identity().eval(), 0.0,
                 1e-15);
    expect_close(X.A.determinant(), 1.0, 0.0, 1e-15);
    expect_close(Eigen::Vector3d(X.A.col(2)), Eigen::Vector3d(axis.normalized()), 0.0, 1e-15);
    if (!hint.isZero()) {
      EXPECT_GT(X.A.col(0).dot(hint), 0.0);
    }
    const Frame unit = X * inverse(X);
    expect_close(unit.A, Eigen::Matrix3d::Identity().eval(), 0.0, 1e-15);
    expect_close(unit.p, Eigen::Vector3d::Zero().eval(), 0.0, 1e-15);
  }
  // a vertical axis keeps the world's own axes; a hint along the axis counts as none
  expect_close(make_frame({}, Eigen::Vector3d::UnitZ()).A, Eigen::Matrix3d::Identity().eval(), 0.0,
               0.0);
  expect_close(make_frame({}, Eigen::Vector3d::UnitZ(), 2.0 * Eigen::Vector3d::UnitZ()).A,
               Eigen::Matrix3d::Identity().eval(), 0.0, 0.0);
}

}  // namespace
}  // namespace semirec::test
