#include "integrator/statics/travel.hpp"

#include <algorithm>
#include <cmath>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_state.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "penalty/factors/least_squares.hpp"
#include "topology/indices.hpp"
#include "topology/largest_magnitude.hpp"

namespace semirec {

Eigen::Vector3d centre_of_mass(const Model& model, BodyIndex body, const Workspace& ws) {
  const std::size_t t = at(model.tree.tree.tree_index(body));
  return ws.tree.p[t] + ws.tree.A_WC[t] * model.tree.bodies[t].com;
}

Eigen::MatrixXd plane_directions(const Model& model, const Eigen::Vector3d& centre,
                                 const Workspace& ws, const Eigen::Matrix3d& axes) {
  Eigen::MatrixXd directions = Eigen::MatrixXd::Zero(model.tree.n, 3);
  for (std::size_t t = 0; t < model.tree.bodies.size(); ++t) {
    const TreeBody& body = model.tree.bodies[t];
    if (!body.floats) continue;
    const Eigen::Matrix3d to_joint = body.X_PJ.A.transpose();
    const Eigen::Vector3d way = ws.tree.p[t] - centre;
    directions.col(0).segment<3>(body.z) = to_joint * axes.col(0);
    directions.col(1).segment<3>(body.z) = to_joint * axes.col(1);
    directions.col(2).segment<3>(body.z) = to_joint * axes.col(2).cross(way);
    directions.col(2).segment<3>(body.z + 3) = to_joint * axes.col(2);
  }
  return directions;
}

void move_rigidly(const Model& model, const std::vector<TreeIndex>& floating,
                  const Eigen::Matrix3d& turn, const Eigen::Vector3d& about,
                  const Eigen::Vector3d& shift, State& state, const Workspace& ws) {
  for (const TreeIndex t : floating) {
    const TreeBody& body = model.tree.bodies[at(t)];
    const Eigen::Matrix3d to_joint = body.X_PJ.A.transpose();
    const Eigen::Vector3d way = ws.tree.p[at(t)] - about;
    state.z.segment<3>(body.z) += to_joint * (turn * way - way + shift);
    const Quaternion in_joint(Eigen::Matrix3d(to_joint * turn * body.X_PJ.A));
    for (int k = body.motion_begin; k < body.motion_end; ++k) {
      const JointMotion& motion = model.tree.motions[at(k)];
      if (motion.kind != JointMotion::Kind::triad) continue;
      Quaternion& A0 = state.A0[at(motion.triad)];
      A0 = (in_joint * A0).normalized();
    }
  }
  rebase(model, state);
}

void add_travel(const Model& model, const Travel& travel, const Workspace& ws, Eigen::VectorXd& zd,
                Eigen::VectorXd& zdd) {
  const Eigen::Vector3d centre = centre_of_mass(model, travel.body, ws);
  const Eigen::Vector3d V =
      travel.speed * Eigen::Vector3d(std::cos(travel.course), std::sin(travel.course), 0.0);
  const Eigen::Vector3d w(0.0, 0.0, travel.yaw_rate);
  for (std::size_t t = 0; t < model.tree.bodies.size(); ++t) {
    const TreeBody& body = model.tree.bodies[t];
    if (!body.floats) continue;
    const Eigen::Matrix3d to_joint = body.X_PJ.A.transpose();
    const Eigen::Vector3d v = V + w.cross(ws.tree.p[t] - centre);
    zd.segment<3>(body.z) += to_joint * v;
    zd.segment<3>(body.z + 3) += to_joint * w;
    zdd.segment<3>(body.z) += to_joint * w.cross(v);
  }
}

void carry_along(const Model& model, const std::vector<TreeIndex>& floating,
                 const Eigen::Matrix3d& turn, const Eigen::Vector3d& about,
                 const Eigen::Vector3d& shift, State& state, const Workspace& ws) {
  for (const TreeIndex t : floating) {
    const TreeBody& body = model.tree.bodies[at(t)];
    const Eigen::Matrix3d in_joint = body.X_PJ.A.transpose() * turn * body.X_PJ.A;
    for (Eigen::VectorXd* rates : {&state.zd, &state.zdd}) {
      rates->segment<3>(body.z) = in_joint * Eigen::Vector3d(rates->segment<3>(body.z));
      rates->segment<3>(body.z + 3) = in_joint * Eigen::Vector3d(rates->segment<3>(body.z + 3));
    }
  }
  move_rigidly(model, floating, turn, about, shift, state, ws);
}

std::optional<std::vector<int>> find_followers(const Model& model, const std::vector<int>& kept,
                                               const State& state, Workspace& ws) {
  constexpr double kRoundedRate = 1e-13;  // of the largest rate
  constexpr double kOpenRate = 1e-9;
  if (model.m() == 0) return std::vector<int>();
  evaluate_state(model, state, ws);
  const double scale = 1.0 + largest_magnitude(state.zd);
  if (largest_magnitude(ws.closures.Phid) <= kRoundedRate * scale) return std::vector<int>();
  std::vector<char> free(at(model.n()), 1);
  for (const TreeBody& body : model.tree.bodies)
    for (int k = 0; body.floats && k < 6; ++k) free[at(body.z + k)] = 0;
  for (const int z : kept) free[at(z)] = 0;
  std::vector<int> all;
  for (int k = 0; k < model.n(); ++k)
    if (free[at(k)] != 0) all.push_back(k);
  const auto rates_of = [&](const std::vector<int>& followers) {
    Eigen::VectorXd zd = state.zd;
    Eigen::VectorXd zdd = state.zdd;
    begin_evaluation(model, state, state.t, ws);
    follow(model, followers, state.z, zd, zdd, ws);
    return zd;
  };
  // as few as can: the smallest change of all would move suspensions a little, too
  const Eigen::VectorXd change = rates_of(all) - state.zd;
  for (const double share : {0.1, 0.01, 1e-3, 1e-6, 1e-9, 0.0}) {
    std::vector<int> followers;
    for (const int k : all)
      if (std::abs(change[k]) > share * largest_magnitude(change)) followers.push_back(k);
    State trial = state;
    trial.zd = rates_of(followers);
    evaluate_state(model, trial, ws);
    if (largest_magnitude(ws.closures.Phid) <= kOpenRate * scale) return followers;
  }
  return std::nullopt;
}

void follow(const Model& model, const std::vector<int>& followers, const Eigen::VectorXd& z,
            Eigen::VectorXd& zd, Eigen::VectorXd& zdd, Workspace& ws) {
  constexpr double kRankOfRates = 1e-9;  // of the largest pivot
  if (followers.empty()) return;
  evaluate_kinematics(model, z.data(), zd.data(), zdd.data(), ws);
  const Eigen::MatrixXd Phi_z = dense_jacobian(model.closures, ws.closures, model.n());
  const auto count = static_cast<Eigen::Index>(followers.size());
  Eigen::MatrixXd Phi_f(Phi_z.rows(), count);
  for (Eigen::Index k = 0; k < count; ++k)
    Phi_f.col(k) = Phi_z.col(followers[static_cast<std::size_t>(k)]);
  OrthogonalDecomposition decomposition;
  decompose(Phi_f, kRankOfRates, decomposition);
  const auto correct = [&](const Eigen::VectorXd& error, Eigen::VectorXd& values) {
    const Eigen::VectorXd change = solve_least_squares(decomposition, error);
    for (Eigen::Index k = 0; k < count; ++k)
      values[followers[static_cast<std::size_t>(k)]] -= change[k];
    evaluate_accelerations(model, zd.data(), zdd.data(), ws);
  };
  for (int pass = 0; pass < 2; ++pass) {  // once for the rounding of the first
    correct(ws.closures.Phid, zd);
    correct(ws.closures.Phidd, zdd);
  }
}

bool follow_rates(const Model& model, const std::vector<int>& kept, State& state, Workspace& ws) {
  const std::optional<std::vector<int>> followers = find_followers(model, kept, state, ws);
  if (!followers) return false;
  Eigen::VectorXd zdd = state.zdd;
  begin_evaluation(model, state, state.t, ws);
  follow(model, *followers, state.z, state.zd, zdd, ws);
  evaluate_state(model, state, ws);
  return true;
}

void turn_about_vertical(const Model& model, BodyIndex body, double angle, State& state,
                         Workspace& ws) {
  evaluate_state(model, state, ws);
  const Eigen::Matrix3d turn =
      Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  std::vector<TreeIndex> floating;
  for (std::size_t t = 0; t < model.tree.bodies.size(); ++t)
    if (model.tree.bodies[t].floats) floating.push_back(static_cast<TreeIndex>(t));
  carry_along(model, floating, turn, centre_of_mass(model, body, ws), Eigen::Vector3d::Zero(),
              state, ws);
}

EquilibriumReport find_steady_travel(const Model& model, SteadyTravel& search, State& state,
                                     Workspace& ws) {
  EquilibriumReport report;
  const auto rates = static_cast<Eigen::Index>(search.rates.size());
  const auto inputs = static_cast<Eigen::Index>(search.inputs.size());
  State found = state;
  begin_evaluation(model, found, found.t, ws);
  found.live.resize(model.mechanism.inputs.size());
  for (const InputIndex input : search.inputs)
    found.live[at(input)] = {true, {ws.tree.inputs[at(input)].f, 0.0, 0.0}};

  SteadyProblem problem;
  problem.states = ElementStates::solved;
  const Eigen::Index course = rates + inputs;
  const Eigen::Index yaw_rate = course + (search.on_line ? 0 : 1);
  problem.unknowns = Eigen::VectorXd::Zero(yaw_rate + (search.find_yaw_rate ? 1 : 0));
  for (Eigen::Index k = 0; k < rates; ++k)
    problem.unknowns[k] = state.zd[search.rates[static_cast<std::size_t>(k)]];
  for (Eigen::Index k = 0; k < inputs; ++k)
    problem.unknowns[rates + k] =
        found.live[at(search.inputs[static_cast<std::size_t>(k)])].value.f;
  if (!search.ranges.empty()) {
    problem.ranges.resize(static_cast<std::size_t>(problem.unknowns.size()));
    std::copy(search.ranges.begin(), search.ranges.end(), problem.ranges.begin() + rates);
  }
  if (!search.on_line) problem.unknowns[course] = search.travel.course;
  if (search.find_yaw_rate) problem.unknowns[yaw_rate] = search.travel.yaw_rate;
  const auto travel_of = [&](const Eigen::VectorXd& q) {
    Travel travel = search.travel;
    if (!search.on_line) travel.course = q[course];
    if (search.find_yaw_rate) travel.yaw_rate = q[yaw_rate];
    return travel;
  };
  problem.inputs = [&](const Eigen::VectorXd& q, State& trial) {
    for (Eigen::Index k = 0; k < inputs; ++k)
      trial.live[at(search.inputs[static_cast<std::size_t>(k)])].value.f = q[rates + k];
  };
  const Eigen::VectorXd turning =
      search.turning.size() > 0 ? search.turning : Eigen::VectorXd::Zero(model.n());
  problem.motion = [&](const Eigen::VectorXd& q, const Workspace& poses, State& trial) {
    trial.zd = turning;
    trial.zdd.setZero(model.n());
    for (Eigen::Index k = 0; k < rates; ++k)
      trial.zd[search.rates[static_cast<std::size_t>(k)]] = q[k];
    add_travel(model, travel_of(q), poses, trial.zd, trial.zdd);
    follow(model, search.followers, trial.z, trial.zd, trial.zdd, ws);
  };
  problem.held = search.held;
  // place and heading are free: the body keeps its own; on a line it keeps its place along it
  const TreeBody& body = model.tree.bodies[at(model.tree.tree.tree_index(search.travel.body))];
  Eigen::Index across = 0;
  const Eigen::Vector3d up = body.X_PJ.A.transpose() * Eigen::Vector3d::UnitZ();
  up.cwiseAbs().maxCoeff(&across);
  if (search.on_line) {
    Eigen::Index along = 0;
    const Eigen::Vector3d way(std::cos(search.travel.course), std::sin(search.travel.course), 0.0);
    (body.X_PJ.A.transpose() * way).cwiseAbs().maxCoeff(&along);
    problem.held.push_back(body.z + static_cast<int>(along));
  } else {
    for (int k = 0; k < 3; ++k) problem.held.push_back(k == across ? body.z + 3 + k : body.z + k);
  }

  report.found = solve_steady(model, problem, found, ws, report);
  search.left_over = problem.left_over;
  if (!report.found) return report;
  state = found;
  search.travel = travel_of(problem.unknowns);
  return report;
}

}  // namespace semirec
