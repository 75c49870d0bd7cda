// A drive that ends 100 km from the world's origin is as good as one that ends at 100 m.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/step.hpp"
#include "tests/support/expect_close.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/session/drive.hpp"

namespace semirec::test {
namespace {

/// The same course `way` metres further along x.
Curve moved(const Curve& curve, double way) {
  Curve result;
  for (const Curve::Piece& piece : curve.pieces())
    result.add_piece(piece.from + way, piece.origin + way, piece.c);
  for (Curve::Sine sine : curve.sines()) {
    sine.from += way;
    sine.to += way;
    sine.phase = std::remainder(sine.phase - sine.omega * way, 2.0 * std::numbers::pi);
    result.add_sine(sine);
  }
  return result;
}

/// The Iltis on a course that lies `way` metres along x; its chassis joint starts there.
Drive make_far_drive(const std::string& scenario_file, SpeedMode mode, double way) {
  const std::string folder = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";
  auto [vehicle, scenario] =
      read_drive(folder + "models/iltis.xml", folder + "scenarios/" + scenario_file);
  scenario.speed_mode = mode;
  scenario.road.left = moved(scenario.road.left, way);
  scenario.road.right = moved(scenario.road.right, way);
  for (Joint& joint : vehicle.mechanism.joints)
    if (joint.name == "chassis_joint") {
      joint.position.resize(6, 0.0);
      joint.position[0] += way;
    }
  return make_drive(vehicle, scenario);
}

/// Numbers of the results at every step.
struct Course {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;  ///< [step][channel]
  Eigen::VectorXd channel(const std::string& name) const {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw std::invalid_argument("no channel " + name);
    Eigen::VectorXd values(static_cast<Eigen::Index>(rows.size()));
    for (std::size_t k = 0; k < rows.size(); ++k)
      values[static_cast<Eigen::Index>(k)] =
          rows[k][static_cast<std::size_t>(found - names.begin())];
    return values;
  }
};

/// Drives from `start`, moved by `way` along x.
Course drive_along(const Drive& drive, const State& start, double way, int steps) {
  Workspace ws(drive.model);
  State state = start;
  state.origin.x() += way;
  const Recorder recorder(drive.model, drive.recorder);
  Course course;
  for (const Channel& channel : recorder.channels()) course.names.push_back(channel.name);
  StepSettings settings = drive.settings.step;
  settings.h = 1e-3;
  settings.iterations = 4;  // as many here as there, whatever the last digits say
  std::vector<double> values;
  for (int k = 0; k < steps; ++k) {
    EXPECT_EQ(step(drive.model, settings, state, ws).status, StepStatus::converged) << k;
    recorder.record(drive.model, state, ws, values);
    course.rows.push_back(values);
  }
  return course;
}

constexpr double kNear = 100.0;        // m
constexpr double kFar = 1e5;           // m
constexpr double kSpacing = 1.46e-11;  // m, of double numbers at 100 km
constexpr double kSteepest = 0.2;      // slope of the ramp; the bump has 0.126
// a wheel's place on the road is known to that spacing, the road's height under it to
constexpr double kHeight = kSteepest * kSpacing;  // m
// the car on its tyres answers with more than it is given, and the trapezoidal rule keeps noise
// that alternates from step to step
constexpr double kResponse = 10.0;

struct Case {
  const char* scenario;
  SpeedMode mode;
  double peak;  ///< vertical acceleration that is surely passed, m/s^2
};

class FarDrive : public testing::TestWithParam<Case> {};

// Places in the world would leave 4/h^2 1.46e-11 m = 6e-5 m/s^2 in the accelerations of each step
// at 100 km. Here the state counts from an origin that travels along, so that only the road is less
// well known, and the difference is that of a road whose heights are off by kHeight.
TEST_P(FarDrive, AHundredKilometresAwayIsAsGoodAsAHundredMetres) {
  const Drive near = make_far_drive(GetParam().scenario, GetParam().mode, kNear);
  const Drive far = make_far_drive(GetParam().scenario, GetParam().mode, kFar);
  Workspace ws(near.model);
  const State start = start_drive(near, ws);
  constexpr int kSteps = 8000;  // of 1 ms
  const Course expected = drive_along(near, start, 0.0, kSteps);
  const Course actual = drive_along(far, start, kFar - kNear, kSteps);
  ASSERT_EQ(expected.names, actual.names);

  double stiffness = 0.0;  // of all tyres
  for (const Wheel& wheel : near.wheels) stiffness += wheel.stiffness;
  const double mass = near.model.mechanism.bodies.at(static_cast<std::size_t>(near.chassis)).mass;
  struct Limit {
    const char* channel;
    double way, limit;
  };
  for (const Limit& now :
       {Limit{"chassis.x", kFar - kNear, 2.0 * kSpacing},
        Limit{"chassis.z", 0.0, kResponse * kHeight},
        Limit{"chassis.az", 0.0, kResponse * stiffness * kHeight / mass},
        Limit{"chassis.ax", 0.0, kResponse * stiffness * kHeight / mass},
        Limit{"wheel_fl.road", 0.0, kHeight},
        Limit{"wheel_rr.Fz", 0.0, kResponse * near.wheels.at(3).stiffness * kHeight}}) {
    SCOPED_TRACE(now.channel);
    const Eigen::VectorXd there = actual.channel(now.channel).array() - now.way;
    expect_close(there, expected.channel(now.channel), 0.0, now.limit);
  }
  EXPECT_GT(expected.channel("chassis.az").cwiseAbs().maxCoeff(), GetParam().peak);
}

INSTANTIATE_TEST_SUITE_P(Iltis, FarDrive,
                         testing::Values(Case{"bump_5.xml", SpeedMode::coast, 1.0},
                                         Case{"bump_5.xml", SpeedMode::hold, 1.0},
                                         Case{"ramp_and_stairs.xml", SpeedMode::coast, 30.0},
                                         Case{"ramp_and_stairs.xml", SpeedMode::hold, 30.0}));

}  // namespace
}  // namespace semirec::test
