#include <algorithm>

#include "natural_coords/euler_parameters/cartesian_model.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

void evaluate_vectors(const std::vector<CartesianVector>& vectors, const VectorValues& r,
                      const std::vector<Matrix3d>& A, VectorValues& out) {
  for (std::size_t k = 0; k < vectors.size(); ++k) {
    const CartesianVector& vector = vectors[k];
    out[k] = A[at(vector.b)] * vector.x_b;
    if (vector.is_point)
      out[k] += (r[at(vector.b)] - r[at(vector.a)]) - A[at(vector.a)] * vector.x_a;
  }
}

/// Gradient of one row, gathered by the bodies of its block.
struct BodyGradient {
  Vector3d r = Vector3d::Zero();
  EulerParameters e = EulerParameters::Zero();
};

/// What g, the row's derivative by one vector, is by the places of its bodies.
void add_places(const CartesianRow& row, const CartesianVector& vector, const Vector3d& g,
                std::array<BodyGradient, 2>& gradient) {
  if (!vector.is_point) return;
  for (int s = 0; s < row.side_count; ++s) {
    const TreeIndex body = row.sides[at(s)].body;
    if (body == vector.b) gradient[at(s)].r += g;
    if (body == vector.a) gradient[at(s)].r -= g;
  }
}

/// The same by their Euler parameters, in which it is linear: e [body], or their rates.
void add_turns(const CartesianRow& row, const CartesianVector& vector, const Vector3d& g,
               const std::vector<EulerParameters>& e, std::array<BodyGradient, 2>& gradient) {
  for (int s = 0; s < row.side_count; ++s) {
    const TreeIndex body = row.sides[at(s)].body;
    BodyGradient& part = gradient[at(s)];
    if (body == vector.b) part.e += turned_gradient(e[at(body)], vector.x_b, g);
    if (vector.is_point && body == vector.a) part.e -= turned_gradient(e[at(body)], vector.x_a, g);
  }
}

/// take(vector, g, gd) for every vector of the row; g: its derivatives, gd: their rates.
template <typename Take>
void for_vectors_of(const CartesianRow& row, const CartesianWorkspace& own, const RowGradient& g,
                    const RowGradient& gd, const Take& take) {
  take(own.vectors[at(row.u)], g.u, gd.u);
  if (row.v >= 0) take(own.vectors[at(row.v)], g.v, gd.v);
  if (row.w >= 0) take(own.vectors[at(row.w)], g.w, gd.w);
  if (row.slide >= 0) take(own.vectors[at(row.slide)], g.slide, gd.slide);
}

/// Into the row's block of Phi_q, or of a matrix like it.
void write_gradient(const CartesianRow& row, const std::array<BodyGradient, 2>& parts, double* J) {
  for (int s = 0; s < row.side_count; ++s) {
    const CartesianRow::Side& side = row.sides[at(s)];
    for (int i = 0; i < side.count_r; ++i) J[side.place_r + i] = parts[at(s)].r[side.first_r + i];
    Eigen::Map<EulerParameters>(J + side.place_e) = parts[at(s)].e;
  }
}

/// Rows of |e| = 1: one for each body but the ground.
int norm_rows(const CartesianModel& model) { return static_cast<int>(model.bodies.size()) - 1; }

}  // namespace

CartesianWorkspace::CartesianWorkspace(const CartesianModel& model)
    : vectors(model.vectors),
      switches(model.switches),
      r(model.bodies.size(), Vector3d::Zero()),
      rd(r),
      rdd(r),
      e(model.bodies.size(), EulerParameters::UnitX()),
      ed(model.bodies.size(), EulerParameters::Zero()),
      edd(ed),
      A(model.bodies.size(), Matrix3d::Identity()),
      Ad(model.bodies.size(), Matrix3d::Zero()),
      Add(Ad),
      u(model.vectors.size(), Vector3d::Zero()),
      ud(u),
      udd(u) {}

void set_switches(const CartesianModel& model, const std::vector<ClosureSwitch>& switches,
                  CartesianWorkspace& own, ClosureWorkspace& closures) {
  for (std::size_t s = 0; s < switches.size(); ++s) {
    own.switches[s] = switches[s];
    closures.switches[s] = switches[s];
    for (const CartesianModel::SwitchedVector& moved : model.switched[s]) {
      CartesianVector& vector = own.vectors[at(moved.vector)];
      if (moved.on_a)
        vector.x_a = switches[s].X_CF.p - model.bodies[at(vector.a)].com;
      else
        vector.x_b = switches[s].X_CF.A.col(moved.axis);
    }
  }
}

