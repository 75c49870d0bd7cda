#include "integrator/outputs/energy.hpp"

#include "integrator/formulation/evaluate.hpp"
#include "penalty/augmented_lagrangian.hpp"

namespace semirec {

Energy find_energy(const Model& model, const State& state, Workspace& ws, bool from_left) {
  Energy energy;
  begin_evaluation(model, state, state.t, ws, from_left);
  evaluate_kinematics(model, state.z.data(), state.zd.data(), state.zdd.data(), ws);
  for (std::size_t i = 1; i < model.tree.bodies.size(); ++i) {
    const TreeBody& body = model.tree.bodies[i];
    const Vector6& Z = ws.tree.Z[i];
    const Eigen::Vector3d g = ws.tree.p[i] + ws.tree.A_WC[i] * body.com;
    const Eigen::Vector3d w = ws.tree.A_WC[i].transpose() * Z.tail<3>();
    energy.kinetic += 0.5 * (body.mass * velocity_at(Z, g).squaredNorm() + w.dot(body.inertia * w));
    energy.potential -= body.mass * model.tree.gravity.dot(ws.tree.origin + g);
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

void accumulate_energy(const Energy& before, double h, Energy& now) {
  now.dissipated = before.dissipated + 0.5 * h * (before.dissipated_power + now.dissipated_power);
  now.input = before.input + 0.5 * h * (before.input_power + now.input_power) +
              (now.open_store - before.open_store);
}

void carry_over_jump(const Energy& before, Energy& after) {
  after.dissipated = before.dissipated;
  after.input =
      before.input + (after.kinetic - before.kinetic) + (after.open_store - before.open_store);
}

}  // namespace semirec
