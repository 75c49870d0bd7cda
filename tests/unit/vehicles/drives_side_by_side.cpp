// Manoeuvres of several cars side by side against the same ones driven alone.

#include "vehicles/fleet/drives_side_by_side.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "vehicles/files/xml/reader.hpp"
#include "vehicles/manoeuvre/drive_task.hpp"

namespace semirec::test {
namespace {

const std::string kVehicles = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";

/// Steers by what the car does.
struct Weaving final : CarDriver {
  double amplitude = 0.4;  ///< rad
  DriverAction act(const CarMotion& motion) noexcept override {
    DriverAction held;
    held.steering_wheel = amplitude * std::sin(9.0 * motion.t) - 0.2 * motion.yaw_rate;
    held.throttle = 0.1;
    held.force = 100.0;
    return held;
  }
};

/// Drives one after the other, with a car of its own mass.
struct Driven {
  std::string model = "sedan";
  double mass = 1.0;  ///< of that of the file
  std::vector<double> durations{0.3};
  double amplitude = 0.4;
};

/// The last rows of the drives. `stepper` may be null.
std::vector<double> drive(const Driven& car, DriveStepper* stepper, const Progress& progress = {}) {
  Manoeuvre manoeuvre = read_manoeuvre(kVehicles + "manoeuvres/weave.xml");
  manoeuvre.stepper = stepper;
  const Vehicle vehicle =
      read_vehicle(kVehicles + "models/" + car.model + ".xml",
                   {parse_override("chassis.mass=*" + std::to_string(car.mass))});
  std::vector<double> rows;
  for (const double duration : car.durations) {
    Weaving driver;
    driver.amplitude = car.amplitude;
    DriveTask task;
    task.speed = 20.0;
    task.duration = duration;
    task.driver = &driver;
    const History history = semirec::drive(vehicle, manoeuvre, task, progress);
    rows.insert(rows.end(), history.rows.back().begin(), history.rows.back().end());
  }
  return rows;
}

std::vector<std::vector<double>> drive_all(const std::vector<Driven>& cars) {
  std::vector<std::vector<double>> rows(cars.size());
  DrivesSideBySide beside;
  std::vector<std::function<void()>> tasks;
  for (std::size_t k = 0; k < cars.size(); ++k)
    tasks.emplace_back([&, k] { rows[k] = drive(cars[k], &beside); });
  beside.carry_out(std::move(tasks));
  return rows;
}

void expect_same_bits(const std::vector<double>& a, const std::vector<double>& b,
                      const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  for (std::size_t k = 0; k < a.size(); ++k)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a[k]), std::bit_cast<std::uint64_t>(b[k]))
        << what << ": " << k;
}

// Cars that differ in numbers, another car among them, with drives of different lengths and
// numbers. Expected: what comes out where each session takes its own steps. 1e-8 of forces of 1e4
// N, as of SessionsSideBySide.
TEST(DrivesSideBySide, EndWhereTheyEndAlone) {
  const std::vector<Driven> cars{{"sedan", 1.0, {0.2, 0.3}},
                                 {"iltis", 1.0, {0.25}},
                                 {"sedan", 1.1, {0.1, 0.15, 0.3}},
                                 {"sedan", 0.9, {0.5}, 0.8},
                                 {"sedan", 0.95, {}}};
  const auto together = drive_all(cars);
  for (std::size_t k = 0; k < cars.size(); ++k) {
    const std::vector<double> alone = drive(cars[k], nullptr);
    ASSERT_EQ(together[k].size(), alone.size()) << k;
    for (std::size_t q = 0; q < alone.size(); ++q)
      EXPECT_NEAR(together[k][q], alone[q], 1e-8 * std::max(1.0, std::abs(alone[q])))
          << k << ", " << q;
  }
}

TEST(DrivesSideBySide, DoNotDependOnOneAnotherToTheBit) {
  const Driven first{"sedan", 1.0, {0.1, 0.2}};
  const Driven second{"sedan", 1.12, {0.3}};
  const Driven other{"iltis", 0.9, {0.2}};
  const auto forth = drive_all({first, second, other});
  const auto back = drive_all({other, second, first});
  expect_same_bits(forth[0], back[2], "first");
  expect_same_bits(forth[1], back[1], "second");
  expect_same_bits(forth[2], back[0], "other");
  expect_same_bits(forth[1], drive_all({second}).front(), "second by itself");
}

// Where one is interrupted all are left, and what they hold is given back.
TEST(DrivesSideBySide, AreLeftWhereOneIsInterrupted) {
  struct Counted {
    int& left;
    ~Counted() { ++left; }
  };
  int left = 0;
  int ended = 0;
  DrivesSideBySide beside;
  const auto task = [&](bool stops) {
    return [&, stops] {
      const Counted counted{left};
      int calls = 0;
      drive({"sedan", 1.0, {0.5, 0.5}}, &beside,
            [&](double, const std::string&) { return !stops || ++calls < 3; });
      ++ended;
    };
  };
  EXPECT_THROW(beside.carry_out({task(false), task(true), task(false)}), Interrupted);
  EXPECT_EQ(left, 3);
  EXPECT_EQ(ended, 0);
}

// A car that cannot be driven so says so by itself; the others go on.
TEST(DrivesSideBySide, OneThatFailsLeavesTheOthersAlone) {
  const Driven good{"sedan", 1.0, {0.3}};
  std::string trouble;
  std::vector<double> rows;
  DrivesSideBySide beside;
  beside.carry_out({[&] {
                      try {
                        drive({"sedan", 1.0, {0.3}, 1e6}, &beside);
                      } catch (const AnalysisError& error) {
                        trouble = error.what();
                      }
                    },
                    [&] { rows = drive(good, &beside); }});
  EXPECT_NE(trouble.find("expected a milder manoeuvre"), std::string::npos) << trouble;
  expect_same_bits(rows, drive_all({good}).front(), "good");
}

}  // namespace
}  // namespace semirec::test
