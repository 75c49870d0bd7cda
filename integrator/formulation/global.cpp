#include "integrator/formulation/global.hpp"

#include <algorithm>
#include <memory>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/tangent_pattern.hpp"
#include "integrator/formulation/twin_formulation.hpp"
#include "natural_coords/rows/measured_coordinates.hpp"
#include "recursive/lanes/lane_plan.hpp"
#include "recursive/origin.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

class GlobalPart final : public TwinWorkspace {
 public:
  GlobalPart(const GlobalModel& global, const SymmetricPattern& pattern)
      : TwinWorkspace(pattern), natural(global) {}

  GlobalWorkspace natural;
};

GlobalWorkspace& natural(Workspace& ws) {
  return static_cast<GlobalPart&>(*ws.formulation).natural;
}

/// Natural coordinates of all bodies, constant mass matrix; rigid bodies and joints by the same
/// augmented Lagrangian as the loops of the hybrid formulation, [H03] section 2, first method.
class Global final : public TwinFormulation {
 public:
  Global(GlobalModel global, std::shared_ptr<const Model> twin)
      : TwinFormulation(std::move(twin)), global_(std::move(global)) {}
  const GlobalModel& global() const { return global_; }

  const char* name() const override { return "global"; }
  int n(const Model& /*model*/) const override { return global_.n; }
  int m(const Model& /*model*/) const override { return global_.m; }
  const std::vector<RowBlock>& blocks(const Model& /*model*/) const override {
    return global_.blocks;
  }
  RowOwner owner_of(const Model& /*model*/, int row) const override {
    if (at(row) >= global_.rows.size()) return {};
    const GlobalRow& r = global_.rows[at(row)];
    return {global_.owners[at(r.owner)], r.switch_index};
  }
  OperationCount count_operations(const Model& model) const override {
    OperationCount count;
    count.closures = count_penalty(global_.blocks, global_.linear_rows);
    count_factor(model.tree, count);
    return count;
  }

  ClosureWorkspace make_closures(const Model& /*model*/) const override {
    ClosureModel sizes;
    sizes.m = global_.m;
    sizes.jacobian_size = global_.jacobian_size;
    sizes.switches = global_.switches;
    return ClosureWorkspace(sizes);
  }
  std::unique_ptr<FormulationWorkspace> make_workspace(const Model& model) const override {
    return std::make_unique<GlobalPart>(global_, model.tree.pattern);
  }

  void begin(const Model& model, const State& state, Workspace& ws) const override {
    set_switches(global_, state.switches, model.tree, natural(ws), ws.closures);
    natural(ws).angles = state.angles;
    ws.prepaid = 0;
  }
  void prepare_penalty(const Model& model, double scale, Workspace& ws) const override;
  void evaluate_dynamics(const Model& model, const double* q, const double* qd, const double* qdd,
                         Workspace& ws) const override;

  void evaluate_kinematics(const Model& model, const double* q, const double* qd, const double* qdd,
                           Workspace& ws) const override {
    compute_global_positions(global_, q, natural(ws), ws.tree);
    compute_global_motions(global_, qd, qdd, natural(ws), ws.tree);
    measure_coordinates(model.tree, natural(ws).angles, ws.tree);
    compute_global_closures(global_, ws.tree, natural(ws), ws.closures);
    compute_global_closure_motions(global_, qd, qdd, ws.tree, natural(ws), ws.closures);
  }
  void evaluate_positions(const Model& /*model*/, const double* q, Workspace& ws) const override {
    // the rows need q alone; poses follow when the next evaluation asks for them
    natural(ws).q = Eigen::Map<const Eigen::VectorXd>(q, global_.n);
    compute_global_closures(global_, ws.tree, natural(ws), ws.closures, /*with_jacobian=*/false);
  }
  void evaluate_velocities(const Model& /*model*/, const double* qd, Workspace& ws) const override {
    compute_global_closure_motions(global_, qd, nullptr, ws.tree, natural(ws), ws.closures);
  }
  void evaluate_accelerations(const Model& /*model*/, const double* qd, const double* qdd,
                              Workspace& ws) const override {
    compute_global_closure_motions(global_, qd, qdd, ws.tree, natural(ws), ws.closures);
  }
  void evaluate_bodies(const Model& model, const double* q, const double* qd,
                       Workspace& ws) const override {
    compute_global_positions(global_, q, natural(ws), ws.tree);
    compute_global_motions(global_, qd, nullptr, natural(ws), ws.tree);
    measure_coordinates(model.tree, natural(ws).angles, ws.tree);
  }

  std::string note_of(const Scheme& scheme) const override {
    if (!scheme.damps) return {};
    return "a scheme that damps acts on the unit vectors of the global formulation, which turn "
           "with "
           "their bodies: it takes energy from every rotation; cartesian and hybrid keep it";
  }
  void rebase(const Model& model, State& state) const override;

 private:
  void add_floor(const Model& model, Workspace& ws) const override;
  void read_coordinates(const State& relative, const Workspace& ws, State& state) const override;

