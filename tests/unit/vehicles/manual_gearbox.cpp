// A driver with a manual gearbox: gears by hand from ratios and radius, and the sedan with such a
// gearbox in the place of its automatic.

#include "vehicles/driver/manual_gearbox.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "vehicles/analysis/steady_state.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/manoeuvre/manoeuvre.hpp"
#include "vehicles/manoeuvre/method.hpp"

namespace semirec::test {
namespace {

const std::string kVehicles = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";

/// The shipped sedan, its converter and automatic replaced by these lines.
Vehicle sedan_with(const std::string& coupling_and_gearbox) {
  std::ifstream file(kVehicles + "models/sedan.xml");
  std::stringstream stream;
  stream << file.rdbuf();
  std::string text = stream.str();
  const std::size_t from = text.find("<coupling type=\"converter\">");
  const std::string end = "</gearbox>";
  const std::size_t to = text.find(end) + end.size();
  EXPECT_LT(from, to);
  text.replace(from, to - from, coupling_and_gearbox);
  text.replace(text.find("<input name=\"wind_x\""), 0, "<input name=\"clutch\" value=\"0\"/>");
  return read_vehicle_text(text, kVehicles + "models/sedan.xml");
}

Vehicle manual_sedan() {
  return sedan_with(R"(<coupling type="clutch" capacity="420" input="clutch"/>
    <gearbox type="manual" input="gear" reverse="3.2" efficiency="0.95" shift_time="0.3">
      <gear ratio="3.6"/><gear ratio="2.1"/><gear ratio="1.4"/><gear ratio="1.0"/>
      <gear ratio="0.77"/>
    </gearbox>)");
}

// A motor without an end of its speed has no gear to spare: any is as good as the first.
TEST(ManualGearbox, OfAMotorWithoutLimitStaysInFirstGear) {
  Vehicle car = manual_sedan();
  Motor& motor = car.drivelines.front().motor;
  motor.type = MotorType::electric;
  motor.full = Curve::constant(40.0);
  motor.power = 60e3;
  motor.max_speed = motor.idle_speed = 0.0;
  const auto box = find_manual_gearbox(car);
  ASSERT_TRUE(box.has_value());
  for (const double speed : {5.0, 20.0, 35.0}) EXPECT_EQ(choose_gear(*box, speed), 1) << speed;
  // and where full throttle is short in the gear that is chosen, a lower one is in
  motor.max_speed = 700.0;
  motor.full = Curve::constant(50.0);
  SteadyCar steady(car, {}, SpeedHold::throttle);
  const SteadyTurn turn = steady.turn(35.0, 0.0);
  EXPECT_LT(turn.residual, 1e-6);
  EXPECT_EQ(turn.drive_force, 0.0);
}

// First gear was in at any speed, the motor far beyond its limiter.
TEST(ManualGearbox, HasTheGearInThatASpeedHeldByTheThrottleAsksFor) {
  const auto box = find_manual_gearbox(manual_sedan());
  ASSERT_TRUE(box.has_value());
  SteadyCar car(manual_sedan(), {}, SpeedHold::throttle);
  for (const double speed : {12.0, 20.0, 30.0}) {
    const SteadyTurn turn = car.turn(speed, 0.0);
    const std::vector<double> values = car.channels(turn);
    for (std::size_t k = 0; k < values.size(); ++k)
      if (car.recorder().channels()[k].name == "driveline.gear") {
        EXPECT_EQ(values[k], choose_gear(*box, speed)) << speed;
      }
    EXPECT_LT(turn.residual, 1e-6) << speed;
  }
}

TEST(ManualGearbox, HasNoLatencyOfItsOwn) {
  EXPECT_THROW((void)sedan_with(R"(<coupling type="rigid"/>
    <gearbox type="manual" input="gear" shift_latency="0.5"><gear ratio="3.6"/></gearbox>)"),
               ModelError);
}

TEST(ManualGearbox, IsFoundWhereTheDriverHasToShift) {
  const auto box = find_manual_gearbox(manual_sedan());
  ASSERT_TRUE(box.has_value());
  EXPECT_EQ(box->motor_speed, "driveline.motor_speed");
  EXPECT_EQ(box->clutch, "clutch");
  ASSERT_EQ(box->paces.size(), 5u);
  const double radius = manual_sedan().wheels.front().radius;
  EXPECT_DOUBLE_EQ(box->paces[1], 2.1 * 3.7 / radius);  // ratios of gear and axle over the radius
  EXPECT_EQ(box->idle, 85.0);
  // power 180 * 580 W at its peak, then w (528 - 0.6 w): 80 % of it at
  EXPECT_NEAR(box->fastest, (528.0 + std::sqrt(528.0 * 528.0 - 4.0 * 0.6 * 83520.0)) / 1.2, 0.4);
  EXPECT_FALSE(find_manual_gearbox(read_vehicle(kVehicles + "models/sedan.xml")).has_value());
  EXPECT_FALSE(find_manual_gearbox(sedan_with(R"(<coupling type="rigid"/>
    <gearbox type="manual" input="gear" reverse="3.2"><gear ratio="3.6"/></gearbox>)"))
                   .has_value());
}

TEST(ManualGearbox, GearsFollowTheSpeedWithRoomBetweenUpAndDown) {
  const ManualGearbox box{"", "", {40.0, 20.0, 10.0}, 80.0, 600.0};
  EXPECT_EQ(choose_gear(box, 0.0), 1);
  EXPECT_EQ(choose_gear(box, 13.0), 1);  // 260 rad/s in second, 0.45 * 600 = 270 are asked for
  EXPECT_EQ(choose_gear(box, 14.0), 2);
  EXPECT_EQ(choose_gear(box, 40.0), 3);
  EXPECT_EQ(next_gear(box, 1, 14.2), 1);  // 568 of 570 rad/s
  EXPECT_EQ(next_gear(box, 1, 14.3), 2);
  EXPECT_EQ(next_gear(box, 2, 14.3), 2);
  EXPECT_EQ(next_gear(box, 2, 7.4), 1);  // 148 of 150 rad/s
  EXPECT_EQ(next_gear(box, 3, 100.0), 3);
  EXPECT_EQ(next_gear(box, 1, 0.0), 1);
  EXPECT_EQ(clutch_pedal(box, 70.0), 1.0);
  EXPECT_EQ(clutch_pedal(box, 120.0), 0.5);
  EXPECT_EQ(clutch_pedal(box, 200.0), 0.0);
}

Answer ask(const std::string& name, const Vehicle& vehicle) {
  const Manoeuvre manoeuvre = read_manoeuvre(kVehicles + "manoeuvres/" + name + ".xml");
  return run_manoeuvre(vehicle, manoeuvre);
}

std::vector<double> column(const Table& table, const std::string& name) {
  std::size_t k = 0;
  while (k < table.columns.size() && table.columns[k].name != name) ++k;
  std::vector<double> values;
  for (const std::vector<double>& row : table.rows) values.push_back(row.at(k));
  return values;
}

TEST(ManualGearbox, ADriverLaunchesAndShiftsOneGearAfterTheOther) {
  const Answer answer = ask("acceleration", manual_sedan());
  const Table& history = answer.tables.front();
  const std::vector<double> gear = column(history, "driver.gear");
  const std::vector<double> motor = column(history, "driveline.motor_speed");
  EXPECT_EQ(gear.front(), 1.0);
  EXPECT_GE(gear.back(), 3.0);
  for (std::size_t k = 1; k < gear.size(); ++k) {
    EXPECT_GE(gear[k], gear[k - 1]) << k;
    EXPECT_LE(gear[k], gear[k - 1] + 1.0) << k;
    EXPECT_GT(motor[k], 0.8 * 85.0) << k;    // it does not stall
    EXPECT_LT(motor[k], 1.03 * 680.0) << k;  // the limiter's range
  }
}

TEST(ManualGearbox, ADriveStartsInTheGearOfItsSpeed) {
  const Answer answer = ask("step_steer", manual_sedan());
  const Table& history = answer.tables.front();
  const std::vector<double> gear = column(history, "driver.gear");
  const std::vector<double> speed = column(history, "car.vx");
  EXPECT_EQ(gear.front(), 4.0);  // 27.8 m/s: 331 rad/s of 680 in fourth, 255 in fifth
  EXPECT_EQ(*std::min_element(gear.begin(), gear.end()), 4.0);
  EXPECT_EQ(*std::max_element(gear.begin(), gear.end()), 4.0);
  // until the steering wheel moves the speed stays
  for (std::size_t k = 0; k < speed.size() && history.rows[k][0] < 0.9; ++k)
    EXPECT_NEAR(speed[k], speed.front(), 2e-3) << k;
}

}  // namespace
}  // namespace semirec::test
