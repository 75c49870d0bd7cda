#include "integrator/formulation/cartesian.hpp"

#include <cmath>
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

class CartesianPart final : public TwinWorkspace {
 public:
  CartesianPart(const CartesianModel& model, const SymmetricPattern& pattern)
      : TwinWorkspace(pattern), bodies(model) {}

  CartesianWorkspace bodies;
};

CartesianWorkspace& bodies_of(Workspace& ws) {
  return static_cast<CartesianPart&>(*ws.formulation).bodies;
}

/// Position of the centre of mass and Euler parameters of every body, a row for each unit length
/// and rows for all joints, by the same augmented Lagrangian as the loops of the hybrid
/// formulation.
class Cartesian final : public TwinFormulation {
 public:
  Cartesian(CartesianModel cartesian, std::shared_ptr<const Model> twin)
      : TwinFormulation(std::move(twin)), cartesian_(std::move(cartesian)) {}
  const CartesianModel& cartesian() const { return cartesian_; }

  const char* name() const override { return "cartesian"; }
  bool has_euler_parameters() const override { return true; }
  const char* mass_fault() const override {
    return "whose mass matrix is singular along the Euler parameters";
  }
  int n(const Model& /*model*/) const override { return cartesian_.n; }
  int m(const Model& /*model*/) const override { return cartesian_.m; }
  const std::vector<RowBlock>& blocks(const Model& /*model*/) const override {
    return cartesian_.blocks;
  }
  RowOwner owner_of(const Model& /*model*/, int row) const override {
    const int norms = cartesian_.m - static_cast<int>(cartesian_.rows.size());
    if (row < 0 || row >= cartesian_.m) return {};
    if (row < norms) return {cartesian_.owners[at(row)], -1};
    const CartesianRow& r = cartesian_.rows[at(row - norms)];
    return {cartesian_.owners[at(r.owner)], r.switch_index};
  }
  OperationCount count_operations(const Model& model) const override {
    OperationCount count;
    // J L and the ten products with L, of each body
    count.mass = (36.0 + 30.0) * static_cast<double>(cartesian_.bodies.size() - 1);
    count.closures = count_penalty(cartesian_.blocks, 0);
    count_factor(model.tree, count);
    return count;
  }

  ClosureWorkspace make_closures(const Model& /*model*/) const override {
    ClosureModel sizes;
    sizes.m = cartesian_.m;
    sizes.jacobian_size = cartesian_.jacobian_size;
    sizes.switches = cartesian_.switches;
    return ClosureWorkspace(sizes);
  }
  std::unique_ptr<FormulationWorkspace> make_workspace(const Model& model) const override {
    return std::make_unique<CartesianPart>(cartesian_, model.tree.pattern);
  }

  void begin(const Model& /*model*/, const State& state, Workspace& ws) const override {
    set_switches(cartesian_, state.switches, bodies_of(ws), ws.closures);
    bodies_of(ws).angles = state.angles;
  }

