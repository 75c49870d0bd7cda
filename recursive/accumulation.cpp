#include "recursive/accumulation.hpp"

namespace semirec {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

void compute_body_forces(const TreeModel& model, TreeWorkspace& ws) {
  const int count = static_cast<int>(model.bodies.size());
  for (int i = 1; i < count; ++i) {
    const TreeBody& body = model.bodies[at(i)];
    const Eigen::Matrix3d& A = ws.A_WC[at(i)];
    const Eigen::Vector3d g = ws.p[at(i)] + A * body.com;
    const Eigen::Matrix3d AJ = A * body.inertia;
    const double m = body.mass;

    // J = A J_C A^T, six entries
    const double Jxx = AJ.row(0).dot(A.row(0));
    const double Jyy = AJ.row(1).dot(A.row(1));
    const double Jzz = AJ.row(2).dot(A.row(2));
    const double Jxy = AJ.row(0).dot(A.row(1));
    const double Jxz = AJ.row(0).dot(A.row(2));
    const double Jyz = AJ.row(1).dot(A.row(2));

    // the same about O
    RigidInertia& M = ws.M_acc[at(i)];
    M.m = m;
    M.mg = m * g;
    M.Jxx = Jxx + M.mg.y() * g.y() + M.mg.z() * g.z();
    M.Jyy = Jyy + M.mg.x() * g.x() + M.mg.z() * g.z();
    M.Jzz = Jzz + M.mg.x() * g.x() + M.mg.y() * g.y();
    M.Jxy = Jxy - M.mg.x() * g.y();
    M.Jxz = Jxz - M.mg.x() * g.z();
    M.Jyz = Jyz - M.mg.y() * g.z();

    const Eigen::Vector3d w = ws.Z[at(i)].tail<3>();
    const Eigen::Vector3d wd = ws.Zd[at(i)].tail<3>();
    const auto times_J = [&](const Eigen::Vector3d& v) {
      return Eigen::Vector3d(Jxx * v.x() + Jxy * v.y() + Jxz * v.z(),
                             Jxy * v.x() + Jyy * v.y() + Jyz * v.z(),
                             Jxz * v.x() + Jyz * v.y() + Jzz * v.z());
    };
    const Eigen::Vector3d force =
        m * (acceleration_at(ws.Z[at(i)], ws.Zd[at(i)], g) - model.gravity);
    ws.F_acc[at(i)] << force, times_J(wd) + w.cross(times_J(w)) + g.cross(force);
  }
}

void accumulate(const TreeModel& model, TreeWorkspace& ws) {
  const int count = static_cast<int>(model.bodies.size());
  // tips hand theirs down
  for (int i = count - 1; i > 0; --i) {
    const TreeIndex p = model.bodies[at(i)].parent;
    if (p == 0) continue;
    ws.M_acc[at(p)] += ws.M_acc[at(i)];
    ws.F_acc[at(p)] += ws.F_acc[at(i)];
  }
  // joints take their share
  const double weight = ws.weights.mass;
  const int* column = model.mass_column.data();
  const int* slot = model.mass_slot.data();
  for (int i = 1; i < count; ++i) {
    const TreeBody& body = model.bodies[at(i)];
    for (int k = body.z; k < body.z + body.freedoms; ++k) {
      ws.residual[k] += ws.H[at(k)].dot(ws.F_acc[at(i)]);
      const Vector6 MH = weight * (ws.M_acc[at(i)] * ws.H[at(k)]);
      const int end = model.mass_row_begin[at(k) + 1];
      for (int e = model.mass_row_begin[at(k)]; e < end; ++e)
        ws.tangent[at(slot[e])] += ws.H[at(column[e])].dot(MH);
    }
  }
}

void accumulate_forces(const TreeModel& model, TreeWorkspace& ws) {
  for (int i = static_cast<int>(model.bodies.size()) - 1; i > 0; --i) {
    const TreeBody& body = model.bodies[at(i)];
    for (int k = body.z; k < body.z + body.freedoms; ++k)
      ws.residual[k] += ws.H[at(k)].dot(ws.F_acc[at(i)]);
    if (body.parent > 0) ws.F_acc[at(body.parent)] += ws.F_acc[at(i)];
  }
}

}  // namespace semirec
