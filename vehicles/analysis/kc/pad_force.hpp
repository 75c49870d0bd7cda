#pragma once

#include "recursive/forces/force_element.hpp"

namespace semirec {

/// Where a wheel is and where it touches a level pad, from O in world axes. The wheel is a disc:
/// its lowest point touches.
struct WheelPlace {
  Eigen::Vector3d centre, axle, contact;
};
WheelPlace find_wheel_place(const ForceInput& in, const Attachment& centre, double radius);

/// Loads of the rig on a wheel's carrier, in world axes: inputs first ... first + 11 are force and
/// moment at the contact point, force and moment at the wheel's centre.
class PadForce final : public ForceElement {
 public:
  static constexpr int kInputs = 12;
  PadForce(std::string name, const Marker& centre, double radius, InputIndex first)
      : ForceElement(std::move(name), {}), marker_(centre), radius_(radius), first_(first) {}
  void bind(const Mechanism& mechanism, TreeModel& model) override;
  void add_forces(const ForceInput& in, ForceSink& out) const override;
  ForcePower report(const ForceInput& in, double* values) const override;

 private:
  Marker marker_;
  double radius_;
  InputIndex first_;
  Attachment centre_;
};

}  // namespace semirec
