// Small cars in the JSON of Chrono::Vehicle, imported with tyres, engine and transmission: they
// stand as their files imply and drive a step steer.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/simulation.hpp"
#include "tests/support/chrono_walk.hpp"
#include "vehicles/files/chrono/import.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/session/drive.hpp"
#include "vehicles/session/session.hpp"

namespace semirec::test {
namespace {

namespace fs = std::filesystem;
using Eigen::Vector2d;

constexpr double kGravity = 9.81;  // m/s^2
constexpr double kSpeed = 20.0;    // m/s

struct DrivenCar {
  std::string name, vehicle, tyre;
  double tyre_mass;          // of its JSON, kg
  double radius, stiffness;  // of its tyre, m and N/m
  std::string steering;      // input
  double angle;              // its step, m or rad
};

std::ostream& operator<<(std::ostream& out, const DrivenCar& car) { return out << car.name; }

/// Stiffness of a TMeasy tyre that gives its load index only: 16 % of the section height at the
/// load of the index (kg, ISO 4000-1).
double by_load_index(double kilograms, double radius, double rim) {
  return kGravity * kilograms / (0.16 * (radius - rim));
}

using Channels = std::map<std::string, double>;

Channels channels_of(const Drive& drive, const State& state, Workspace& ws) {
  const Recorder recorder(drive.model, drive.recorder);
  std::vector<double> values;
  recorder.record(drive.model, state, ws, values);
  Channels channels;
  for (std::size_t k = 0; k < values.size(); ++k) channels[recorder.channels()[k].name] = values[k];
  return channels;
}

/// All of them, for messages.
std::string in_words(const Channels& channels) {
  std::ostringstream text;
  text.precision(9);
  for (const auto& [name, value] : channels) text << "\n  " << name << " = " << value;
  return text.str();
}

/// Of the circle through three points, 1/m, positive to the left.
double curvature(const Vector2d& a, const Vector2d& b, const Vector2d& c) {
  const Vector2d u = b - a;
  const Vector2d v = c - b;
  return 2.0 * (u.x() * v.y() - u.y() * v.x()) / (u.norm() * v.norm() * (c - a).norm());
}

class ChronoDrive : public testing::TestWithParam<DrivenCar> {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "semirec_chrono_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
    fs::copy(chrono_folder(), root_);
  }
  void TearDown() override {
    if (!root_.empty()) fs::remove_all(root_);
  }

  Vehicle import() const {
    const DrivenCar& car = GetParam();
    chrono::ImportOptions options;
    options.vehicle = car.vehicle;
    options.tyre = car.tyre;
    options.engine = "engine.json";
    options.transmission = "gearbox.json";
    options.xml_folder = root_.string();
    const auto result = chrono::import_vehicle(chrono::JsonFolder(root_.string()), options);
    for (const std::string& note : result.notes)
      EXPECT_EQ(note.find("not covered: Driveline"), std::string::npos) << note;
    const fs::path file = root_ / "car.xml";
    std::ofstream(file) << result.xml;
    return read_vehicle(file.string());
  }

  Scenario turn(double speed) const {
    Scenario scenario;
    scenario.name = "turn";
    scenario.start = StartMode::equilibrium;
    scenario.speed = speed;
    scenario.step = 1e-3;
    scenario.until = 3.0;
    if (speed > 0.0) {
      const double angle = GetParam().angle;
      scenario.inputs.push_back(
          {GetParam().steering, Curve::table({{0.2, 0.0}, {0.35, angle}}, false), {}});
      scenario.inputs.push_back({"throttle", Curve::constant(0.2), {}});
    } else {
      scenario.inputs.push_back({"gear", Curve::constant(0.0), {}});
    }
    return scenario;
  }

  fs::path root_;
};

TEST_P(ChronoDrive, StandsAsItsFilesImply) {
  const DrivenCar& car = GetParam();
  const Vehicle vehicle = import();
  const Drive drive = make_drive(vehicle, turn(0.0));
  Workspace ws(drive.model);
  EquilibriumReport report;
  const State state = start_drive(drive, ws, &report);
  Channels now = channels_of(drive, state, ws);
  SCOPED_TRACE(in_words(now));

  EXPECT_LT(report.residual, 1e-6);  // N
  EXPECT_LT(report.Phi, 1e-12);      // m
  const ChronoStand stand =
      stand_of_json(root_, car.vehicle, car.tyre_mass, car.radius, car.stiffness);
  double mass = 0.0;
  for (const Body& body : vehicle.mechanism.bodies) mass += body.mass;
  EXPECT_NEAR(mass, stand.mass, 1e-9 * mass);  // sum over the JSON files
  EXPECT_NEAR(2.0 * (stand.load[0] + stand.load[1]), stand.mass * kGravity, 1e-3);

  // an independent balance of the same hardpoints, springs, stops (on which the van stands behind)
  // and masses. It is symmetric: a Pitman arm beside the middle tilts the car by 2e-5 rad, which is
  // why sides are averaged
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string axle = i == 0 ? "wheel_f" : "wheel_r";
    const auto mean = [&](const char* channel) {
      return 0.5 * (now.at(axle + "l" + channel) + now.at(axle + "r" + channel));
    };
    EXPECT_NEAR(mean(".Fz"), stand.load[i], 1e-4 * stand.load[i]) << axle;
    EXPECT_NEAR(mean(".z"), stand.wheel_height[i], 1e-5) << axle;
  }
  EXPECT_NEAR(now.at("chassis.z"), stand.height, 2e-5);
  EXPECT_NEAR(now.at("chassis.pitch"), stand.pitch, 1e-5);
}