  void evaluate_dynamics(const Model& model, const double* q, const double* qd, const double* qdd,
                         Workspace& ws) const override {
    CartesianWorkspace& own = bodies_of(ws);
    compute_cartesian_positions(cartesian_, q, own, ws.tree);
    compute_cartesian_motions(cartesian_, qd, qdd, own, ws.tree);
    set_cartesian_mass(cartesian_, ws.tree.weights.mass, own, ws.tree.tangent);
    measure_coordinates(model.tree, own.angles, cartesian_.forced, ws.tree);
    for (Vector6& F : ws.tree.F) F.setZero();
    add_forces(model.forces, model.tree, ws.tree);
    add_cartesian_forces(cartesian_, model.tree, own, ws.tree);
    compute_cartesian_closures(cartesian_, ws.tree, own, ws.closures);
  }
  void evaluate_kinematics(const Model& model, const double* q, const double* qd, const double* qdd,
                           Workspace& ws) const override {
    CartesianWorkspace& own = bodies_of(ws);
    compute_cartesian_positions(cartesian_, q, own, ws.tree);
    compute_cartesian_motions(cartesian_, qd, qdd, own, ws.tree);
    measure_coordinates(model.tree, own.angles, ws.tree);
    compute_cartesian_closures(cartesian_, ws.tree, own, ws.closures);
    compute_cartesian_closure_motions(cartesian_, ws.tree, own, ws.closures);
  }
  // the rows need coordinates and rates alone; poses follow when the next evaluation asks for them
  void evaluate_positions(const Model& /*model*/, const double* q, Workspace& ws) const override {
    set_cartesian_positions(cartesian_, q, ws.tree, bodies_of(ws));
    compute_cartesian_closures(cartesian_, ws.tree, bodies_of(ws), ws.closures,
                               /*with_jacobian=*/false);
  }
  void evaluate_velocities(const Model& /*model*/, const double* qd, Workspace& ws) const override {
    set_cartesian_rates(cartesian_, qd, nullptr, bodies_of(ws));
    compute_cartesian_closure_motions(cartesian_, ws.tree, bodies_of(ws), ws.closures);
  }
  void evaluate_accelerations(const Model& /*model*/, const double* qd, const double* qdd,
                              Workspace& ws) const override {
    set_cartesian_rates(cartesian_, qd, qdd, bodies_of(ws));
    compute_cartesian_closure_motions(cartesian_, ws.tree, bodies_of(ws), ws.closures);
  }
  void evaluate_bodies(const Model& /*model*/, const double* q, const double* qd,
                       Workspace& ws) const override {
    compute_cartesian_positions(cartesian_, q, bodies_of(ws), ws.tree);
    compute_cartesian_motions(cartesian_, qd, nullptr, bodies_of(ws), ws.tree);
  }

  void compute_rates(StepInProgress& step) const override;
  void rebase(const Model& model, State& state) const override;

 private:
  void add_floor(const Model& model, Workspace& ws) const override;
  void read_coordinates(const State& relative, const Workspace& ws, State& state) const override;

  CartesianModel cartesian_;
};

/// 4 L^T J L is singular along e, where the body's own inertia is taken; point masses have no
/// moments at all.
void Cartesian::add_floor(const Model& /*model*/, Workspace& ws) const {
  const CartesianWorkspace& own = bodies_of(ws);
  std::vector<double>& tangent = ws.tree.tangent;
  for (std::size_t t = 1; t < cartesian_.bodies.size(); ++t) {
    const CartesianBody& body = cartesian_.bodies[t];
    for (const int slot : body.slots_r) tangent[at(slot)] += cartesian_.floor_r;
    const int* slot = body.slots_e.data();
    for (int i = 0; i < 4; ++i)
      for (int k = 0; k <= i; ++k)
        tangent[at(*slot++)] +=
            body.floor_e * own.e[t][i] * own.e[t][k] + (i == k ? cartesian_.floor_e : 0.0);
  }
}

/// Whether the scheme's rate goes on from the step's start alone, zd = zd_n + h (a mean of
/// accelerations), as [EP] Eq. (34) does: not where it takes older rates, as BDF2.
bool continues_rates(const Scheme& scheme) {
  const double start = scheme.zd_zd - scheme.c_v / scheme.c_a * scheme.zdd_zd;
  return std::abs(start - 1.0) < 1e-9;
}

