#include <algorithm>
#include <cmath>

#include "integrator/compile.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_state.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "penalty/augmented_lagrangian.hpp"
#include "penalty/factors/least_squares.hpp"
#include "topology/indices.hpp"
#include "topology/largest_magnitude.hpp"
#include "vehicles/analysis/answer.hpp"
#include "vehicles/analysis/kc/pad_force.hpp"
#include "vehicles/analysis/kc/reading.hpp"
#include "vehicles/analysis/kc/rig.hpp"

namespace semirec {

namespace {

constexpr double kForceTolerance = 1e-7;     // N
constexpr double kClosureTolerance = 1e-11;  // m
constexpr double kDifference = 1e-6;         // of Newton's tangent, m, rad
constexpr int kIterations = 60;
constexpr double kMissed = 1e-5;  // of a rate, what the linkage may leave out by rounding

/// Inputs of the command and the loads of the pads, for the evaluations to come.
void apply(const Rig& rig, const RigCommand& command, RigState& state, Workspace& ws) {
  std::vector<LiveInput>& live = state.state.live;
  live.resize(rig.model.mechanism.inputs.size());
  const auto set = [&](InputIndex input, double value) {
    if (input != kNoInput) live[at(input)] = {true, {value, 0.0, 0.0}};
  };
  set(rig.roll, command.roll);
  set(rig.steering, command.steering * rig.steering_ratio);
  for (int w = 0; w < rig.wheels(); ++w) {
    const InputIndex first = rig.first_load + w * PadForce::kInputs;
    for (int k = 0; k < 6; ++k) {
      const double pad = k == 2 ? state.loads[w] : 0.0;
      set(first + k, command.contact[at(w)][k] + pad);
      set(first + 6 + k, command.centre[at(w)][k]);
    }
  }
  begin_evaluation(rig.model, state.state, state.state.t, ws);
}

/// M zdd + Phi_z^T lambda - Q in z at rest; the tangent is left out.
Eigen::VectorXd forces_left(const Rig& rig, const Eigen::VectorXd& z, const Eigen::VectorXd& lambda,
                            Workspace& ws) {
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(z.size());
  // first-order states are where they come to rest at these poses
  if (!rig.model.tree.computing.empty()) {
    const ContinuousMotion continuous(ws.tree);
    evaluate_kinematics(rig.model, z.data(), rest.data(), rest.data(), ws);
    settle_states(rig.model.forces, rig.model.tree, ws.tree);
    ws.tree.rule.x_begin = ws.tree.rule.x_hat = ws.tree.x;
  }
  ws.tree.resting = true;
  evaluate_dynamics(rig.model, z.data(), rest.data(), rest.data(), {0.0, 0.0, 0.0}, ws);
  ws.tree.resting = false;
  Eigen::VectorXd residual = ws.tree.residual;
  add_transposed(rig.model.closures.blocks, ws.closures.Phi_z, lambda, residual);
  return residual;
}

/// Heights of the contact points in the world at the poses evaluated last.
Eigen::VectorXd heights(const Rig& rig, const Workspace& ws) {
  Eigen::VectorXd height(rig.wheels());
  for (int w = 0; w < rig.wheels(); ++w)
    height[w] = ws.tree.origin.z() +
                find_wheel_place({rig.model.tree, ws.tree}, rig.centres[at(w)], rig.radius[at(w)])
                    .contact.z();
  return height;
}

/// Rows of the pads: how far the contact points are off their pads, m, or where the load of an axle
/// is given the difference of the heights, m, and the load, N.
Eigen::VectorXd pad_rows(const Rig& rig, const RigCommand& command, const RigState& state,
                         const Workspace& ws) {
  Eigen::VectorXd off = heights(rig, ws) - command.height;
  for (int w = 0; w < rig.wheels(); ++w) off[w] -= rig.design_height[at(w)];
  if (!command.constant_load) return off;
  Eigen::VectorXd rows(off.size());
  for (const Axle& axle : rig.axles) {
    rows[axle.left] = off[axle.left] - off[axle.right];
    rows[axle.right] = state.loads[axle.left] + state.loads[axle.right] -
                       rig.design_load[at(axle.left)] - rig.design_load[at(axle.right)];
  }
  return rows;
}

/// What the pads' rows are multiplied by: those in m like closures.
Eigen::VectorXd pad_scales(const Rig& rig, bool constant_load, double scale) {
  Eigen::VectorXd scales = Eigen::VectorXd::Constant(rig.wheels(), scale);
  if (constant_load)
    for (const Axle& axle : rig.axles) scales[axle.right] = 1.0;
  return scales;
}

struct Errors {
  Eigen::VectorXd forces, Phi, pads;
  double force = 0.0, gap = 0.0;  // largest
  double merit() const { return force + 1e6 * gap; }
  Eigen::VectorXd rows(const Rig& rig, bool constant_load, double scale) const {
    Eigen::VectorXd rows(forces.size() + Phi.size() + pads.size());
    rows << forces, scale * Phi, pad_scales(rig, constant_load, scale).cwiseProduct(pads);
    return rows;
  }
};

Errors find_errors(const Rig& rig, const RigCommand& command, RigState& state, Workspace& ws) {
  apply(rig, command, state, ws);
  Errors errors;
  errors.forces = forces_left(rig, state.state.z, state.state.multipliers, ws);
  errors.Phi = ws.closures.Phi;
  errors.pads = pad_rows(rig, command, state, ws);
  errors.force = largest_magnitude(errors.forces);
  errors.gap = largest_magnitude(errors.Phi);
  const Eigen::VectorXd scales = pad_scales(rig, command.constant_load, 0.0);
  for (int w = 0; w < rig.wheels(); ++w) {
    double& worst = scales[w] == 0.0 ? errors.gap : errors.force;
    worst = std::max(worst, std::abs(errors.pads[w]));
  }
  return errors;
}

/// Takes a step of Newton's; a long one is shortened.
void advance(const Rig& rig, const Eigen::VectorXd& x, double scale, RigState& state) {
  const int n = rig.model.n();
  const int m = rig.model.m();
  const double longest = largest_magnitude(x.head(n));
  const double share = longest > 0.1 ? 0.1 / longest : 1.0;
  state.state.z += share * x.head(n);
  state.state.multipliers += share * scale * x.segment(n, m);
  state.loads += share * scale * x.tail(rig.wheels());
  rebase(rig.model, state.state);
}

}  // namespace

RigTangent linearize(const Rig& rig, const RigCommand& command, const RigState& at_state,
                     Workspace& ws, double step) {
  const int n = rig.model.n();
  const int m = rig.model.m();
  const int wheels = rig.wheels();
  RigState state = at_state;
  apply(rig, command, state, ws);
  Eigen::VectorXd z = state.state.z;
  const Eigen::VectorXd& lambda = state.state.multipliers;
  Eigen::MatrixXd K(n, n);
  Eigen::MatrixXd h_z(wheels, n);
  for (int k = 0; k < n; ++k) {
    const double was = z[k];
    z[k] = was + step;
    const Eigen::VectorXd ahead = forces_left(rig, z, lambda, ws);
    const Eigen::VectorXd h_ahead = heights(rig, ws);
    z[k] = was - step;
    const Eigen::VectorXd behind = forces_left(rig, z, lambda, ws);
    const Eigen::VectorXd h_behind = heights(rig, ws);
    z[k] = was;
    K.col(k) = (ahead - behind) / (2.0 * step);
    h_z.col(k) = (h_ahead - h_behind) / (2.0 * step);
  }
  static_cast<void>(forces_left(rig, z, lambda, ws));
  RigTangent tangent;
  tangent.scale = std::max(1.0, largest_magnitude(K));
  tangent.constant_load = command.constant_load;
  const double scale = tangent.scale;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n + m + wheels, n + m + wheels);
  A.topLeftCorner(n, n) = K;
  if (m > 0) {
    const Eigen::MatrixXd Phi_z = dense_jacobian(rig.model.closures, ws.closures, n);
    A.block(0, n, n, m) = scale * Phi_z.transpose();
    A.block(n, 0, m, n) = scale * Phi_z;
  }
  A.topRightCorner(n, wheels) = -scale * h_z.transpose();
  if (!command.constant_load) {
    A.bottomLeftCorner(wheels, n) = scale * h_z;
  } else {
    for (const Axle& axle : rig.axles) {
      A.row(n + m + axle.left).head(n) = scale * (h_z.row(axle.left) - h_z.row(axle.right));
      A(n + m + axle.right, n + m + axle.left) = scale;
      A(n + m + axle.right, n + m + axle.right) = scale;
    }
  }
  decompose(A, 1e-10, tangent.decomposition);
  tangent.A = std::move(A);
  return tangent;
}

