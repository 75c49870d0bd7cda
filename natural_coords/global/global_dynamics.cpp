#include <array>

#include "natural_coords/global/global_model.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Angular velocity of the base: half the sum of e^k x (rate of e_k).
Vector3d turn_rate(const Matrix3d& dual, const Eigen::Matrix<double, 12, 1>& rate) {
  return 0.5 * (dual.col(0).cross(rate.segment<3>(3)) + dual.col(1).cross(rate.segment<3>(6)) +
                dual.col(2).cross(rate.segment<3>(9)));
}

/// coefficients^T direction, added to a row at its places.
void add_gradient(const LinearVector& v, const std::vector<int>& place, const Vector3d& direction,
                  double* row) {
  for (std::size_t k = 0; k < place.size(); ++k) row[place[k]] += v.coefficients[k].dot(direction);
}

}  // namespace

GlobalWorkspace::GlobalWorkspace(const GlobalModel& model)
    : vectors(model.vectors),
      switches(model.switches),
      u(model.vectors.size(), Vector3d::Zero()),
      ud(u),
      udd(u),
      g(model.bodies.size(), Eigen::Matrix<double, 12, 1>::Zero()),
      dual(model.bodies.size(), Matrix3d::Identity()),
      q(Eigen::VectorXd::Zero(model.n)),
      base(model.mass),
      base_alpha(Eigen::VectorXd::Zero(model.linear_rows)) {}

void set_switches(const GlobalModel& model, const std::vector<ClosureSwitch>& switches,
                  const TreeModel& /*tree*/, GlobalWorkspace& gws, ClosureWorkspace& cws) {
  for (std::size_t s = 0; s < switches.size(); ++s) {
    const Frame& now = switches[s].X_CF;
    const bool moved = now.p != gws.switches[s].X_CF.p || now.A != gws.switches[s].X_CF.A;
    gws.switches[s] = switches[s];
    cws.switches = switches;
    if (!moved) continue;
    const GlobalModel::SwitchPlace& place = model.switch_places[s];
    const NaturalBody& a = model.bodies[at(place.body_a)];
    // a direction c of body a as a sum of its base vectors, a place with r_0 on top
    const auto rebuild = [&](LinearVector& v, const LinearVector& fixed_part,
                             const Vector3d& vector, bool is_place, double sign) {
      v = fixed_part;
      if (place.body_a == 0) {
        v.constant += sign * vector;
        if (is_place) v.points.diagonal().array() += sign;
        return;
      }
      const Vector3d c = a.X_inverse * (is_place ? Vector3d(vector - a.x_0) : vector);
      for (int b = is_place ? 0 : 1; b < 4; ++b) {
        const double weight = sign * (b == 0 ? 1.0 : c[b - 1]);
        v.constant += weight * a.constant.segment<3>(3 * b);
        v.points += weight * a.points[at(b)];
        for (std::size_t k = 0; k < a.columns.size(); ++k) {
          std::size_t at_k = 0;
          while (v.columns[at_k] != a.columns[k]) ++at_k;
          v.coefficients[at_k] +=
              weight * a.Gamma.col(static_cast<Eigen::Index>(k)).segment<3>(3 * b);
        }
      }
    };
    // r_b - r_a: what b contributes is what the model's vector has beyond its own place on a
    const Frame& design = model.switches[s].X_CF;
    for (const int index : place.points) {
      LinearVector b_part = model.vectors[at(index)];
      LinearVector r_b;
      rebuild(r_b, b_part, design.p, true, +1.0);
      rebuild(gws.vectors[at(index)], r_b, now.p, true, -1.0);
    }
    for (const auto& [index, axis] : place.axes) {
      LinearVector empty = model.vectors[at(index)];
      empty.constant.setZero();
      empty.points.setZero();
      for (Vector3d& c : empty.coefficients) c.setZero();
      rebuild(gws.vectors[at(index)], empty, now.A.col(axis), false, +1.0);
    }
  }
}

