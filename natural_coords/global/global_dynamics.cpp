#include <array>
#include <cmath>
#include <numbers>

#include "natural_coords/global/global_model.hpp"
#include "recursive/forces/force_element.hpp"
#include "topology/indices.hpp"

namespace semirec {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

CurveValue input_of(const TreeWorkspace& ws, InputIndex input) {
  return input == kNoInput ? CurveValue{} : ws.inputs[at(input)];
}

/// Angular velocity of the base: half the sum of e^k x (rate of e_k).
Vector3d turn_rate(const Matrix3d& dual, const Eigen::Matrix<double, 12, 1>& rate) {
  return 0.5 * (dual.col(0).cross(rate.segment<3>(3)) + dual.col(1).cross(rate.segment<3>(6)) +
                dual.col(2).cross(rate.segment<3>(9)));
}

/// What is prescribed in a row: its own input and the part of a driven end's way that counts.
CurveValue prescribed(const GlobalRow& row, const TreeWorkspace& ws) {
  CurveValue value = input_of(ws, row.input);
  if (row.slide_part != 0.0) {
    const CurveValue way = input_of(ws, row.slide_input);
    value.f += row.slide_part * way.f;
    value.fd += row.slide_part * way.fd;
    value.fdd += row.slide_part * way.fdd;
  }
  return value;
}

bool is_released(const GlobalRow& row, const GlobalWorkspace& gws) {
  return row.switch_index >= 0 && !gws.switches[at(row.switch_index)].attached;
}

/// coefficients^T direction, added to a row at its places.
void add_gradient(const LinearVector& v, const std::vector<int>& place, const Vector3d& direction,
                  double* row) {
  for (std::size_t k = 0; k < place.size(); ++k) row[place[k]] += v.coefficients[k].dot(direction);
}

/// u shortened by a driven end, with its rates.
struct Driven {
  Vector3d u, ud, udd;
};

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

double measure_coordinate(const MeasuredCoordinate& z, const TreeWorkspace& ws) {
  const Matrix3d A_a = ws.A_WC[at(z.body_a)] * z.a.A;
  if (z.kind == JointMotion::Kind::triad) return 0.0;
  if (z.kind == JointMotion::Kind::slide) {
    const Vector3d d = ws.position_of({z.body_b, z.b}) - ws.position_of({z.body_a, z.a});
    return d.dot(A_a.col(z.axis));
  }
  const Matrix3d A_b = ws.A_WC[at(z.body_b)] * z.b.A;
  if (z.axis_on_b) return std::atan2(A_b.col(1).dot(A_a.col(2)), A_b.col(2).dot(A_a.col(2)));
  return std::atan2(A_b.col(0).dot(A_a.col(1)), A_b.col(0).dot(A_a.col(0)));
}

void measure_coordinates(const GlobalModel& model, const TreeModel& tree, bool all,
                         const GlobalWorkspace& gws, TreeWorkspace& ws) {
  const int count = all ? tree.n : static_cast<int>(model.forced.size());
  for (int i = 0; i < count; ++i) {
    const auto k = at(all ? i : model.forced[at(i)]);
    const MeasuredCoordinate& measured = tree.measured[k];
    double value = measure_coordinate(measured, ws);
    if (measured.kind == JointMotion::Kind::turn) {
      // the turn nearest to the last one counted
      constexpr double kTurn = 2.0 * std::numbers::pi;
      const double near = gws.angles.size() > 0 ? gws.angles[static_cast<Eigen::Index>(k)] : value;
      value += kTurn * std::round((near - value) / kTurn);
    } else {
      value -= ws.z_offset[k];
    }
    ws.z[k] = value;
    ws.zd[k] =
        coordinate_line(measured, ws).dot(ws.Z[at(measured.body_b)] - ws.Z[at(measured.body_a)]);
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
  for (std::size_t r = 0; r < model.rows.size(); ++r) {
    const GlobalRow& row = model.rows[r];
    const RowBlock& block = model.blocks[r];
    double& Phi = cws.Phi[static_cast<Eigen::Index>(r)];
    double* J = cws.Phi_z.data() + block.jacobian;
    // the gradients of linear rows stay what they are
    const bool fill = with_jacobian && (static_cast<int>(r) >= model.linear_rows || !gws.filled);
    if (fill) std::fill_n(J, block.columns.size(), 0.0);
    if (is_released(row, gws)) {
      Phi = 0.0;
      continue;
    }
    const LinearVector& u_q = gws.vectors[at(row.u)];
    const Vector3d& u = gws.u[at(row.u)];
    const CurveValue input = prescribed(row, ws);
    switch (row.kind) {
      case GlobalRow::Kind::plane:
        Phi = row.scale * (row.direction.dot(u) - row.constant - input.f);
        if (fill) add_gradient(u_q, row.place_u, row.scale * row.direction, J);
        break;
      case GlobalRow::Kind::product: {
        const Vector3d& v = gws.u[at(row.v)];
        Phi = row.scale * (u.dot(v) - row.constant - input.f);
        if (!fill) break;
        add_gradient(u_q, row.place_u, row.scale * v, J);
        add_gradient(gws.vectors[at(row.v)], row.place_v, row.scale * u, J);
        break;
      }
      case GlobalRow::Kind::rod: {
        Vector3d d = u;
        const double slid = input_of(ws, row.slide_input).f;
        if (row.slide >= 0) d -= slid * gws.u[at(row.slide)];
        const double L = row.constant + input.f;
        Phi = (d.squaredNorm() - L * L) / (2.0 * row.constant);
        if (!fill) break;
        add_gradient(u_q, row.place_u, d / row.constant, J);
        if (row.slide >= 0)
          add_gradient(gws.vectors[at(row.slide)], row.place_slide, -slid / row.constant * d, J);
        break;
      }
      case GlobalRow::Kind::turn: {
        const double c = std::cos(input.f);
        const double s = std::sin(input.f);
        const Vector3d P = c * gws.u[at(row.w)] - s * gws.u[at(row.v)];
        Phi = u.dot(P);
        if (!fill) break;
        add_gradient(u_q, row.place_u, P, J);
        add_gradient(gws.vectors[at(row.w)], row.place_w, c * u, J);
        add_gradient(gws.vectors[at(row.v)], row.place_v, -s * u, J);
        break;
      }
    }
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
    double& Phid = cws.Phid[static_cast<Eigen::Index>(r)];
    double& Phidd = cws.Phidd[static_cast<Eigen::Index>(r)];
    if (is_released(row, gws)) {
      Phid = Phidd = 0.0;
      continue;
    }
    const Vector3d& u = gws.u[at(row.u)];
    const Vector3d& ud = gws.ud[at(row.u)];
    const Vector3d& udd = gws.udd[at(row.u)];
    const CurveValue input = prescribed(row, ws);
    switch (row.kind) {
      case GlobalRow::Kind::plane:
        Phid = row.scale * (row.direction.dot(ud) - input.fd);
        Phidd = row.scale * (row.direction.dot(udd) - input.fdd);
        break;
      case GlobalRow::Kind::product: {
        const auto v = at(row.v);
        Phid = row.scale * (ud.dot(gws.u[v]) + u.dot(gws.ud[v]) - input.fd);
        Phidd = row.scale *
                (udd.dot(gws.u[v]) + 2.0 * ud.dot(gws.ud[v]) + u.dot(gws.udd[v]) - input.fdd);
        break;
      }
      case GlobalRow::Kind::rod: {
        Driven d{u, ud, udd};
        if (row.slide >= 0) {
          const auto s = at(row.slide);
          const CurveValue f = input_of(ws, row.slide_input);
          d.u -= f.f * gws.u[s];
          d.ud -= f.f * gws.ud[s] + f.fd * gws.u[s];
          d.udd -= f.f * gws.udd[s] + 2.0 * f.fd * gws.ud[s] + f.fdd * gws.u[s];
        }
        const double L = row.constant + input.f;
        Phid = (d.u.dot(d.ud) - L * input.fd) / row.constant;
        Phidd =
            (d.u.dot(d.udd) + d.ud.dot(d.ud) - input.fd * input.fd - L * input.fdd) / row.constant;
        break;
      }
      case GlobalRow::Kind::turn: {
        const auto v = at(row.v);
        const auto w = at(row.w);
        const double c = std::cos(input.f);
        const double s = std::sin(input.f);
        // P turns with the driver's angle; N is its rate for a unit rate of the angle, reversed
        const Vector3d P = c * gws.u[w] - s * gws.u[v];
        const Vector3d Pd = c * gws.ud[w] - s * gws.ud[v];
        const Vector3d N = s * gws.u[w] + c * gws.u[v];
        const Vector3d Nd = s * gws.ud[w] + c * gws.ud[v];
        Phid = ud.dot(P) + u.dot(Pd) - input.fd * u.dot(N);
        Phidd = udd.dot(P) + 2.0 * ud.dot(Pd) + u.dot(c * gws.udd[w] - s * gws.udd[v]) -
                2.0 * input.fd * (ud.dot(N) + u.dot(Nd)) - input.fdd * u.dot(N) -
                input.fd * input.fd * u.dot(P);
        break;
      }
    }
  }
}

}  // namespace semirec
