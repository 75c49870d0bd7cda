#include <cmath>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "apps/seat/seat_link.hpp"
#include "apps/seat/seat_scenario.hpp"
#include "tests/support/heap_guard.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec::seat {
namespace {

constexpr std::int64_t kMillisecond = 1'000'000;
const std::string kFolder = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";

DriveDescription read_sedan() { return {read_vehicle(kFolder + "models/sedan.xml"), open_area()}; }

/// The loop's thread and the page's in one, a period after another.
class Seat {
 public:
  explicit Seat(const DriveDescription& read)
      : session_(read), link_(session_, read.vehicle, kMillisecond, 10'000) {}

  realtime::Link::Act run(int periods) {
    realtime::Link::Act act = realtime::Link::Act::step;
    for (int k = 0; k < periods; ++k) {
      act = link_.begin_period(session_);
      if (act != realtime::Link::Act::step) continue;
      const StepStatus status = session_.step();
      EXPECT_EQ(status, StepStatus::converged) << session_.time();
      session_.read_outputs(outputs_.data());
      link_.end_period(session_, ++period_, status, outputs_.data());
    }
    return act;
  }
  double input(Control control) const {
    return session_.state().live[static_cast<std::size_t>(link_.inputs()[control])].value.f;
  }
  Session& session() { return session_; }
  SeatLink& link() { return link_; }
  const std::vector<double>& outputs() {
    session_.read_outputs(outputs_.data());
    return outputs_;
  }

 private:
  Session session_;
  SeatLink link_;
  std::vector<double> outputs_ = std::vector<double>(session_.outputs().size());
  std::uint64_t period_ = 0;
};

std::vector<std::byte> bits_of(const Session& session) {
  std::vector<std::byte> bits(session.saved_size());
  session.save(bits.data());
  return bits;
}

TEST(SeatLink, ControlsFollowTheDriverThroughTheLag) {
  const DriveDescription read = read_sedan();
  Seat seat(read);
  seat.run(10);
  EXPECT_EQ(seat.input(kThrottle), 0.0);
  seat.link().drive({0.5, 1.0, 0.0, 1.0});
  seat.run(20);
  // a first-order lag sampled each millisecond, 20 steps after the step of the driver
  const double share = 1.0 - std::exp(-20.0 * 1e-3 / SeatLink::kLag);
  EXPECT_NEAR(seat.input(kThrottle), share, 1e-12);
  EXPECT_NEAR(seat.input(kSteering), 0.5 * read.vehicle.controls.steering_ratio * share, 1e-12);
  EXPECT_EQ(seat.input(kBrake), 0.0);
  EXPECT_EQ(seat.input(kGear), 1.0);  // chosen at once
}

TEST(SeatLink, ADriverWhoFallsSilentLetsGoAndTheCarBrakes) {
  Seat seat(read_sedan());
  seat.run(1000);  // nobody has driven yet: nothing is silent
  ASSERT_TRUE(seat.link().take_frame());
  EXPECT_FALSE(seat.link().frame().silent);
  seat.link().drive({0.0, 1.0, 0.0, 1.0});
  seat.run(499);
  ASSERT_TRUE(seat.link().take_frame());
  EXPECT_FALSE(seat.link().frame().silent);
  EXPECT_EQ(seat.input(kBrake), 0.0);
  seat.run(200);
  ASSERT_TRUE(seat.link().take_frame());
  EXPECT_TRUE(seat.link().frame().silent);
  // at least 180 periods of the lag since it let go, from at most 1
  EXPECT_LT(seat.input(kThrottle), std::exp(-0.18 / SeatLink::kLag));
  EXPECT_GT(seat.input(kBrake), 1.0 - std::exp(-0.18 / SeatLink::kLag));
  seat.link().drive({0.0, 0.2, 0.0, 1.0});
  seat.run(17);
  ASSERT_TRUE(seat.link().take_frame());
  EXPECT_FALSE(seat.link().frame().silent);
}

TEST(SeatLink, SilenceIsWallTimeInSlowMotionToo) {
  Seat seat(read_sedan());
  seat.link().slow_down(0.1);
  EXPECT_EQ(seat.link().period(), 10 * kMillisecond);
  seat.link().drive({0.0, 1.0, 0.0, 1.0});
  seat.run(55);  // 0.55 s of wall time, 55 ms of model time
  ASSERT_TRUE(seat.link().take_frame());
  EXPECT_TRUE(seat.link().frame().silent);
  seat.link().slow_down(1e-9);
  EXPECT_EQ(seat.link().period(), 20 * kMillisecond);  // kSlowest
  seat.link().slow_down(7.0);
  EXPECT_EQ(seat.link().period(), kMillisecond);
}

TEST(SeatLink, APauseStandsAndAResetGoesBackToTheBit) {
  Seat seat(read_sedan());
  const std::vector<std::byte> start = bits_of(seat.session());
  seat.link().drive({0.3, 1.0, 0.0, 1.0});
  seat.run(100);
  EXPECT_EQ(seat.link().record().rows(), 101U);  // the start and 100 steps
  const std::vector<std::byte> there = bits_of(seat.session());
  EXPECT_NE(there, start);
  seat.link().pause(true);
  EXPECT_EQ(seat.run(100), realtime::Link::Act::wait);
  EXPECT_EQ(bits_of(seat.session()), there);
  ASSERT_TRUE(seat.link().take_frame());
  EXPECT_TRUE(seat.link().frame().paused);
  EXPECT_EQ(seat.link().frame().outputs, seat.outputs());
  EXPECT_FALSE(seat.link().is_resetting());
  seat.link().reset();
  EXPECT_TRUE(seat.link().is_resetting());
  // a frame of the pause
  seat.run(static_cast<int>(SeatLink::kFramePeriod / kMillisecond));
  ASSERT_TRUE(seat.link().take_frame());
  EXPECT_EQ(seat.link().frame().outputs, seat.outputs());
  EXPECT_FALSE(seat.link().is_resetting());
  EXPECT_EQ(bits_of(seat.session()), start);
  EXPECT_EQ(seat.link().record().rows(), 1U);
  seat.link().end();
  EXPECT_EQ(seat.run(1), realtime::Link::Act::end);
}

TEST(SeatLink, UsesNoHeapInTheLoop) {
  if (!test::HeapGuard::works()) GTEST_SKIP() << "this build brings its own malloc";
  Seat seat(read_sedan());
  seat.link().drive({0.1, 0.5, 0.0, 1.0});
  seat.run(200);
  seat.link().reset();
  const test::HeapGuard guard;
  seat.run(200);
  EXPECT_EQ(guard.calls(), 0);
}

// A drive with changing controls, saved as a scenario file, read again and driven without a page:
// the same bits at the end.
TEST(SeatScenario, ARecordedDriveComesOutToTheBit) {
  const DriveDescription read = read_sedan();
  Seat seat(read);
  for (int k = 0; k < 40; ++k) {
    seat.link().drive({0.8 * std::sin(0.3 * k), k < 25 ? 0.8 : 0.0, k < 30 ? 0.0 : 0.6, 1.0});
    seat.run(50);
  }
  const Controls& controls = read.vehicle.controls;
  const std::string text = write_driven_scenario(
      "", "drive_1", seat.session().settings().h,
      {controls.steering, controls.throttle, controls.brake, controls.gear}, seat.link().record());
  const std::filesystem::path file = std::filesystem::temp_directory_path() /
                                     ("semirec_drive_" + std::to_string(getpid()) + ".xml");
  std::ofstream(file) << text;
  const DriveDescription again{read.vehicle, read_scenario(file.string())};
  std::filesystem::remove(file);
  EXPECT_NEAR(again.scenario.until, 2.0, 1e-9);
  Session session(again);
  for (int k = 0; k < 2000; ++k) {
    follow_curves(session, seat.link().inputs());
    ASSERT_EQ(session.step(), StepStatus::converged);
  }
  EXPECT_EQ(session.time(), seat.session().time());
  EXPECT_TRUE(session.state().z == seat.session().state().z);
  EXPECT_TRUE(session.state().zd == seat.session().state().zd);
  EXPECT_TRUE(session.state().zdd == seat.session().state().zdd);
  EXPECT_TRUE(session.state().origin == seat.session().state().origin);
  EXPECT_GT(session.state().origin.x(), 0.5);  // it has gone somewhere
}

TEST(SeatScenario, NothingDrivenIsNothingToSave) {
  EXPECT_THROW(write_driven_scenario("", "drive_1", 1e-3, {"steering", "", "", ""},
                                     SeatRecord(10, kControls)),
               ModelError);
}

TEST(SeatRecord, KeepsWhatItHasWhenItIsFull) {
  SeatRecord record(2, 1);
  for (const double value : {1.0, 2.0, 3.0}) record.add(0.1 * value, &value);
  EXPECT_TRUE(record.full());
  EXPECT_EQ(record.rows(), 2U);
  EXPECT_EQ(record.value(1, 0), 2.0);
  record.clear();
  EXPECT_EQ(record.rows(), 0U);
}

}  // namespace
}  // namespace semirec::seat