namespace {

/// g or a rate of it from q or a rate of it.
void add_terms(const NaturalBody& body, const double* q, Eigen::Matrix<double, 12, 1>& g) {
  for (const NaturalBody::Term& term : body.terms)
    g.segment<3>(3 * term.a) += q[term.column] * term.c;
}

}  // namespace

void compute_global_positions(const GlobalModel& model, const double* q, GlobalWorkspace& gws,
                              TreeWorkspace& ws) {
  gws.q = Eigen::Map<const Eigen::VectorXd>(q, model.n);
  ws.p[0] = -ws.origin;
  for (std::size_t t = 1; t < model.bodies.size(); ++t) {
    const NaturalBody& body = model.bodies[t];
    auto& g = gws.g[t];
    g = body.constant;
    for (int a = 0; a < 4; ++a)
      if (!body.counts_from_origin) g.segment<3>(3 * a) -= body.points[at(a)] * ws.origin;
    add_terms(body, q, g);
    const Vector3d e1 = g.segment<3>(3);
    const Vector3d e2 = g.segment<3>(6);
    const Vector3d e3 = g.segment<3>(9);
    const Vector3d e23 = e2.cross(e3);
    const double inverse = 1.0 / e1.dot(e23);
    Matrix3d& dual = gws.dual[t];
    dual.col(0) = inverse * e23;
    dual.col(1) = inverse * e3.cross(e1);
    dual.col(2) = inverse * e1.cross(e2);
    Matrix3d& A = ws.A_WC[t];
    A = e1 * body.X_inverse.row(0) + e2 * body.X_inverse.row(1) + e3 * body.X_inverse.row(2);
    const Vector3d r_0 = g.head<3>();
    ws.p[t] = r_0 - A * body.x_0;
    if (!body.carries_forces) continue;
    // velocity of the body for a unit rate of each coordinate
    for (std::size_t k = 0; k < body.columns.size(); ++k) {
      Vector3d v = Vector3d::Zero();
      Vector3d w = Vector3d::Zero();
      for (int i = body.first_term[k]; i < body.first_term[k + 1]; ++i) {
        const NaturalBody::Term& term = body.terms[at(i)];
        if (term.a == 0) {
          v = term.c;
        } else {
          w += 0.5 * dual.col(term.a - 1).cross(term.c);
        }
      }
      ws.H[at(body.first_column) + k] = make_six(v - w.cross(r_0), w);
    }
  }
  for (const GlobalModel::Merge& merge : model.merges)
    ws.H[at(merge.column)] = ws.H[at(merge.from_b)] - ws.H[at(merge.from_a)];
}

void compute_global_motions(const GlobalModel& model, const double* qd, const double* qdd,
                            GlobalWorkspace& gws, TreeWorkspace& ws) {
  for (std::size_t t = 1; t < model.bodies.size(); ++t) {
    const NaturalBody& body = model.bodies[t];
    const Vector3d r_0 = gws.g[t].head<3>();
    Eigen::Matrix<double, 12, 1> rate = Eigen::Matrix<double, 12, 1>::Zero();
    add_terms(body, qd, rate);
    const Vector3d w = turn_rate(gws.dual[t], rate);
    ws.Z[t] = make_six(rate.head<3>() - w.cross(r_0), w);
    if (qdd == nullptr) continue;
    Eigen::Matrix<double, 12, 1> second = Eigen::Matrix<double, 12, 1>::Zero();
    add_terms(body, qdd, second);
    const Vector3d wd = turn_rate(gws.dual[t], second);
    // acceleration of the origin = Zd_l + wd x r + w x rd
    ws.Zd[t] = make_six(second.head<3>() - wd.cross(r_0) - w.cross(rate.head<3>()), wd);
  }
}

