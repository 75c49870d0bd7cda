#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"

namespace semirec::test {

/// The pendulums of tests/data/schemes/pendulum.csv: a point mass of 1 kg on a massless rod of 1 m,
/// from (1, 0) at rest, gravity 9.81 m/s^2 along -y, as a free body that one rod row holds. What it
/// does in a step is that file's, whatever the formulation.
///   rod      no more
///   spring   40 N/m, free length 1 m, 3 N s/m between the mass and (2, -1)
///   driven   the pivot moves along x by 0.75 m/s^2 t^2
Mechanism make_point_pendulum(const std::string& system = "rod");

/// Where it is: m, m/s, m/s^2; multiplier of ((x - X)^2 + y^2 - 1)/2.
struct PendulumMotion {
  Eigen::Vector2d position, velocity, acceleration;
  double multiplier = 0.0;
};

/// One step of the file.
struct PendulumStep {
  int step = 0;
  PendulumMotion own;  ///< acceleration and multiplier as the scheme carries them
  /// Acceleration and multiplier solved anew from position and velocity.
  Eigen::Vector2d acceleration_anew;
  double multiplier_anew = 0.0;
};

/// The steps of a scheme; parameter: gamma of newmark, alpha, rho, else 0; option: as the file has
/// it. Throws
/// std::invalid_argument where the file has none.
std::vector<PendulumStep> read_discrete_pendulum(const std::string& system,
                                                 const std::string& scheme, double parameter,
                                                 const std::string& option = {});

/// Where a state has the point mass; the multiplier is that of the rod.
PendulumMotion measure_pendulum(const Model& model, const State& state, Workspace& ws);

}  // namespace semirec::test
