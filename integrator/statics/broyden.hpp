#pragma once

#include <cmath>
#include <vector>

#include <Eigen/Core>

namespace semirec {

/// Steps of Newton with a matrix that is kept, each corrected by what the ones before have shown:
/// Broyden's rule (1965, the "good" one), by its steps instead of its matrices (Kelley, Iterative
/// Methods for Linear and Nonlinear Equations, SIAM 1995, section 7.3). With s_1 .. s_n taken and
/// x = -A^-1 F of the kept matrix at the point reached,
///   x <- x + s_{j+1} (s_j . x) / |s_j|^2    for j = 1 .. n-1
///   s_{n+1} = x / (1 - s_n . x / |s_n|^2)
class BroydenSteps {
 public:
  /// A corrected matrix that has turned its sign or nearly become singular is one to make anew,
  /// unless it may turn.
  explicit BroydenSteps(bool may_turn = false) : may_turn_(may_turn) {}

  /// The matrix has been made anew.
  void begin() { taken_.clear(); }

  /// The next step from x, in the units of the unknowns and of their number. Empty where the rule
  /// has none: the matrix is to be made anew.
  Eigen::VectorXd step(Eigen::VectorXd x) {
    for (std::size_t j = 0; j < taken_.size(); ++j) {
      const double share = taken_[j].dot(x) / taken_[j].squaredNorm();
      if (j + 1 < taken_.size())
        x += share * taken_[j + 1];
      else if (!(may_turn_ ? std::abs(1.0 - share) > kLeastOfAll : 1.0 - share > kLeastShare))
        return {};
      else
        x /= 1.0 - share;
    }
    if (x.squaredNorm() > 0.0) taken_.push_back(x);
    return x;
  }

 private:
  static constexpr double kLeastShare = 0.1;
  static constexpr double kLeastOfAll = 1e-8;
  bool may_turn_;
  std::vector<Eigen::VectorXd> taken_;
};

}  // namespace semirec