  GlobalModel global_;
};

void Global::prepare_penalty(const Model& /*model*/, double scale, Workspace& ws) const {
  GlobalWorkspace& gws = natural(ws);
  const Eigen::Index rows = global_.linear_rows;
  ws.prepaid = global_.linear_rows;
  if (gws.base_scale == scale && gws.base_alpha == ws.alpha.head(rows)) return;
  gws.base_scale = scale;
  gws.base_alpha = ws.alpha.head(rows);
  gws.base = global_.mass;
  // in a workspace that has seen no state yet: the gradients of linear rows hang on none
  if (!gws.filled) compute_global_closures(global_, ws.tree, gws, ws.closures);
  for (int r = 0; r < global_.linear_rows; ++r) {
    const RowBlock& block = global_.blocks[at(r)];
    const double* row = ws.closures.Phi_z.data() + block.jacobian;
    const int* slot = block.slots.data();
    for (std::size_t i = 0; i < block.columns.size(); ++i) {
      const double left = scale * ws.alpha[r] * row[i];
      for (std::size_t k = 0; k <= i; ++k) gws.base[at(*slot++)] += left * row[k];
    }
  }
}

void Global::evaluate_dynamics(const Model& model, const double* q, const double* qd,
                               const double* qdd, Workspace& ws) const {
  GlobalWorkspace& gws = natural(ws);
  if (ws.prepaid > 0) {
    std::copy(gws.base.begin(), gws.base.end(), ws.tree.tangent.begin());
  } else {
    for (std::size_t k = 0; k < global_.mass.size(); ++k)
      ws.tree.tangent[k] = ws.tree.weights.mass * global_.mass[k];
  }
  compute_global_positions(global_, q, gws, ws.tree);
  compute_global_motions(global_, qd, nullptr, gws, ws.tree);
  measure_coordinates(model.tree, gws.angles, global_.forced, ws.tree);
  for (Vector6& F : ws.tree.F) F.setZero();
  add_forces(model.forces, model.tree, ws.tree);
  add_global_forces(global_, model.tree, qdd, gws, ws.tree);
  compute_global_closures(global_, ws.tree, gws, ws.closures);
}

/// Natural coordinates may have no inertia (slender rods): there a part of the body's mass.
void Global::add_floor(const Model& model, Workspace& ws) const {
  for (int k = 0; k < global_.n; ++k)
    ws.tree.tangent[at(model.tree.pattern.slot(k, k))] += global_.floor[k];
}

/// Moves the origin onto the reference body.
void Global::rebase(const Model& model, State& state) const {
  if (model.tree.reference_body == 0) return;
  const NaturalBody& body = global_.bodies[at(model.tree.reference_body)];
  Eigen::Vector3d way = body.constant.head<3>();
  for (std::size_t k = 0; k < body.columns.size(); ++k)
    way += body.Gamma.col(static_cast<Eigen::Index>(k)).head<3>() * state.z[body.columns[k]];
  const Eigen::Vector3d moved = round_origin(way);
  if (moved.isZero()) return;
  state.origin += moved;
  for (const NaturalEntity& entity : global_.entities)
    if (entity.point && entity.full()) state.z.segment<3>(entity.column) -= moved;
}

void Global::read_coordinates(const State& relative, const Workspace& ws, State& state) const {
  for (const NaturalEntity& entity : global_.entities) {
    const auto b = at(entity.body);
    const Eigen::Vector3d w = ws.tree.Z[b].tail<3>();
    Eigen::Vector3d value = ws.tree.A_WC[b] * entity.local;
    Eigen::Vector3d rate = w.cross(value);
    Eigen::Vector3d second = ws.tree.Zd[b].tail<3>().cross(value) + w.cross(rate);
    if (entity.point) {
      value += ws.tree.p[b];
      rate = velocity_at(ws.tree.Z[b], value);
      second = acceleration_at(ws.tree.Z[b], ws.tree.Zd[b], value);
    }
    Eigen::Vector3d constant = entity.constant;
    if (entity.point && !entity.full()) constant -= relative.origin;
    const auto size = entity.S.cols();
    state.z.segment(entity.column, size) = entity.S.transpose() * (value - constant);
    state.zd.segment(entity.column, size) = entity.S.transpose() * rate;
    state.zdd.segment(entity.column, size) = entity.S.transpose() * second;
  }
}

}  // namespace

const GlobalModel& global_model_of(const Model& model) {
  return dynamic_cast<const Global&>(*model.formulation).global();
}

std::shared_ptr<const FormulationModel> make_global(Model& model, TangentChoice tangent) {
  std::shared_ptr<const Model> twin = make_twin(model, tangent);
  GlobalModel global = make_global_model(model.mechanism, model.tree);
  const TangentChoice own = tangent == TangentChoice::automatic ? TangentChoice::sparse : tangent;
  set_pattern(global, model.tree,
              choose_pattern(global.n, find_cliques(global, model.tree), own, LanePlan{}));
  return std::make_shared<Global>(std::move(global), std::move(twin));
}

}  // namespace semirec
