// Cars at random, side by side against each by itself, and as a yardstick each by itself with its
// tangent stored in another way: masses, springs, tyres, speeds, roads, wheel
// and pedals, brakes that lock, wheels that leave the ground, shifts, steps that fail.
// SEMIREC_CARS=1000 for as many of them; SEMIREC_PRINT=1 for what each differs by.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/batch/batch.hpp"
#include "integrator/batch/run_side_by_side.hpp"
#include "integrator/outputs/recorder.hpp"
#include "tests/support/drives.hpp"
#include "tests/support/random_mechanism.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/road/random_road.hpp"

namespace semirec::test {
namespace {

Input ramp(const std::string& name, double when, double length, double before, double after) {
  Curve curve;
  curve.add_piece(-1e300, 0.0, {before});
  curve.add_piece(when, when, {before, (after - before) / length});
  curve.add_piece(when + length, when + length, {after});
  return {name, curve, {}};
}

/// One car of many.
ShippedDrive make_car(std::uint64_t seed, TangentChoice tangent) {
  Random random(seed);
  const auto number = [&](const std::string& what, double low, double high) {
    return what + std::to_string(random.number(low, high));
  };
  std::vector<Override> numbers;
  for (const std::string& text :
       {number("chassis.mass=*", 0.9, 1.3), number("spring_f*.k=*", 0.7, 1.4),
        number("spring_r*.k=*", 0.7, 1.4), number("torsion_front.stiffness=*", 0.5, 2.0),
        number("wheel_*.friction_scale=", 0.5, 1.1), number("damping_fl.value=*", 0.5, 1.5)})
    numbers.push_back(parse_override(text));
  const std::string root = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";
  DriveDescription read =
      read_drive(root + "models/sedan.xml", root + "scenarios/step_steer.xml", numbers);
  Scenario& scenario = read.scenario;
  scenario.speed = random.number(4.0, 30.0);
  scenario.surface = std::make_shared<RandomRoad>(RandomRoadSettings{
      static_cast<char>('A' + static_cast<int>(random.number(0.0, 4.0))), seed + 1, 200.0});
  const auto drive_with = [&](const Input& input) {
    std::erase_if(scenario.inputs, [&](const Input& own) { return own.name == input.name; });
    scenario.inputs.push_back(input);
  };
  drive_with(ramp("steering", random.number(0.1, 2.0), random.number(0.05, 1.0), 0.0,
                  random.number(-1.5, 1.5)));
  const double what = random.number(0.0, 3.0);
  if (what < 1.0)
    drive_with(ramp("brake", random.number(0.5, 3.0), 0.2, 0.0, random.number(0.1, 1.0)));
  else if (what < 2.0)
    drive_with(ramp("throttle", random.number(0.2, 2.0), 0.3, 0.05, random.number(0.2, 1.0)));
  Drive drive = make_drive(read, {.tangent = tangent});
  Workspace ws(drive.model);
  State state = start_drive(drive, ws);
  return {std::move(drive), std::move(ws), std::move(state)};
}

/// The largest difference of a run's outputs from those of another one, each relative to its size:
/// what it reaches, a hundredth of its unit at least, of accelerations of one.
class Difference {
 public:
  explicit Difference(const Recorder& recorder)
      : channels_(recorder.channels()), size_(channels_.size()), distance_(channels_.size(), 0.0) {
    for (std::size_t k = 0; k < channels_.size(); ++k)
      size_[k] = channels_[k].unit.ends_with("s^2") ? 1.0 : 1e-2;
  }
  void add(const std::vector<double>& a, const std::vector<double>& b) {
    for (std::size_t k = 0; k < channels_.size(); ++k) {
      size_[k] = std::max(size_[k], std::abs(a[k]));
      distance_[k] = std::max(distance_[k], std::abs(a[k] - b[k]));
    }
  }
  /// It and the channel's name.
  std::pair<double, std::string> largest() const {
    std::pair<double, std::string> most;
    for (std::size_t k = 0; k < channels_.size(); ++k)
      most = std::max(most, {distance_[k] / size_[k], channels_[k].name});
    return most;
  }