/// Rates of Euler parameters by [EP] Eq. (34), so that the scheme acts on the angular velocity in
/// the body's frame and not on parameters that turn with half of it:
///   ed = L^T L_n hat + gain (I - e e^T) edd,   hat = ed_n + h (1 - gamma) edd_n, gain = gamma h
/// where the scheme itself says ed = hat + gain edd. An alpha method's auxiliary acceleration a
/// takes the place of edd, and the means that tie it to edd are means of angular accelerations in
/// the body's frame,
///   L a = now L edd + before L_n edd_n + last L_n a_n,
/// without which the method is of first order; for hht that is the printed weighting of forces with
/// the old ones turned into the new frame.
void Cartesian::compute_rates(StepInProgress& step) const {
  FormulationModel::compute_rates(step);
  const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
  if (settings.classic_euler_parameters || !continues_rates(scheme)) return;
  const SchemeHistory& past = scheme.past;
  const double gain = scheme.c_v / scheme.c_a;
  for (std::size_t t = 1; t < cartesian_.bodies.size(); ++t) {
    const int first = cartesian_.bodies[t].column + 3;
    const EulerParameters e_n = state.z.segment<4>(first);
    const EulerParameters d = ws.increment.segment<4>(first);
    const EulerParameters e = e_n + d;
    const EulerParameters edd = ws.zdd.segment<4>(first);
    const auto L_n = body_rates(e_n);
    const auto L = body_rates(e);
    if (past.columns != 1) {
      const EulerParameters hat = EulerParameters(ws.zd.segment<4>(first)) - gain * edd;
      ws.zd.segment<4>(first) = L.transpose() * (L_n * hat) + gain * (edd - e.dot(edd) * e);
      continue;
    }
    const EulerParameters ed_n = state.zd.segment<4>(first);
    const EulerParameters edd_n = state.zdd.segment<4>(first);
    const EulerParameters a_n = past.reads ? state.history.segment<4>(first) : edd_n;
    const EulerParameters a = past.p_d * d + past.p_zd * ed_n + (past.p_zdd + past.p_p) * a_n;
    const EulerParameters old = past.before * edd_n + past.last * a_n;
    const Eigen::Vector3d turning = L * a;
    const Eigen::Vector3d balanced = (turning - L_n * old) / past.now;
    const double along = (e.dot(a) - e_n.dot(old)) / past.now;  // what the unit length asks for
    ws.zdd.segment<4>(first) = L.transpose() * balanced + along * e;
    ws.zd.segment<4>(first) =
        L.transpose() *
        (L_n * (ed_n + scheme.h * (1.0 - scheme.gamma) * a_n) + scheme.h * scheme.gamma * turning);
  }
}

/// Moves the origin onto the reference body.
void Cartesian::rebase(const Model& model, State& state) const {
  if (model.tree.reference_body == 0) return;
  const int first = cartesian_.bodies[at(model.tree.reference_body)].column;
  const Eigen::Vector3d moved = round_origin(state.z.segment<3>(first));
  if (moved.isZero()) return;
  state.origin += moved;
  for (std::size_t t = 1; t < cartesian_.bodies.size(); ++t)
    state.z.segment<3>(cartesian_.bodies[t].column) -= moved;
}

void Cartesian::read_coordinates(const State& /*relative*/, const Workspace& ws,
                                 State& state) const {
  for (std::size_t t = 1; t < cartesian_.bodies.size(); ++t) {
    const CartesianBody& body = cartesian_.bodies[t];
    const Vector6& Z = ws.tree.Z[t];
    const Vector6& Zd = ws.tree.Zd[t];
    const Eigen::Vector3d r = ws.tree.p[t] + ws.tree.A_WC[t] * body.com;
    state.z.segment<3>(body.column) = r;
    state.zd.segment<3>(body.column) = velocity_at(Z, r);
    state.zdd.segment<3>(body.column) = acceleration_at(Z, Zd, r);
    // w = 2 G ed with e . ed = 0, and e . edd = -ed . ed
    const EulerParameters e = euler_parameters_of(ws.tree.A_WC[t]);
    const Matrix34 G = world_rates(e);
    const EulerParameters ed = 0.5 * (G.transpose() * Z.tail<3>());
    state.z.segment<4>(body.column + 3) = e;
    state.zd.segment<4>(body.column + 3) = ed;
    state.zdd.segment<4>(body.column + 3) =
        0.5 * (G.transpose() * Zd.tail<3>()) - ed.squaredNorm() * e;
  }
}

}  // namespace

const CartesianModel& cartesian_model_of(const Model& model) {
  return dynamic_cast<const Cartesian&>(*model.formulation).cartesian();
}

std::shared_ptr<const FormulationModel> make_cartesian(Model& model, TangentChoice tangent) {
  std::shared_ptr<const Model> twin = make_twin(model, tangent);
  CartesianModel cartesian = make_cartesian_model(model.mechanism, model.tree);
  const TangentChoice own = tangent == TangentChoice::automatic ? TangentChoice::sparse : tangent;
  set_pattern(cartesian, model.tree,
              choose_pattern(cartesian.n, find_cliques(cartesian, model.tree), own, LanePlan{}));
  return std::make_shared<Cartesian>(std::move(cartesian), std::move(twin));
}

}  // namespace semirec
