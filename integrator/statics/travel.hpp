#pragma once

#include <optional>
#include <vector>

#include <Eigen/Core>

#include "integrator/model.hpp"
#include "integrator/state.hpp"
#include "integrator/statics/steady_newton.hpp"
#include "integrator/workspace.hpp"

namespace semirec {

/// A motion of everything that floats as one rigid body in the plane: straight on or in a circle.
struct Travel {
  BodyIndex body = kGround;  ///< whose centre of mass has the speed
  double speed = 0.0;        ///< m/s
  double yaw_rate = 0.0;     ///< rad/s, to the left
  double course = 0.0;       ///< direction of the speed in the world, rad from x
};

/// Centre of mass of a body from O at the poses of the workspace, m.
Eigen::Vector3d centre_of_mass(const Model& model, BodyIndex body, const Workspace& ws);

/// n x 3: rates of everything that floats for a unit motion of the whole along the first of `axes`
/// (its columns), along the second and about the third through `centre` (from O). Needs poses.
Eigen::MatrixXd plane_directions(const Model& model, const Eigen::Vector3d& centre,
                                 const Workspace& ws,
                                 const Eigen::Matrix3d& axes = Eigen::Matrix3d::Identity());

/// Moves bodies that float as one: turns them by `turn` about a point (from O) and shifts them
/// then. Positions alone. Needs poses, which are those of before afterwards.
void move_rigidly(const Model& model, const std::vector<TreeIndex>& floating,
                  const Eigen::Matrix3d& turn, const Eigen::Vector3d& about,
                  const Eigen::Vector3d& shift, State& state, const Workspace& ws);

/// move_rigidly() with the rates and accelerations (zd, zdd, in the joints' axes) turned along.
void carry_along(const Model& model, const std::vector<TreeIndex>& floating,
                 const Eigen::Matrix3d& turn, const Eigen::Vector3d& about,
                 const Eigen::Vector3d& shift, State& state, const Workspace& ws);

/// Adds rates and accelerations of the travel: constant speed and yaw rate, so
///   v = V + w x (p - c),   a = w x v   for each floating body's origin p.    (theory 30)
void add_travel(const Model& model, const Travel& travel, const Workspace& ws, Eigen::VectorXd& zd,
                Eigen::VectorXd& zdd);

/// Coordinates that follow others by the closures, as half shafts follow the wheels that turn them:
/// as few as can bring Phid of the state to zero while what floats and the coordinates `kept` go on
/// as they do. Empty where no closure opens; nothing where they cannot. Off-line work: allocates.
std::optional<std::vector<int>> find_followers(const Model& model, const std::vector<int>& kept,
                                               const State& state, Workspace& ws);

/// Corrects rates and accelerations of such coordinates to
///   Phid = Phi_z zd + Phi_t = 0,   Phidd = 0
/// at the positions z. After begin_evaluation(); the poses stay. Off-line work: allocates.
void follow(const Model& model, const std::vector<int>& followers, const Eigen::VectorXd& z,
            Eigen::VectorXd& zd, Eigen::VectorXd& zdd, Workspace& ws);

/// Corrects the rates of a state by find_followers(). False, and the state as before, where nothing
/// can follow.
bool follow_rates(const Model& model, const std::vector<int>& kept, State& state, Workspace& ws);

/// Turns everything that floats about the vertical through a body's centre of mass: positions,
/// rates, accelerations. On level ground nothing else changes.
void turn_about_vertical(const Model& model, BodyIndex body, double angle, State& state,
                         Workspace& ws);

/// A travel that is looked for, and what is unknown in it.
struct SteadyTravel {
  Travel travel;  ///< `course` is unknown, but for on_line
  bool find_yaw_rate = false;
  /// Straight on with a course that is known; the place across it and the heading are found, as
  /// where a driver keeps a line.
  bool on_line = false;
  std::vector<int> rates;      ///< coordinates that turn steadily: wheels; zd of the state is where
                               ///< their search begins
  Eigen::VectorXd turning;     ///< n  rates of what turns at a known rate besides; empty: none
  std::vector<int> followers;  ///< coordinates that follow all these (follow())
  std::vector<int> held;       ///< coordinates that stay where they are besides the body's place
  std::vector<InputIndex> inputs;   ///< unknown, from State::live: steering, a force that holds the
                                    ///< speed
  std::vector<SteadyRange> ranges;  ///< of these inputs; empty: anywhere
  Eigen::VectorXd left_over;        ///< of a search that failed: SteadyProblem::left_over
};

/// Positions, rates, accelerations, multipliers and element states of a steady travel, from a state
/// near it, by Newton (solve_steady()). The body stays where it is, with its heading, but for
/// on_line. Inputs are those of State::live, or their curves. The state is untouched where none is
/// found.
EquilibriumReport find_steady_travel(const Model& model, SteadyTravel& search, State& state,
                                     Workspace& ws);

}  // namespace semirec