RigResponse respond(const Rig& rig, const RigCommand& command, const RigState& state,
                    const RigTangent& tangent, const RigCommand& rate, Workspace& ws) {
  // loads and heights enter linearly, angles do not
  const double step = rate.roll != 0.0 || rate.steering != 0.0 ? 1e-5 : 1.0;
  const auto rows = [&](double share) {
    RigState there = state;
    return find_errors(rig, moved(command, share, rate), there, ws)
        .rows(rig, command.constant_load, tangent.scale);
  };
  const Eigen::VectorXd right = (rows(-step) - rows(step)) / (2.0 * step);
  Eigen::VectorXd x = solve_least_squares(tangent.decomposition, right);
  if (!((apply(tangent.A, x) - right).norm() <= kMissed * right.norm()))
    x.setConstant(std::nan(""));
  return {x.head(rig.model.n()), tangent.scale * x.tail(rig.wheels())};
}

bool find_rig_equilibrium(const Rig& rig, const RigCommand& command, RigState& state,
                          RigTangent& tangent, Workspace& ws) {
  RigState found = state;
  double best = 1e300;
  double last = 1e300;
  int stalled = 0;
  if (tangent.constant_load != command.constant_load) tangent.scale = 0.0;
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    const Errors errors = find_errors(rig, command, found, ws);
    const double merit = errors.merit();
    if (!std::isfinite(merit)) return false;
    const double tolerance = std::max(kForceTolerance, 1e-15 * tangent.scale);
    if (errors.force <= tolerance && errors.gap <= kClosureTolerance) {
      state = found;
      state.state.x = ws.tree.x;
      return true;
    }
    stalled = merit < 0.9 * best ? 0 : stalled + 1;
    best = std::min(best, merit);
    if (stalled > 12) return false;
    // an old tangent serves as long as it gains a digit each time
    if (tangent.scale == 0.0 || (iteration > 0 && merit > 0.1 * last)) {
      tangent = linearize(rig, command, found, ws, kDifference);
    }
    last = merit;
    const Eigen::VectorXd x = solve_least_squares(
        tangent.decomposition, -errors.rows(rig, command.constant_load, tangent.scale));
    advance(rig, x, tangent.scale, found);
  }
  return false;
}