void set_cartesian_positions(const CartesianModel& model, const double* q, const TreeWorkspace& ws,
                             CartesianWorkspace& own) {
  own.r[0] = -ws.origin;
  for (std::size_t t = 1; t < model.bodies.size(); ++t) {
    const double* const first = q + model.bodies[t].column;
    own.r[t] = Eigen::Map<const Vector3d>(first);
    own.e[t] = Eigen::Map<const EulerParameters>(first + 3);
    own.A[t] = rotation_form(own.e[t], own.e[t]);
  }
}

void compute_cartesian_positions(const CartesianModel& model, const double* q,
                                 CartesianWorkspace& own, TreeWorkspace& ws) {
  set_cartesian_positions(model, q, ws, own);
  ws.p[0] = -ws.origin;
  for (std::size_t t = 1; t < model.bodies.size(); ++t) {
    const CartesianBody& body = model.bodies[t];
    const Vector3d& r = own.r[t];
    ws.A_WC[t] = own.A[t];
    ws.p[t] = r - own.A[t] * body.com;
    // velocity of the body for a unit rate of each coordinate
    for (int k = 0; k < 3; ++k)
      ws.H[at(body.column + k)] = make_six(Vector3d::Unit(k), Vector3d::Zero());
    const Matrix34 G = world_rates(own.e[t]);
    for (int k = 0; k < 4; ++k) {
      const Vector3d w = 2.0 * G.col(k);
      ws.H[at(body.column + 3 + k)] = make_six(r.cross(w), w);
    }
  }
}

void set_cartesian_rates(const CartesianModel& model, const double* qd, const double* qdd,
                         CartesianWorkspace& own) {
  for (std::size_t t = 1; t < model.bodies.size(); ++t) {
    const int first = model.bodies[t].column;
    own.rd[t] = Eigen::Map<const Vector3d>(qd + first);
    own.ed[t] = Eigen::Map<const EulerParameters>(qd + first + 3);
    own.Ad[t] = 2.0 * rotation_form(own.e[t], own.ed[t]);
    if (qdd == nullptr) continue;
    own.rdd[t] = Eigen::Map<const Vector3d>(qdd + first);
    own.edd[t] = Eigen::Map<const EulerParameters>(qdd + first + 3);
    own.Add[t] = 2.0 * (rotation_form(own.e[t], own.edd[t]) + rotation_form(own.ed[t], own.ed[t]));
  }
}

void compute_cartesian_motions(const CartesianModel& model, const double* qd, const double* qdd,
                               CartesianWorkspace& own, TreeWorkspace& ws) {
  set_cartesian_rates(model, qd, qdd, own);
  for (std::size_t t = 1; t < model.bodies.size(); ++t) {
    const Vector3d& r = own.r[t];
    const Matrix34 G = world_rates(own.e[t]);
    const Vector3d w = 2.0 * (G * own.ed[t]);
    ws.Z[t] = make_six(own.rd[t] - w.cross(r), w);
    if (qdd == nullptr) continue;
    const Vector3d wd = 2.0 * (G * own.edd[t]);
    // acceleration of the centre of mass = Zd_l + wd x r + w x rd
    ws.Zd[t] = make_six(own.rdd[t] - wd.cross(r) - w.cross(own.rd[t]), wd);
  }
}

void add_cartesian_forces(const CartesianModel& model, const TreeModel& tree,
                          const CartesianWorkspace& own, TreeWorkspace& ws) {
  for (std::size_t t = 1; t < model.bodies.size(); ++t) {
    const CartesianBody& body = model.bodies[t];
    const Vector3d force = ws.F[t].head<3>();
    const Vector3d moment = ws.F[t].tail<3>() - own.r[t].cross(force);
    ws.residual.segment<3>(body.column) += body.mass * (own.rdd[t] - tree.gravity) + force;
    const Matrix34 L = body_rates(own.e[t]);
    const Vector3d w = 2.0 * (L * own.ed[t]);
    const Vector3d wd = 2.0 * (L * own.edd[t]);
    const Vector3d inertial = body.inertia * wd + w.cross(Vector3d(body.inertia * w));
    ws.residual.segment<4>(body.column + 3) +=
        2.0 * (L.transpose() * inertial) + 2.0 * (world_rates(own.e[t]).transpose() * moment);
  }
}

