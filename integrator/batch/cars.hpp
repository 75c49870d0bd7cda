#pragma once

#include <array>
#include <limits>
#include <memory>
#include <vector>

#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "natural_coords/closure_cars.hpp"
#include "penalty/factors/tree_factor.hpp"
#include "recursive/cars/car_workspace.hpp"
#include "recursive/cars/curve_of_cars.hpp"
#include "recursive/cars/forces_of_cars.hpp"

namespace semirec {

// What Model, State and Workspace are of one car, for cars side by side: each number is a pack, one
// car a lane. Names, units and frames as there.

/// What cars of one topology have in common: one of them, swept body by body.
struct CarShape {
  TreeModel tree;
  ClosureModel closures;
};

/// Constant.
template <AnyPack P>
struct Cars {
  std::shared_ptr<const CarShape> shape;
  std::vector<const Model*> models;  ///< [car] at most as many as lanes
  LanePlanOf<P> plan;
  std::vector<ClosureGroupOf<P>> closures;
  std::vector<std::unique_ptr<const ForcesOfCars<P>>> forces;
  std::vector<CurveOfCars<P>> inputs;  ///< [input]
  std::vector<P> input_factors;        ///< [input] Input::factor
};

/// A unit quaternion a lane.
template <AnyPack P>
struct QuaternionOf {
  P w, x, y, z;
};

template <AnyPack P>
struct CarsState {
  static constexpr int kCars = kLanesOf<P>;

  explicit CarsState(const CarShape& shape)
      : z(static_cast<std::size_t>(shape.tree.n)),
        zd(z),
        zdd(z),
        jerk(z),
        trend(z),
        A0(static_cast<std::size_t>(shape.tree.triads)),
        lambda(static_cast<std::size_t>(shape.closures.m)),
        multipliers(lambda),
        masses(lambda),
        x(static_cast<std::size_t>(shape.tree.states)),
        xd(x) {
    for (std::vector<LiveInput>& own : live)
      own.reserve(static_cast<std::size_t>(shape.tree.inputs));
  }

  std::array<double, kCars> t{};
  std::array<double, kCars> end = no_ends();  ///< of the next step; NaN: t + h
  std::vector<P> z, zd, zdd, jerk, trend;
  P jerk_step{};
  std::vector<QuaternionOf<P>> A0;
  Pack3Of<P> origin{P{}, P{}, P{}};
  std::vector<P> lambda, multipliers, masses;
  std::vector<P> x, xd;
  std::array<std::vector<LiveInput>, kCars> live;

  void put(int lane, const State& state);
  void take(int lane, State& state) const;

 private:
  static std::array<double, kCars> no_ends() {
    std::array<double, kCars> none{};
    none.fill(std::numeric_limits<double>::quiet_NaN());
    return none;
  }
};

template <AnyPack P>
struct CarsScratch {
  explicit CarsScratch(const Cars<P>& cars)
      : tree(cars.shape->tree, cars.plan),
        closures(cars.shape->closures),
        factor(cars.shape->tree.pattern),
        done_factor(cars.shape->tree.pattern),
        done_Phi_z(closures.Phi_z),
        increment(static_cast<std::size_t>(cars.shape->tree.n)),
        correction(increment),
        lambda(static_cast<std::size_t>(cars.shape->closures.m)),
        alpha(lambda),
        weighted(lambda),
        multipliers(lambda) {}

  CarsWorkspace<P> tree;
  CarsClosures<P> closures;
  TreeFactorOf<P> factor;
  /// Of cars that are done while others iterate.
  TreeFactorOf<P> done_factor;
  std::vector<P> done_Phi_z;

  std::vector<P> increment, correction;
  std::vector<P> lambda, alpha, weighted, multipliers;
};

template <AnyPack P>
void CarsState<P>::put(int lane, const State& state) {
  const auto put_all = [&](const Eigen::VectorXd& from, std::vector<P>& to) {
    for (std::size_t k = 0; k < to.size(); ++k)
      to[k][lane] = from.size() > 0 ? from[static_cast<Eigen::Index>(k)] : 0.0;
  };
  t[static_cast<std::size_t>(lane)] = state.t;
  end[static_cast<std::size_t>(lane)] = std::numeric_limits<double>::quiet_NaN();
  put_all(state.z, z);
  put_all(state.zd, zd);
  put_all(state.zdd, zdd);
  put_all(state.jerk, jerk);
  put_all(state.trend, trend);
  jerk_step[lane] = state.jerk_step;
  put_all(state.lambda, lambda);
  put_all(state.multipliers.size() > 0 ? state.multipliers : state.lambda, multipliers);
  put_all(state.masses, masses);
  put_all(state.x, x);
  put_all(state.xd, xd);
  for (std::size_t k = 0; k < A0.size(); ++k) {
    A0[k].w[lane] = state.A0[k].w();
    A0[k].x[lane] = state.A0[k].x();
    A0[k].y[lane] = state.A0[k].y();
    A0[k].z[lane] = state.A0[k].z();
  }
  origin.x[lane] = state.origin.x();
  origin.y[lane] = state.origin.y();
  origin.z[lane] = state.origin.z();
  live[static_cast<std::size_t>(lane)] = state.live;
}

template <AnyPack P>
void CarsState<P>::take(int lane, State& state) const {
  const auto take_all = [&](const std::vector<P>& from, Eigen::VectorXd& to) {
    to.resize(static_cast<Eigen::Index>(from.size()));
    for (std::size_t k = 0; k < from.size(); ++k) to[static_cast<Eigen::Index>(k)] = from[k][lane];
  };
  state.t = t[static_cast<std::size_t>(lane)];
  take_all(z, state.z);
  take_all(zd, state.zd);
  take_all(zdd, state.zdd);
  take_all(jerk, state.jerk);
  take_all(trend, state.trend);
  state.jerk_step = jerk_step[lane];
  take_all(lambda, state.lambda);
  take_all(multipliers, state.multipliers);
  take_all(masses, state.masses);
  take_all(x, state.x);
  take_all(xd, state.xd);
  state.A0.resize(A0.size());
  for (std::size_t k = 0; k < A0.size(); ++k)
    state.A0[k] = Quaternion(A0[k].w[lane], A0[k].x[lane], A0[k].y[lane], A0[k].z[lane]);
  state.origin = {origin.x[lane], origin.y[lane], origin.z[lane]};
  state.live = live[static_cast<std::size_t>(lane)];
}

}  // namespace semirec
