#pragma once

#include <cmath>

namespace semirec::report {

/// Which steps have a row: the first at or after each multiple of an interval from the start.
class RowTimes {
 public:
  /// All s; interval 0: every step. `step`: by a millionth of it a step may come early, and by
  /// 1e-9 of the interval whatever it is.
  RowTimes(double begin, double interval, double step)
      : begin_(begin),
        interval_(interval),
        slack_(std::fmax(1e-6 * step, 1e-9 * interval)),
        next_(begin),
        last_(begin) {}

  /// s; 0: every step.
  double interval() const { return interval_; }
  /// Time of the last row, s.
  double last() const { return last_; }
  bool take(double t) {
    if (t < next_ - slack_) return false;
    last_ = t;
    if (interval_ > 0.0)
      next_ = begin_ + interval_ * (std::floor((t + slack_ - begin_) / interval_) + 1.0);
    return true;
  }

 private:
  double begin_, interval_, slack_, next_, last_;
};

}  // namespace semirec::report
