#include "integrator/formulation/cartesian.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include <Eigen/LU>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/formulation/tangent_pattern.hpp"
#include "integrator/formulation/tangent_shape.hpp"
#include "integrator/formulation/twin_formulation.hpp"
#include "integrator/scheme/alpha_methods.hpp"
#include "natural_coords/euler_parameters/cartesian_tangent.hpp"
#include "natural_coords/rows/measured_coordinates.hpp"
#include "recursive/lanes/lane_plan.hpp"
#include "recursive/origin.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

class CartesianPart final : public TwinWorkspace {
 public:
  CartesianPart(const CartesianModel& model, const Model& whole)
      : TwinWorkspace(whole.tree.pattern),
        bodies(model),
        tangent(model),
        forces(whole.tree, whole.forces),
        rates(model.bodies.size()) {}

  CartesianWorkspace bodies;
  CartesianTangent tangent;  ///< what the tangent of the TreeWorkspace lacks
  ForceDerivatives forces;
  std::vector<ParameterRates> rates;  ///< [body] of the iterate, where multipliers are unknowns
  bool own_rates = false;             ///< they are those of [EP] (34)
};

CartesianPart& part_of(Workspace& ws) { return static_cast<CartesianPart&>(*ws.formulation); }

CartesianWorkspace& bodies_of(Workspace& ws) { return part_of(ws).bodies; }

