#pragma once

#include <vector>

#include "recursive/packs/pack.hpp"
#include "recursive/symmetric_pattern.hpp"
#include "recursive/tree_model.hpp"

namespace semirec {

template <AnyPack P>
struct LanePlanOf;
using LanePlan = LanePlanOf<Pack>;

/// How the tangent is stored and factored; `automatic` takes the storage with the fewest
/// operations. `lanes` falls back to `tree` where no branches lie side by side.
enum class TangentChoice { automatic, tree, lanes, sparse, dense };

/// The pattern of an n x n tangent whose coordinates couple in the given sets. `plan`: which
/// branches lie side by side. Build time.
SymmetricPattern choose_pattern(int n, const std::vector<std::vector<int>>& cliques,
                                TangentChoice choice, const LanePlan& plan);

}  // namespace semirec
