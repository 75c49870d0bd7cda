// Outputs that follow other values of inputs while the state stays: against closed forms, in every
// formulation, and against the momentum of a whole car.
#include "vehicles/session/outputs_at_once.hpp"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/heap_guard.hpp"
#include "tests/support/sessions.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec::test {
namespace {

/// Values of the named outputs by an OutputsAtOnce.
class Asked {
 public:
  Asked(const Session& session, OutputsAtOnce& outputs, const std::vector<std::string>& names)
      : outputs_(outputs), values_(names.size()) {
    std::vector<std::size_t> places;
    for (const std::string& name : names) {
      EXPECT_GE(session.find_output(name), 0) << name;
      places.push_back(static_cast<std::size_t>(session.find_output(name)));
    }
    choice_ = session.choose_outputs(places);
  }
  const std::vector<double>& with(int input, double value) {
    outputs_.set_input(input, value);
    EXPECT_TRUE(outputs_.read(choice_, values_.data()));
    return values_;
  }

 private:
  OutputsAtOnce& outputs_;
  OutputChoice choice_;
  std::vector<double> values_;
};

class OutputsAtOnceIn : public testing::TestWithParam<Formulation> {};
INSTANTIATE_TEST_SUITE_P(All, OutputsAtOnceIn, testing::ValuesIn(all_formulations()),
                         [](const auto& test) { return std::string(name_of(test.param)); });

// A rod of 2 kg and 1 m about its end: 1.5 m/s^2 at the tip for each newton metre. Held there by a
// strut it is accelerated no longer, and the strut has a newton for each.
TEST_P(OutputsAtOnceIn, FollowATorque) {
  const auto session =
      make_session("tests/data/rotor.xml", "tests/data/catch_and_let_go.xml", 1e-3, GetParam());
  const int torque = session->find_input("torque");
  OutputsAtOnce outputs(*session);
  Asked asked(*session, outputs, {"tip.ay", "strut.Ry", "torque.value", "tip.vy"});
  outputs.follow(*session);
  for (const double value : {8.0, -3.0, 0.0}) {
    const std::vector<double>& found = asked.with(torque, value);
    EXPECT_NEAR(found[0], 1.5 * value, 1e-9);
    EXPECT_NEAR(found[1], 0.0, 1e-6);
    EXPECT_EQ(found[2], value);
    EXPECT_EQ(found[3], 0.0);
  }
  for (int k = 0; k < 50; ++k) ASSERT_EQ(session->step(), StepStatus::converged);
  outputs.follow(*session);
  const double now = outputs.value(torque);
  const std::vector<double> before = asked.with(torque, now);
  const std::vector<double>& after = asked.with(torque, now + 20.0);
  EXPECT_NEAR(after[0], before[0], 1e-6);
  EXPECT_NEAR(after[1], before[1] - 20.0, 1e-6);
  EXPECT_EQ(after[3], before[3]);
}

// Wind from the side, straight on: what the air gives, its side force and a part of the drag, is
// the change of the momentum of all bodies; tyres wait for their slips.
TEST(OutputsAtOnceOfACar, ChangeItsMomentumByTheForceOfTheAir) {
  const std::string root = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";
  DriveDescription read = read_drive(root + "models/sedan.xml", root + "scenarios/step_steer.xml");
  std::vector<std::string> names{"aero.side", "aero.drag", "chassis.vx", "wheel_fl.Fy",
                                 "wheel_rr.Fy"};
  const std::size_t first = names.size();
  for (const Body& body : read.vehicle.mechanism.bodies) {
    read.scenario.bodies.push_back(body.name);
    names.push_back(body.name + ".ay");
  }
  Session session(read);
  for (int k = 0; k < 400; ++k) ASSERT_EQ(session.step(), StepStatus::converged);
  const int wind = session.find_input("wind_y");
  OutputsAtOnce outputs(session);
  outputs.follow(session);
  Asked asked(session, outputs, names);
  const std::vector<double> before = asked.with(wind, 0.0);
  const double across = 12.0;
  const std::vector<double>& after = asked.with(wind, across);
  EXPECT_EQ(after[3], before[3]);
  EXPECT_EQ(after[4], before[4]);
  double momentum = 0.0;
  for (std::size_t k = first; k < names.size(); ++k)
    momentum += read.vehicle.mechanism.bodies[k - first].mass * (after[k] - before[k]);
  EXPECT_GT(std::abs(momentum), 50.0);
  // drag acts along the wind that the car meets
  const double given = after[0] - before[0] + after[1] * across / std::hypot(after[2], across);
  constexpr double kPitching = 1e-4;  // of the speed: the air's point is not the centre of mass
  EXPECT_NEAR(momentum, given, kPitching * std::abs(momentum));
}

// Steps, outputs at once, and steps again: the bits of steps alone; and no memory is taken.
TEST(OutputsAtOnceOfACar, LeaveTheSessionAlone) {
  const auto read_between =
      make_session("vehicles/models/sedan.xml", "vehicles/scenarios/step_steer.xml");
  const auto left_alone =
      make_session("vehicles/models/sedan.xml", "vehicles/scenarios/step_steer.xml");
  OutputsAtOnce outputs(*read_between);
  std::vector<std::size_t> all(read_between->outputs().size());
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = k;
  const OutputChoice choice = read_between->choose_outputs(all);
  std::vector<double> values(all.size()), expected(all.size());
  const int throttle = read_between->find_input("throttle");
  bool good = true;
  const HeapGuard guard;
  for (int k = 0; k < 200; ++k) {
    outputs.follow(*read_between);
    outputs.set_input(throttle, 0.01 * (k % 100));
    good = outputs.read(choice, values.data()) && good;
    good = read_between->step() == StepStatus::converged && good;
    good = left_alone->step() == StepStatus::converged && good;
  }
  if (HeapGuard::works()) {
    EXPECT_EQ(guard.calls(), 0);
  }
  EXPECT_TRUE(good);
  read_between->read_outputs(values.data());
  left_alone->read_outputs(expected.data());
  EXPECT_EQ(values, expected);
}

}  // namespace
}  // namespace semirec::test
