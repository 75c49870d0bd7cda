// A drive that ends 100 km from the world's origin is as good as one that ends at 100 m.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/step.hpp"
#include "tests/support/expect_close.hpp"
#include "vehicles/drive.hpp"
#include "vehicles/xml/reader.hpp"

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
  Scenario scenario = read_scenario(folder + "scenarios/" + scenario_file);
  scenario.speed_mode = mode;
  scenario.road.left = moved(scenario.road.left, way);
  scenario.road.right = moved(scenario.road.right, way);
  Vehicle vehicle = read_vehicle(folder + "models/iltis.xml", scenario.overrides);
  for (Joint& joint : vehicle.mechanism.joints)
    if (joint.name == "chassis_joint") {
      joint.position.resize(6, 0.0);
      joint.position[0] += way;
    }
  return make_drive(vehicle, scenario);
}

/// Channels at every step, from one and the same state, moved by `way` along x.
struct Course {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;  ///< [step][channel]
  int column(const std::string& name) const {
    const auto found = std::find(names.begin(), names.end(), name);
    EXPECT_NE(found, names.end()) << name;
    return static_cast<int>(found - names.begin());
  }
};

Course drive_along(const Drive& drive, const State& start, double way, int steps) {
  Workspace ws(drive.model);
  State state = start;
  state.origin.x() += way;
  const Recorder recorder(drive.model, drive.recorder);
  Course course;
  for (const Channel& channel : recorder.channels()) course.names.push_back(channel.name);
  StepSettings settings = drive.settings.step;
  settings.h = 1e-3;
  settings.iterations = 4;  // both the same, whatever the last digits say
  std::vector<double> values;
  for (int k = 0; k < steps; ++k) {
    EXPECT_EQ(step(drive.model, settings, state, ws).status, StepStatus::converged) << k;
    recorder.record(drive.model, state, ws, values);
    course.rows.push_back(values);
  }
  return course;
}

constexpr int kSteps = 3000;  // of 1 ms

void report(const Course& a, const Course& b) {
  for (std::size_t c = 0; c < a.names.size(); ++c) {
    double worst = 0, size = 0;
    for (std::size_t k = 0; k < a.rows.size(); ++k) {
      worst = std::max(worst, std::abs(a.rows[k][c] - b.rows[k][c]));
      size = std::max(size, std::abs(a.rows[k][c]));
    }
    if (a.names[c].find("chassis") != std::string::npos || a.names[c].find("Fz") != std::string::npos || a.names[c].find("road") != std::string::npos)
    std::printf("%-20s worst %.3e of %.3e\n", a.names[c].c_str(), worst, size);
  }
}

TEST(FarDrive, X) {
  for (const SpeedMode mode : {SpeedMode::coast, SpeedMode::hold})
    for (const char* file : {"bump_5.xml", "ramp_and_stairs.xml"}) {
      std::printf("--- %d %s\n", static_cast<int>(mode), file);
      const Drive near = make_far_drive(file, mode, 100.0);
      const Drive far = make_far_drive(file, mode, 1e5);
      Workspace ws(near.model);
      const State start = start_drive(near, ws);
      report(drive_along(near, start, 0.0, kSteps), drive_along(far, start, 1e5 - 100.0, kSteps));
    }
}

}  // namespace
}  // namespace semirec::test