TEST_P(ChronoDrive, DrivesAStepSteer) {
  const Vehicle vehicle = import();
  const Drive drive = make_drive(vehicle, turn(kSpeed));
  Workspace ws(drive.model);
  Workspace scratch(drive.model);
  State state = start_drive(drive, ws);
  std::vector<Channels> last;  // every 0.1 s
  RunSettings settings = drive.settings;
  settings.max_halvings = 0;
  settings.record = 0.1;
  RunObserver observer;
  observer.record = [&](const State& at, const Energy&) {
    last.push_back(channels_of(drive, at, scratch));
    return true;
  };
  const RunReport report = run(drive.model, settings, state, ws, observer);
  SCOPED_TRACE(in_words(channels_of(drive, state, ws)));

  ASSERT_EQ(report.status, RunStatus::finished) << report.message;
  EXPECT_EQ(report.steps, 3000);
  EXPECT_EQ(report.halved, 0);
  EXPECT_LE(report.iterations_mean, 2.0);
  EXPECT_LE(report.Phi, 1e-9);
  // of some 40 kJ that motor and brakes of all kinds turn over: terms of order two of the step
  EXPECT_LT(report.energy_error, 0.05) << "J";

  // straight on before the hand moves, at the speed that was asked for
  const Channels& start = last.front();
  EXPECT_NEAR(start.at("chassis.vx"), kSpeed, 1e-9);
  EXPECT_LT(std::abs(start.at("chassis.ay")), 1e-3);
  EXPECT_LT(std::abs(start.at("chassis.az")), 1e-3);
  for (const char* wheel : {"wheel_fl", "wheel_fr", "wheel_rl", "wheel_rr"})
    EXPECT_LT(std::abs(start.at(std::string(wheel) + ".kappa")), 0.05) << wheel;

  // the last half second is a steady turn to the left: kinematics of a circle
  ASSERT_GE(last.size(), 6U);
  const auto place = [&](std::size_t back) {
    const Channels& at = last[last.size() - 1 - back];
    return Vector2d(at.at("chassis.x"), at.at("chassis.y"));
  };
  const double bend = curvature(place(4), place(2), place(0));
  const Channels& middle = last[last.size() - 3];
  const Vector2d velocity(middle.at("chassis.vx"), middle.at("chassis.vy"));
  const Vector2d acceleration(middle.at("chassis.ax"), middle.at("chassis.ay"));
  const double speed = velocity.norm();
  const double across = (velocity.x() * acceleration.y() - velocity.y() * acceleration.x()) / speed;
  const double yaw_rate = middle.at("chassis.wz");
  SCOPED_TRACE(testing::Message() << "speed " << speed << ", across " << across << ", yaw rate "
                                  << yaw_rate << ", radius " << 1.0 / bend);
  EXPECT_GT(yaw_rate, 0.1);
  EXPECT_GT(across, 2.0);
  EXPECT_LT(across, 7.0);
  EXPECT_NEAR(yaw_rate * speed, across, 0.05 * across);
  EXPECT_NEAR(speed * bend, yaw_rate, 0.05 * yaw_rate);
  EXPECT_GT(middle.at("chassis.roll"), 0.005);  // leans out of the turn, to the right
  EXPECT_GT(middle.at("wheel_fr.Fz"), middle.at("wheel_fl.Fz"));

  // the same in a session, which does two iterations whatever comes
  Session session(vehicle, turn(kSpeed));
  for (int k = 0; k < 3000; ++k)
    ASSERT_EQ(session.step(), StepStatus::converged) << "at t = " << session.time();
  std::vector<double> outputs(session.outputs().size());
  session.read_outputs(outputs.data());
  const Channels end = channels_of(drive, state, ws);
  // inputs that bend are stepped over here and stopped at there
  for (const auto& [name, within] :
       {std::pair("chassis.x", 1e-2), std::pair("chassis.y", 1e-2), std::pair("chassis.wz", 1e-3)})
    EXPECT_NEAR(outputs[static_cast<std::size_t>(session.find_output(name))], end.at(name), within)
        << name;
}

std::string name_of_car(const testing::TestParamInfo<DrivenCar>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(
    All, ChronoDrive,
    testing::Values(DrivenCar{"RoadsterTMeasy", "roadster.json", "tyre.json", 9.0, 0.3,
                              by_load_index(560.0, 0.3, 0.19), "rack", 0.005},
                    // radius and VERTICAL_STIFFNESS of the .tir file
                    DrivenCar{"RoadsterPac02", "roadster.json", "tyre_property_file.json", 9.0,
                              0.3284, 220000.0, "rack", 0.005},
                    DrivenCar{"Van", "van.json", "tyre.json", 9.0, 0.3,
                              by_load_index(560.0, 0.3, 0.19), "pitman", 0.022}),
    name_of_car);

}  // namespace
}  // namespace semirec::test
