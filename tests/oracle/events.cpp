// Attach and release events against closed forms, in all formulations.
#include <cmath>

#include <gtest/gtest.h>

#include "integrator/compile.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "integrator/simulation.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "tests/support/mechanisms.hpp"

namespace semirec::test {
namespace {

using Eigen::Vector3d;

constexpr double kLength = 1.0;  // m
constexpr double kMass = 2.0;    // kg
constexpr double kGravity = 9.81;

/// A uniform rod that flies freely along x, moving across itself (along y).
Mechanism make_flying_rod(double speed) {
  Mechanism mechanism;
  mechanism.name = "flying_rod";
  mechanism.gravity.setZero();
  const BodyIndex rod = add_rod(mechanism, "rod", kMass, Vector3d::Zero(), {kLength, 0.0, 0.0});
  // a slender rod has no inertia about itself: give it some, far below the rest
  mechanism.bodies[0].inertia(0, 0) = 1e-3;
  const JointIndex joint = add_joint(mechanism, "flight", JointType::free, kGround, rod,
                                     Frame{Eigen::Matrix3d::Identity(), {0.5 * kLength, 0.0, 0.0}});
  mechanism.joints[static_cast<std::size_t>(joint)].a = {};
  mechanism.joints[static_cast<std::size_t>(joint)].position = {0.5 * kLength, 0, 0, 0, 0, 0};
  mechanism.joints[static_cast<std::size_t>(joint)].velocity = {0.0, speed, 0.0, 0.0, 0.0, 0.0};
  const JointIndex grip = add_joint(mechanism, "grip", JointType::spherical, kGround, rod, Frame{});
  mechanism.joints[static_cast<std::size_t>(grip)].attached = false;
  Marker tip = marker_at(mechanism, rod, Vector3d(kLength, 0.0, 0.0));
  tip.name = "tip";
  mechanism.markers.push_back(tip);
  return mechanism;
}

/// A block on an upright rail, held from below by nothing at first.
Mechanism make_falling_block() {
  Mechanism mechanism;
  mechanism.name = "falling_block";
  const BodyIndex block =
      add_body(mechanism, "block", kMass, Frame{}, 0.1 * Eigen::Matrix3d::Identity());
  add_joint(mechanism, "rail", JointType::prismatic, kGround, block, Frame{});
  const JointIndex grip =
      add_joint(mechanism, "grip", JointType::spherical, kGround, block, Frame{});
  mechanism.joints[static_cast<std::size_t>(grip)].attached = false;
  Marker nose = marker_at(mechanism, block, Vector3d::Zero());
  nose.name = "nose";
  mechanism.markers.push_back(nose);
  return mechanism;
}

/// Two of them beside one another.
Mechanism make_falling_blocks() {
  Mechanism mechanism = make_falling_block();
  const Frame place{Eigen::Matrix3d::Identity(), {5.0, 0.0, 0.0}};
  const BodyIndex block =
      add_body(mechanism, "other_block", kMass, place, 0.1 * Eigen::Matrix3d::Identity());
  add_joint(mechanism, "other_rail", JointType::prismatic, kGround, block, place);
  const JointIndex grip =
      add_joint(mechanism, "other_grip", JointType::spherical, kGround, block, place);
  mechanism.joints[static_cast<std::size_t>(grip)].attached = false;
  Marker nose = marker_at(mechanism, block, place.p);
  nose.name = "other_nose";
  mechanism.markers.push_back(nose);
  return mechanism;
}

class Events : public testing::TestWithParam<Formulation> {
 protected:
  /// Runs to `until`; the final poses and motions are in ws.
  void run_events(const Mechanism& mechanism, std::vector<Event> events, double h, double until) {
    CompileSettings compile_settings;
    compile_settings.formulation = GetParam();
    model = compile(mechanism, {}, compile_settings);
    ws = std::make_unique<Workspace>(model);
    for (Event& event : events)
      for (EventAction& action : event.actions)
        action.switch_index = find_switch(model, action.switch_index == 0 ? "grip" : "other_grip");
    settings.step.h = h;
    settings.until = until;
    settings.events = std::move(events);
    state = make_initial_state(model);
    initialize(model, settings.step, state, *ws);
    report = run(model, settings, state, *ws);
    evaluate_state(model, state, *ws);
  }
  Vector3d spin() const { return ws->tree.Z[1].tail<3>(); }
  Vector3d velocity_of_centre() const {
    const TreeBody& body = model.tree.bodies[1];
    return velocity_at(ws->tree.Z[1], ws->tree.p[1] + ws->tree.A_WC[1] * body.com);
  }

