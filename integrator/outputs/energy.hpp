#pragma once

#include <vector>

#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "integrator/workspace.hpp"

namespace semirec {

/// Energies at a state, J, and powers, W.
struct Energy {
  double kinetic = 0.0;
  double potential = 0.0;   ///< weight, zero at the world's origin
  double elastic = 0.0;     ///< stored in force elements
  double dissipated = 0.0;  ///< since the start
  double input = 0.0;       ///< by prescribed motions, loads and moving roads, since the start
  double scheme = 0.0;      ///< taken by the scheme's own damping, since the start; else zero
  double dissipated_power = 0.0;
  double input_power = 0.0;
  double open_store = 0.0;  ///< part of `elastic` that the surroundings feed (tyres on a road)

  /// What is not accounted for, against the energy at the start: zero but for the integration
  /// error.
  double error(const Energy& start) const {
    return (kinetic + potential + elastic + dissipated + scheme - input) -
           (start.kinetic + start.potential + start.elastic + start.dissipated + start.scheme -
            start.input);
  }
};

/// Energies and powers at the state, the running sums left at zero. Drivers give lambda^T Phi_t.
/// Where an input jumps the powers are those after the jump, or before it with `from_left`.
Energy find_energy(const Model& model, const State& state, Workspace& ws, bool from_left = false);

/// Kinetic energy in parts, J, four of each tree body: m v^2/2 of its centre of mass, and
/// w_k (J w)_k/2 about each of its axes. Takes them from the workspace as find_energy() has left
/// it. Allocates the first time.
void find_kinetic_parts(const Model& model, const Workspace& ws, std::vector<double>& parts);

/// What the bodies' inertia asks for at an instant, in world axes.
struct InertialLoads {
  struct Body {
    Eigen::Vector3d x;       ///< centre of mass, m
    Eigen::Matrix3d A;       ///< axes
    Eigen::Vector3d w;       ///< angular velocity, rad/s
    Eigen::Vector3d force;   ///< m a, N
    Eigen::Vector3d torque;  ///< J wd + w x J w, N m
  };
  std::vector<Body> bodies;
};

/// Takes the loads from the workspace as find_energy() has left it. Allocates the first time.
void find_inertial_loads(const Model& model, const Workspace& ws, InertialLoads& loads);

/// Work of the mean of the loads at both ends of a step of length h along the bodies' ways. What of
/// it has not become kinetic energy the scheme has taken, or is an error of second order.
double find_inertial_work(const InertialLoads& before, const InertialLoads& now, double h);

/// Carries the running sums over one step by the trapezoid of the powers at its ends.
void accumulate_energy(const Energy& before, double h, Energy& now);

/// Carries the running sums over an instant at which inputs jump or an event happens. What the
/// bodies and the stores gain there is the work of a prescribed motion that jumps, of the
/// surroundings, or of an event that closes a small gap: it counts as input.
void carry_over_jump(const Energy& before, Energy& after);

}  // namespace semirec
