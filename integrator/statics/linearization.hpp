#pragma once

#include <complex>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "integrator/outputs/recorder.hpp"
#include "integrator/state.hpp"
#include "integrator/statics/travel.hpp"
#include "integrator/workspace.hpp"

namespace semirec {

/// What of the travelling body's place and heading is no state: nothing depends on it.
enum class PlaceLeftOut {
  nothing,
  along,  ///< its place along a straight way, as where a driver keeps it on a straight course
  all     ///< place and heading, as on level ground
};

/// LinearSystem::ignored above which a system is none: it depends on what it leaves out.
inline constexpr double kMostIgnored = 1e-6;

/// What is to be linearized, and how finely.
struct LinearizationSettings {
  Travel travel;  ///< of the state; `body` kGround: at rest, or nothing that floats
  /// Coordinates without effect that are taken out: spins of wheels.
  std::vector<int> ignorable;
  /// Coordinates that are to be independent, as long as the others are far from depending on less:
  /// systems of several states have the same states then (find_independent()). Empty: any.
  std::vector<int> independent;
  PlaceLeftOut place = PlaceLeftOut::all;  ///< of what travels, if anything does
  std::vector<InputIndex> inputs;          ///< empty: all of the mechanism that follow no other
  std::vector<InputIndex> rising;      ///< inputs that can only grow from where they are: pedals at
                                       ///< rest, whose slopes are those above
  RecorderSettings recorder;           ///< where outputs are looked up
  std::vector<std::string> outputs;    ///< names of recorder channels; empty: none
  double scale = 1.0;                  ///< of the differences' steps
  double most_ignored = kMostIgnored;  ///< above which an output that sees it is refused
};

/// xd = A x + B u, y = C x + D u about a state in which all forces are in balance; small
/// deviations, in SI.
///
/// States: deviations of the independent coordinates of the joints (those that closures leave
/// free), their rates, first-order states of force elements. All is counted in a frame that moves
/// with the travel, so the system does not depend on time: see docs/theory.md 31. With
/// PlaceLeftOut::all the frame moves with the body itself: its place x, y and its heading are no
/// states, its velocities in the plane are those in its own level axes.
/// Inputs: an input that moves a closure, or whose rate acts, brings columns for its rate and its
/// second rate (`steering.rate`, `steering.acceleration`): the system is exact in them.
struct LinearSystem {
  Eigen::MatrixXd A, B, C, D;
  std::vector<Channel> states, inputs, outputs;
  /// Deviations of all coordinates and of their rates from the states: n x states. Their rates: of
  /// the coordinates in the moving frame.
  Eigen::MatrixXd z, zd;
  /// [state] first-order state of the force elements, or -1.
  std::vector<int> element_state;
  /// Degrees of freedom, with those taken out.
  int degrees_of_freedom = 0;
  PlaceLeftOut place = PlaceLeftOut::nothing;  ///< what of place and heading is no state
  /// How far A is from leaving out what was taken out, relative to its largest entry: of the size
  /// of the differences' error where nothing depends on it.
  double ignored = 0.0;
  /// How far forces are from adding up: of motions in all coordinates at once, what the forces do
  /// less the sum of what they do in each, of the sum of sizes. Small for smooth laws, and for laws
  /// of one motion that have a corner; not where a law switches by the sign of a product or is
  /// infinitely steep, so that no linear system holds.
  double not_additive = 0.0;
};

/// The coordinates that linearize() would have as independent ones at a state, ascending: for
/// LinearizationSettings::independent at others. Off-line: allocates.
std::vector<int> find_independent(const Model& model, const State& state,
                                  const LinearizationSettings& settings, Workspace& ws);

/// Linearizes M zdd + Phi_z^T lambda = Q(z, zd, x, u), Phi = 0, xd = g(z, zd, x, u) at a state
/// whose accelerations, multipliers and element states are those of equilibrium or steady travel.
///   M_r = N^T M N,  C_r, K_r with K of the whole residual (Phi_z^T lambda)_z included,
///   Phi_z N = 0                                                            (theory 31)
/// All slopes are central differences of three widths, extrapolated twice: nine digits where laws
/// are smooth; where a law has a corner at the state, the mean of both its sides. Relative
/// coordinates. Throws ModelError for an output that does not exist or depends on what is taken
/// out, and where the mass matrix is not positive definite. Off-line: allocates.
LinearSystem linearize(const Model& model, const State& state,
                       const LinearizationSettings& settings, Workspace& ws);

/// One eigenvalue of A, or a pair.
struct Eigenmode {
  std::complex<double> value;  ///< 1/s; of a pair the one with the positive frequency
  Eigen::VectorXcd shape;      ///< states, the largest state 1
  Eigen::VectorXcd left;       ///< left vector: left^T A = value left^T, left^T shape = 1
  double natural_frequency() const { return std::abs(value); }  ///< rad/s
  double damping_ratio() const;  ///< -real/|value|; 1 or -1 without oscillation, 0 for zero
  bool oscillates() const { return value.imag() > 0.0; }
};

/// Those of A by rising magnitude; of each pair one.
std::vector<Eigenmode> find_eigenmodes(const Eigen::MatrixXd& A);

}  // namespace semirec
