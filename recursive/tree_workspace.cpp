#include "recursive/tree_workspace.hpp"

#include <algorithm>

#include "recursive/lanes/lane_workspace.hpp"

namespace semirec {

namespace {

/// Coordinates of the formulation: those of its pattern. The recursive formulation has none, the
/// global one may have one without coordinates, where joints hold all bodies fast.
int residual_size(const TreeModel& model) {
  const bool natural = !model.measured.empty();
  return natural || model.pattern.size() > 0 ? model.pattern.size() : model.n;
}

}  // namespace

TreeWorkspace::TreeWorkspace(const TreeModel& model)
    : A0(static_cast<std::size_t>(model.triads), Eigen::Matrix3d::Identity()),
      inputs(static_cast<std::size_t>(model.inputs)),
      z_offset(static_cast<std::size_t>(model.n), 0.0),
      z(static_cast<std::size_t>(model.n), 0.0),
      zd(static_cast<std::size_t>(model.n), 0.0),
      zdd(static_cast<std::size_t>(model.n), 0.0),
      A_WC(model.bodies.size(), Eigen::Matrix3d::Identity()),
      p(model.bodies.size(), Eigen::Vector3d::Zero()),
      H(static_cast<std::size_t>(model.columns), Vector6::Zero()),
      Z(model.bodies.size(), Vector6::Zero()),
      Zd(model.bodies.size(), Vector6::Zero()),
      Mbar(model.bodies.size()),
      F(model.bodies.size(), Vector6::Zero()),
      residual(Eigen::VectorXd::Zero(residual_size(model))),
      tangent(static_cast<std::size_t>(model.pattern.value_count()), 0.0),
      x(Eigen::VectorXd::Zero(model.states)),
      xd(x),
      lanes(std::make_unique<LaneWorkspace>(*model.lanes)),
      scratch(static_cast<std::size_t>(std::max(model.n, 8)), Vector6::Zero()),
      element_scratch(static_cast<std::size_t>(model.element_scratch), 0.0) {
  rule.hold(x, xd);
}

TreeWorkspace::~TreeWorkspace() = default;
TreeWorkspace::TreeWorkspace(TreeWorkspace&&) noexcept = default;
TreeWorkspace& TreeWorkspace::operator=(TreeWorkspace&&) noexcept = default;

void TreeWorkspace::set_origin(const TreeModel& model, const Eigen::Vector3d& O) {
  origin = O;
  for (const TreeIndex t : model.floating) {
    const TreeBody& body = model.bodies[static_cast<std::size_t>(t)];
    const Eigen::Vector3d left_out = body.X_PJ.A.transpose() * (O - body.X_PJ.p);
    for (int k = 0; k < 3; ++k) z_offset[static_cast<std::size_t>(body.z + k)] = left_out[k];
  }
}

}  // namespace semirec
