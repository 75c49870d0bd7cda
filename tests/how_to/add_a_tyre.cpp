// The tyre law of docs/how_to/add_a_tyre.md on the sedan.

#include "pages/add_a_tyre.cpp"

#include <cmath>

#include <gtest/gtest.h>

#include "vehicles/files/xml/reader.hpp"
#include "vehicles/session/session.hpp"

namespace semirec::test {
namespace {

TEST(AddATyrePage, SideForcesOfASteadyTurnAreMassTimesSpeedTimesYawRate) {
  const std::string vehicles = SEMIREC_SOURCE_DIR "/vehicles/";
  const Scenario scenario = read_scenario(vehicles + "scenarios/step_steer.xml");
  Vehicle sedan = read_vehicle(vehicles + "models/sedan.xml", scenario.overrides);
  double mass = 0.0;
  for (const Body& body : sedan.mechanism.bodies) mass += body.mass;
  for (Wheel& wheel : sedan.wheels)
    wheel.law = page_add_a_tyre::make_saturating_tyre(wheel.law->unloaded_radius());
  Session session(sedan, scenario);
  while (session.time() < 4.0 - 1e-9) ASSERT_EQ(session.step(), StepStatus::converged);

  std::vector<double> outputs(session.outputs().size());
  session.read_outputs(outputs.data());
  const auto value = [&](const std::string& name) {
    return outputs.at(static_cast<std::size_t>(session.find_output(name)));
  };
  const Eigen::Vector2d v(value("chassis.vx"), value("chassis.vy"));
  const Eigen::Vector2d across = Eigen::Vector2d(-v.y(), v.x()).normalized();  // to the left
  Eigen::Vector2d force(0.0, 0.0);
  for (const Wheel& wheel : sedan.wheels)
    force += Eigen::Vector2d(value(wheel.name + ".Fx"), value(wheel.name + ".Fy"));
  const double centripetal = mass * v.norm() * value("chassis.wz");
  EXPECT_GT(centripetal, 0.2 * mass * 9.81);  // it does turn, to the left
  // what is left of roll and yaw after 4 s, the air, and the chassis taken for the whole car
  EXPECT_NEAR(force.dot(across), centripetal, 0.02 * centripetal);
}

}  // namespace
}  // namespace semirec::test
