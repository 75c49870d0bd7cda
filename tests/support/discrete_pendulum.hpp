#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"

namespace semirec::test {

/// A point mass of 1 kg on a massless rod of 1 m about the origin, from (1, 0) at rest, gravity
/// 9.81 m/s^2 along -y: a free body that one rod row holds. What it does in a step is the discrete
/// pendulum of tests/data/discrete_pendulum.csv, whatever the formulation.
Mechanism make_point_pendulum();

/// One step of a discrete solution: x, y, m; m/s; m/s^2; multiplier of (x^2 + y^2 - 1)/2.
struct PendulumStep {
  int step = 0;
  Eigen::Vector2d position, velocity, acceleration;
  double multiplier = 0.0;
};

/// The solution of a method in tests/data/discrete_pendulum.csv, by its name and alpha. Throws
/// std::invalid_argument where there is none.
std::vector<PendulumStep> read_discrete_pendulum(const std::string& method, double alpha = 0.0);

/// Where a state has the point mass; the multiplier is that of the rod.
PendulumStep measure_pendulum(const Model& model, const State& state, Workspace& ws);

}  // namespace semirec::test
