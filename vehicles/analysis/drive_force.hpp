#pragma once

#include "recursive/forces/force_element.hpp"

namespace semirec {

/// A force of an input's size along the heading of a body (its x axis laid level) at its centre of
/// mass. It adds nothing to the tangent, so that it may join a model that is already compiled.
/// Channel `drive_force.force` (N).
class DriveForce final : public ForceElement {
 public:
  DriveForce(BodyIndex body, InputIndex input)
      : ForceElement("drive_force", {}), body_(body), input_(input) {}
  void bind(const Mechanism& mechanism, TreeModel& model) override;
  void add_forces(const ForceInput& in, ForceSink& out) const override;
  ForcePower report(const ForceInput& in, double* values) const override;
  std::vector<Channel> channels() const override { return {{name() + ".force", "N"}}; }

 private:
  Vector6 line(const ForceInput& in) const;

  BodyIndex body_;
  InputIndex input_;
  Attachment centre_;
};

}  // namespace semirec
