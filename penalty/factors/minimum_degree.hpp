#pragma once

#include <vector>

namespace semirec {

/// Elimination order of little fill for the pattern of A + A^T, by approximate minimum degree:
/// order[k] is the index eliminated k-th. The pattern by columns: the rows of column c are
/// row_index[column_begin[c] ...]. Build time.
std::vector<int> find_minimum_degree_order(const std::vector<int>& column_begin,
                                           const std::vector<int>& row_index);

}  // namespace semirec
