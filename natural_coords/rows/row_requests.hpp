#pragma once

#include <string>
#include <vector>

#include "natural_coords/closure.hpp"
#include "recursive/tree_model.hpp"

namespace semirec {

/// One equation (a point: three) that a mechanism asks of two bodies, before a formulation has
/// written it in its own coordinates. d = r_b - r_a; frames are those of a and b.
///   point  d = 0
///   along  d . axis of a - constant - input = 0
///   dot    axis of a . axis of b = 0
///   rod    |d| = constant + input
///   turn   angle of b against a about z (axis_on_b: about b's x, seen from a) = input
struct RowRequest {
  enum class Kind { point, along, dot, rod, turn };
  Kind kind = Kind::point;
  Attachment a, b;
  int axis_a = 0, axis_b = 0;
  bool axis_on_b = false;
  double constant = 0.0;  ///< m
  InputIndex input = kNoInput;
  Eigen::Vector3d slide{0, 0, 0};  ///< direction of a driven end, compiled frame of a
  InputIndex slide_input = kNoInput;
  int owner = -1;         ///< in RowRequests::owners
  int switch_index = -1;  ///< in RowRequests::switches
};

/// All that joints, constraints and prescribed motions of a mechanism ask for, cut joints or not.
struct RowRequests {
  std::vector<RowRequest> rows;
  std::vector<std::string> owners;      ///< names of joints, constraints, prescribed motions
  std::vector<ClosureSwitch> switches;  ///< as they are at the start
  std::vector<Attachment> switch_a, switch_b;
};

/// Collects them. Throws ModelError where a prescribed motion acts on a coordinate that the tree
/// does not have.
RowRequests find_row_requests(const Mechanism& mechanism, const TreeModel& tree);

}  // namespace semirec
