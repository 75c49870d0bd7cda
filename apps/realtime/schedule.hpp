#pragma once

#include <cstdint>

namespace semirec::realtime {

/// What happens after a period whose work ended beyond the next deadline.
enum class Policy {
  skip,     ///< missed periods are left out: model time falls behind by whole periods
  catch_up  ///< the next periods begin at once until the schedule is met again
};

/// Why a schedule cannot go on.
enum class ScheduleStop {
  none,
  too_slow,           ///< the mean work within a window is longer than the period
  too_many_overruns,  ///< within a window, more than allowed
  too_far_behind      ///< catch-up: too many late periods in a row
};

struct ScheduleSettings {
  std::int64_t period = 1'000'000;  ///< ns
  Policy policy = Policy::skip;
  int most_in_a_row = 100;              ///< catch-up: late periods after which it gives up
  double most_overruns = 0.1;           ///< share of the periods of a window; 1: all may be late
  std::int64_t window = 1'000'000'000;  ///< ns, over which mean work and overruns are judged
  int least_periods = 10;               ///< a window with fewer is not judged yet
};

/// The time line of a periodic task and its overruns, without a clock: it is told when the work of
/// a period began and ended and says when the next is due.
///
/// Period k may begin at release() and has to end by release() + period, the next one's release.
/// Ending exactly there is in time.
///
/// Units   ns on one clock, any origin.
/// Cost    a few operations; no heap use.
class Schedule {
 public:
  Schedule(const ScheduleSettings& settings, std::int64_t start) noexcept;

  /// When the coming period is due.
  std::int64_t release() const noexcept { return release_; }
  /// Counts the period due at release() and moves on to the next.
  ScheduleStop end_period(std::int64_t began, std::int64_t ended) noexcept;
  /// After the last period: judges the window that is still open, where it is at least half as long
  /// as a whole one or no other has been judged.
  ScheduleStop finish() noexcept;
  /// The coming periods take another time, ns: slow motion.
  void change_period(std::int64_t period) noexcept { settings_.period = period; }
  /// Goes on at another time, with a new window: after a block of something else.
  void resume(std::int64_t release) noexcept;

  std::uint64_t periods() const noexcept { return periods_; }
  std::uint64_t overruns() const noexcept { return overruns_; }
  /// Periods left out (skip), each of which puts model time one period behind.
  std::uint64_t skipped() const noexcept { return skipped_; }
  std::uint64_t most_late_in_a_row() const noexcept { return most_late_; }
  /// Longest time by which the work of a period ended beyond its deadline, ns.
  std::int64_t worst_overrun() const noexcept { return worst_overrun_; }
  /// Mean work of the last window judged, without its longest period, ns.
  double window_mean() const noexcept { return window_mean_; }
  /// Share of overruns in the last window judged.
  double window_overruns() const noexcept { return window_share_; }
  /// How long that window was, ns; 0: none has been judged.
  std::int64_t window_length() const noexcept { return window_length_; }

 private:
  void count(std::int64_t began, std::int64_t ended, bool late) noexcept;
  ScheduleStop judge() noexcept;
  void open_window(std::int64_t begin) noexcept;

  ScheduleSettings settings_;
  std::int64_t release_;
  std::uint64_t periods_ = 0, overruns_ = 0, skipped_ = 0;
  std::uint64_t late_in_a_row_ = 0, most_late_ = 0;
  std::int64_t worst_overrun_ = 0;
  std::int64_t window_begin_ = 0, window_end_ = 0, window_length_ = 0;
  std::int64_t window_work_ = 0, window_longest_ = 0;
  int window_periods_ = 0, window_late_ = 0;
  double window_mean_ = 0.0, window_share_ = 0.0;
};

}  // namespace semirec::realtime
