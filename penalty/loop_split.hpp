#pragma once

#include <vector>

#include <Eigen/Core>

#include "penalty/loop_group.hpp"

namespace semirec {

/// The coordinates of a group of loops split into dependent and independent ones at every step
/// anew, and what the closures make of it: with Phi_z = [Phi_d Phi_i]
///   z_d = Phi_d^-1 g + R z_i solves Phi_z z = g,   R = -Phi_d^-1 Phi_i.
/// Rows that find no pivot depend on others and are left out.
/// Elimination after Gauss and Jordan beside a unit matrix, by rows of whole packs; for groups as
/// small as a suspension that takes less than triangular factors and their solutions.
struct LoopSplit {
  LoopSplit(const LoopGroup& group, const std::vector<RowBlock>& blocks);

  /// An entry of Phi_z and its index in the table.
  struct Entry {
    int from, to;
  };
  struct Pivot {
    int row, column;
  };

  std::vector<int> columns;  ///< coordinates, ascending
  std::vector<int> rows;     ///< in Phi
  int width;                 ///< of the columns, in whole packs
  int stride;                ///< of the table: width, and the rows in whole packs
  std::vector<Entry> entries;
  // of the split
  std::vector<Pivot> pivots;  ///< largest first; indices in rows and columns
  std::vector<int> free;      ///< independent ones, indices in columns
  double largest = 0.0;       ///< the first pivot
  std::vector<double> R;      ///< [free] width: of all columns, 1 in its own
  std::vector<double> table;  ///< [row] eliminated Phi_z, then Phi_d^-1 in rows with a pivot
  // scratch
  std::vector<int> is_free;   ///< [column] has no pivot
  std::vector<int> is_used;   ///< [row] has given a pivot
  std::vector<int> was_free;  ///< is_free and pivots of the split before
  std::vector<Pivot> last_pivots;
  std::vector<double> right;  ///< rows in whole packs
};

// no heap use
/// Takes the loop's part of Phi_z. Must come before each split_by_pivots() and move_dependent(),
/// with the same Phi_z; the tables of all loops first, as numbers that were just written one by one
/// hold up the reading of whole packs.
void fill_table(const std::vector<double>& Phi_z, LoopSplit& split);
/// Splits by complete pivoting on Phi_z.
void split_by_pivots(const std::vector<double>& Phi_z, LoopSplit& split);
/// x (width) <- Phi_d^-1 g in dependent coordinates, zero in others; by the last split.
void find_dependent(const Eigen::VectorXd& g, LoopSplit& split, double* x);
/// Adds to the multipliers of the rows with a pivot: Phi_d^-T load, `load` (pivots) in the order of
/// the pivots; zero for the others.
void find_multipliers(const double* load, LoopSplit& split, Eigen::VectorXd& multipliers);
/// Moves the coordinates that are dependent in the split so that Phi_z z becomes less by `error`
/// (m), at another Phi_z than that of the split, to round-off. False where they do not span its
/// rows. The split is made anew by complete pivoting of this Phi_z first. Where the same
/// coordinates are dependent there it solves, and `is_split`: it is what split_by_pivots() leaves.
/// Otherwise the old ones are eliminated, and the split is lost.
[[nodiscard]] bool move_dependent(const std::vector<double>& Phi_z, const Eigen::VectorXd& error,
                                  LoopSplit& split, bool& is_split, Eigen::VectorXd& z);

}  // namespace semirec
