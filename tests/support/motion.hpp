#pragma once

#include <string>

#include "integrator/model.hpp"
#include "integrator/report.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"

namespace semirec::test {

/// Motion of a frame fixed in a body, in world axes.
struct Motion {
  Frame X;                                                 ///< pose, m
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();      ///< of the frame's origin, m/s
  Eigen::Vector3d acceleration = Eigen::Vector3d::Zero();  ///< m/s^2
  Eigen::Vector3d w = Eigen::Vector3d::Zero();             ///< angular velocity, rad/s
  Eigen::Vector3d wd = Eigen::Vector3d::Zero();            ///< angular acceleration, rad/s^2

  /// Angular velocity in the frame's own axes.
  Eigen::Vector3d w_own() const { return X.A.transpose() * w; }
  /// Angle of the frame's x axis from the world's, counted about the world's z, in (-pi, pi].
  double angle_about_z() const;
};

/// A mechanism on its way: compiled, started at t = 0 from its description, stepped to convergence.
class Simulation {
 public:
  /// Throws ModelError.
  Simulation(const Mechanism& mechanism, double h, Formulation formulation = Formulation::hybrid);
  Simulation(Model compiled, double h);
  Simulation(Model compiled, const StepSettings& step);

  /// Steps until t. Throws std::runtime_error when a step does not converge, and
  /// std::invalid_argument when t is not on the grid of steps.
  void run_to(double t);
  /// One step; throws like run_to().
  StepReport advance();

  /// Motion of a marker, of a body's own frame, of a body's centre of mass (with the body's axes).
  Motion motion(const Marker& marker);
  Motion body(const std::string& name);
  Motion com(const std::string& name);
  Motion com(BodyIndex body);
  /// Coordinate k of a tree joint: position, rate, second rate. Triads have no position.
  double z(const std::string& joint, int k = 0) const;
  double zd(const std::string& joint, int k = 0) const;
  double zdd(const std::string& joint, int k = 0) const;

  /// Kinetic, potential and stored energy, J.
  double stored_energy();
  /// Angular momentum about the world's origin, kg m^2/s.
  Eigen::Vector3d angular_momentum();

  Model model;
  Workspace ws;
  State state;
  StepSettings settings;

 private:
  int coordinate(const std::string& joint, int k) const;
};

}  // namespace semirec::test
