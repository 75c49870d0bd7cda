#pragma once

#include <vector>

#include "penalty/factors/block_matrix.hpp"

namespace semirec {

/// In which order to eliminate the unknowns of a matrix [A B^T; B -E], n of them in A, so that the
/// diagonal gives the pivots and little is filled in: by the fewest neighbours, group by group; an
/// unknown beyond A comes when unknowns of A that it is tied to are gone, as many for each group as
/// the group has rows, or all of them.
///
/// `size` unknowns, the entries of the matrix, and `groups`: unknowns of A whose block is regular,
/// without common members; an unknown that stands in none is a group by itself. Returns the
/// unknowns in their order. Allocates.
std::vector<int> find_saddle_order(int size, int n, const std::vector<MatrixEntry>& entries,
                                   const std::vector<std::vector<int>>& groups);

}  // namespace semirec
