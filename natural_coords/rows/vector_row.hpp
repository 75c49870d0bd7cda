#pragma once

#include <array>
#include <vector>

#include <Eigen/Core>

#include "natural_coords/closure.hpp"
#include "topology/curve.hpp"

namespace semirec {

/// One constraint equation over vectors u, v, w that a formulation writes in its own coordinates:
/// differences of points and directions, by their index.
///   plane    scale (direction . u - constant - input)
///   product  scale (u . v - constant - input)
///   rod      (u . u - L^2) / (2 L_0),  L = L_0 + input
///   turn     u . (cos(f) w - sin(f) v),  f the prescribed motion's input
/// u of a rod may be shortened by a driven end: u - slide f. Rows have the size of a length (m) or
/// an angle (rad).
struct VectorRow {
  enum class Kind { plane, product, rod, turn };
  Kind kind = Kind::plane;
  int u = -1, v = -1, w = -1, slide = -1;
  double slide_part = 0.0;  ///< plane, product: what of the driven end's way counts
  Eigen::Vector3d direction{0, 0, 0};
  double scale = 1.0;
  double constant = 0.0;  ///< rod: L_0
  InputIndex input = kNoInput;
  InputIndex slide_input = kNoInput;
  int owner = -1;         ///< in the model's list of names
  int switch_index = -1;  ///< in the model's list of switches
};

/// Derivatives of one row with respect to its vectors; those that it does not have stay as they
/// were.
struct RowGradient {
  Eigen::Vector3d u, v, w, slide;
};

/// Values of all vectors, or rates of them.
using VectorValues = std::vector<Eigen::Vector3d>;

/// Whether a switch has released the row: it then counts as zero, and so do its derivatives.
bool is_released(const VectorRow& row, const std::vector<ClosureSwitch>& switches);

/// The row's error; `gradient`, where given, receives its derivatives. No heap use.
double evaluate_row(const VectorRow& row, const VectorValues& u,
                    const std::vector<CurveValue>& inputs, RowGradient* gradient = nullptr);

/// First and second rate of the row's error.
struct RowRates {
  double Phid = 0.0, Phidd = 0.0;
};
/// Rates of the row for vectors u that move with ud and udd; what is prescribed moves along. No
/// heap use.
RowRates evaluate_row_rates(const VectorRow& row, const VectorValues& u, const VectorValues& ud,
                            const VectorValues& udd, const std::vector<CurveValue>& inputs);

/// Rates of evaluate_row()'s gradient for vectors u that move with ud; what is prescribed moves
/// along. No heap use.
void evaluate_gradient_rates(const VectorRow& row, const VectorValues& u, const VectorValues& ud,
                             const std::vector<CurveValue>& inputs, RowGradient& rates);

/// Second derivatives of one row with respect to its vectors i and j: factor times I_3, each pair
/// i != j once.
struct RowSecond {
  struct Term {
    int i = -1, j = -1;
    double factor = 0.0;
  };
  std::array<Term, 3> terms;
  int count = 0;
};
/// They do not depend on the vectors: rows are quadratic in them. No heap use.
RowSecond second_derivatives_of(const VectorRow& row, const std::vector<CurveValue>& inputs);

}  // namespace semirec
