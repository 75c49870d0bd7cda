#include "tests/support/motion.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "integrator/compile.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/formulation_state.hpp"
#include "integrator/outputs/energy.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "integrator/step.hpp"
#include "tests/support/random_mechanism.hpp"
#include "topology/indices.hpp"

namespace semirec::test {

double Motion::angle_about_z() const { return std::atan2(X.A(1, 0), X.A(0, 0)); }

Simulation::Simulation(const Mechanism& mechanism, double h, Formulation formulation)
    : Simulation(compile(mechanism, {}, {.formulation = formulation}), h) {}

Simulation::Simulation(Model compiled, double h)
    : Simulation(std::move(compiled), StepSettings{.h = h, .scheme = {}}) {}

Simulation::Simulation(Model compiled, const StepSettings& step)
    : model(std::move(compiled)), ws(model), state(make_initial_state(model)), settings(step) {
  initialize(model, settings, state, ws);
}

StepReport Simulation::advance() {
  const StepReport report = step(model, settings, state, ws);
  if (report.status != StepStatus::converged)
    throw std::runtime_error("step at t = " + std::to_string(state.t) + ": " +
                             name_of(report.status));
  return report;
}

void Simulation::run_to(double t) {
  const double steps = (t - state.t) / settings.h;
  const long count = std::lround(steps);
  if (std::abs(steps - static_cast<double>(count)) > 1e-6)
    throw std::invalid_argument("t is not on the grid of steps");
  for (long k = 0; k < count; ++k) (void)advance();
}

Motion Simulation::motion(const Marker& marker) {
  evaluate_state(model, state, ws);
  const Attachment place = model.tree.attach(marker);
  const auto t = at(place.body);
  const Eigen::Vector3d r = ws.tree.position_of(place);
  Motion m;
  m.X.A = ws.tree.A_WC[t] * place.X_CF.A;
  m.X.p = ws.tree.origin + r;
  m.velocity = velocity_at(ws.tree.Z[t], r);
  m.acceleration = acceleration_at(ws.tree.Z[t], ws.tree.Zd[t], r);
  m.w = ws.tree.Z[t].tail<3>();
  m.wd = ws.tree.Zd[t].tail<3>();
  return m;
}

Motion Simulation::body(const std::string& name) {
  Marker marker;
  marker.body = find_body(model.mechanism, name);
  return motion(marker);
}

Motion Simulation::com(BodyIndex body) {
  Marker marker;
  marker.body = body;
  marker.X_BF.p = model.mechanism.bodies[at(body)].com;
  return motion(marker);
}

Motion Simulation::com(const std::string& name) { return com(find_body(model.mechanism, name)); }

int Simulation::coordinate(const std::string& joint, int k) const {
  const auto j = at(find_joint(model.mechanism, joint));
  const TreeIndex t = model.tree.tree.branch_of_joint[j];
  if (t < 0) throw std::out_of_range("joint '" + joint + "' is cut");
  return model.tree.bodies[at(t)].z + k;
}

double Simulation::z(const std::string& joint, int k) const {
  return to_relative(model, state).z[coordinate(joint, k)];
}
double Simulation::zd(const std::string& joint, int k) const {
  return to_relative(model, state).zd[coordinate(joint, k)];
}
double Simulation::zdd(const std::string& joint, int k) const {
  return to_relative(model, state).zdd[coordinate(joint, k)];
}

double Simulation::stored_energy() {
  const Energy energy = find_energy(model, state, ws);
  return energy.kinetic + energy.potential + energy.elastic;
}

Eigen::Vector3d Simulation::angular_momentum() {
  Eigen::Vector3d L = Eigen::Vector3d::Zero();
  for (std::size_t b = 0; b < model.mechanism.bodies.size(); ++b) {
    const Motion m = com(static_cast<BodyIndex>(b));
    const Body& body = model.mechanism.bodies[b];
    L += body.mass * m.X.p.cross(m.velocity) + m.X.A * body.inertia * m.w_own();
  }
  return L;
}

}  // namespace semirec::test
