#pragma once

#include <memory>
#include <vector>

#include <Eigen/Core>

#include "recursive/cars/lane_input.hpp"
#include "recursive/lanes/lane_access.hpp"
#include "recursive/lanes/lane_workspace.hpp"
#include "recursive/state_rule.hpp"
#include "recursive/tree_model.hpp"
#include "recursive/tree_workspace.hpp"

namespace semirec {

/// TreeWorkspace of cars side by side: each number is a pack, one car a lane. Units and frames as
/// there; each car has a reference point O of its own.
template <AnyPack P>
struct CarsWorkspace {
  CarsWorkspace(const TreeModel& tree, const LanePlanOf<P>& plan)
      : A0(static_cast<std::size_t>(tree.triads)),
        inputs(static_cast<std::size_t>(tree.inputs), LaneInputOf<P>(P{}, P{}, P{})),
        z_offset(static_cast<std::size_t>(tree.n)),
        z(z_offset),
        zd(z_offset),
        zdd(z_offset),
        residual(z_offset),
        x(static_cast<std::size_t>(tree.states)),
        xd(x),
        lanes(std::make_unique<LaneWorkspaceOf<P>>(plan)),
        one(std::make_unique<TreeWorkspace>(tree)) {
    for (Eigen::VectorXd* of_states : {&rule.x_begin, &rule.x_hat, &rule.xd_hat})
      of_states->setZero(static_cast<Eigen::Index>(x.size()) * kLanesOf<P>);
  }

  // given for a step
  Pack3Of<P> origin;                     ///< O in the world, m
  Pack3Of<P> ground;                     ///< the world's origin from O, m
  std::vector<PackMatrix3Of<P>> A0;      ///< [triad]
  std::vector<LaneInputOf<P>> inputs;    ///< [input]
  std::vector<P> z_offset;               ///< [coordinate]
  P time{};                              ///< s
  BasicStateRule<Eigen::VectorXd> rule;  ///< [state, lane]
  TangentWeights weights;

  std::vector<P> z, zd, zdd;  ///< [coordinate] at the iterate
  std::vector<P> residual;    ///< n
  P* tangent = nullptr;       ///< [slot] the memory of the factor
  std::vector<P> x, xd;       ///< [state]

  std::unique_ptr<LaneWorkspaceOf<P>> lanes;  ///< bodies, columns and forces

  std::unique_ptr<TreeWorkspace> one;  ///< of a single car, for what is asked car by car

  // what one car's sweeps copy out of the lanes
  NotPublished A_WC, p, H, Z, Zd, F;
};

/// Numbers of all lanes in a row, as Eigen takes them: entry k of lane l is k W + l.
template <AnyPack P>
Eigen::Map<Eigen::VectorXd> flat(std::vector<P>& packs) {
  return {reinterpret_cast<double*>(packs.data()),
          static_cast<Eigen::Index>(packs.size()) * kLanesOf<P>};
}
template <AnyPack P>
Eigen::Map<const Eigen::VectorXd> flat(const std::vector<P>& packs) {
  return {reinterpret_cast<const double*>(packs.data()),
          static_cast<Eigen::Index>(packs.size()) * kLanesOf<P>};
}

}  // namespace semirec
