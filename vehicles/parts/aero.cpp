#include "vehicles/parts/aero.hpp"

namespace semirec {

void AeroForce::bind(const Mechanism& /*mechanism*/, TreeModel& model) {
  point_ = model.attach(aero_.point);
  for (std::size_t k = 0; k < 2; ++k) lift_point_[k] = model.attach(aero_.lift_point[k]);
  connection_ = model.connect(kGround, aero_.point.body);
}

AeroForce::Flow AeroForce::compute_flow(const ForceInput& in) const {
  Flow flow;
  flow.axes = in.axes_of(point_);
  flow.point = in.position_of(point_);
  flow.v = velocity_at(in.velocity_of(point_.body), flow.point);
  for (int k = 0; k < 2; ++k) {
    const InputIndex wind = aero_.wind[static_cast<std::size_t>(k)];
    if (wind != kNoInput) flow.v[k] -= in.input(wind).f;
  }
  flow.V = flow.v.norm();
  flow.q = 0.5 * aero_.density * aero_.area * flow.V;
  const Eigen::Vector3d y = flow.axes.col(1);
  const Eigen::Vector3d force = -flow.q * (aero_.drag * flow.v + aero_.side * flow.v.dot(y) * y);
  flow.wrench = make_six(force, flow.point.cross(force));
  for (std::size_t k = 0; k < 2; ++k)
    flow.wrench += (flow.q * flow.V * aero_.lift[k]) *
                   make_line(in.position_of(lift_point_[k]), flow.axes.col(2));
  return flow;
}

void AeroForce::add_forces(const ForceInput& in, ForceSink& out) const {
  const Flow flow = compute_flow(in);
  if (flow.V == 0.0) return;
  out.add_wrench(point_.body, flow.wrench);

  // -dF/dv of drag and side at the pressure point; the lift's slope is not symmetric
  const Eigen::Vector3d u = flow.v / flow.V;
  const Eigen::Vector3d y = flow.axes.col(1);
  const Eigen::Matrix3d G_l = (in.weights().damping * flow.q) *
                              (aero_.drag * (Eigen::Matrix3d::Identity() + u * u.transpose()) +
                               aero_.side * y * y.transpose());
  const Eigen::Matrix3d arm = tilde(flow.point);
  Matrix6 G;
  G.topLeftCorner<3, 3>() = G_l;
  G.topRightCorner<3, 3>() = -G_l * arm;
  G.bottomLeftCorner<3, 3>() = arm * G_l;
  G.bottomRightCorner<3, 3>() = -arm * G_l * arm;
  out.add_six_axis_tangent(connection_, G);
}

ForcePower AeroForce::report(const ForceInput& in, double* values) const {
  const Flow flow = compute_flow(in);
  if (values != nullptr) {
    values[0] = flow.q * aero_.drag * flow.V;
    values[1] = -flow.q * aero_.side * flow.v.dot(flow.axes.col(1));
    values[2] = flow.q * flow.V * aero_.lift[0];
    values[3] = flow.q * flow.V * aero_.lift[1];
    values[4] = flow.V;
  }
  return {0.0, 0.0, flow.wrench.dot(in.velocity_of(point_.body))};
}

std::vector<Channel> AeroForce::channels() const {
  return {{name() + ".drag", "N"},
          {name() + ".side", "N"},
          {name() + ".lift_front", "N"},
          {name() + ".lift_rear", "N"},
          {name() + ".speed", "m/s"}};
}

bool AeroForce::add_reported_bodies(std::vector<TreeIndex>& bodies) const {
  bodies.insert(bodies.end(), {point_.body, lift_point_[0].body, lift_point_[1].body});
  return true;
}

}  // namespace semirec
