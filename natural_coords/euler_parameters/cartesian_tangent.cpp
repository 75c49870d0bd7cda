#include "natural_coords/euler_parameters/cartesian_tangent.hpp"

#include "topology/indices.hpp"

namespace semirec {

namespace {

using Eigen::Matrix3d;
using Eigen::Matrix4d;
using Eigen::Vector3d;
using Matrix37 = Eigen::Matrix<double, 3, 7>;
using Matrix67 = Eigen::Matrix<double, 6, 7>;

/// A body that a vector depends on, with d(vector)/d(r, e).
struct Part {
  TreeIndex body = 0;
  Matrix37 D = Matrix37::Zero();
};
struct Parts {
  std::array<Part, 2> part;
  int count = 0;
};

Parts parts_of(const CartesianVector& vector, const CartesianWorkspace& own) {
  Parts parts;
  const auto add = [&](TreeIndex body, const Vector3d& x, double sign) {
    if (body == 0) return;
    Part& part = parts.part[at(parts.count++)];
    part.body = body;
    if (vector.is_point) part.D.leftCols<3>() = sign * Matrix3d::Identity();
    part.D.rightCols<4>() = sign * turned_derivative(own.e[at(body)], x);
  };
  add(vector.b, vector.x_b, 1.0);
  if (vector.is_point) add(vector.a, vector.x_a, -1.0);
  return parts;
}

/// gradient . d2(vector)/de2 of the bodies it depends on.
void add_curvature(const CartesianVector& vector, const Vector3d& gradient,
                   CartesianTangent& tangent) {
  if (vector.b != 0)
    tangent.own[at(vector.b)].bottomRightCorner<4, 4>() += 2.0 * turned_form(vector.x_b, gradient);
  if (vector.is_point && vector.a != 0)
    tangent.own[at(vector.a)].bottomRightCorner<4, 4>() -= 2.0 * turned_form(vector.x_a, gradient);
}

/// factor D_i^T D_j and, of two vectors, its transpose.
void add_product(const Parts& i, const Parts& j, bool same, double factor, int pair,
                 CartesianTangent& tangent) {
  for (int p = 0; p < i.count; ++p) {
    for (int q = 0; q < j.count; ++q) {
      const Part& left = i.part[at(p)];
      const Part& right = j.part[at(q)];
      const Matrix7 product = factor * (left.D.transpose() * right.D);
      if (left.body == right.body) {
        tangent.own[at(left.body)] += product;
        if (!same) tangent.own[at(left.body)] += product.transpose();
      } else if (left.body < right.body) {
        tangent.above[at(pair)] += product;
        tangent.below[at(pair)] += product.transpose();
      } else if (!same) {
        tangent.above[at(pair)] += product.transpose();
        tangent.below[at(pair)] += product;
      }
    }
  }
}

}  // namespace

CartesianTangent::CartesianTangent(const CartesianModel& model)
    : own(model.bodies.size(), Matrix7::Zero()),
      above(model.pairs.size(), Matrix7::Zero()),
      below(above) {}

void CartesianTangent::set_zero() {
  for (std::vector<Matrix7>* blocks : {&own, &above, &below})
    for (Matrix7& block : *blocks) block.setZero();
}

Eigen::MatrixXd CartesianTangent::to_dense(const CartesianModel& model) const {
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(model.n, model.n);
  for (std::size_t t = 1; t < model.bodies.size(); ++t)
    dense.block<7, 7>(model.bodies[t].column, model.bodies[t].column) = own[t];
  for (std::size_t k = 0; k < model.pairs.size(); ++k) {
    const int row = model.bodies[at(model.pairs[k][0])].column;
    const int column = model.bodies[at(model.pairs[k][1])].column;
    dense.block<7, 7>(row, column) = above[k];
    dense.block<7, 7>(column, row) = below[k];
  }
  return dense;
}

void add_inertia_tangent(const CartesianModel& model, const CartesianWorkspace& own,
                         const TangentWeights& weights, const std::vector<ParameterRates>& rates,
                         CartesianTangent& tangent) {
  for (std::size_t t = 1; t < model.bodies.size(); ++t) {
    const CartesianBody& body = model.bodies[t];
    const Matrix3d& J = body.inertia;
    tangent.own[t].diagonal().head<3>().array() += weights.mass * body.mass;
    const Matrix34 L = body_rates(own.e[t]);
    const Vector3d w = 2.0 * (L * own.ed[t]);
    const Vector3d wd = 2.0 * (L * own.edd[t]);
    const Vector3d spin = J * w;
    // d(wd-part) and d(w-part) of J wd + w x J w
    const Matrix3d by_w = tilde(w) * J - tilde(spin);
    // L(e) x = -L(x) e
    const Matrix34 inner =
        (2.0 * weights.mass) * (J * L) * rates[t].edd +
        (2.0 * weights.damping) * (by_w * L) * rates[t].ed -
        (2.0 * weights.stiffness) * (J * body_rates(own.edd[t]) + by_w * body_rates(own.ed[t]));
    tangent.own[t].bottomRightCorner<4, 4>() +=
        2.0 * (L.transpose() * inner) +
        (2.0 * weights.stiffness) * body_rates_form(J * wd + w.cross(spin));
  }
}

void add_mass_tangent(const CartesianModel& model, double weight, const CartesianWorkspace& own,
                      CartesianTangent& tangent) {
  for (std::size_t t = 1; t < model.bodies.size(); ++t) {
    const CartesianBody& body = model.bodies[t];
    const Matrix34 L = body_rates(own.e[t]);
    tangent.own[t].diagonal().head<3>().array() += weight * body.mass;
    tangent.own[t].bottomRightCorner<4, 4>() +=
        (4.0 * weight) * (L.transpose() * (body.inertia * L));
  }
}

namespace {

/// d(H^T F)/d(r, e) for a wrench F about O that stays as it is.
Matrix7 wrench_turning(const Vector3d& r, const EulerParameters& e, const Vector6& F) {
  const Vector3d force = F.head<3>();
  const Vector3d moment = F.tail<3>() - r.cross(force);
  Matrix7 block = Matrix7::Zero();
  block.bottomLeftCorner<4, 3>() = 2.0 * (world_rates(e).transpose() * tilde(force));
  block.bottomRightCorner<4, 4>() = 2.0 * world_rates_form(moment);
  return block;
}

/// A body's motion for a unit rate of each coordinate, and how Z changes with the unknown of a
/// step.
struct BodyColumns {
  Matrix67 H;       ///< displacement by (r, e)
  Matrix67 Z;       ///< weights.damping d(Z)/d(rates) and weights.stiffness d(Z)/d(r, e)
  Matrix67 damped;  ///< weights.damping H
};

BodyColumns columns_of(const CartesianWorkspace& own, const TangentWeights& weights,
                       const ParameterRates& rates, std::size_t t) {
  const Matrix34 G = 2.0 * world_rates(own.e[t]);
  const Vector3d w = G * own.ed[t];
  const Matrix3d arm = tilde(own.r[t]);
  BodyColumns columns;
  columns.H.leftCols<3>() << Matrix3d::Identity(), Matrix3d::Zero();
  columns.H.rightCols<4>() << arm * G, G;
  columns.damped = weights.damping * columns.H;
  // w = 2 G(e) ed = - 2 G(ed) e, velocity at O: rd - w x r
  const Matrix34 w_e =
      weights.damping * (G * rates.ed) - (2.0 * weights.stiffness) * world_rates(own.ed[t]);
  columns.Z.topLeftCorner<3, 3>() = -weights.stiffness * tilde(w);
  columns.Z.topLeftCorner<3, 3>().diagonal().array() += weights.damping;
  columns.Z.bottomLeftCorner<3, 3>().setZero();
  columns.Z.rightCols<4>() << arm * w_e, w_e;
  return columns;
}

}  // namespace

void add_wrench_tangent(const CartesianModel& model, const std::vector<Vector6>& F,
                        const CartesianWorkspace& own, double factor, CartesianTangent& tangent) {
  for (std::size_t t = 1; t < model.bodies.size(); ++t)
    if (!F[t].isZero(0.0)) tangent.own[t] += factor * wrench_turning(own.r[t], own.e[t], F[t]);
}

void add_force_tangent(const CartesianModel& model, const TreeModel& tree,
                       const ForceDerivatives& forces, const CartesianWorkspace& own,
                       const TangentWeights& weights, const std::vector<ParameterRates>& rates,
                       CartesianTangent& tangent) {
  add_wrench_tangent(model, forces.F, own, weights.stiffness, tangent);
  for (std::size_t t = 1; t < model.bodies.size(); ++t) {
    if (forces.loaded[t] == 0) continue;
    const BodyColumns columns = columns_of(own, weights, rates[t], t);
    tangent.own[t] += columns.H.transpose() * (weights.stiffness * forces.K[t] * columns.H);
  }
  for (std::size_t k = 0; k < tree.connections.size(); ++k) {
    const ForceDerivatives::Coupling& coupling = forces.couplings[k];
    if (!coupling.any) continue;
    const auto a = at(tree.connections[k].path.a);
    const auto b = at(tree.connections[k].path.b);
    if (a == b) continue;
    // wrench on b, less, by the coordinates of a side; on a it is the opposite
    const auto derivative = [&](const BodyColumns& side, const Matrix6& K,
                                double sign) -> Matrix67 {
      return weights.stiffness * (K * side.H) +
             sign * (coupling.C * side.Z - coupling.C_known * side.damped);
    };
    BodyColumns at_a, at_b;
    Matrix67 by_a, by_b;
    if (a != 0) {
      at_a = columns_of(own, weights, rates[a], a);
      by_a = derivative(at_a, coupling.K_a, -1.0);
      tangent.own[a] -= at_a.H.transpose() * by_a;
    }
    if (b != 0) {
      at_b = columns_of(own, weights, rates[b], b);
      by_b = derivative(at_b, coupling.K_b, 1.0);
      tangent.own[b] += at_b.H.transpose() * by_b;
    }
    if (a == 0 || b == 0) continue;
    const auto pair = at(model.pair_of_connection[k]);
    (a < b ? tangent.below : tangent.above)[pair] += at_b.H.transpose() * by_a;
    (a < b ? tangent.above : tangent.below)[pair] -= at_a.H.transpose() * by_b;
  }
}

void add_closure_tangent(const CartesianModel& model, const TreeWorkspace& ws,
                         const CartesianWorkspace& own, const Eigen::VectorXd& lambda,
                         double factor, CartesianTangent& tangent) {
  const std::size_t first = model.bodies.size() - 1;
  for (std::size_t t = 1; t <= first; ++t)
    tangent.own[t].diagonal().tail<4>().array() += factor * lambda[static_cast<int>(t) - 1];
  RowGradient gradient;
  for (std::size_t k = 0; k < model.rows.size(); ++k) {
    const CartesianRow& row = model.rows[k];
    if (is_released(row, own.switches)) continue;
    const double pull = factor * lambda[model.blocks[first + k].row];
    evaluate_row(row, own.u, ws.inputs, &gradient);
    add_curvature(own.vectors[at(row.u)], pull * gradient.u, tangent);
    if (row.v >= 0) add_curvature(own.vectors[at(row.v)], pull * gradient.v, tangent);
    if (row.w >= 0) add_curvature(own.vectors[at(row.w)], pull * gradient.w, tangent);
    if (row.slide >= 0) add_curvature(own.vectors[at(row.slide)], pull * gradient.slide, tangent);
    const RowSecond second = second_derivatives_of(row, ws.inputs);
    for (int term = 0; term < second.count; ++term) {
      const auto& [i, j, weight] = second.terms[at(term)];
      add_product(parts_of(own.vectors[at(i)], own), parts_of(own.vectors[at(j)], own), i == j,
                  pull * weight, row.pair, tangent);
    }
  }
}

namespace {

using Mask = Eigen::Matrix<bool, 7, 7>;

/// Which entries of its blocks a tangent can have.
struct Masks {
  std::vector<Mask> own, above;
  explicit Masks(const CartesianModel& model)
      : own(model.bodies.size(), Mask::Constant(false)),
        above(model.pairs.size(), Mask::Constant(false)) {
    for (Mask& mask : own) mask.bottomRightCorner<4, 4>().setConstant(true);
  }

