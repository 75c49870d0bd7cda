#include "apps/realtime/schedule.hpp"

#include <algorithm>

namespace semirec::realtime {

Schedule::Schedule(const ScheduleSettings& settings, std::int64_t start) noexcept
    : settings_(settings), release_(start) {
  open_window(start);
}

void Schedule::open_window(std::int64_t begin) noexcept {
  window_begin_ = window_end_ = begin;
  window_work_ = window_longest_ = 0;
  window_periods_ = window_late_ = 0;
}

void Schedule::resume(std::int64_t release) noexcept {
  release_ = release;
  late_in_a_row_ = 0;
  open_window(release);
}

void Schedule::count(std::int64_t began, std::int64_t ended, bool late) noexcept {
  const std::int64_t work = ended - began;
  window_work_ += work;
  window_longest_ = std::max(window_longest_, work);
  ++window_periods_;
  if (late) ++window_late_;
  // up to when the next period is due, so that a block of a second holds a window
  window_end_ = std::max(ended, release_);
}

ScheduleStop Schedule::judge() noexcept {
  // without the longest: one long pause of the machine does not make a rate impossible
  window_mean_ = static_cast<double>(window_work_ - window_longest_) / (window_periods_ - 1);
  window_share_ = static_cast<double>(window_late_) / window_periods_;
  window_length_ = window_end_ - window_begin_;
  open_window(window_end_);
  if (window_mean_ > static_cast<double>(settings_.period)) return ScheduleStop::too_slow;
  if (window_share_ > settings_.most_overruns) return ScheduleStop::too_many_overruns;
  return ScheduleStop::none;
}

ScheduleStop Schedule::finish() noexcept {
  const bool first = window_length_ == 0;
  if (window_periods_ < settings_.least_periods ||
      (!first && 2 * (window_end_ - window_begin_) < settings_.window))
    return ScheduleStop::none;
  return judge();
}

ScheduleStop Schedule::end_period(std::int64_t began, std::int64_t ended) noexcept {
  const std::int64_t deadline = release_ + settings_.period;
  const bool late = ended > deadline;
  ++periods_;
  if (late) {
    ++overruns_;
    ++late_in_a_row_;
    most_late_ = std::max(most_late_, late_in_a_row_);
    worst_overrun_ = std::max(worst_overrun_, ended - deadline);
  } else {
    late_in_a_row_ = 0;
  }
  release_ = deadline;
  if (late && settings_.policy == Policy::skip) {
    // the first release not yet past
    const std::int64_t missed = (ended - deadline + settings_.period - 1) / settings_.period;
    skipped_ += static_cast<std::uint64_t>(missed);
    release_ += missed * settings_.period;
  }
  count(began, ended, late);
  if (window_periods_ >= settings_.least_periods &&
      window_end_ - window_begin_ >= settings_.window) {
    const ScheduleStop verdict = judge();
    if (verdict != ScheduleStop::none) return verdict;
  }
  if (settings_.policy == Policy::catch_up &&
      late_in_a_row_ > static_cast<std::uint64_t>(settings_.most_in_a_row))
    return ScheduleStop::too_far_behind;
  return ScheduleStop::none;
}

}  // namespace semirec::realtime
