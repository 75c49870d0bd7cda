#pragma once

#include <array>
#include <vector>

#include "recursive/packs/pack.hpp"

namespace semirec {

/// Entries of Phi_z are lengths, angles or cosines by design. A row without one above this (m or
/// rad for each m or rad) is what round-off leaves of a row of zeros, as of a second hinge on the
/// axis of the first, and holds nothing: measured against itself it would look like any other.
inline constexpr double kZeroRow = 1e-11;

/// Constraint rows that share their columns: where they lie in Phi, Phi_z and the tangent.
///
/// Entry (r, k) of the rows x columns block is Phi_z[jacobian + stride (r columns.size() + k)]. Up
/// to four like blocks lie interleaved (stride kLanes): the first of them leads.
struct RowBlock {
  int row = 0;  ///< first row in Phi
  int rows = 0;
  int jacobian = 0;
  int stride = 1;
  int lanes = 1;  ///< blocks that this one leads, itself included; 0: another one leads
  std::array<int, kLanes> members{};  ///< of a leader: the blocks' indices
  std::vector<int> columns;           ///< coordinates with entries, ascending
  std::vector<int> slots;             ///< lower triangle over columns, in the tangent
  /// Of a leader of four: its entries' slots, where those of all four lie in a row there; else
  /// empty.
  std::vector<int> lane_slots;
};

}  // namespace semirec
