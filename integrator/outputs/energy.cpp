#include "integrator/outputs/energy.hpp"

#include <cmath>

#include <Eigen/Geometry>

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

void find_inertial_loads(const Model& model, const Workspace& ws, InertialLoads& loads) {
  loads.bodies.resize(model.tree.bodies.size());
  for (std::size_t i = 1; i < model.tree.bodies.size(); ++i) {
    const TreeBody& body = model.tree.bodies[i];
    InertialLoads::Body& load = loads.bodies[i];
    const Eigen::Vector3d g = ws.tree.p[i] + ws.tree.A_WC[i] * body.com;
    load.x = ws.tree.origin + g;
    load.A = ws.tree.A_WC[i];
    load.w = ws.tree.Z[i].tail<3>();
    load.force = body.mass * acceleration_at(ws.tree.Z[i], ws.tree.Zd[i], g);
    const Eigen::Vector3d w = load.A.transpose() * load.w;
    const Eigen::Vector3d wd = load.A.transpose() * ws.tree.Zd[i].tail<3>();
    load.torque = load.A * (body.inertia * wd + w.cross(body.inertia * w));
  }
}

namespace {

/// The rotation from one set of axes to another as a vector, that of the turns nearest to `turn`.
Eigen::Vector3d rotation_near(const Eigen::Matrix3d& from, const Eigen::Matrix3d& to,
                              const Eigen::Vector3d& turn) {
  const Eigen::AngleAxisd rotation(Eigen::Matrix3d(to * from.transpose()));
  constexpr double kTurn = 2.0 * static_cast<double>(EIGEN_PI);
  const double along = rotation.axis().dot(turn);
  const double angle = rotation.angle() + kTurn * std::round((along - rotation.angle()) / kTurn);
  return angle * rotation.axis();
}

}  // namespace

double find_inertial_work(const InertialLoads& before, const InertialLoads& now, double h) {
  double work = 0.0;
  for (std::size_t i = 1; i < now.bodies.size(); ++i) {
    const InertialLoads::Body& a = before.bodies[i];
    const InertialLoads::Body& b = now.bodies[i];
    work += 0.5 * (b.x - a.x).dot(a.force + b.force);
    work += 0.5 * rotation_near(a.A, b.A, 0.5 * h * (a.w + b.w)).dot(a.torque + b.torque);
  }
  return work;
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