 private:
  const std::vector<Channel>& channels_;
  std::vector<double> size_, distance_;
};

TEST(CarsSideBySide, AreThoseByThemselvesOverCarsAtRandom) {
  const char* asked = std::getenv("SEMIREC_CARS");
  const int count = asked != nullptr ? std::atoi(asked) : 40;
  const int lanes = cars_side_by_side();
  std::vector<double> differences;
  std::vector<double> yardsticks;
  std::array<long, 3> seen{};  // halved steps, cars that stop, cars that shift
  for (int first = 0; first < count; first += lanes) {
    std::vector<ShippedDrive> cars;
    std::vector<ShippedDrive> dense;
    for (int k = first; k < std::min(count, first + lanes); ++k) {
      cars.push_back(make_car(static_cast<std::uint64_t>(k), TangentChoice::automatic));
      dense.push_back(make_car(static_cast<std::uint64_t>(k), TangentChoice::dense));
    }
    RunSettings settings = cars.front().drive.settings;
    settings.step.h = 2e-3;
    settings.until = 5.0;
    settings.record = 0.05;
    settings.audit = false;
    std::vector<std::vector<std::vector<double>>> alone(cars.size());
    std::vector<std::vector<std::vector<double>>> beside(cars.size());
    std::vector<std::vector<std::vector<double>>> otherwise(cars.size());
    std::vector<std::unique_ptr<Recorder>> recorders;
    std::vector<std::unique_ptr<Workspace>> scratch;
    std::vector<RunObserver> observers(cars.size());
    std::vector<RunOfCar> runs;
    std::vector<RunReport> expected;
    for (std::size_t k = 0; k < cars.size(); ++k) {
      const Model& model = cars[k].drive.model;
      recorders.push_back(std::make_unique<Recorder>(model, cars[k].drive.recorder));
      scratch.push_back(std::make_unique<Workspace>(model));
      const auto into = [&model, &recorder = *recorders[k],
                         &ws = *scratch[k]](std::vector<std::vector<double>>& rows) {
        return [&](const State& at, const Energy& /*none*/) {
          recorder.record(model, at, ws, rows.emplace_back());
          return true;
        };
      };
      State state = cars[k].state;
      expected.push_back(run(model, settings, state, cars[k].ws, {into(alone[k]), {}}));
      state = cars[k].state;
      static_cast<void>(
          run(dense[k].drive.model, settings, state, dense[k].ws, {into(otherwise[k]), {}}));
      observers[k].record = into(beside[k]);
      runs.push_back({&model, &cars[k].state, &cars[k].ws, &observers[k]});
    }
    const std::vector<RunReport> reports = run_side_by_side(settings, runs);
    for (std::size_t k = 0; k < cars.size(); ++k) {
      ASSERT_EQ(reports[k].status, expected[k].status) << first + static_cast<int>(k);
      ASSERT_EQ(beside[k].size(), alone[k].size());
      Difference difference(*recorders[k]);
      Difference yardstick(*recorders[k]);
      for (std::size_t i = 0; i < alone[k].size(); ++i) {
        difference.add(alone[k][i], beside[k][i]);
        yardstick.add(alone[k][i], otherwise[k][i]);
      }
      const auto [largest, where] = difference.largest();
      differences.push_back(largest);
      yardsticks.push_back(yardstick.largest().first);
      seen[0] += reports[k].halved;
      seen[1] += std::abs(channel(cars[k], "chassis.vx")) < 0.5 ? 1 : 0;
      seen[2] += channel(cars[k], "driveline.gear") != 3.0 ? 1 : 0;
      if (std::getenv("SEMIREC_PRINT") != nullptr)
        std::cout << "car " << first + static_cast<int>(k) << ": " << largest << " of " << where
                  << ", halved " << reports[k].halved << ", end " << channel(cars[k], "chassis.vx")
                  << " m/s, gear " << channel(cars[k], "driveline.gear") << "\n";
    }
  }
  const auto say = [](std::vector<double>& of, const char* what) {
    std::sort(of.begin(), of.end());
    std::cout << of.size() << " cars, " << what << ": half of them within " << of[of.size() / 2]
              << ", nine tenths " << of[of.size() * 9 / 10] << ", all " << of.back()
              << " of each output's size\n";
  };
  say(differences, "side by side");
  say(yardsticks, "with another storage of the tangent");
  std::cout << seen[0] << " steps halved, " << seen[1] << " cars have stopped, " << seen[2]
            << " have shifted\n";
  // round-off, and what the motion makes of it
  EXPECT_LE(differences[differences.size() / 2], 2.0 * yardsticks[yardsticks.size() / 2]);
  EXPECT_LE(differences[differences.size() * 9 / 10], 1e-10);
  EXPECT_LE(differences.back(), 1e-8);
}

}  // namespace
}  // namespace semirec::test
