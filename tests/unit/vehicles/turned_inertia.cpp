// The axes in which the inertia of the chassis is written say nothing of where the car looks: the
// same car with its tensor in the world's axes, and in axes turned by `rotation`.

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "vehicles/analysis/steady_state.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/session/session.hpp"

namespace semirec::test {
namespace {

constexpr const char* kTurns[] = {"0 0.05 0", "0.1 -0.2 0.3", "0 0 1.5707963267948966",
                                  "0 0 3.141592653589793"};

Vehicle read(const std::string& model, const std::vector<Override>& overrides = {}) {
  return read_vehicle(std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/" + model, overrides);
}

Vehicle turned(const std::string& model, const char* rotation) {
  return read(model, {parse_override(std::string("chassis.rotation=") + rotation)});
}

/// J = R I R^T, R of the turned one.
Vehicle with_products(const std::string& model, const Vehicle& turned) {
  Vehicle vehicle = read(model);
  const Eigen::Matrix3d R =
      turned.mechanism.bodies[static_cast<std::size_t>(turned.chassis)].X_WB.A;
  Body& chassis = vehicle.mechanism.bodies[static_cast<std::size_t>(vehicle.chassis)];
  chassis.inertia = R * chassis.inertia * R.transpose();
  return vehicle;
}

std::vector<double> drive(const Vehicle& vehicle, const Scenario& scenario) {
  Session session(vehicle, scenario);
  std::vector<double> all(session.outputs().size());
  std::vector<double> history;
  for (int k = 0; k < 2500; ++k) {
    EXPECT_EQ(session.step(), StepStatus::converged);
    if (k % 250 != 249) continue;
    session.read_outputs(all.data());
    for (const char* name :
         {"chassis.x", "chassis.y", "chassis.vx", "chassis.vy", "chassis.roll", "chassis.pitch",
          "chassis.yaw", "chassis.wx", "chassis.wy", "chassis.wz"})
      history.push_back(all[static_cast<std::size_t>(session.find_output(name))]);
  }
  return history;
}

void expect_alike(const std::string& model, const std::string& inside) {
  const Scenario scenario = read_scenario_text(
      "<scenario name=\"turned\" version=\"1\"><run step=\"0.001\" until=\"3\"/>" + inside +
          "</scenario>",
      "turned.xml");
  for (const char* const rotation : kTurns) {
    const Vehicle own = turned(model, rotation);
    const std::vector<double> b = drive(own, scenario);
    const std::vector<double> a = drive(with_products(model, own), scenario);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k)
      EXPECT_NEAR(b[k], a[k], 1e-6 * (1.0 + std::abs(a[k]))) << rotation << ", " << k;
  }
}

TEST(TurnedInertia, LeavesASpeedThatIsControlled) {
  expect_alike("sedan.xml",
               "<start from=\"equilibrium\" speed=\"20\"/><speed mode=\"control\" gain=\"3000\"/>"
               "<input name=\"steering\"><table><point t=\"0\" value=\"0\"/><point t=\"1\" "
               "value=\"0.01\"/></table></input>");
}

TEST(TurnedInertia, LeavesADriverOfTheFile) {
  expect_alike("sedan_driver.xml",
               "<start from=\"equilibrium\" speed=\"20\"/><input "
               "name=\"gear\"><constant value=\"1\"/></input>");
}

TEST(TurnedInertia, LeavesASteadyTurn) {
  for (const char* const rotation : kTurns) {
    const Vehicle own = turned("sedan.xml", rotation);
    SteadyCar turned_car(own, {});
    SteadyCar car(with_products("sedan.xml", own), {});
    const SteadyTurn a = car.turn(22.0, 3.0);
    const SteadyTurn b = turned_car.turn(22.0, 3.0);
    EXPECT_NEAR(b.roll, a.roll, 1e-8) << rotation;
    EXPECT_NEAR(b.pitch, a.pitch, 1e-8) << rotation;
    EXPECT_NEAR(b.sideslip, a.sideslip, 1e-8) << rotation;
    EXPECT_NEAR(b.steering_wheel, a.steering_wheel, 1e-8) << rotation;
    EXPECT_NEAR(b.drive_force, a.drive_force, 1e-4) << rotation;
  }
}

}  // namespace
}  // namespace semirec::test
