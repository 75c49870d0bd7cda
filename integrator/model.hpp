#pragma once

#include <memory>
#include <string>
#include <vector>

#include "natural_coords/closure.hpp"
#include "recursive/forces/force_element.hpp"
#include "recursive/tree_model.hpp"
#include "topology/mechanism.hpp"

namespace semirec {

/// A compiled mechanism: everything that stays constant during a simulation. Build it with
/// compile(); share it between threads.
struct Model {
  Mechanism mechanism;  ///< the description it was compiled from
  TreeModel tree;
  ClosureModel closures;
  std::vector<std::shared_ptr<const ForceElement>> forces;

  int n() const { return tree.n; }
  int m() const { return closures.m; }
};

}  // namespace semirec
