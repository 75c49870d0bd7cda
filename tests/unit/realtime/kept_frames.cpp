// Frames that are kept of a run: which periods, their outputs and states to the bit, and whom the
// link is handed on to.

#include "apps/realtime/kept_frames.hpp"

#include <gtest/gtest.h>

#include "vehicles/files/xml/reader.hpp"

namespace semirec::realtime {
namespace {

const std::string kVehicles = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";

/// Counts its periods.
struct Client final : Link {
  Act begin_period(Session& /*session*/) noexcept override { return Act::wait; }
  void end_period(const Session& /*session*/, std::uint64_t /*period*/, StepStatus /*status*/,
                  const double* /*outputs*/) noexcept override {
    ++periods;
  }
  std::int64_t period() const noexcept override { return 7; }
  ClientReport report() const noexcept override {
    ClientReport report;
    report.timeouts = 3;
    return report;
  }
  int periods = 0;
};

SessionSettings settings_of(double step) {
  SessionSettings settings;
  settings.step = step;
  return settings;
}

class KeptFramesTest : public ::testing::Test {
 protected:
  Session session_{
      read_drive(kVehicles + "models/double_pendulum.xml", kVehicles + "scenarios/let_go.xml"),
      settings_of(0.01)};
};

TEST_F(KeptFramesTest, AreEverySoManyPeriodsAndComeBackToTheBit) {
  // 100 periods in at most 10 frames: every tenth, the first among them
  KeptFrames frames(session_, 100, 10, nullptr);
  std::vector<std::vector<double>> outputs;
  std::vector<Eigen::VectorXd> z;
  for (std::uint64_t period = 1; period <= 100; ++period) {
    ASSERT_EQ(frames.begin_period(session_), Link::Act::step);
    ASSERT_EQ(session_.step(), StepStatus::converged);
    std::vector<double> values(session_.outputs().size());
    session_.read_outputs(values.data());
    frames.end_period(session_, period, StepStatus::converged, values.data());
    if (period % 10 != 1) continue;
    outputs.push_back(values);
    z.push_back(session_.state().z);
  }
  ASSERT_EQ(frames.size(), 10U);
  for (std::size_t k = 0; k < frames.size(); ++k) {
    EXPECT_EQ(frames.outputs(k), outputs[k]);
    ASSERT_EQ(session_.restore(frames.saved(k), frames.saved_size()), RestoreStatus::restored);
    EXPECT_EQ(session_.state().z, z[k]);
    EXPECT_NEAR(session_.time(), 0.01 + 0.1 * static_cast<double>(k), 1e-12);
  }
}

TEST_F(KeptFramesTest, LeaveOutFailedStepsAndWhatTheyHaveNoRoomFor) {
  KeptFrames frames(session_, 4, 10, nullptr);
  const std::vector<double> outputs(session_.outputs().size(), 1.0);
  frames.end_period(session_, 1, StepStatus::non_finite, outputs.data());
  EXPECT_EQ(frames.size(), 0U);
  for (std::uint64_t period = 1; period <= 20; ++period)
    frames.end_period(session_, period, StepStatus::converged, outputs.data());
  // one more than the periods
  EXPECT_EQ(frames.size(), 5U);
}

TEST_F(KeptFramesTest, HandEverythingOnToTheLink) {
  Client client;
  KeptFrames frames(session_, 4, 10, &client);
  EXPECT_EQ(frames.begin_period(session_), Link::Act::wait);
  const std::vector<double> outputs(session_.outputs().size(), 1.0);
  frames.end_period(session_, 1, StepStatus::converged, outputs.data());
  EXPECT_EQ(client.periods, 1);
  EXPECT_EQ(frames.period(), 7);
  EXPECT_EQ(frames.report().timeouts, 3U);
}

}  // namespace
}  // namespace semirec::realtime
