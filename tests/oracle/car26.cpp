// The benchmark car on the four-post excitation against a Runge-Kutta-Merson solution (tolerance
// 1e-8) that another engine computed (tests/data/car26_shaker.csv).
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/drives.hpp"

namespace semirec::test {
namespace {

struct Errors {
  double chassis = 0.0;
  double wheel = 0.0;  ///< worst of the four
};

Errors rms_errors(double h, int iterations, Formulation formulation = Formulation::hybrid) {
  ShippedDrive car = start_shipped(
      "car26.xml", "shaker.xml", {},
      [&](Scenario& s) {
        s.step = h;
        s.iterations = iterations;
      },
      formulation);
  const auto rows = read_table("car26_shaker.csv");
  const Recorder recorder(car.drive.model, car.drive.recorder);
  const std::array<std::string, 5> names{"chassis.z", "wheel_fl.z", "wheel_fr.z", "wheel_rl.z",
                                         "wheel_rr.z"};
  std::array<std::size_t, 5> index{};
  for (std::size_t k = 0; k < names.size(); ++k)
    while (recorder.channels().at(index[k]).name != names[k]) ++index[k];
  std::array<double, 5> sum{};
  std::size_t count = 0;
  std::vector<double> values;
  Workspace scratch(car.drive.model);
  RunObserver observer;
  observer.record = [&](const State& state, const Energy&) {
    if (count == rows.size() || std::abs(rows[count][0] - state.t) > 1e-9) return true;
    recorder.record(car.drive.model, state, scratch, values);
    for (std::size_t k = 0; k < names.size(); ++k)
      sum[k] += std::pow(values[index[k]] - rows[count][1 + k], 2);
    ++count;
    return true;
  };
  RunSettings settings = car.drive.settings;
  settings.record = 0.0;
  settings.audit = false;
  const RunReport report = run(car.drive.model, settings, car.state, car.ws, observer);
  EXPECT_EQ(report.status, RunStatus::finished) << report.message;
  EXPECT_EQ(count, rows.size());
  Errors errors;
  const auto n = static_cast<double>(count);
  errors.chassis = std::sqrt(sum[0] / n);
  for (std::size_t k = 1; k < 5; ++k) errors.wheel = std::max(errors.wheel, std::sqrt(sum[k] / n));
  return errors;
}

TEST(Car26, FollowsTheReferenceWithTwoIterationsAStep) {
  const Errors coarse = rms_errors(1e-3, 2);
  // the trapezoidal rule's own error is 2e-7 and 4e-6 m at 1 ms
  EXPECT_LE(coarse.chassis, 5e-7);
  EXPECT_LE(coarse.wheel, 6e-6);
  const Errors fine = rms_errors(5e-4, 2);
  // second order: halving the step divides the error by 4
  EXPECT_NEAR(coarse.chassis / fine.chassis, 4.0, 0.3);
  EXPECT_NEAR(coarse.wheel / fine.wheel, 4.0, 0.3);
}

TEST(Car26, ConvergedStepsAreNoBetter) {
  const Errors converged = rms_errors(1e-3, 0);
  EXPECT_LE(converged.chassis, 5e-7);
  EXPECT_LE(converged.wheel, 6e-6);
}

class Car26InOtherCoordinates : public testing::TestWithParam<Formulation> {};

TEST_P(Car26InOtherCoordinates, FollowsTheReference) {
  const Errors coarse = rms_errors(1e-3, 0, GetParam());
  // the same bounds as the hybrid formulation's: the trapezoidal rule's own error
  EXPECT_LE(coarse.chassis, 5e-7);
  EXPECT_LE(coarse.wheel, 6e-6);
  const Errors fine = rms_errors(5e-4, 0, GetParam());
  EXPECT_NEAR(coarse.chassis / fine.chassis, 4.0, 0.3);
  EXPECT_NEAR(coarse.wheel / fine.wheel, 4.0, 0.3);
}

INSTANTIATE_TEST_SUITE_P(All, Car26InOtherCoordinates,
                         testing::Values(Formulation::global, Formulation::topological,
                                         Formulation::recursive, Formulation::cartesian),
                         [](const auto& test) { return std::string(name_of(test.param)); });

TEST(Car21, EndsWhereTheOtherEnginesDo) {
  ShippedDrive car = start_shipped("car21.xml", "shaker.xml");
  RunSettings settings = car.drive.settings;
  settings.audit = false;
  const RunReport report = run(car.drive.model, settings, car.state, car.ws);
  EXPECT_EQ(report.status, RunStatus::finished) << report.message;
  // two other engines agree on 0.5415338 m at t = 10 s; the error at 1 ms is a few 1e-7
  EXPECT_NEAR(channel(car, "chassis.z"), 0.5415338, 1e-6);
}

}  // namespace
}  // namespace semirec::test
