#include "vehicles/session/rolling_start.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/statics/travel.hpp"
#include "topology/indices.hpp"
#include "vehicles/session/continuation.hpp"
#include "vehicles/session/held_articulation.hpp"
#include "vehicles/session/standing_car.hpp"
#include "vehicles/session/standing_pose.hpp"
#include "vehicles/session/wheel_spin.hpp"

namespace semirec {

namespace {

/// A line where a car that starts straight on turns off at once; empty where it does not. `share`:
/// of plane_directions(), m/s^2 and rad/s^2.
std::string find_turning(const Eigen::VectorXd& share) {
  constexpr double kAcross = 0.1;  // m/s^2, rad/s^2
  if (share.segment<2>(1).cwiseAbs().maxCoeff() < kAcross) return {};
  std::ostringstream text;
  text << "the car does not run straight on at the start: with its inputs it accelerates across by "
       << share[1] << " m/s^2 and turns faster by " << share[2]
       << " rad/s^2; it is not alike on both sides, steered, or on a road that is not level "
          "across, and settles on its way";
  return text.str();
}

/// Adds a velocity to parts that float: the car, and what bushings hold beside it. `change`: of the
/// velocity that such a part has, to what is added, world.
template <typename Change>
void add_to_floating(const Model& model, Eigen::VectorXd& zd, const Change& change) {
  for (const TreeBody& body : model.tree.bodies) {
    if (!body.floats) continue;
    const Eigen::Vector3d now = body.X_PJ.A * zd.segment<3>(body.z);
    zd.segment<3>(body.z) += body.X_PJ.A.transpose() * change(now);
  }
}

/// Accelerations that a straight drive may have, at the poses of the workspace: of the whole in the
/// plane of the road, but for the way that is held; of the articulations that are.
Eigen::MatrixXd find_free_accelerations(const Drive& drive, const Model& model,
                                        const std::vector<Articulation>& articulations,
                                        const Eigen::Matrix3d& axes, const Workspace& ws) {
  const std::size_t chassis = at(model.tree.tree.tree_index(drive.chassis));
  Eigen::MatrixXd free(model.n(), 3 + static_cast<Eigen::Index>(articulations.size()));
  free.leftCols<3>() = plane_directions(model, ws.tree.p[chassis], ws, axes);
  if (drive.held_along_x) free.col(0).setZero();
  for (std::size_t k = 0; k < articulations.size(); ++k)
    free.col(3 + static_cast<Eigen::Index>(k)) = articulations[k].turning;
  return free;
}

/// Those that stay as they are (Articulation::written).
std::vector<Articulation> find_written_articulations(const Drive& drive, const Model& model,
                                                     const Combination& unit,
                                                     const Eigen::Vector3d& normal,
                                                     const Workspace& ws) {
  std::vector<Articulation> all = find_articulations(drive, model, unit, normal, ws);
  std::erase_if(all, [](const Articulation& articulation) { return !articulation.written; });
  return all;
}

/// A line about wheels that stood on the road at rest, in `state`, and carry nothing in `reached`.
std::string describe_lifted(const Model& model, const Combination& unit, const State& state,
                            const State& reached, Workspace& ws) {
  evaluate_state(model, state, ws);
  const std::string at_rest = name_idle_wheels(model, unit, ws);
  evaluate_state(model, reached, ws);
  const std::string names = name_idle_wheels(model, unit, ws);
  if (names.empty() || names == at_rest) return {};
  return "at the start, at its speed, nothing rests on " + names;
}

}  // namespace

void start_rolling(const Drive& drive, const Model& model, State& state, Workspace& ws,
                   StartReport& said) {
  const Eigen::Matrix3d axes = find_road_axes(drive, model, state, ws);
  // on a slope what holds or controls a level speed has to begin with it
  const double asked = drive.level_speed ? drive.speed / axes.col(0).head<2>().norm() : drive.speed;
  // the speed of the start takes the place of a forward speed that the file writes
  add_to_floating(model, state.zd, [&](const Eigen::Vector3d& now) -> Eigen::Vector3d {
    return (asked - axes.col(0).dot(now)) * axes.col(0);
  });
  evaluate_state(model, state, ws);
  const std::vector<WheelSpin> spins = find_wheel_spins(model, drive.wheels, ws, asked);
  for (std::string& line : find_wheels_without_spin(model, drive.wheels, spins))
    said.notes.push_back(std::move(line));
  const Eigen::VectorXd written = state.zd;
  SteadyMotion motion;
  motion.tangent = said.tangent;
  for (const WheelSpin& spin : spins) {
    state.zd[spin.z] = asked * spin.rolling;
    if (drive.wheels[spin.wheel].law) motion.rates.push_back(spin.z);
  }
  if (drive.start == StartMode::equilibrium && !motion.rates.empty()) {
    said.rolls = true;
    motion.held = place_coordinates(model, drive.chassis);
    const Eigen::VectorXd whole = state.zd;
    const Combination unit = find_combination(model, drive.chassis);
    const auto written_articulations = [&] {
      return find_written_articulations(drive, model, unit, axes.col(2), ws);
    };
    for (const Articulation& articulation : written_articulations())
      motion.held.push_back(articulation.held);
    const double heading = find_heading(model, drive.chassis, ws);
    State reached = state;
    double speed = asked;
    // along the road as the car heads: on a bank the wheels of a car roll another way when it is
    // pitched otherwise
    motion.aim = [&](const Workspace& poses, Eigen::VectorXd& zd) {
      const Eigen::Vector3d left =
          axes.col(2).cross(find_forward(model, drive.chassis, poses)).normalized();
      const Eigen::Vector3d turn = left.cross(axes.col(2)) - axes.col(0);
      add_to_floating(model, zd, [&](const Eigen::Vector3d& /*now*/) -> Eigen::Vector3d {
        return speed * turn;
      });
    };
    const auto solve = [&](double share) {
      State trial = reached;
      evaluate_state(model, trial, ws);
      motion.zd = share * whole;
      motion.share.resize(0);
      speed = share * asked;
      for (const WheelSpin& spin : find_wheel_spins(model, drive.wheels, ws, speed))
        motion.zd[spin.z] = speed * spin.rolling;
      motion.accelerations =
          find_free_accelerations(drive, model, written_articulations(), axes, ws);
      EquilibriumReport report;
      search_on_heading(model, unit, drive.chassis, heading, trial, ws, [&](State& from) {
        const EquilibriumReport found = find_steady_motion(model, motion, from, ws);
        if (found.found || !report.found) report = found;
        if (!found.found) return false;
        // a second search begins where this one has ended
        for (const int k : motion.rates) motion.zd[k] = from.zd[k];
        motion.share = found.share;
        return true;
      });
      if (report.found || said.motion.iterations == 0) said.motion = report;
      if (report.found) reached = trial;
      return report.found;
    };
    if (solve_in_steps(solve)) {
      if (std::string line = describe_lifted(model, unit, state, reached, ws); !line.empty())
        said.notes.push_back(std::move(line));
      state = reached;
      said.tangent = motion.tangent;
      if (const std::string line = find_turning(said.motion.share); !line.empty())
        said.notes.push_back(line);
    } else {
      said.motion.found = false;
      std::ostringstream text;
      constexpr double kBalanced = 1e-3;  // N: what is left is no reason
      text << "no steady motion at " << drive.speed << " m/s was found: ";
      if (said.motion.residual > kBalanced)
        text << "forces stay unbalanced by " << said.motion.residual << " N";
      else
        text << "the search does not settle on the spin of its wheels";
      text << "; the run starts from the equilibrium at rest with wheels that roll without "
              "slip, and settles on its way";
      said.notes.push_back(text.str());
    }
  }
  std::vector<int> turning;
  for (const WheelSpin& spin : spins) {
    if (spin.written) state.zd[spin.z] = written[spin.z];
    turning.push_back(spin.z);
  }
  std::vector<int> kept = turning;
  for (std::size_t t = 1; t < model.tree.bodies.size(); ++t) {
    const TreeBody& body = model.tree.bodies[t];
    if (!model.mechanism.joints[at(model.tree.tree.branches[t].joint)].velocity.empty())
      for (int k = 0; k < body.degrees_of_freedom; ++k) kept.push_back(body.z + k);
  }
  // where neither can be the assembly shares it out
  std::vector<int> still = find_carrying_coordinates(model, drive.wheels, spins);
  still.insert(still.end(), kept.begin(), kept.end());
  if (!follow_rates(model, still, state, ws) && !follow_rates(model, kept, state, ws))
    static_cast<void>(follow_rates(model, turning, state, ws));
}

}  // namespace semirec