namespace {

/// Lifts the pads until the wheel centres are at these heights: they follow nearly one for one.
void lift_wheels(Rig& rig, const Eigen::VectorXd& target, RigState& state, RigTangent& tangent,
                 Workspace& ws) {
  constexpr double kLongest = 0.01;  // m, of one step
  for (int step = 0; step < 1000; ++step) {
    const Reading reading = read_rig(rig, state, ws);
    Eigen::VectorXd missing = target;
    for (int w = 0; w < rig.wheels(); ++w) missing[w] -= reading.wheels[at(w)].centre.z();
    const double longest = largest_magnitude(missing);
    if (longest < 1e-10) return;
    missing *= std::min(1.0, kLongest / longest);
    for (int w = 0; w < rig.wheels(); ++w) rig.design_height[at(w)] += missing[w];
    if (!find_rig_equilibrium(rig, make_command(rig), state, tangent, ws)) break;
  }
  throw AnalysisError("vehicle '" + rig.model.mechanism.name +
                      "': no equilibrium of the suspension was found on the way from the drawn "
                      "position to that of rest, expected links that reach it");
}

}  // namespace

void find_design_position(Rig& rig) {
  Workspace ws(rig.model);
  RigState state{make_initial_state(rig.model), Eigen::VectorXd::Zero(rig.wheels())};
  state.state.zd.setZero();
  state.state.zdd.setZero();
  state.state.x = rig.states;
  state.state.multipliers = Eigen::VectorXd::Zero(rig.model.m());
  assemble_positions(rig.model, state.state, ws);
  const Reading drawn = read_rig(rig, state, ws);
  rig.design_height.clear();
  for (const WheelReading& wheel : drawn.wheels) rig.design_height.push_back(wheel.contact.z());
  RigTangent tangent;
  if (!find_rig_equilibrium(rig, make_command(rig), state, tangent, ws))
    throw AnalysisError("vehicle '" + rig.model.mechanism.name +
                        "': no equilibrium of the suspension was found with its wheels at the "
                        "heights of the design position, expected springs or links that hold every "
                        "part");
  if (!rig.travel.empty()) {
    Eigen::VectorXd target(rig.wheels());
    for (int w = 0; w < rig.wheels(); ++w)
      target[w] = drawn.wheels[at(w)].centre.z() + rig.travel[at(w)];
    lift_wheels(rig, target, state, tangent, ws);
  }
  rig.design_load.assign(state.loads.data(), state.loads.data() + state.loads.size());
  rig.design = state;
}

}  // namespace semirec
