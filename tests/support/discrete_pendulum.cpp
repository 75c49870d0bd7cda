#include "tests/support/discrete_pendulum.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "integrator/formulation/evaluate.hpp"
#include "tests/support/mechanisms.hpp"
#include "topology/indices.hpp"

namespace semirec::test {

Mechanism make_point_pendulum(const std::string& system) {
  using V = Eigen::Vector3d;
  Mechanism m;
  m.name = "point pendulum";
  m.gravity = V(0.0, -9.81, 0.0);
  const Frame X{Eigen::Matrix3d::Identity(), V(1.0, 0.0, 0.0)};
  const BodyIndex mass = add_body(m, "mass", 1.0, X, Eigen::Matrix3d::Identity());
  add_joint(m, "flight", JointType::free, kGround, mass, X);
  add_massless_rod(m, "rod", kGround, mass, V::Zero(), X.p);
  if (system == "spring")
    add_spring(m, "spring", mass, kGround, X.p, V(2.0, -1.0, 0.0), 40.0, 1.0, 3.0);
  if (system == "driven") {
    Curve way;
    way.add_piece(0.0, 0.0, {0.0, 0.0, 0.75, 0.0, 0.0, 0.0});
    m.constraints.back().slide_axis = V::UnitX();
    m.constraints.back().slide_input = add_input(m, "way", way);
  }
  return m;
}

std::vector<PendulumStep> read_discrete_pendulum(const std::string& system,
                                                 const std::string& scheme, double parameter,
                                                 const std::string& option) {
  std::ifstream file(std::string(SEMIREC_SOURCE_DIR) + "/tests/data/schemes/pendulum.csv");
  std::vector<PendulumStep> steps;
  for (std::string line; std::getline(file, line);) {
    std::vector<std::string> cells;
    std::istringstream text(line);
    for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
    if (cells.size() < 15 || cells[0] != system || cells[1] != scheme || cells[3] != option)
      continue;
    if (std::stod(cells[2]) != parameter) continue;
    const auto number = [&](std::size_t k) { return std::stod(cells[k]); };
    PendulumStep step;
    step.step = std::stoi(cells[4]);
    step.own.position = {number(5), number(6)};
    step.own.velocity = {number(7), number(8)};
    step.own.acceleration = {number(9), number(10)};
    step.own.multiplier = number(11);
    step.acceleration_anew = {number(12), number(13)};
    step.multiplier_anew = number(14);
    steps.push_back(step);
  }
  if (steps.empty()) throw std::invalid_argument("no discrete pendulum of " + scheme);
  return steps;
}

PendulumMotion measure_pendulum(const Model& model, const State& state, Workspace& ws) {
  evaluate_state(model, state, ws);
  const auto b = at(model.tree.tree.branch_of_joint[0]);
  PendulumMotion found;
  const Eigen::Vector3d r = ws.tree.p[b];
  found.position = (r + ws.tree.origin).head<2>();
  found.velocity = velocity_at(ws.tree.Z[b], r).head<2>();
  found.acceleration = acceleration_at(ws.tree.Z[b], ws.tree.Zd[b], r).head<2>();
  for (int row = 0; row < model.m(); ++row)
    if (name_of_row(model, row) == "rod") found.multiplier = state.multipliers[row];
  return found;
}

}  // namespace semirec::test
