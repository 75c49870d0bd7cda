#pragma once

#include <vector>

namespace semirec {

/// Constraint rows that share their columns: where they lie in Phi, Phi_z and the tangent.
struct RowBlock {
  int row = 0;  ///< first row in Phi
  int rows = 0;
  int jacobian = 0;  ///< place of the rows x columns block (row-major) in the values of Phi_z
  std::vector<int> columns;  ///< coordinates with entries, ascending
  std::vector<int> slots;    ///< lower triangle over columns, in the tangent
};

}  // namespace semirec
