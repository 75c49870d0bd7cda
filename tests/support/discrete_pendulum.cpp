#include "tests/support/discrete_pendulum.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "integrator/formulation/evaluate.hpp"
#include "tests/support/mechanisms.hpp"
#include "topology/indices.hpp"

namespace semirec::test {

Mechanism make_point_pendulum() {
  using V = Eigen::Vector3d;
  Mechanism m;
  m.name = "point pendulum";
  m.gravity = V(0.0, -9.81, 0.0);
  const Frame X{Eigen::Matrix3d::Identity(), V(1.0, 0.0, 0.0)};
  const BodyIndex mass = add_body(m, "mass", 1.0, X, Eigen::Matrix3d::Identity());
  add_joint(m, "flight", JointType::free, kGround, mass, X);
  add_massless_rod(m, "rod", kGround, mass, V::Zero(), X.p);
  return m;
}

std::vector<PendulumStep> read_discrete_pendulum(const std::string& method, double alpha) {
  std::ifstream file(std::string(SEMIREC_SOURCE_DIR) + "/tests/data/discrete_pendulum.csv");
  std::vector<PendulumStep> steps;
  for (std::string line; std::getline(file, line);) {
    std::istringstream cells(line);
    std::string cell;
    std::getline(cells, cell, ',');
    if (cell != method) continue;
    std::vector<double> values;
    while (std::getline(cells, cell, ',')) values.push_back(std::stod(cell));
    if (values.at(0) != alpha) continue;
    PendulumStep step;
    step.step = static_cast<int>(values.at(3));
    step.position = {values.at(4), values.at(5)};
    step.velocity = {values.at(6), values.at(7)};
    step.acceleration = {values.at(8), values.at(9)};
    step.multiplier = values.at(10);
    steps.push_back(step);
  }
  if (steps.empty()) throw std::invalid_argument("no discrete pendulum of " + method);
  return steps;
}

PendulumStep measure_pendulum(const Model& model, const State& state, Workspace& ws) {
  evaluate_state(model, state, ws);
  const TreeIndex t = model.tree.tree.branch_of_joint[0];
  const auto b = at(t);
  PendulumStep found;
  const Eigen::Vector3d r = ws.tree.p[b];
  found.position = (r + ws.tree.origin).head<2>();
  found.velocity = velocity_at(ws.tree.Z[b], r).head<2>();
  found.acceleration = acceleration_at(ws.tree.Z[b], ws.tree.Zd[b], r).head<2>();
  for (int row = 0; row < model.m(); ++row)
    if (name_of_row(model, row) == "rod") found.multiplier = state.multipliers[row];
  return found;
}

}  // namespace semirec::test
