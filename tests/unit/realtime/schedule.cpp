// Overruns on a clock of the test's own.
#include "apps/realtime/schedule.hpp"

#include <gtest/gtest.h>

namespace semirec::realtime {
namespace {

ScheduleSettings settings(Policy policy) {
  ScheduleSettings settings;
  settings.period = 1000;
  settings.policy = policy;
  settings.window = 100'000;  // 100 periods
  settings.most_in_a_row = 5;
  return settings;
}

/// Runs one period that begins on time, or at once when it is late, and works for `work`.
ScheduleStop run(Schedule& schedule, std::int64_t& now, std::int64_t work) {
  const std::int64_t began = std::max(now, schedule.release());
  now = began + work;
  return schedule.end_period(began, now);
}

TEST(Schedule, PeriodsOnTimeAreDueAtWholePeriodsForEver) {
  Schedule schedule(settings(Policy::skip), 7);
  std::int64_t now = 0;
  for (int k = 0; k < 10000; ++k) {
    ASSERT_EQ(schedule.release(), 7 + 1000 * k);
    ASSERT_EQ(run(schedule, now, k % 1001), ScheduleStop::none);  // 1000: just in time
  }
  EXPECT_EQ(schedule.overruns(), 0U);
  EXPECT_EQ(schedule.skipped(), 0U);
  EXPECT_EQ(schedule.periods(), 10000U);
}

TEST(Schedule, SkippingLeavesOutTheDeadlinesThatHavePassedAndStaysOnTheGrid) {
  Schedule schedule(settings(Policy::skip), 0);
  std::int64_t now = 0;
  run(schedule, now, 1001);  // beyond the release at 1000: that period is lost
  EXPECT_EQ(schedule.release(), 2000);
  EXPECT_EQ(schedule.skipped(), 1U);
  run(schedule, now, 3500);  // to 5500: 3000, 4000 and 5000 are lost
  EXPECT_EQ(schedule.release(), 6000);
  EXPECT_EQ(schedule.skipped(), 4U);
  run(schedule, now, 2000);  // to 8000, when the next is due: only 7000 is lost
  EXPECT_EQ(schedule.release(), 8000);
  EXPECT_EQ(schedule.skipped(), 5U);
  EXPECT_EQ(schedule.overruns(), 3U);
  EXPECT_EQ(schedule.periods(), 3U);
  EXPECT_EQ(schedule.worst_overrun(), 2500);
}

TEST(Schedule, CatchingUpRunsEveryPeriodAndMeetsTheScheduleAgain) {
  Schedule schedule(settings(Policy::catch_up), 0);
  std::int64_t now = 0;
  run(schedule, now, 3500);
  for (int k = 0; k < 20; ++k) EXPECT_EQ(run(schedule, now, 100), ScheduleStop::none);
  // ends at 3500, 3600, 3700, 3800: the deadlines 1000, 2000 and 3000 are missed, 4000 is met
  EXPECT_EQ(schedule.overruns(), 3U);
  EXPECT_EQ(schedule.skipped(), 0U);
  EXPECT_EQ(schedule.most_late_in_a_row(), 3U);
  EXPECT_EQ(schedule.release(), 21000);
  EXPECT_EQ(now, 20100);
}

TEST(Schedule, CatchingUpGivesUpAfterTheStatedNumberInARow) {
  Schedule schedule(settings(Policy::catch_up), 0);
  std::int64_t now = 0;
  run(schedule, now, 50'000);
  for (int k = 2; k <= 5; ++k) EXPECT_EQ(run(schedule, now, 100), ScheduleStop::none) << k;
  EXPECT_EQ(run(schedule, now, 100), ScheduleStop::too_far_behind);
}

TEST(Schedule, ARateBelowTheMeanWorkStopsAfterOneWindow) {
  for (const Policy policy : {Policy::skip, Policy::catch_up}) {
    ScheduleSettings slow = settings(policy);
    slow.most_in_a_row = 1000;
    slow.most_overruns = 1.0;
    Schedule schedule(slow, 0);
    std::int64_t now = 0;
    ScheduleStop stop = ScheduleStop::none;
    while (stop == ScheduleStop::none && now < 1'000'000) stop = run(schedule, now, 1200);
    EXPECT_EQ(stop, ScheduleStop::too_slow);
    EXPECT_LT(now, 103'000);
    EXPECT_DOUBLE_EQ(schedule.window_mean(), 1200.0);
  }
}

TEST(Schedule, OverrunsAboveTheAllowedShareStopAndBelowItDoNot) {
  const auto with_every = [](int n) {
    Schedule schedule(settings(Policy::skip), 0);
    std::int64_t now = 0;
    for (int k = 0; k < 1000; ++k) {
      const ScheduleStop stop = run(schedule, now, k % n == 0 ? 1500 : 100);
      if (stop != ScheduleStop::none) return stop;
    }
    return ScheduleStop::none;
  };
  EXPECT_EQ(with_every(9), ScheduleStop::too_many_overruns);  // 11 % above the 10 % allowed
  EXPECT_EQ(with_every(15), ScheduleStop::none);              // 6.7 %
}

// a window is 100 periods; a run of half of them, of one or of one and a half
TEST(Schedule, ARunThatEndsWithinAWindowIsJudgedByWhatItHas) {
  for (const int periods : {50, 99, 100, 150}) {
    const auto end_with = [&](std::int64_t work) {
      Schedule schedule(settings(Policy::skip), 0);
      std::int64_t now = 0;
      // as many of the grid: work of two periods takes two of them
      while (schedule.release() + 1000 <= 1000 * periods)
        if (const ScheduleStop stop = run(schedule, now, work); stop != ScheduleStop::none)
          return stop;
      return schedule.finish();
    };
    EXPECT_EQ(end_with(100), ScheduleStop::none) << periods;
    EXPECT_EQ(end_with(1900), ScheduleStop::too_slow) << periods;
  }
}

TEST(Schedule, TheLastWindowIsJudgedFromHalfOfItsLengthOn) {
  for (const int late : {30, 60}) {
    Schedule schedule(settings(Policy::skip), 0);
    std::int64_t now = 0;
    for (int k = 0; k < 200; ++k) ASSERT_EQ(run(schedule, now, 100), ScheduleStop::none);
    for (int k = 0; k < late / 2; ++k) ASSERT_EQ(run(schedule, now, 1900), ScheduleStop::none);
    EXPECT_EQ(schedule.finish(), late == 60 ? ScheduleStop::too_slow : ScheduleStop::none);
  }
}

TEST(Schedule, OneLongPauseIsCountedAndDoesNotStop) {
  Schedule schedule(settings(Policy::skip), 0);
  std::int64_t now = 0;
  for (int k = 0; k < 1000; ++k)
    ASSERT_EQ(run(schedule, now, k == 50 ? 1'000'000 : 100), ScheduleStop::none) << k;
  EXPECT_EQ(schedule.overruns(), 1U);
  EXPECT_EQ(schedule.skipped(), 999U);
}

TEST(Schedule, ResumesAtAnotherTimeWithItsCountsKept) {
  Schedule schedule(settings(Policy::skip), 0);
  std::int64_t now = 0;
  run(schedule, now, 1500);
  schedule.resume(50'000);
  EXPECT_EQ(schedule.release(), 50'000);
  run(schedule, now, 100);
  EXPECT_EQ(schedule.release(), 51'000);
  EXPECT_EQ(schedule.periods(), 2U);
  EXPECT_EQ(schedule.skipped(), 1U);
}

}  // namespace
}  // namespace semirec::realtime
