#include "integrator/first_crossing.hpp"

#include <algorithm>
#include <cmath>

namespace semirec {

namespace {

constexpr double kSharp = 1e-12;  // width of the bracket at the end, of the step
constexpr int kPatience = 3;      // trials that may pass before the bracket is halved

}  // namespace

void FirstCrossing::start(const Eigen::VectorXd& at_begin, const Eigen::VectorXd& at_end,
                          double h) {
  begin_ = low_values_ = at_begin;
  high_values_ = at_end;
  has_high_ = true;
  low_ = 0.0;
  high_ = halved_ = h;
  width_ = kSharp * h;
  low_weight_ = high_weight_ = 1.0;
  last_side_ = slow_ = trials_ = 0;
  patience_ = kPatience;
}

bool FirstCrossing::has_crossed() const {
  for (Eigen::Index k = 0; k < begin_.size(); ++k)
    if (has_crossed(k)) return true;
  return false;
}

double FirstCrossing::next() const {
  const double span = high_ - low_;
  if (!has_high_ || slow_ >= patience_) return low_ + 0.5 * span;
  double share = 1.0;
  for (Eigen::Index k = 0; k < begin_.size(); ++k) {
    if (!has_crossed(k)) continue;
    const double a = low_weight_ * std::abs(low_values_[k]);
    const double b = high_weight_ * std::abs(high_values_[k]);
    share = std::min(share, a + b > 0.0 ? a / (a + b) : 0.5);
  }
  // never on an end: the last trials close the bracket from its other side
  const double margin = std::min(0.9 * width_, 0.5 * span);
  return std::clamp(low_ + share * span, low_ + margin, high_ - margin);
}

bool FirstCrossing::take(double s, const Eigen::VectorXd& values) {
  ++trials_;
  // where straight lines have had to be helped they get less time: in the end it is all bisection
  if (slow_ >= patience_) patience_ /= 2;
  bool crossed = false;
  for (Eigen::Index k = 0; k < begin_.size(); ++k)
    crossed = crossed || (values[k] > 0.0) != (begin_[k] > 0.0);
  if (crossed) {
    high_ = s;
    high_values_ = values;
    has_high_ = true;
    high_weight_ = 1.0;
    low_weight_ = last_side_ == 1 ? 0.5 * low_weight_ : 1.0;
    last_side_ = 1;
  } else {
    low_ = s;
    low_values_ = values;
    low_weight_ = 1.0;
    high_weight_ = last_side_ == -1 ? 0.5 * high_weight_ : 1.0;
    last_side_ = -1;
  }
  ++slow_;
  if (high_ - low_ <= 0.5 * halved_) {
    halved_ = high_ - low_;
    slow_ = 0;
  }
  return !crossed;
}

void FirstCrossing::take_failure(double s) {
  ++trials_;
  high_ = s;
  has_high_ = false;
  halved_ = high_ - low_;
  slow_ = 0;
}

}  // namespace semirec
