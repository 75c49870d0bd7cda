// What rings for ever under the trapezoidal rule, and what a scheme that damps makes of it: a car
// on bushings without damping, over a bump at steps that do not resolve them.

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "integrator/step.hpp"
#include "tests/support/drives.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec::test {
namespace {

struct Ride {
  double ringing = 0.0;  ///< rms of the chassis' forward acceleration from step to step, m/s^2
  double peak = 0.0;     ///< its largest vertical acceleration, m/s^2
};

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
  // second differences leave what changes its sign with every step
  double sum = 0.0;
  for (std::size_t k = 1; k + 1 < forward.size(); ++k)
    sum += std::pow(0.25 * (forward[k - 1] - 2.0 * forward[k] + forward[k + 1]), 2.0);
  result.ringing = std::sqrt(sum / static_cast<double>(forward.size() - 2));
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

}  // namespace
}  // namespace semirec::test
