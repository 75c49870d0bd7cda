#pragma once

#include <vector>

#include <Eigen/Core>

#include "penalty/loop_split.hpp"
#include "recursive/symmetric_pattern.hpp"

namespace semirec {

/// The linear equations of a step,
///   W x + Phi_z^T mu = f,   Phi_z x = g,
/// in the independent coordinates of the loops, x = R y + S g with Phi_z R = 0, Phi_z S = 1:
///   R^T W R y = R^T (f - W S g).
/// Loop by loop: W S and W R take the entries of W in a loop's columns, and R^T W R is filled where
/// W couples loops with one another and with coordinates outside. It is eliminated densely, loops
/// first, entries that are zero passed over. Rows that depend on others are left out, their mu is
/// zero. No heap use but in the constructor.
class IndependentSolver {
 public:
  IndependentSolver(const SymmetricPattern& tangent, const std::vector<RowBlock>& blocks, int m);

  /// Splits the coordinates by complete pivoting of Phi_z.
  void split(const std::vector<double>& Phi_z);
  /// Whether there is a split of the Phi_z that split() or close() was given last: where close()
  /// finds the same independent coordinates, its split serves the next step.
  bool is_split() const { return is_split_; }
  /// Whether a row has had a pivot in the split.
  bool has_pivot(int row) const { return has_pivot_[static_cast<std::size_t>(row)] != 0; }
  const std::vector<char>& pivoted_rows() const { return has_pivot_; }
  /// Factors R^T W R; W: the tangent's values. False where it is not positive definite.
  [[nodiscard]] bool factor(const std::vector<double>& tangent);
  /// x (n) of f (n) and g (m).
  void solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& x);
  /// The same of f = 0; find_multipliers() must have been asked before.
  void solve(const Eigen::VectorXd& g, Eigen::VectorXd& x);
  /// mu (m) of the last solution; before close().
  void find_multipliers(Eigen::VectorXd& mu);
  /// Moves dependent coordinates of z so that Phi_z z becomes less by `error` (m), to round-off; at
  /// any Phi_z. False where they do not span its rows. The factor is lost, and the
  /// split unless the same coordinates are independent.
  [[nodiscard]] bool close(const std::vector<double>& Phi_z, const Eigen::VectorXd& error,
                           Eigen::VectorXd& z);

 private:
  /// Coordinates that stand in a row in the padded vectors: those of a loop, or all others.
  struct Stretch {
    int begin, length;
    int loop;  ///< -1: the others
  };
  struct Loop {
    Loop(const LoopGroup& group, const std::vector<RowBlock>& blocks) : split(group, blocks) {}

    LoopSplit split;
    int begin = 0;                          ///< in the padded vectors
    std::vector<Stretch> stretches;         ///< those that W couples with it, itself first
    int length = 0;                         ///< of all of them
    std::vector<LoopSplit::Entry> sources;  ///< slot of the tangent, index in W
    std::vector<double> W;                  ///< [column] length
    std::vector<double> WR;                 ///< length, scratch: W times one column of R or S g
    std::vector<double> loads;              ///< [pivot]
    int first = 0;                          ///< its first independent coordinate among all
  };
  void solve_left(const Eigen::VectorXd& g, Eigen::VectorXd& x);
  void take_split();
  void keep_split();
  static const double* add_columns(Loop& loop, const double* factors);
  void reduce(Loop& loop, const double* R, int row);
  bool factor_reduced();
  void solve_reduced(double* y) const;

  int n_, m_;
  int outside_ = 0;            ///< coordinates in no loop: the first in the padded vectors
  int size_ = 0;               ///< independent coordinates
  std::ptrdiff_t stride_;      ///< of the rows of the reduced matrix
  std::vector<int> place_of_;  ///< [coordinate] in the padded vectors
  std::vector<Loop> loops_;
  std::vector<LoopSplit::Entry> sources_;  ///< slot, index in the reduced matrix: of the others
  std::vector<double> reduced_;            ///< lower triangle by rows, then its factor
  std::vector<double> inverse_pivot_, y_;
  std::vector<double> f_, left_, x_;  ///< padded
  std::vector<char> has_pivot_;
  bool is_split_ = false;
};

}  // namespace semirec
