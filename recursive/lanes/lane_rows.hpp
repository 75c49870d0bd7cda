#pragma once

#include <array>
#include <optional>
#include <vector>

#include "recursive/packs/pack.hpp"

namespace semirec {

/// The rows of a symmetric matrix in lanes: up to four indices that couple alike and not with one
/// another make one row of packs; what all lanes couple with is shared. The corners of a car and
/// its chassis.
///
/// Row r holds packs for its lanewise columns (rows below r, ascending), its diagonal, and the
/// shared columns; all of them with the fill of an elimination from the last row to the first, the
/// shared ones last. After the rows follows the lower triangle of the shared columns, by rows.
struct LaneRows {
  struct Row {
    std::array<int, kLanes> index{};  ///< of each lane; unused lanes repeat lane 0
    int count = 0;
    int begin = 0;             ///< first pack of the row
    std::vector<int> columns;  ///< lanewise, ascending
    std::vector<int> shared;   ///< places among the shared, ascending
    /// [pair of entries a > b, lanewise or (lanewise b, shared a)] pack that takes their product
    std::vector<int> targets;
    int diagonal() const { return begin + static_cast<int>(columns.size()); }
  };
  std::vector<Row> rows;
  std::vector<int> shared;           ///< [place] its index
  int packs = 0;                     ///< of all rows
  std::vector<int> row_of, lane_of;  ///< [index] -1: shared; there lane_of is its place
  int value_count() const {
    const auto s = static_cast<int>(shared.size());
    return kLanes * packs + s * (s + 1) / 2;
  }
  /// Place of entry (i, j) in the values.
  int slot(int i, int j) const;
};

/// `lanes`: sets of indices side by side, inboard first; all others are shared. Nothing when the
/// cliques couple different lanes of a row with one another.
std::optional<LaneRows> make_lane_rows(int n, const std::vector<std::vector<int>>& cliques,
                                       const std::vector<std::vector<int>>& lanes);

}  // namespace semirec
