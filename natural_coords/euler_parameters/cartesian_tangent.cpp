#include "natural_coords/euler_parameters/cartesian_tangent.hpp"

#include "topology/indices.hpp"

namespace semirec {

namespace {

using Eigen::Matrix3d;
using Eigen::Matrix4d;
using Eigen::Vector3d;
using Matrix37 = Eigen::Matrix<double, 3, 7>;

/// d(L(e)^T y)/de.
Matrix4d body_rates_form(const Vector3d& y) {
  Matrix4d N;
  N(0, 0) = 0.0;
  N.block<1, 3>(0, 1) = -y.transpose();
  N.block<3, 1>(1, 0) = y;
  N.block<3, 3>(1, 1) = -tilde(y);
  return N;
}

/// d(G(e)^T y)/de.
Matrix4d world_rates_form(const Vector3d& y) {
  Matrix4d N;
  N(0, 0) = 0.0;
  N.block<1, 3>(0, 1) = -y.transpose();
  N.block<3, 1>(1, 0) = y;
  N.block<3, 3>(1, 1) = tilde(y);
  return N;
}

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
void add_product(const Parts& i, const Parts& j, bool same, double factor, Matrix7& coupled,
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
        coupled += product;
      } else if (!same) {
        coupled += product.transpose();
      }
    }
  }
}

}  // namespace

CartesianTangent::CartesianTangent(const CartesianModel& model)
    : own(model.bodies.size(), Matrix7::Zero()), coupled(model.pairs.size(), Matrix7::Zero()) {}

void CartesianTangent::set_zero() {
  for (Matrix7& block : own) block.setZero();
  for (Matrix7& block : coupled) block.setZero();
}

Eigen::MatrixXd CartesianTangent::to_dense(const CartesianModel& model) const {
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(model.n, model.n);
  for (std::size_t t = 1; t < model.bodies.size(); ++t)
    dense.block<7, 7>(model.bodies[t].column, model.bodies[t].column) = own[t];
  for (std::size_t k = 0; k < model.pairs.size(); ++k) {
    const int row = model.bodies[at(model.pairs[k][0])].column;
    const int column = model.bodies[at(model.pairs[k][1])].column;
    dense.block<7, 7>(row, column) = coupled[k];
    dense.block<7, 7>(column, row) = coupled[k].transpose();
  }
  return dense;
}

void add_inertia_tangent(const CartesianModel& model, const CartesianWorkspace& own,
                         const TangentWeights& weights, CartesianTangent& tangent) {
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
        (2.0 * weights.mass) * (J * L) + (2.0 * weights.damping) * (by_w * L) -
        (2.0 * weights.stiffness) * (J * body_rates(own.edd[t]) + by_w * body_rates(own.ed[t]));
    tangent.own[t].bottomRightCorner<4, 4>() +=
        2.0 * (L.transpose() * inner) +
        (2.0 * weights.stiffness) * body_rates_form(J * wd + w.cross(spin));
  }
}

void add_wrench_tangent(const CartesianModel& model, const TreeWorkspace& ws,
                        const CartesianWorkspace& own, double factor, CartesianTangent& tangent) {
  for (std::size_t t = 1; t < model.bodies.size(); ++t) {
    const Vector3d force = ws.F[t].head<3>();
    const Vector3d moment = ws.F[t].tail<3>() - own.r[t].cross(force);
    Matrix7& block = tangent.own[t];
    block.bottomLeftCorner<4, 3>() +=
        (2.0 * factor) * (world_rates(own.e[t]).transpose() * tilde(force));
    block.bottomRightCorner<4, 4>() += (2.0 * factor) * world_rates_form(moment);
  }
}

void add_closure_tangent(const CartesianModel& model, const TreeWorkspace& ws,
                         const CartesianWorkspace& own, const Eigen::VectorXd& lambda,
                         double factor, CartesianTangent& tangent) {
  const std::size_t first = model.bodies.size() - 1;
  for (std::size_t t = 1; t <= first; ++t)
    tangent.own[t].diagonal().tail<4>().array() += factor * lambda[static_cast<int>(t) - 1];
  RowGradient gradient;
  Matrix7 unused = Matrix7::Zero();
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
    Matrix7& coupled = row.pair >= 0 ? tangent.coupled[at(row.pair)] : unused;
    for (int term = 0; term < second.count; ++term) {
      const auto& [i, j, weight] = second.terms[at(term)];
      add_product(parts_of(own.vectors[at(i)], own), parts_of(own.vectors[at(j)], own), i == j,
                  pull * weight, coupled, tangent);
    }
  }
}

}  // namespace semirec
