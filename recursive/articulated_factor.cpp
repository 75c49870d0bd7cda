#include "recursive/articulated_factor.hpp"

#include "topology/indices.hpp"

namespace semirec {

namespace {

void add_rigid(const RigidInertia& M, Matrix6& I) {
  I(0, 0) += M.m;
  I(1, 1) += M.m;
  I(2, 2) += M.m;
  // lower triangle only: tilde(mg) below the masses, J about O
  I(3, 1) -= M.mg.z();
  I(3, 2) += M.mg.y();
  I(4, 0) += M.mg.z();
  I(4, 2) -= M.mg.x();
  I(5, 0) -= M.mg.y();
  I(5, 1) += M.mg.x();
  I(3, 3) += M.Jxx;
  I(4, 4) += M.Jyy;
  I(5, 5) += M.Jzz;
  I(4, 3) += M.Jxy;
  I(5, 3) += M.Jxz;
  I(5, 4) += M.Jyz;
}

}  // namespace

ArticulatedFactor::ArticulatedFactor(const TreeModel& model)
    : H_(at(model.n), Vector6::Zero()),
      U_(H_),
      inverse_pivot_(at(model.n), 0.0),
      inertia_(model.bodies.size(), Matrix6::Zero()),
      force_(model.bodies.size(), Vector6::Zero()) {
  for (const TreeBody& body : model.bodies)
    bodies_.push_back({body.parent, body.z, body.degrees_of_freedom});
}

bool ArticulatedFactor::factor(const std::vector<RigidInertia>& Mbar,
                               const std::vector<Vector6>& H) {
  std::copy_n(H.begin(), H_.size(), H_.begin());
  for (Matrix6& I : inertia_) I.setZero();
  for (std::size_t i = bodies_.size() - 1; i > 0; --i) {
    const Body& body = bodies_[i];
    Matrix6& I = inertia_[i];
    add_rigid(Mbar[i], I);
    for (int k = body.z + body.degrees_of_freedom - 1; k >= body.z; --k) {
      const Vector6 U = I.selfadjointView<Eigen::Lower>() * H_[at(k)];
      const double pivot = H_[at(k)].dot(U);
      if (!(pivot > 0.0) || !(pivot < 1e300)) return false;
      const double inverse = 1.0 / pivot;
      for (int c = 0; c < 6; ++c) {
        const double factor = inverse * U[c];
        for (int r = c; r < 6; ++r) I(r, c) -= factor * U[r];
      }
      U_[at(k)] = U;
      inverse_pivot_[at(k)] = inverse;
    }
    if (body.parent > 0) inertia_[at(body.parent)] += I;
  }
  return true;
}

void ArticulatedFactor::eliminate_body(std::size_t i, double* x) const {
  const Body& body = bodies_[i];
  Vector6& f = force_[i];
  for (int k = body.z + body.degrees_of_freedom - 1; k >= body.z; --k) {
    x[k] -= H_[at(k)].dot(f);
    f += (inverse_pivot_[at(k)] * x[k]) * U_[at(k)];
  }
  if (body.parent > 0) force_[at(body.parent)] += f;
}

void ArticulatedFactor::eliminate(double* x) const {
  for (Vector6& f : force_) f.setZero();
  for (std::size_t i = bodies_.size() - 1; i > 0; --i) eliminate_body(i, x);
}

void ArticulatedFactor::eliminate(double* x, const std::vector<TreeIndex>& path) const {
  for (const TreeIndex i : path) force_[at(i)].setZero();
  for (const TreeIndex i : path) eliminate_body(at(i), x);
}

void ArticulatedFactor::substitute(double* x) const {
  std::vector<Vector6>& a = force_;
  a[0].setZero();
  for (std::size_t i = 1; i < bodies_.size(); ++i) {
    const Body& body = bodies_[i];
    Vector6 motion = a[at(body.parent)];
    for (int k = body.z; k < body.z + body.degrees_of_freedom; ++k) {
      x[k] = inverse_pivot_[at(k)] * (x[k] - U_[at(k)].dot(motion));
      motion += x[k] * H_[at(k)];
    }
    a[i] = motion;
  }
}

}  // namespace semirec
