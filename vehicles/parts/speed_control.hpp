#pragma once

#include "recursive/forces/force_element.hpp"

namespace semirec {

/// Drives a body at a speed by a force along its heading (its x axis laid into the ground plane):
///   F = gain (speed - v),  v the velocity of its centre of mass along the heading.
/// Channels `speed_control.speed` (m/s), `speed_control.force` (N).
class SpeedControl final : public ForceElement {
 public:
  SpeedControl(BodyIndex body, double speed, double gain)
      : ForceElement("speed_control", {}), body_(body), speed_(speed), gain_(gain) {}
  void bind(const Mechanism& mechanism, TreeModel& model) override;
  void add_forces(const ForceInput& in, ForceSink& out) const override;
  ForcePower report(const ForceInput& in, double* values) const override;
  std::vector<Channel> channels() const override;
  bool add_reported_bodies(std::vector<TreeIndex>& bodies) const override;

 private:
  Vector6 heading_line(const ForceInput& in) const;

  BodyIndex body_;
  double speed_;
  double gain_;
  Attachment centre_;
  int connection_ = -1;
};

}  // namespace semirec
