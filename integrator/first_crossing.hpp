#pragma once

#include <limits>

#include <Eigen/Core>

namespace semirec {

/// Search for the first instant of a step at which one of several functions changes its sign, by
/// their values alone: regula falsi on whichever function crosses first by a straight line between
/// the ends of the bracket (Illinois variant), and bisection where that makes no way. It ends with
/// a bracket of 1e-12 of the step, or after kMostTrials.
///
/// Of functions that cross an even number of times between two looks nothing is found.
class FirstCrossing {
 public:
  static constexpr int kMostTrials = 80;

  /// Values at the begin, which say the signs, and at the end of a step of length h, s. No heap use
  /// where they are as many as the last time.
  void start(const Eigen::VectorXd& at_begin, const Eigen::VectorXd& at_end, double h);

  bool is_done() const { return high_ - low_ <= width_ || trials_ >= kMostTrials; }
  /// Where to look next, s from the begin of the step: within the bracket.
  double next() const;
  /// Takes the values there. True: they have no new sign, and `s` is the bracket's new low end.
  bool take(double s, const Eigen::VectorXd& values);
  /// There is no value there: what comes before is searched.
  void take_failure(double s);

  double low() const { return low_; }      ///< s: no sign is new up to here, as far as was looked
  double high() const { return high_; }    ///< s: there it is, or there is no value
  double width() const { return width_; }  ///< s, of the bracket at the end
  int trials() const { return trials_; }
  /// Whether function k has a new sign at high().
  bool has_crossed(Eigen::Index k) const {
    return has_high_ && (high_values_[k] > 0.0) != (begin_[k] > 0.0);
  }
  /// Whether any function has a new sign at high().
  bool has_crossed() const;

 private:
  Eigen::VectorXd begin_, low_values_, high_values_;
  double low_ = 0.0, high_ = 0.0, width_ = 0.0;
  double low_weight_ = 1.0, high_weight_ = 1.0;  // of the Illinois variant
  bool has_high_ = false;
  int last_side_ = 0;  // which end moved last: -1 low, 1 high
  int slow_ = 0;       // trials since the bracket was halved
  int patience_ = 0;   // so many of them may pass before it is halved by force
  double halved_ = 0.0;
  int trials_ = 0;
};

}  // namespace semirec