  Model model;
  std::unique_ptr<Workspace> ws;
  RunSettings settings;
  State state;
  RunReport report;
};

INSTANTIATE_TEST_SUITE_P(AllFormulations, Events, testing::ValuesIn(all_formulations()),
                         [](const auto& test) { return std::string(name_of(test.param)); });

Event at_time(double time, std::vector<EventAction> actions) {
  Event event;
  event.name = "at " + std::to_string(time);
  event.time = time;
  event.actions = std::move(actions);
  return event;
}

TEST_P(Events, CaughtAtOneEndAFlyingRodTurnsWithThreeHalvesOfSpeedOverLength) {
  // angular momentum about the caught end: m v L/2 = (m L^2/3) w
  const double speed = 2.0;
  run_events(make_flying_rod(speed), {at_time(0.1, {{0, true, true}})}, 1e-3, 0.101);
  ASSERT_EQ(report.status, RunStatus::finished) << report.message;
  EXPECT_NEAR(spin().z(), 1.5 * speed / kLength, 1e-8);
  EXPECT_NEAR(spin().head<2>().norm(), 0.0, 1e-8);
  EXPECT_NEAR(velocity_of_centre().norm(), 0.75 * speed, 1e-8);
  // the blow takes a quarter of the kinetic energy
  EXPECT_NEAR(report.end.kinetic, 0.75 * 0.5 * kMass * speed * speed, 1e-7);
}

TEST_P(Events, LetGoARodKeepsItsSpinAndTheSpeedOfItsCentre) {
  const double speed = 2.0;
  run_events(make_flying_rod(speed),
             {at_time(0.1, {{0, true, true}}), at_time(0.3, {{0, false, false}})}, 1e-3, 0.6);
  ASSERT_EQ(report.status, RunStatus::finished) << report.message;
  ASSERT_EQ(report.events.size(), 2U);
  EXPECT_NEAR(spin().z(), 1.5 * speed / kLength, 1e-8);
  EXPECT_NEAR(velocity_of_centre().norm(), 0.75 * speed, 1e-8);
  // while held the end circles at rest; the rest is a straight flight from the point of release:
  // angle w t, centre on the circle of L/2
  const double w = 1.5 * speed / kLength;
  const double angle = w * 0.2;
  const Vector3d released(0.5 * kLength * std::cos(angle),
                          speed * 0.1 + 0.5 * kLength * std::sin(angle), 0.0);
  const Vector3d flight = 0.3 * 0.75 * speed * Vector3d(-std::sin(angle), std::cos(angle), 0.0);
  const Vector3d centre =
      ws->tree.origin + ws->tree.p[1] + ws->tree.A_WC[1] * model.tree.bodies[1].com;
  // the trapezoidal rule at 1 ms: (w h)^2/12 of the angle
  EXPECT_NEAR((centre - released - flight).norm(), 0.0, 1e-6);
}

TEST_P(Events, AConditionIsFoundWhereTheNumberCrosses) {
  // free fall from rest: z = -g t^2/2 crosses -0.3 m at sqrt(0.6/g)
  Event event;
  event.name = "stop";
  event.channel = "nose.z";
  event.level = -0.3;
  event.rising = false;
  event.actions = {{0, true, true}};
  run_events(make_falling_block(), {event}, 1e-2, 0.5);
  ASSERT_EQ(report.status, RunStatus::finished) << report.message;
  ASSERT_EQ(report.events.size(), 1U);
  // uniform acceleration is exact in the trapezoidal rule; bisection to 1e-6 of the step
  EXPECT_NEAR(report.events[0].t, std::sqrt(0.6 / kGravity), 2e-8);
  const double z = ws->tree.origin.z() + ws->tree.p[1].z();
  EXPECT_NEAR(z, -0.3, 1e-7);
  EXPECT_NEAR(ws->tree.Z[1].norm(), 0.0, 1e-9);
}

/// An event that fires when the number falls below the level.
Event below(const std::string& channel, double level, const EventAction& action) {
  Event event;
  event.name = channel;
  event.channel = channel;
  event.level = level;
  event.rising = false;
  event.actions = {action};
  return event;
}

TEST_P(Events, OfOneStepAllHappenEachAtItsOwnCrossing) {
  // free fall as above; in the order of the file, against it, and at once
  for (const auto& [level, other] : {std::pair(-0.3, -0.305), {-0.305, -0.3}, {-0.3, -0.3}}) {
    run_events(
        make_falling_blocks(),
        {below("nose.z", level, {0, true, true}), below("other_nose.z", other, {1, true, true})},
        1e-2, 0.5);
    ASSERT_EQ(report.status, RunStatus::finished) << report.message;
    ASSERT_EQ(report.events.size(), 2U) << level << ", " << other;
    for (const RunReport::Happened& happened : report.events)
      EXPECT_NEAR(happened.t,
                  std::sqrt(-2.0 * (happened.event == "nose.z" ? level : other) / kGravity), 2e-8);
    EXPECT_NEAR(ws->tree.origin.z() + ws->tree.p[1].z(), level, 1e-7);
    EXPECT_NEAR(ws->tree.origin.z() + ws->tree.p[2].z(), other, 1e-7);
  }
}

TEST_P(Events, ANumberThatJumpsAcrossItsLevelHasCrossedIt) {
  // held, until 10 N more than the weight pull from 0.2 s on: what the grip carries jumps there
  Mechanism mechanism = make_falling_block();
  mechanism.joints[1].attached = true;
  AppliedLoad load;
  load.name = "pull";
  load.at.body = 0;
  load.direction = -Vector3d::UnitZ();
  load.input =
      add_input(mechanism, "pull_force", Curve::table({{0.0, 0.0}, {0.2, 0.0}, {0.2, 10.0}}));
  mechanism.loads.push_back(load);
  Event let_go = below("grip.Rz", kMass * kGravity + 5.0, {0, false, false});
  let_go.rising = true;  // the ground's action on the block
  run_events(mechanism, {let_go}, 1e-2, 0.5);
  ASSERT_EQ(report.status, RunStatus::finished) << report.message;
  ASSERT_EQ(report.events.size(), 1U);
  EXPECT_NEAR(report.events[0].t, 0.2, 1e-12);
  EXPECT_NEAR(ws->tree.Z[1].z(), -(kGravity + 10.0 / kMass) * 0.3, 1e-8);
}

TEST_P(Events, AGapThatIsClosedBesideASpringKeepsTheBalance) {
  // 0.9 mm below its grip on a stiff spring: closing the gap frees 0.4 J, which count as put in
  Mechanism mechanism = make_falling_block();
  constexpr double kGap = 9e-4;
  constexpr double kStiffness = 1e6;
  add_spring(mechanism, "spring", kGround, 0, {0.0, 0.0, -1.0}, Vector3d::Zero(), kStiffness, 1.0,
             0.0);
  mechanism.joints[0].position = {-kGap};
  run_events(mechanism, {at_time(1e-4, {{0, true, false}})}, 1e-4, 0.01);
  ASSERT_EQ(report.status, RunStatus::finished) << report.message;
  ASSERT_EQ(report.events.size(), 1U);
  EXPECT_NEAR(report.start.elastic, 0.5 * kStiffness * kGap * kGap, 1e-9);
  EXPECT_NEAR(report.end.elastic, 0.0, 1e-9);
  EXPECT_LE(report.energy_error, 1e-9);
  EXPECT_FALSE(is_balance_broken(report));
}

TEST_P(Events, ReleaseByTheForceThatAJointCarries) {
  // held from the start, the grip carries the weight, and lets go when it carries more than nothing
  Mechanism mechanism = make_falling_block();
  mechanism.joints[1].attached = true;
  run_events(mechanism, {at_time(0.2, {{0, false, false}})}, 1e-2, 0.5);
  ASSERT_EQ(report.status, RunStatus::finished) << report.message;
  // rest for 0.2 s, then free fall for 0.3 s
  EXPECT_NEAR(ws->tree.Z[1].z(), -kGravity * 0.3, 1e-9);
  EXPECT_NEAR(ws->tree.origin.z() + ws->tree.p[1].z(), -0.5 * kGravity * 0.09, 1e-9);
}

TEST_P(Events, AnAttachmentThatCannotCloseEndsTheRunInOneLineAndKeepsTheState) {
  run_events(make_falling_block(), {at_time(0.2, {{0, true, false}})}, 1e-2, 0.5);
  EXPECT_EQ(report.status, RunStatus::failed);
  EXPECT_EQ(report.failure, StepStatus::event_impossible);
  EXPECT_NE(report.message.find("'grip' cannot be attached: it is open by 0.1962 m"),
            std::string::npos)
      << report.message;
  EXPECT_NEAR(state.t, 0.2, 1e-12);
  EXPECT_NEAR(ws->tree.Z[1].z(), -kGravity * 0.2, 1e-9);
}

/// A body that flies along x, and a fixed joint that waits for it at the origin, turned by an angle
/// about z.
Mechanism make_caught_body(double speed, double angle) {
  Mechanism mechanism;
  mechanism.name = "caught_body";
  mechanism.gravity.setZero();
  const BodyIndex body =
      add_body(mechanism, "body", kMass, Frame{}, 0.1 * Eigen::Matrix3d::Identity());
  const JointIndex joint = add_joint(mechanism, "flight", JointType::free, kGround, body, Frame{});
  mechanism.joints[static_cast<std::size_t>(joint)].position = {-0.5, 0, 0, 0, 0, angle};
  mechanism.joints[static_cast<std::size_t>(joint)].velocity = {speed, 0, 0, 0, 0, 0};
  const JointIndex grip = add_joint(mechanism, "grip", JointType::fixed, kGround, body, Frame{});
  mechanism.joints[static_cast<std::size_t>(grip)].attached = false;
  return mechanism;
}

// Grasped 0.4 m before its place, let go, and to be attached as designed: it is not there.
TEST_P(Events, ByDesignForgetsWhereItWasGraspedBefore) {
  run_events(make_caught_body(1.0, 0.0),
             {at_time(0.1, {{0, true, true}}), at_time(0.2, {{0, false, false}}),
              at_time(0.3, {{0, true, false}})},
             1e-2, 0.5);
  EXPECT_EQ(report.failure, StepStatus::event_impossible);
  EXPECT_NE(report.message.find("'grip' cannot be attached: it is open by 0.4 m"),
            std::string::npos)
      << report.message;
}

// Rows of a joint are sines of angles: half a turn off they are as closed as at none.
TEST_P(Events, HalfATurnOffIsNoPlaceToAttach) {
  const double pi = std::acos(-1.0);
  for (const auto& [angle, words] :
       {std::pair{pi, "open by 3.142 "}, std::pair{2.0, "open by 2 "}}) {
    run_events(make_caught_body(1.0, angle), {at_time(0.5, {{0, true, false}})}, 1e-2, 0.6);
    EXPECT_EQ(report.failure, StepStatus::event_impossible);
    EXPECT_NE(report.message.find(words), std::string::npos) << report.message;
  }
  run_events(make_caught_body(1.0, 0.0), {at_time(0.5, {{0, true, false}})}, 1e-2, 0.6);
  EXPECT_EQ(report.status, RunStatus::finished) << report.message;
}

TEST(EventsByName, AConditionOnNothingIsRefused) {
  const Model model = compile(make_falling_block());
  Event event;
  event.name = "stop";
  event.channel = "nosy.z";
  RunSettings settings;
  settings.events = {event};
  Workspace ws(model);
  State state = make_initial_state(model);
  initialize(model, settings.step, state, ws);
  EXPECT_THROW(static_cast<void>(run(model, settings, state, ws)), ModelError);
}

}  // namespace
}  // namespace semirec::test