/// Position of the centre of mass and Euler parameters of every body, a row for each unit length
/// and rows for all joints, by the same augmented Lagrangian as the loops of the hybrid
/// formulation.
class Cartesian final : public TwinFormulation, public TangentShape {
 public:
  Cartesian(CartesianModel cartesian, std::shared_ptr<const Model> twin)
      : TwinFormulation(std::move(twin)), cartesian_(std::move(cartesian)) {}
  /// Once the tree's pattern is set.
  void find_entries(const TreeModel& tree) { entries_ = find_tangent_entries(cartesian_, tree); }
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
    return std::make_unique<CartesianPart>(cartesian_, model);
  }

  void begin(const Model& /*model*/, const State& state, Workspace& ws) const override {
    set_switches(cartesian_, state.switches, bodies_of(ws), ws.closures);
    CartesianPart& part = part_of(ws);
    part.bodies.angles = state.angles;
    if (part.own_rates) std::fill(part.rates.begin(), part.rates.end(), ParameterRates{});
    part.own_rates = false;
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
  void evaluate_bodies(const Model& model, const double* q, const double* qd,
                       Workspace& ws) const override {
    compute_cartesian_positions(cartesian_, q, bodies_of(ws), ws.tree);
    compute_cartesian_motions(cartesian_, qd, nullptr, bodies_of(ws), ws.tree);
    measure_coordinates(model.tree, bodies_of(ws).angles, ws.tree);
  }

  SaddleShape saddle_shape(const Model& model) const override;
  std::vector<MatrixEntry> exact_entries(const Model& /*model*/) const override {
    std::vector<MatrixEntry> entries;
    for (const TangentEntries::Entry& entry : entries_.entries)
      entries.push_back({entry.row, entry.column});
    return entries;
  }
  void evaluate_exact(const Model& model, const Eigen::VectorXd& zd, const Eigen::VectorXd& zdd,
                      const Eigen::VectorXd& lambda, Workspace& ws,
                      std::vector<double>& values) const override;
  void evaluate_closure_curvature(const Model& /*model*/, const Eigen::VectorXd& mu, Workspace& ws,
                                  std::vector<double>& values) const override {
    CartesianPart& part = part_of(ws);
    part.tangent.set_zero();
    add_closure_tangent(cartesian_, ws.tree, part.bodies, mu, 1.0, part.tangent);
    gather(entries_, part.tangent, values);
  }
  void evaluate_closure_rates_tangent(const Model& /*model*/, const Workspace& ws,
                                      std::vector<double>& Phid_z) const override {
    const auto& part = static_cast<const CartesianPart&>(*ws.formulation);
    compute_cartesian_jacobian_rates(cartesian_, ws.tree, part.bodies, Phid_z);
  }
  void compute_rates(StepInProgress& step) const override;
  bool takes_rates_of_scheme() const override { return false; }
  void rebase(const Model& model, State& state) const override;

 private:
  void add_floor(const Model& model, Workspace& ws) const override;
  void read_coordinates(const State& relative, const Workspace& ws, State& state) const override;

  CartesianModel cartesian_;
  TangentEntries entries_;
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

/// Of the tangent the slots of M and of the force elements: those of the rows belong to the
/// penalty. 4 L^T J L is singular along e: the rows of |e| = 1, the first ones, make it regular.
SaddleShape Cartesian::saddle_shape(const Model& model) const {
  SaddleShape shape;
  for (std::size_t t = 1; t < cartesian_.bodies.size(); ++t) {
    const CartesianBody& body = cartesian_.bodies[t];
    shape.slots.insert(shape.slots.end(), body.slots_r.begin(), body.slots_r.end());
    shape.slots.insert(shape.slots.end(), body.slots_e.begin(), body.slots_e.end());
    shape.regularizing.push_back(
        {static_cast<int>(t) - 1, body.floor_e > 0.0 ? body.floor_e : cartesian_.floor_e});
    shape.groups.push_back({body.column, body.column + 1, body.column + 2});
    shape.groups.push_back({body.column + 3, body.column + 4, body.column + 5, body.column + 6});
  }
  for (const Connection& connection : model.tree.connections)
    shape.slots.insert(shape.slots.end(), connection.slots.begin(), connection.slots.end());
  return shape;
}

/// (M qdd)_q and the velocity terms' derivatives, those of the wrenches, (Phi_q^T lambda)_q, all
/// with the rates' own derivatives, less M, which the tangent has.
void Cartesian::evaluate_exact(const Model& model, const Eigen::VectorXd& /*zd*/,
                               const Eigen::VectorXd& /*zdd*/, const Eigen::VectorXd& lambda,
                               Workspace& ws, std::vector<double>& values) const {
  CartesianPart& part = part_of(ws);
  const TangentWeights& weights = ws.tree.weights;
  part.tangent.set_zero();
  add_inertia_tangent(cartesian_, part.bodies, weights, part.rates, part.tangent);
  add_mass_tangent(cartesian_, -weights.mass, part.bodies, part.tangent);
  if (!part.forces.empty()) {
    part.forces.compute(model.tree, ws.tree);
    add_force_tangent(cartesian_, model.tree, part.forces, part.bodies, weights, part.rates,
                      part.tangent);
  }
  if (weights.stiffness != 0.0)
    add_closure_tangent(cartesian_, ws.tree, part.bodies, lambda, weights.stiffness, part.tangent);
  gather(entries_, part.tangent, values);
}

/// The Euler parameters of one body in a step: at its start, and the increment.
struct ParameterStep {
  EulerParameters e_n, d, e;
  Matrix34 L_n, L;
};

/// Newmark's formulas: zd = hat + gain edd of the scheme in, ed by (34) out. The last argument,
/// where given: their derivatives by the increment, over c_v.
void take_newmark_rates(const ParameterStep& at, double gain, double c_v,
                        const EulerParameters& edd, Eigen::Ref<Eigen::Vector4d> ed,
                        ParameterRates* rates) {
  const EulerParameters hat = ed - gain * edd;
  const Eigen::Vector3d turning = at.L_n * hat;
  ed = at.L.transpose() * turning + gain * (edd - at.e.dot(edd) * at.e);
  if (rates == nullptr) return;
  // d(edd) = c_a d, gain c_a = c_v
  rates->ed =
      (body_rates_form(turning) - gain * (at.e * edd.transpose())) / c_v - at.e * at.e.transpose();
  rates->ed.diagonal().array() += 1.0 - gain / c_v * at.e.dot(edd);
}

/// How the forces on a body's rotation at the step's start count.
enum class OldForces {
  turned,     ///< with the body into its new frame
  printed,    ///< as they were, by [EP] Eq. (20): across e_n; their part along e_n is lost
  remembered  ///< as they were, whole: edd_n . e_n keeps their part along e_n, N m
};

/// Alpha methods: ed and edd from the auxiliary acceleration a = c d + ...
struct AlphaRates {
  const Scheme& scheme;
  const CartesianBody& body;
  OldForces forces;

  /// The old accelerations in the body's new frame, and with `by_e` what the part along e becomes.
  struct Old {
    Eigen::Vector3d turning{0, 0, 0};
    Matrix34 turning_by_e = Matrix34::Zero();
    double along = 0.0;
    EulerParameters along_by_e = EulerParameters::Zero();
  };
  Old weigh(const ParameterStep& at, const EulerParameters& edd_n,
            const EulerParameters& a_n) const {
    Old old;
    const EulerParameters mean = scheme.past.before * edd_n + scheme.past.last * a_n;
    if (forces == OldForces::turned) {
      old.turning = at.L_n * mean;
      return old;
    }
    // a quarter of the old forces, less: L_n^T J L_n edd_n - e_n s; no last a_n: this is hht
    const Eigen::Matrix3d J_inverse = body.inertia.inverse();
    const double weight = scheme.past.before;
    EulerParameters kept = at.L_n.transpose() * (body.inertia * (at.L_n * edd_n));
    if (forces == OldForces::remembered && scheme.past.reads) kept -= at.e_n.dot(edd_n) * at.e_n;
    old.turning = weight * (J_inverse * (at.L * kept));
    old.turning_by_e = -weight * (J_inverse * body_rates(kept));
    old.along_by_e = weight / scheme.past.now * kept;
    old.along = at.e.dot(old.along_by_e);
    return old;
  }

  void take(const ParameterStep& at, const EulerParameters& ed_n, const EulerParameters& a_n,
            const EulerParameters& edd_n, Eigen::Ref<Eigen::Vector4d> ed,
            Eigen::Ref<Eigen::Vector4d> edd, ParameterRates* rates) const {
    const SchemeHistory& past = scheme.past;
    const double h_gamma = scheme.h * scheme.gamma;
    const EulerParameters a = past.p_d * at.d + past.p_zd * ed_n + (past.p_zdd + past.p_p) * a_n;
    const Eigen::Vector3d turning = at.L * a;
    const Old old = weigh(at, edd_n, a_n);
    const Eigen::Vector3d balanced = (turning - old.turning) / past.now;
    // what the unit length asks for, or what is remembered
    double along = old.along;
    EulerParameters along_by_e = old.along_by_e;
    if (forces != OldForces::remembered) {
      along = (at.e.dot(a) - at.e_n.dot(past.before * edd_n + past.last * a_n)) / past.now;
      along_by_e = (a + past.p_d * at.e) / past.now;
    }
    const Eigen::Vector3d speed =
        at.L_n * (ed_n + scheme.h * (1.0 - scheme.gamma) * a_n) + h_gamma * turning;
    edd = at.L.transpose() * balanced + along * at.e;
    ed = at.L.transpose() * speed;
    if (rates == nullptr) return;
    const Matrix34 turning_by_d = past.p_d * at.L - body_rates(a);
    rates->ed = body_rates_form(speed) + h_gamma * (at.L.transpose() * turning_by_d);
    rates->ed /= scheme.c_v;
    rates->edd = body_rates_form(balanced) + at.e * along_by_e.transpose() +
                 at.L.transpose() * (turning_by_d - old.turning_by_e) / past.now;
    rates->edd.diagonal().array() += along;
    rates->edd /= scheme.c_a;
  }
};

/// Rates of Euler parameters by [EP] Eq. (34), so that the scheme acts on the angular velocity in
/// the body's frame and not on parameters that turn with half of it:
///   ed = L^T L_n hat + gain (I - e e^T) edd,   hat = ed_n + h (1 - gamma) edd_n, gain = gamma h
/// where the scheme itself says ed = hat + gain edd. An alpha method's auxiliary acceleration a
/// takes the place of edd, and the means that tie it to edd are means of angular accelerations in
/// the body's frame,
///   L a = now L edd + before L_n edd_n + last L_n a_n,
/// without which the method is of first order; for hht that is the printed weighting of forces with
/// the old ones turned into the new frame. As printed the old ones are not turned,
///   J L a = now J L edd + before L (L_n^T J L_n edd_n - s_n e_n),
///   s = (before/now) e^T (L_n^T J L_n edd_n - s_n e_n):
/// four times s is what the weighting leaves along e, where M is singular and edd therefore free to
/// keep it; projected accelerations have no room for it.
void Cartesian::compute_rates(StepInProgress& step) const {
  FormulationModel::compute_rates(step);
  const auto& [model, settings, scheme, state, ws, report, factors, P] = step;
  if (settings.classic_euler_parameters || !continues_rates(scheme)) return;
  const SchemeHistory& past = scheme.past;
  CartesianPart& part = part_of(ws);
  const bool differentiates = factors && settings.closing == Closing::multipliers;
  part.own_rates = part.own_rates || differentiates;
  OldForces old_forces = OldForces::turned;
  if (weighs_as_printed(settings.scheme))
    old_forces = settings.projections > 0 ? OldForces::printed : OldForces::remembered;
  for (std::size_t t = 1; t < cartesian_.bodies.size(); ++t) {
    const CartesianBody& body = cartesian_.bodies[t];
    const int first = body.column + 3;
    ParameterStep at{state.z.segment<4>(first), ws.increment.segment<4>(first), {}, {}, {}};
    at.e = at.e_n + at.d;
    at.L_n = body_rates(at.e_n);
    at.L = body_rates(at.e);
    ParameterRates* rates = differentiates ? &part.rates[t] : nullptr;
    auto ed = ws.zd.segment<4>(first);
    if (past.columns != 1) {
      take_newmark_rates(at, scheme.c_v / scheme.c_a, scheme.c_v, ws.zdd.segment<4>(first), ed,
                         rates);
      continue;
    }
    const EulerParameters edd_n = state.zdd.segment<4>(first);
    EulerParameters a_n = edd_n;
    if (past.reads) a_n += past.share * (state.history.segment<4>(first) - edd_n);
    AlphaRates{scheme, body, old_forces}.take(at, state.zd.segment<4>(first), a_n, edd_n, ed,
                                              ws.zdd.segment<4>(first), rates);
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
  auto formulation = std::make_shared<Cartesian>(std::move(cartesian), std::move(twin));
  formulation->find_entries(model.tree);
  return formulation;
}

}  // namespace semirec
