#include <memory>

#include "integrator/formulation/articulated_solver.hpp"
#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/matrix_workspace.hpp"
#include "integrator/formulation/relative_coordinates.hpp"
#include "recursive/accumulation.hpp"
#include "recursive/kinematics.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

class RecursiveWorkspace final : public RelativeWorkspace {
 public:
  explicit RecursiveWorkspace(const Model& model)
      : solver(model.tree, model.closures.blocks, model.closures.m) {
    loops = make_dependent_loops(model);
  }
  void solve(Eigen::VectorXd& x) const override { solver.solve(x); }

  ArticulatedSolver solver;
};

/// Relative coordinates of order n: no matrix is formed. Articulated inertias take the place of M,
/// Woodbury's identity that of the penalty; stiffness and damping are left to the iteration, which
/// for them is a fixed-point iteration, [H03] section 4.4.
class Recursive final : public RelativeCoordinates {
 public:
  const char* name() const override { return "recursive"; }
  const char* multipliers_fault() const override { return "forms no matrix"; }

  std::unique_ptr<FormulationWorkspace> make_workspace(const Model& model) const override {
    return std::make_unique<RecursiveWorkspace>(model);
  }

  int max_iterations(const StepSettings& settings) const override {
    return settings.max_fixed_point_iterations;
  }

  void evaluate_dynamics(const Model& model, const double* z, const double* zd, const double* zdd,
                         Workspace& ws) const override {
    compute_positions(model.tree, z, ws.tree);
    compute_motions(model.tree, zd, zdd, ws.tree);
    compute_body_forces(model.tree, ws.tree);
    // the articulated inertias know no stiffness
    ws.tree.weights = {1.0, 0.0, 0.0};
    publish_inertias(model.tree, ws.tree);
    add_forces(model.forces, model.tree, ws.tree);
    accumulate_forces(model.tree, ws.tree);
    compute_closure_positions(model.closures, ws.tree, ws.closures);
  }

  bool factor(const Model& model, const Eigen::VectorXd& alpha, double scale,
              Workspace& ws) const override {
    return static_cast<RecursiveWorkspace&>(*ws.formulation)
        .solver.factor(ws.tree.Mbar, ws.tree.H, model.closures.blocks, ws.closures.Phi_z, alpha,
                       scale);
  }

  OperationCount count_operations(const Model& model) const override;
};

OperationCount Recursive::count_operations(const Model& model) const {
  constexpr double kDot = 6.0;
  OperationCount count;
  // U = I H, D = H . U, I -= U U^T / D
  count.mass = (36.0 + kDot + 27.0) * model.tree.n;
  const double rows = model.closures.m;
  double way = 0.0;
  for (const RowBlock& block : model.closures.blocks) {
    double length = 0.0;
    for (TreeIndex t = static_cast<TreeIndex>(model.tree.bodies.size()) - 1; t > 0; --t) {
      // on the way of the block's last coordinate to the base: a bound for all its branches
      const TreeBody& body = model.tree.bodies[at(t)];
      if (block.columns.empty() || body.z > block.columns.back()) continue;
      length = 0.0;
      for (TreeIndex i = t; i > 0; i = model.tree.bodies[at(i)].parent)
        length += model.tree.bodies[at(i)].degrees_of_freedom;
      break;
    }
    length += static_cast<double>(block.columns.size());
    way += block.rows * length;
  }
  count.closures = 2.0 * kDot * way + 0.5 * rows * way;
  count.factor = rows * rows * rows / 6.0;
  count.solve = 4.0 * kDot * model.tree.n + 2.0 * way + rows * rows;
  return count;
}

}  // namespace

std::shared_ptr<const FormulationModel> make_recursive(Model& model, TangentChoice /*tangent*/) {
  model.tree.set_pattern({});
  return std::make_shared<Recursive>();
}

}  // namespace semirec
