#pragma once

#include <Eigen/Core>

#include "integrator/model.hpp"

namespace semirec {

/// How far the corrections of an assembly in relative coordinates may go, and how long they go on:
/// turns by 0.3 rad at once, so that a mechanism stays on its branch; slides by 0.3 m, and farther
/// while loops are open by metres and every correction brings what it may. No heap use.
class CorrectionLimit {
 public:
  explicit CorrectionLimit(const Model& model) : model_(&model) {}

  /// Whether there is another correction to be made.
  bool goes_on() const { return taken_ < kMost && idle_ < kMostIdle && stalled_ < kMostStalled; }
  /// The loops are open by `gap`, m or rad, after what has been done so far.
  void judge(double gap);
  /// Scales a correction down to what it may be.
  void shorten(Eigen::VectorXd& dz);

 private:
  static constexpr int kMost = 2000, kMostIdle = 200, kMostStalled = 8;

  const Model* model_;
  double best_ = 1e300;  ///< gap
  double longest_slide_ = kLongest;
  bool shortened_ = false;  ///< the last correction
  int taken_ = 0, idle_ = 0, stalled_ = 0;

  static constexpr double kLongest = 0.3;  // m or rad
};

}  // namespace semirec
