#include "integrator/outputs/energy.hpp"

#include <cmath>

#include "integrator/formulation/evaluate.hpp"
#include "penalty/augmented_lagrangian.hpp"

namespace semirec {

namespace {

/// Of a body: its centre of mass from O, that one's velocity, the angular velocity in its own axes.
struct CentreMotion {
  CentreMotion(const TreeBody& body, const TreeWorkspace& ws, std::size_t i)
      : g(ws.p[i] + ws.A_WC[i] * body.com),
        v(velocity_at(ws.Z[i], g)),
        w(ws.A_WC[i].transpose() * ws.Z[i].tail<3>()) {}
  Eigen::Vector3d g, v, w;
};

}  // namespace

Energy find_energy(const Model& model, const State& state, Workspace& ws, bool from_left) {
  Energy energy;
  begin_evaluation(model, state, state.t, ws, from_left);
  evaluate_kinematics(model, state.z.data(), state.zd.data(), state.zdd.data(), ws);
  for (std::size_t i = 1; i < model.tree.bodies.size(); ++i) {
    const TreeBody& body = model.tree.bodies[i];
    const CentreMotion motion(body, ws.tree, i);
    energy.kinetic +=
        0.5 * (body.mass * motion.v.squaredNorm() + motion.w.dot(body.inertia * motion.w));
    energy.potential -= body.mass * model.tree.gravity.dot(ws.tree.origin + motion.g);
  }
  for (const auto& force : model.forces) {
    const ForcePower power = report_force(*force, model.tree, ws.tree, nullptr);
    energy.elastic += power.stored;
    if (power.open) energy.open_store += power.stored;
    energy.dissipated_power += power.dissipated;
    energy.input_power += power.input;
  }
  if (model.m() > 0) {
    // the closures' power on the coordinates: -lambda^T Phi_z zd
    Eigen::VectorXd rates = Eigen::VectorXd::Zero(model.m());
    add_product(model.blocks(), ws.closures.Phi_z, state.zd, rates);
    energy.input_power -= state.multipliers.dot(rates);
  }
  return energy;
}

void find_kinetic_parts(const Model& model, const Workspace& ws, std::vector<double>& parts) {
  parts.assign(4 * model.tree.bodies.size(), 0.0);
  for (std::size_t i = 1; i < model.tree.bodies.size(); ++i) {
    const TreeBody& body = model.tree.bodies[i];
    const CentreMotion motion(body, ws.tree, i);
    const Eigen::Vector3d turning = 0.5 * motion.w.cwiseProduct(body.inertia * motion.w);
    parts[4 * i] = 0.5 * body.mass * motion.v.squaredNorm();
    for (std::size_t k = 0; k < 3; ++k) parts[4 * i + 1 + k] = turning[static_cast<int>(k)];
  }
}

void accumulate_energy(const Energy& before, double h, Energy& now) {
  now.scheme += before.scheme;
  now.dissipated = before.dissipated + 0.5 * h * (before.dissipated_power + now.dissipated_power);
  now.input = before.input + 0.5 * h * (before.input_power + now.input_power) +
              (now.open_store - before.open_store);
}

void carry_over_jump(const Energy& before, Energy& after) {
  after.dissipated = before.dissipated;
  after.scheme = before.scheme;
  after.input = before.input + (after.kinetic - before.kinetic) +
                (after.potential - before.potential) + (after.elastic - before.elastic);
}

}  // namespace semirec