void set_cartesian_mass(const CartesianModel& model, double weight, const CartesianWorkspace& own,
                        std::vector<double>& tangent) {
  std::fill(tangent.begin(), tangent.end(), 0.0);
  if (weight == 0.0) return;
  for (std::size_t t = 1; t < model.bodies.size(); ++t) {
    const CartesianBody& body = model.bodies[t];
    for (const int slot : body.slots_r) tangent[at(slot)] = weight * body.mass;
    const Matrix34 L = body_rates(own.e[t]);
    const Matrix34 JL = (4.0 * weight) * (body.inertia * L);
    const int* slot = body.slots_e.data();
    for (int i = 0; i < 4; ++i)
      for (int k = 0; k <= i; ++k) tangent[at(*slot++)] = L.col(i).dot(JL.col(k));
  }
}

void compute_cartesian_closures(const CartesianModel& model, const TreeWorkspace& ws,
                                CartesianWorkspace& own, ClosureWorkspace& closures,
                                bool with_jacobian) {
  evaluate_vectors(own.vectors, own.r, own.A, own.u);
  const int first = norm_rows(model);
  for (int j = 0; j < first; ++j) {
    const EulerParameters& e = own.e[at(j) + 1];
    closures.Phi[j] = 0.5 * (e.squaredNorm() - 1.0);
    if (with_jacobian)
      Eigen::Map<EulerParameters>(closures.Phi_z.data() + model.blocks[at(j)].jacobian) = e;
  }
  RowGradient gradient;
  for (std::size_t k = 0; k < model.rows.size(); ++k) {
    const CartesianRow& row = model.rows[k];
    const RowBlock& block = model.blocks[at(first) + k];
    double* J = closures.Phi_z.data() + block.jacobian;
    double& Phi = closures.Phi[block.row];
    if (is_released(row, own.switches)) {
      Phi = 0.0;
      if (with_jacobian) std::fill_n(J, block.columns.size(), 0.0);
      continue;
    }
    Phi = evaluate_row(row, own.u, ws.inputs, with_jacobian ? &gradient : nullptr);
    if (!with_jacobian) continue;
    std::array<BodyGradient, 2> parts;
    for_vectors_of(row, own, gradient, gradient,
                   [&](const CartesianVector& vector, const Vector3d& g, const Vector3d& /*gd*/) {
                     add_places(row, vector, g, parts);
                     add_turns(row, vector, g, own.e, parts);
                   });
    write_gradient(row, parts, J);
  }
}

void compute_cartesian_jacobian_rates(const CartesianModel& model, const TreeWorkspace& ws,
                                      const CartesianWorkspace& own, std::vector<double>& rates) {
  const int first = norm_rows(model);
  for (int j = 0; j < first; ++j)
    Eigen::Map<EulerParameters>(rates.data() + model.blocks[at(j)].jacobian) = own.ed[at(j) + 1];
  RowGradient gradient;
  RowGradient gradient_rates;
  for (std::size_t k = 0; k < model.rows.size(); ++k) {
    const CartesianRow& row = model.rows[k];
    const RowBlock& block = model.blocks[at(first) + k];
    double* const J = rates.data() + block.jacobian;
    if (is_released(row, own.switches)) {
      std::fill_n(J, block.columns.size(), 0.0);
      continue;
    }
    evaluate_row(row, own.u, ws.inputs, &gradient);
    evaluate_gradient_rates(row, own.u, own.ud, ws.inputs, gradient_rates);
    std::array<BodyGradient, 2> parts;
    for_vectors_of(row, own, gradient, gradient_rates,
                   [&](const CartesianVector& vector, const Vector3d& g, const Vector3d& gd) {
                     add_places(row, vector, gd, parts);
                     add_turns(row, vector, gd, own.e, parts);
                     add_turns(row, vector, g, own.ed, parts);
                   });
    write_gradient(row, parts, J);
  }
}

void compute_cartesian_closure_motions(const CartesianModel& model, const TreeWorkspace& ws,
                                       CartesianWorkspace& own, ClosureWorkspace& closures) {
  evaluate_vectors(own.vectors, own.rd, own.Ad, own.ud);
  evaluate_vectors(own.vectors, own.rdd, own.Add, own.udd);
  const int first = norm_rows(model);
  for (int j = 0; j < first; ++j) {
    const std::size_t t = at(j) + 1;
    closures.Phid[j] = own.e[t].dot(own.ed[t]);
    closures.Phidd[j] = own.e[t].dot(own.edd[t]) + own.ed[t].squaredNorm();
  }
  for (std::size_t k = 0; k < model.rows.size(); ++k) {
    const CartesianRow& row = model.rows[k];
    const RowRates rates = is_released(row, own.switches)
                               ? RowRates{}
                               : evaluate_row_rates(row, own.u, own.ud, own.udd, ws.inputs);
    const Eigen::Index j = model.blocks[at(first) + k].row;
    closures.Phid[j] = rates.Phid;
    closures.Phidd[j] = rates.Phidd;
  }
}

}  // namespace semirec
