#pragma once

#include <algorithm>
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
#include "recursive/packs/transpose.hpp"

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

  /// The states of cars, one a lane; a lane of nullptr keeps what it has.
  void put(const std::array<const State*, kCars>& states);
  void take(const std::array<State*, kCars>& states) const;

 private:
  template <typename S>
  static bool are_all(const std::array<S*, kCars>& states) {
    return std::find(states.begin(), states.end(), nullptr) == states.end();
  }
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

namespace cars {

/// Calls use(member of State, member of CarsState) for each row of numbers that both have.
template <typename Cars, typename Use>
void for_each_row(Cars& cars, const Use& use) {
  use(&State::z, cars.z);
  use(&State::zd, cars.zd);
  use(&State::zdd, cars.zdd);
  use(&State::jerk, cars.jerk);
  use(&State::trend, cars.trend);
  use(&State::lambda, cars.lambda);
  use(&State::multipliers, cars.multipliers);
  use(&State::masses, cars.masses);
  use(&State::x, cars.x);
  use(&State::xd, cars.xd);
}

}  // namespace cars

template <AnyPack P>
void CarsState<P>::put(const std::array<const State*, kCars>& states) {
  const bool all = are_all(states);
  std::array<const double*, kCars> numbers{};
  cars::for_each_row(*this, [&](Eigen::VectorXd State::*row, std::vector<P>& to) {
    for (int l = 0; l < kCars; ++l) {
      if (states[at(l)] == nullptr) continue;
      const State& state = *states[at(l)];
      const Eigen::VectorXd* own = &(state.*row);
      if (row == &State::multipliers && own->size() == 0) own = &state.lambda;
      numbers[at(l)] = own->size() > 0 ? own->data() : nullptr;
    }
    if (all) return gather_lanes(numbers.data(), to.size(), to.data());
    for (int l = 0; l < kCars; ++l)
      for (std::size_t k = 0; states[at(l)] != nullptr && k < to.size(); ++k)
        to[k][l] = numbers[at(l)] != nullptr ? numbers[at(l)][k] : 0.0;
  });
  for (int l = 0; l < kCars; ++l) {
    if (states[at(l)] == nullptr) continue;
    const State& state = *states[at(l)];
    t[at(l)] = state.t;
    end[at(l)] = std::numeric_limits<double>::quiet_NaN();
    jerk_step[l] = state.jerk_step;
    for (std::size_t k = 0; k < A0.size(); ++k) {
      A0[k].w[l] = state.A0[k].w();
      A0[k].x[l] = state.A0[k].x();
      A0[k].y[l] = state.A0[k].y();
      A0[k].z[l] = state.A0[k].z();
    }
    origin.x[l] = state.origin.x();
    origin.y[l] = state.origin.y();
    origin.z[l] = state.origin.z();
    live[at(l)] = state.live;
  }
}

template <AnyPack P>
void CarsState<P>::take(const std::array<State*, kCars>& states) const {
  const bool all = are_all(states);
  std::array<double*, kCars> numbers{};
  cars::for_each_row(*this, [&](Eigen::VectorXd State::*row, const std::vector<P>& from) {
    for (int l = 0; l < kCars; ++l) {
      if (states[at(l)] == nullptr) continue;
      Eigen::VectorXd& own = states[at(l)]->*row;
      own.resize(static_cast<Eigen::Index>(from.size()));
      numbers[at(l)] = own.data();
    }
    if (all) return scatter_lanes(from.data(), from.size(), numbers.data());
    for (int l = 0; l < kCars; ++l)
      for (std::size_t k = 0; states[at(l)] != nullptr && k < from.size(); ++k)
        numbers[at(l)][k] = from[k][l];
  });
  for (int l = 0; l < kCars; ++l) {
    if (states[at(l)] == nullptr) continue;
    State& state = *states[at(l)];
    state.t = t[at(l)];
    state.jerk_step = jerk_step[l];
    state.A0.resize(A0.size());
    for (std::size_t k = 0; k < A0.size(); ++k)
      state.A0[k] = Quaternion(A0[k].w[l], A0[k].x[l], A0[k].y[l], A0[k].z[l]);
    state.origin = {origin.x[l], origin.y[l], origin.z[l]};
    state.live = live[at(l)];
  }
}

}  // namespace semirec
