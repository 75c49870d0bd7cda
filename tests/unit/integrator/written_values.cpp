// Initial positions and rates that a description writes: kept where the closures allow it, in the
// order of the description, on cut joints too, and named where they are not.

#include "integrator/statics/written_values.hpp"

#include <cmath>
#include <numbers>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "recursive/kinematics.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/random_mechanism.hpp"
#include "topology/indices.hpp"

namespace semirec::test {
namespace {

using testing::HasSubstr;
using V = Eigen::Vector3d;

constexpr double kRoundOff = 1e-12;

Joint& joint_of(Mechanism& mechanism, const std::string& name) {
  for (Joint& joint : mechanism.joints)
    if (joint.name == name) return joint;
  throw std::logic_error(name);
}

BodyIndex body_of(const Mechanism& mechanism, const std::string& name) {
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b)
    if (mechanism.bodies[b].name == name) return static_cast<BodyIndex>(b);
  throw std::logic_error(name);
}

/// A mechanism at its consistent start.
struct Started {
  explicit Started(const Mechanism& mechanism)
      : model(compile(mechanism)), ws(model), state(make_initial_state(model)) {
    close_loops_as_written(model, state, ws, /*cut_joints=*/true);
    initialize(model, {}, state, ws);
    evaluate_state(model, state, ws);
  }
  double spin(const std::string& body) const {
    const TreeIndex t = model.tree.tree.tree_index(body_of(model.mechanism, body));
    return ws.tree.Z[static_cast<std::size_t>(t)].tail<3>().z();
  }
  /// Of a rod of the plane against its design, rad.
  double angle(const std::string& body) const {
    const BodyIndex b = body_of(model.mechanism, body);
    Workspace poses(model);
    const Eigen::Matrix3d A =
        find_body_poses(model, state, poses)[static_cast<std::size_t>(b)].A *
        model.mechanism.bodies[static_cast<std::size_t>(b)].X_WB.A.transpose();
    return std::atan2(A(1, 0), A(0, 0));
  }
  std::string line() { return describe_changes(model, read_written_values(model, state, ws)); }
  Model model;
  Workspace ws;
  State state;
};

/// Ten parallelograms in a row that turn with whatever is written.
Mechanism make_still_four_bars() {
  Mechanism m = make_four_bars(10);
  for (Joint& joint : m.joints) joint.velocity.clear();
  return m;
}

TEST(WrittenRates, AreKeptWhereTheLoopsAllowIt) {
  Mechanism m = make_still_four_bars();
  joint_of(m, "pin3").velocity = {1.0};
  Started start(m);
  // parallel cranks turn alike, couplers do not turn
  for (int k = 0; k <= 10; ++k)
    EXPECT_NEAR(start.spin("crank" + std::to_string(k)), 1.0, kRoundOff);
  for (int k = 0; k < 10; ++k)
    EXPECT_NEAR(start.spin("coupler" + std::to_string(k)), 0.0, kRoundOff);
  EXPECT_EQ(start.line(), "");
}

TEST(WrittenRates, OfACutJointAreKept) {
  Mechanism m = make_still_four_bars();
  joint_of(m, "right0").velocity = {0.5};  // crank 1 against coupler 0
  Started start(m);
  EXPECT_NEAR(start.spin("crank0"), 0.5, kRoundOff);
  EXPECT_NEAR(start.spin("crank1") - start.spin("coupler0"), 0.5, kRoundOff);
  EXPECT_EQ(start.line(), "");
}

TEST(WrittenRates, ThatContradictAnEarlierOneGiveWayAndAreNamed) {
  Mechanism m = make_still_four_bars();
  joint_of(m, "pin3").velocity = {1.0};
  joint_of(m, "pin7").velocity = {-2.0};
  joint_of(m, "right0").velocity = {4.0};
  Started start(m);
  EXPECT_NEAR(start.spin("crank3"), 1.0, kRoundOff);
  EXPECT_NEAR(start.spin("crank7"), 1.0, kRoundOff);
  const std::string line = start.line();
  EXPECT_THAT(line, HasSubstr("velocity of joint 'pin7' is 1 for -2 rad/s"));
  EXPECT_THAT(line, HasSubstr("velocity of joint 'right0' is 1 for 4 rad/s"));
  EXPECT_EQ(line.find("pin3"), std::string::npos) << line;
  EXPECT_EQ(line.find('\n'), std::string::npos) << line;
}

TEST(WrittenRates, OfManyThatChangeThreeAreNamedAndTheRestCounted) {
  Mechanism m = make_still_four_bars();
  for (int k = 0; k <= 10; ++k)
    joint_of(m, "pin" + std::to_string(k)).velocity = {k == 0 ? 1.0 : 5.0};
  EXPECT_THAT(Started(m).line(), HasSubstr("'pin3' is 1 for 5 rad/s; 7 more"));
}

TEST(WrittenPositions, AreKeptWhereTheLoopsAllowIt) {
  Mechanism m = make_still_four_bars();
  joint_of(m, "pin5").position = {-0.4};
  Started start(m);
  for (int k = 0; k <= 10; ++k) EXPECT_NEAR(start.angle("crank" + std::to_string(k)), -0.4, 1e-9);
  for (int k = 0; k < 10; ++k) EXPECT_NEAR(start.angle("coupler" + std::to_string(k)), 0.0, 1e-9);
  EXPECT_EQ(start.line(), "");
}

TEST(WrittenPositions, OfACutJointAreKept) {
  Mechanism m = make_still_four_bars();
  joint_of(m, "right4").position = {0.3};
  Started start(m);
  EXPECT_NEAR(start.angle("crank5") - start.angle("coupler4"), 0.3, 1e-9);
  EXPECT_EQ(start.line(), "");
}

TEST(WrittenPositions, ThatContradictAnEarlierOneGiveWayAndAreNamed) {
  Mechanism m = make_still_four_bars();
  joint_of(m, "pin0").position = {0.2};
  joint_of(m, "pin1").position = {0.5};
  Started start(m);
  EXPECT_NEAR(start.angle("crank0"), 0.2, 1e-9);
  EXPECT_THAT(start.line(), HasSubstr("position of joint 'pin1' is 0.2 for 0.5 rad"));
}

// All types of joints, passed either way: what is read is what is written.
TEST(WrittenValues, AreReadAsTheyAreWritten) {
  for (const JointType type :
       {JointType::revolute, JointType::prismatic, JointType::cylindrical, JointType::universal,
        JointType::spherical, JointType::planar, JointType::free, JointType::translational}) {
    for (const bool reversed : {false, true}) {
      if (reversed && type == JointType::free) continue;
      Mechanism m;
      m.name = "one";
      add_body(m, "body", 2.0, {}, Eigen::Matrix3d::Identity(), V(0.1, 0.2, 0.3));
      add_joint(m, "joint", type, reversed ? 0 : kGround, reversed ? kGround : 0, {});
      for (int k = 0; k < degrees_of_freedom(type); ++k) {
        m.joints[0].position.push_back(0.3 - 0.2 * k);
        m.joints[0].velocity.push_back(0.7 + 0.4 * k);
      }
      Started start(m);
      const std::vector<WrittenValue> values =
          read_written_values(start.model, start.state, start.ws);
      EXPECT_EQ(values.size(), 2U * static_cast<std::size_t>(degrees_of_freedom(type)))
          << name_of(type);
      for (const WrittenValue& value : values)
        EXPECT_NEAR(value.got, value.asked, 1e-12)
            << name_of(type) << (reversed ? " reversed " : " ") << value.coordinate
            << (value.is_rate ? " rate" : " position");
    }
  }
}

// Expected: x = r cos(a) + sqrt(l^2 - r^2 sin(a)^2), on the side on which it is drawn, wherever the
// crank is written to be; the closed position nearest to a crank that is turned alone may be the
// other form of the loop.
TEST(WrittenPositions, FarFromTheDrawingKeepTheFormOfTheLoop) {
  for (const double drawn : {0.7, -2.5})
    for (const double turn : {-6.0, -3.0, -1.5, 1.0, 1.5, 2.0, 3.0, 5.0, 11.0})
      for (const bool held : {false, true}) {
        SliderCrank data;
        data.crank_angle = drawn;
        Mechanism m = make_slider_crank(data);
        joint_of(m, "crank_pin").position = {turn};
        joint_of(m, "crank_pin").held = held;
        Started start(m);
        const double y = 0.3 * std::sin(drawn + turn);
        const double expected = 0.3 * std::cos(drawn + turn) + std::sqrt(0.36 - y * y);
        const Frame rod =
            find_body_poses(start.model, start.state, start.ws)[at(body_of(m, "rod"))];
        EXPECT_NEAR(rod.p.x() + 0.3 * rod.A(0, 0), expected, 1e-9)
            << drawn << ", " << turn << ", " << held;
        EXPECT_EQ(start.line(), "");
      }
}

/// Where the circles of two lengths about two points meet, left of the way from a to b; the side is
/// 1 or -1.
V meet(const V& a, double from_a, const V& b, double from_b, double side) {
  const V way = b - a;
  const double d = way.norm();
  const double along = (d * d + from_a * from_a - from_b * from_b) / (2.0 * d);
  const double across = std::sqrt(from_a * from_a - along * along);
  return a + along / d * way + side * across / d * V(-way.y(), way.x(), 0.0);
}

// Four-bars that can be turned from where they are drawn to where their crank is to stand, without
// a dead point on the way, keep their form: whether a position of the crank says so, a motion that
// begins there, or both. Expected: circles that meet, on the drawn side.
TEST(WrittenPositions, FarFromTheDrawingKeepTheFormOfAnyFourBar) {
  std::mt19937 random(7);
  const auto within = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  int reached = 0;
  while (reached < 300) {
    const double crank = within(0.3, 1.0), coupler = within(0.3, 1.3), rocker = within(0.3, 1.3);
    const V foot(within(0.3, 1.3), 0.0, 0.0);
    const double drawn = within(-3.1, 3.1), turn = within(-3.0, 3.0);
    const double side = within(-1.0, 1.0) < 0.0 ? -1.0 : 1.0;
    const auto tip = [&](double angle) {
      return V(crank * std::cos(angle), crank * std::sin(angle), 0.0);
    };
    bool reachable = true;
    for (int k = 0; k <= 500; ++k) {
      const double d = (foot - tip(drawn + turn * k / 500.0)).norm();
      reachable = reachable && d > 1.03 * std::abs(coupler - rocker) + 0.02 &&
                  d < 0.98 * (coupler + rocker);
    }
    if (!reachable) continue;
    ++reached;
    const V pin = meet(tip(drawn), coupler, foot, rocker, side);
    const V expected = meet(tip(drawn + turn), coupler, foot, rocker, side);
    for (const bool written : {true, false})
      for (const bool driven : {true, false}) {
        if (!written && !driven) continue;
        Mechanism m;
        m.name = "four_bar";
        const BodyIndex a = add_rod(m, "crank", 1.0, V::Zero(), tip(drawn));
        const BodyIndex b = add_rod(m, "coupler", 1.0, tip(drawn), pin);
        const BodyIndex c = add_rod(m, "rocker", 1.0, foot, pin);
        add_hinge(m, "A", kGround, a, V::Zero());
        add_hinge(m, "B", a, b, tip(drawn));
        add_hinge(m, "D", kGround, c, foot);
        add_hinge(m, "C", b, c, pin, Placement::cut);
        if (written) joint_of(m, "A").position = {turn};
        // an arm outside of all loops that begins where its motor has it
        const BodyIndex arm = add_rod(m, "arm", 1.0, V(3, 0, 0), V(4, 0, 0));
        const JointIndex shoulder = add_hinge(m, "shoulder", kGround, arm, V(3, 0, 0));
        joint_of(m, "shoulder").position = {1.5};
        PrescribedMotion held;
        held.name = "arm_motor";
        held.joint = shoulder;
        held.input = add_input(m, "arm_angle", Curve::constant(1.5));
        m.motions.push_back(held);
        if (driven) {
          PrescribedMotion motion;
          motion.name = "motor";
          motion.input = add_input(m, "angle", Curve::constant(turn));
          m.motions.push_back(motion);
        }
        Started start(m);
        const Frame rod = find_body_poses(start.model, start.state, start.ws)[at(b)];
        EXPECT_LT((rod.p + 0.5 * coupler * rod.A.col(0) - expected).norm(), 1e-8)
            << "crank " << crank << ", coupler " << coupler << ", rocker " << rocker << ", foot "
            << foot.x() << ", drawn at " << drawn << ", turned by " << turn << ", side " << side
            << (written ? ", written" : "") << (driven ? ", driven" : "");
        EXPECT_NEAR(start.angle("arm"), 1.5, 1e-9);
      }
  }
}

// A four-bar whose diagonal from foot to crank tip is driven, of metres and of centimetres.
// Expected: the crank and the rocker on the sides on which they are drawn.
TEST(WrittenPositions, ADrivenLengthKeepsTheFormAtAnySize) {
  for (const double size : {1.0, 0.05, 0.01})
    for (const double side : {1.0, -1.0})
      for (const double length : {0.45, 0.6, 1.1, 1.25}) {
        const V foot(1.0 * size, 0.0, 0.0);
        const double crank = 0.7 * size, coupler = 0.8 * size, rocker = 0.6 * size;
        const auto crank_at = [&](double l) { return meet(V::Zero(), crank, foot, l * size, 1.0); };
        const V drawn = crank_at(0.8);
        const V pin = meet(drawn, coupler, foot, rocker, side);
        Mechanism m;
        m.name = "four_bar";
        const BodyIndex a = add_rod(m, "crank", 1.0, V::Zero(), drawn);
        const BodyIndex b = add_rod(m, "coupler", 1.0, drawn, pin);
        const BodyIndex c = add_rod(m, "rocker", 1.0, foot, pin);
        add_hinge(m, "A", kGround, a, V::Zero());
        add_hinge(m, "B", a, b, drawn);
        add_hinge(m, "D", kGround, c, foot);
        add_hinge(m, "C", b, c, pin, Placement::cut);
        Constraint rod;
        rod.length = 0.8 * size;
        rod.name = "rod";
        rod.a = marker_at(m, kGround, foot);
        rod.b = marker_at(m, a, drawn);
        rod.length_input = add_input(m, "length", Curve::constant((length - 0.8) * size));
        m.constraints.push_back(rod);
        Started start(m);
        const Frame pose = find_body_poses(start.model, start.state, start.ws)[at(b)];
        const V expected = meet(crank_at(length), coupler, foot, rocker, side);
        EXPECT_LT((pose.p + 0.5 * coupler * pose.A.col(0) - expected).norm(), 1e-8 * size)
            << size << ", " << side << ", " << length;
      }
}

// A value of zero is written as any other. Expected: what is written, of a five-bar that has both
// motions free.
TEST(WrittenPositions, OfZeroIsKeptOnTheWay) {
  Mechanism m;
  m.name = "five_bar";
  const V points[] = {V(0, 0, 0), V(0.3, 0.8, 0), V(1.1, 1.3, 0), V(1.7, 0.9, 0), V(2, 0, 0)};
  const BodyIndex left = add_rod(m, "left", 1.0, points[0], points[1]);
  const BodyIndex upper_left = add_rod(m, "upper_left", 1.0, points[1], points[2]);
  const BodyIndex upper_right = add_rod(m, "upper_right", 1.0, points[2], points[3]);
  const BodyIndex right = add_rod(m, "right", 1.0, points[3], points[4]);
  add_hinge(m, "a", kGround, left, points[0]);
  add_hinge(m, "b", left, upper_left, points[1]);
  add_hinge(m, "d", kGround, right, points[4]);
  add_hinge(m, "e", right, upper_right, points[3]);
  add_hinge(m, "c", upper_left, upper_right, points[2], Placement::cut);
  for (const double turn : {0.25, -0.4}) {
    joint_of(m, "a").position = {turn};
    joint_of(m, "d").position = {0.0};
    Started start(m);
    EXPECT_EQ(start.line(), "");
    EXPECT_NEAR(start.angle("left"), turn, 1e-9);
    EXPECT_NEAR(start.angle("right"), 0.0, 1e-9);
  }
}

// Values that fit one another say themselves which form of the loop is meant.
TEST(WrittenPositions, ThatFitOneAnotherMayNameTheOtherForm) {
  SliderCrank data;
  data.crank_angle = 0.7;
  Mechanism m = make_slider_crank(data);
  // the rod points backwards: its angle is pi - asin(-y/l) instead of asin(-y/l)
  const double turn = 1.1;
  const double drawn = std::asin(-0.5 * std::sin(0.7));
  const double wanted = std::numbers::pi - std::asin(-0.5 * std::sin(0.7 + turn));
  joint_of(m, "crank_pin").position = {turn};
  joint_of(m, "rod_pin").position = {wanted - drawn - turn + 1e-3};
  Started start(m);
  const Frame rod = find_body_poses(start.model, start.state, start.ws)[at(body_of(m, "rod"))];
  const double y = 0.3 * std::sin(0.7 + turn);
  EXPECT_NEAR(rod.p.x() + 0.3 * rod.A(0, 0), 0.3 * std::cos(0.7 + turn) - std::sqrt(0.36 - y * y),
              1e-9);
}

}  // namespace
}  // namespace semirec::test
