#include "vehicles/description/articulation.hpp"

#include <cmath>
#include <numbers>

#include "integrator/outputs/drawn_axes.hpp"
#include "topology/indices.hpp"

namespace semirec {

double compute_heading(const Model& model, BodyIndex body, const TreeWorkspace& ws) {
  const Eigen::Matrix3d A = find_drawn_axes(model, body, ws);
  return std::atan2(A(1, 0), A(0, 0));
}

double compute_articulation(const Model& model, const std::vector<Unit>& units, std::size_t unit,
                            const TreeWorkspace& ws) {
  const Unit& leader = units[units[unit].leader < 0 ? 0 : at(units[unit].leader)];
  return std::remainder(
      compute_heading(model, leader.frame, ws) - compute_heading(model, units[unit].frame, ws),
      2.0 * std::numbers::pi);
}

}  // namespace semirec
