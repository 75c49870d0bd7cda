// A road that has no height somewhere, by numbers beyond all bounds: no wheel stands on it in
// silence.

#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "integrator/simulation.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/road/wheel_contact.hpp"
#include "vehicles/session/drive.hpp"

namespace semirec::test {
namespace {

/// Level up to a place, and nothing beyond it.
class BrokenOff final : public RoadSurface {
 public:
  explicit BrokenOff(double end) : end_(end) {}
  RoadPoint evaluate(double x, double) const override {
    return {x < end_ ? 0.0 : std::numeric_limits<double>::quiet_NaN(), 0.0, 0.0, 1.0};
  }
  void put_into(Fingerprint& fingerprint) const override { fingerprint("broken off", end_); }

 private:
  double end_;
};

Drive sedan_on(double end, ContactMethod method) {
  Scenario scenario;
  scenario.step = 1e-3;
  scenario.until = 0.2;
  scenario.speed = 20.0;
  scenario.surface = std::make_shared<BrokenOff>(end);
  scenario.contact_method = method;
  return make_drive(
      read_vehicle(std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/sedan.xml", {}), scenario);
}

class RoadWithoutHeight : public testing::TestWithParam<ContactMethod> {};

TEST_P(RoadWithoutHeight, IsRefusedUnderAWheelAtTheStart) {
  const Drive drive = sedan_on(-1e3, GetParam());
  Workspace ws(drive.model);
  try {
    (void)start_drive(drive, ws);
    FAIL() << "started";
  } catch (const ModelError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find(".xml:"), std::string::npos) << message;
    EXPECT_NE(message.find("element 'wheel_"), std::string::npos) << message;
    EXPECT_NE(message.find("is not finite"), std::string::npos) << message;
  }
}

TEST_P(RoadWithoutHeight, EndsTheRunWhereTheFirstWheelMeetsIt) {
  Drive drive = sedan_on(3.0, GetParam());
  Workspace ws(drive.model);
  State state = start_drive(drive, ws);
  const RunReport report = run(drive.model, drive.settings, state, ws);
  EXPECT_EQ(report.status, RunStatus::failed);
  EXPECT_EQ(report.failure, StepStatus::non_finite);
  // 3 m at 20 m/s, less what a wheel's centre or its patch is ahead of the origin
  EXPECT_GT(state.t, 0.05);
  EXPECT_LT(state.t, 0.16);
  EXPECT_TRUE(state.z.allFinite());
}

INSTANTIATE_TEST_SUITE_P(Methods, RoadWithoutHeight,
                         testing::Values(ContactMethod::point, ContactMethod::disc,
                                         ContactMethod::cams),
                         [](const auto& test) {
                           return std::string(test.param == ContactMethod::point  ? "Point"
                                              : test.param == ContactMethod::disc ? "Disc"
                                                                                  : "Cams");
                         });

}  // namespace
}  // namespace semirec::test
