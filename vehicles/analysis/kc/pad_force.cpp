#include "vehicles/analysis/kc/pad_force.hpp"

#include <cmath>

namespace semirec {

WheelPlace find_wheel_place(const TreeWorkspace& ws, const Attachment& centre, double radius) {
  WheelPlace place;
  place.centre = ws.position_of(centre);
  place.axle = ws.A_WC[static_cast<std::size_t>(centre.body)] * centre.X_CF.A.col(1);
  const Eigen::Vector3d up = Eigen::Vector3d::UnitZ() - place.axle.z() * place.axle;
  const double length = up.norm();
  // a wheel that lies flat touches nowhere in particular
  place.contact =
      length > 1e-9 ? Eigen::Vector3d(place.centre - radius / length * up) : place.centre;
  return place;
}

void PadForce::bind(const Mechanism& /*mechanism*/, TreeModel& model) {
  centre_ = model.attach(marker_);
}

void PadForce::add_forces(const TreeModel& /*model*/, TreeWorkspace& ws) const {
  const WheelPlace place = find_wheel_place(ws, centre_, radius_);
  const auto vector = [&](int k) {
    const auto i = static_cast<std::size_t>(first_ + k);
    return Eigen::Vector3d(ws.inputs[i].f, ws.inputs[i + 1].f, ws.inputs[i + 2].f);
  };
  const Eigen::Vector3d at_contact = vector(0);
  const Eigen::Vector3d at_centre = vector(6);
  add_wrench(
      ws, centre_.body,
      make_six(at_contact + at_centre, place.contact.cross(at_contact) +
                                           place.centre.cross(at_centre) + vector(3) + vector(9)));
}

ForcePower PadForce::report(const TreeModel& /*model*/, const TreeWorkspace& /*ws*/,
                            double* /*values*/) const {
  return {};
}

}  // namespace semirec