  /// The product of the derivatives of two vectors, both ways.
  void add(const CartesianModel& model, const CartesianRow& row, int i, int j) {
    const CartesianVector& u = model.vectors[at(i)];
    const CartesianVector& v = model.vectors[at(j)];
    for (const TreeIndex p : bodies_of(u))
      for (const TreeIndex q : bodies_of(v)) {
        if (p == 0 || q == 0) continue;
        Mask mask = Mask::Constant(false);
        const int first_p = u.is_point ? 0 : 3;
        const int first_q = v.is_point ? 0 : 3;
        mask.bottomRightCorner(7 - first_p, 7 - first_q).setConstant(true);
        const Mask mirrored = mask.transpose();
        if (p == q)
          own[at(p)] = own[at(p)] || mask || mirrored;
        else
          above[at(row.pair)] = above[at(row.pair)] || (p < q ? mask : mirrored);
      }
  }

  static std::array<TreeIndex, 2> bodies_of(const CartesianVector& vector) {
    return {vector.b, vector.is_point ? vector.a : 0};
  }
};

}  // namespace

TangentEntries find_tangent_entries(const CartesianModel& model, const TreeModel& tree) {
  Masks masks(model);
  // inputs at which no term vanishes
  const std::vector<CurveValue> inputs(at(tree.inputs), CurveValue{1.0, 0.0, 0.0});
  for (const CartesianRow& row : model.rows) {
    const RowSecond second = second_derivatives_of(row, inputs);
    for (int k = 0; k < second.count; ++k)
      masks.add(model, row, second.terms[at(k)].i, second.terms[at(k)].j);
  }
  for (std::size_t k = 0; k < tree.connections.size(); ++k) {
    const LoopPath& path = tree.connections[k].path;
    if (path.a == path.b) continue;
    for (const TreeIndex body : {path.a, path.b}) masks.own[at(body)].setConstant(true);
    if (path.a != 0 && path.b != 0) masks.above[at(model.pair_of_connection[k])].setConstant(true);
  }
  TangentEntries result;
  const auto take = [&](TangentEntries::Part part, std::size_t block, int first_row,
                        int first_column, const Mask& mask) {
    for (int j = 0; j < 7; ++j)
      for (int i = 0; i < 7; ++i)
        if (mask(i, j)) {
          result.entries.push_back({first_row + i, first_column + j});
          result.sources.push_back({part, static_cast<int>(block), i + 7 * j});
        }
  };
  for (std::size_t t = 1; t < model.bodies.size(); ++t)
    take(TangentEntries::Part::own, t, model.bodies[t].column, model.bodies[t].column,
         masks.own[t]);
  for (std::size_t k = 0; k < model.pairs.size(); ++k) {
    const int upper = model.bodies[at(model.pairs[k][0])].column;
    const int lower = model.bodies[at(model.pairs[k][1])].column;
    take(TangentEntries::Part::above, k, upper, lower, masks.above[k]);
    take(TangentEntries::Part::below, k, lower, upper, masks.above[k].transpose());
  }
  return result;
}

void gather(const TangentEntries& entries, const CartesianTangent& tangent,
            std::vector<double>& values) {
  for (std::size_t k = 0; k < entries.sources.size(); ++k) {
    const TangentEntries::Source& source = entries.sources[k];
    const std::vector<Matrix7>& blocks = source.part == TangentEntries::Part::own ? tangent.own
                                         : source.part == TangentEntries::Part::above
                                             ? tangent.above
                                             : tangent.below;
    values[k] = blocks[at(source.block)].data()[source.index];
  }
}

}  // namespace semirec