void add_global_forces(const GlobalModel& model, const TreeModel& tree, const double* qdd,
                       const GlobalWorkspace& gws, TreeWorkspace& ws) {
  for (std::size_t t = 1; t < model.bodies.size(); ++t) {
    const NaturalBody& body = model.bodies[t];
    Eigen::Matrix<double, 12, 1> second = Eigen::Matrix<double, 12, 1>::Zero();
    add_terms(body, qdd, second);
    second.head<3>() -= tree.gravity;
    // inertia and weight, then the wrench: its force on r_0, half its moment about r_0 x e^a on e_a
    const Vector3d force = ws.F[t].head<3>();
    const Vector3d moment = ws.F[t].tail<3>() - gws.g[t].head<3>().cross(force);
    std::array<Vector3d, 4> f;
    for (int a = 0; a < 4; ++a) {
      f[at(a)] = a == 0 ? force : Vector3d(0.5 * moment.cross(gws.dual[t].col(a - 1)));
      for (int b = 0; b < 4; ++b) f[at(a)] += body.G(a, b) * second.segment<3>(3 * b);
    }
    for (const NaturalBody::Term& term : body.terms)
      ws.residual[term.column] += term.c.dot(f[at(term.a)]);
  }
}

namespace {

void evaluate_vectors(const std::vector<LinearVector>& vectors, const double* q,
                      const Vector3d* origin, std::vector<Vector3d>& out) {
  for (std::size_t v = 0; v < vectors.size(); ++v) {
    const LinearVector& vector = vectors[v];
    Vector3d sum = Vector3d::Zero();
    if (origin != nullptr) sum = vector.constant - Vector3d(vector.points * *origin);
    for (std::size_t k = 0; k < vector.columns.size(); ++k)
      sum += vector.coefficients[k] * q[vector.columns[k]];
    out[v] = sum;
  }
}

}  // namespace

void compute_global_closures(const GlobalModel& model, const TreeWorkspace& ws,
                             GlobalWorkspace& gws, ClosureWorkspace& cws, bool with_jacobian) {
  evaluate_vectors(gws.vectors, gws.q.data(), &ws.origin, gws.u);
  RowGradient gradient;
  for (std::size_t r = 0; r < model.rows.size(); ++r) {
    const GlobalRow& row = model.rows[r];
    const RowBlock& block = model.blocks[r];
    double& Phi = cws.Phi[static_cast<Eigen::Index>(r)];
    double* J = cws.Phi_z.data() + block.jacobian;
    // the gradients of linear rows stay what they are
    const bool fill = with_jacobian && (static_cast<int>(r) >= model.linear_rows || !gws.filled);
    if (fill) std::fill_n(J, block.columns.size(), 0.0);
    if (is_released(row, gws.switches)) {
      Phi = 0.0;
      continue;
    }
    Phi = evaluate_row(row, gws.u, ws.inputs, fill ? &gradient : nullptr);
    if (!fill) continue;
    add_gradient(gws.vectors[at(row.u)], row.place_u, gradient.u, J);
    if (row.v >= 0) add_gradient(gws.vectors[at(row.v)], row.place_v, gradient.v, J);
    if (row.w >= 0) add_gradient(gws.vectors[at(row.w)], row.place_w, gradient.w, J);
    if (row.slide >= 0)
      add_gradient(gws.vectors[at(row.slide)], row.place_slide, gradient.slide, J);
  }
  gws.filled = gws.filled || with_jacobian;
}

void compute_global_closure_motions(const GlobalModel& model, const double* qd, const double* qdd,
                                    const TreeWorkspace& ws, GlobalWorkspace& gws,
                                    ClosureWorkspace& cws) {
  evaluate_vectors(gws.vectors, qd, nullptr, gws.ud);
  if (qdd != nullptr) evaluate_vectors(gws.vectors, qdd, nullptr, gws.udd);
  for (std::size_t r = 0; r < model.rows.size(); ++r) {
    const GlobalRow& row = model.rows[r];
    const RowRates rates = is_released(row, gws.switches)
                               ? RowRates{}
                               : evaluate_row_rates(row, gws.u, gws.ud, gws.udd, ws.inputs);
    cws.Phid[static_cast<Eigen::Index>(r)] = rates.Phid;
    cws.Phidd[static_cast<Eigen::Index>(r)] = rates.Phidd;
  }
}

}  // namespace semirec
