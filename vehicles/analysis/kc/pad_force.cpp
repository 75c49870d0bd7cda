#include "vehicles/analysis/kc/pad_force.hpp"

#include <cmath>

namespace semirec {

WheelPlace find_wheel_place(const ForceInput& in, const Attachment& centre, double radius) {
  WheelPlace place;
  place.centre = in.position_of(centre);
  place.axle = in.axis_of(centre, 1);
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

void PadForce::add_forces(const ForceInput& in, ForceSink& out) const {
  const WheelPlace place = find_wheel_place(in, centre_, radius_);
  const auto vector = [&](int k) {
    const InputIndex i = first_ + k;
    return Eigen::Vector3d(in.input(i).f, in.input(i + 1).f, in.input(i + 2).f);
  };
  const Eigen::Vector3d at_contact = vector(0);
  const Eigen::Vector3d at_centre = vector(6);
  out.add_wrench(centre_.body, make_six(at_contact + at_centre, place.contact.cross(at_contact) +
                                                                    place.centre.cross(at_centre) +
                                                                    vector(3) + vector(9)));
}

ForcePower PadForce::report(const ForceInput& /*in*/, double* /*values*/) const { return {}; }

}  // namespace semirec
