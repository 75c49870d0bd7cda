// What rings for ever under the trapezoidal rule, and what a scheme that damps makes of it: a car
// on bushings without damping, over a bump at steps that do not resolve them.

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/step.hpp"
#include "tests/support/drives.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/manoeuvre/method.hpp"

namespace semirec::test {
namespace {

struct Ride {
  double ringing = 0.0;  ///< rms of the chassis' forward acceleration from step to step, m/s^2
  double peak = 0.0;     ///< its largest vertical acceleration, m/s^2
};

/// Root mean square of what changes its sign with every step: second differences leave it.
double ringing_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (std::size_t k = 1; k + 1 < values.size(); ++k)
    sum += std::pow(0.25 * (values[k - 1] - 2.0 * values[k] + values[k + 1]), 2.0);
  return std::sqrt(sum / static_cast<double>(values.size() - 2));
}

/// The sedan with undamped bushings over the Iltis' bump, on its way out.
Ride ride(const SchemeChoice& scheme, double h) {
  const std::string folder = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";
  DriveDescription read = read_drive(folder + "models/sedan.xml", folder + "scenarios/bump_5.xml",
                                     {parse_override("form.value=bushing")});
  for (Bushing& bushing : read.vehicle.mechanism.bushings) bushing.damping.setZero();
  read.scenario.step = h;
  read.scenario.scheme = scheme;
  Drive drive = make_drive(read);
  Workspace ws(drive.model);
  State state = start_drive(drive, ws);
  const Recorder recorder(drive.model, drive.recorder);
  std::size_t ax = 0, az = 0;
  for (std::size_t k = 0; k < recorder.channels().size(); ++k) {
    if (recorder.channels()[k].name == "chassis.ax") ax = k;
    if (recorder.channels()[k].name == "chassis.az") az = k;
  }
  Ride result;
  std::vector<double> values, forward;
  RunSettings settings = drive.settings;
  settings.until = 3.0;
  settings.record = 0.0;
  settings.audit = false;
  RunObserver observer;
  observer.record = [&](const State& at, const Energy&) {
    recorder.record(drive.model, at, ws, values);
    if (at.t > 2.0) forward.push_back(values[ax]);
    result.peak = std::max(result.peak, std::abs(values[az]));
    return true;
  };
  Workspace own(drive.model);
  const RunReport report = run(drive.model, settings, state, own, observer);
  EXPECT_EQ(report.status, RunStatus::finished) << report.message;
  result.ringing = ringing_of(forward);
  return result;
}

TEST(RingingBushings, AreQuietedByHhtWithoutChangingTheRide) {
  const Ride trapezoid = ride(SchemeChoice{}, 5e-3);
  const Ride hht = ride(choose_scheme("hht", {{"alpha", -0.1}}), 5e-3);
  // the reference: steps that resolve the bushings
  const Ride fine = ride(SchemeChoice{}, 2.5e-4);
  RecordProperty("trapezoid", std::to_string(trapezoid.ringing));
  RecordProperty("hht", std::to_string(hht.ringing));
  EXPECT_LT(hht.ringing, 0.02);
  EXPECT_LT(hht.ringing, 0.1 * trapezoid.ringing);
  EXPECT_NEAR(hht.peak, fine.peak, 0.005 * fine.peak);
}

/// What a shipped manoeuvre says of the same car.
Answer judge(const std::string& name, const std::string& height, const SchemeChoice& scheme,
             double h) {
  const std::string folder = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";
  Vehicle sedan = read_vehicle(folder + "models/sedan.xml", {parse_override("form.value=bushing")});
  for (Bushing& bushing : sedan.mechanism.bushings) bushing.damping.setZero();
  Manoeuvre manoeuvre =
      read_manoeuvre(folder + "manoeuvres/" + name + ".xml", {{"height", height}});
  manoeuvre.step = manoeuvre.record = h;
  manoeuvre.scenario.scheme = scheme;
  return run_manoeuvre(sedan, manoeuvre, {.quick = true});
}

/// The car and its road are symmetric: what goes sideways is round-off.
bool is_sideways(const std::string& name) {
  return name.find(".y_") != std::string::npos || name.find("roll") != std::string::npos;
}

double ringing_of(const Answer& answer) {
  const Table& history = answer.tables.front();
  std::size_t ax = 0;
  while (history.columns[ax].name != "chassis.ax") ++ax;
  std::vector<double> forward;
  for (std::size_t k = history.rows.size() / 2; k < history.rows.size(); ++k)
    forward.push_back(history.rows[k][ax]);
  return ringing_of(forward);
}

TEST(RingingBushings, LeaveTheRideMetricsAsSmallStepsFindThem) {
  // the reference: steps of a twentieth, which resolve the bushings
  const Answer fine = judge("bump", "0.1", SchemeChoice{}, 2.5e-4);
  const Answer hht = judge("bump", "0.1", choose_scheme("hht", {{"alpha", -0.1}}), 5e-3);
  ASSERT_EQ(hht.quantities.size(), fine.quantities.size());
  for (std::size_t k = 0; k < fine.quantities.size(); ++k) {
    const Quantity& expected = fine.quantities[k];
    if (is_sideways(expected.name)) continue;
    EXPECT_NEAR(hht.quantities[k].value, expected.value, 0.005 * std::abs(expected.value))
        << expected.name;
  }
}

TEST(RingingBushings, AreQuietedOnAPlankWhoseWeightedRideStaysThatOfTheStep) {
  const Answer trapezoid = judge("plank", "0.02", SchemeChoice{}, 5e-3);
  const Answer hht = judge("plank", "0.02", choose_scheme("hht", {{"alpha", -0.1}}), 5e-3);
  RecordProperty("trapezoid", std::to_string(ringing_of(trapezoid)));
  RecordProperty("hht", std::to_string(ringing_of(hht)));
  EXPECT_LT(ringing_of(hht), 0.02);
  // a step is 4 cm of the plank's 30: either scheme is 0.5 to 0.7 % off the fine run; what the
  // damping adds to that must be less
  for (std::size_t k = 0; k < hht.quantities.size(); ++k) {
    const Quantity& other = trapezoid.quantities[k];
    if (other.name.rfind("weighted.z", 0) != 0) continue;
    EXPECT_NEAR(hht.quantities[k].value, other.value, 0.005 * std::abs(other.value)) << other.name;
  }
}

}  // namespace
}  // namespace semirec::test
