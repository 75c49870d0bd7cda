#pragma once

#include "recursive/forces/force_element.hpp"
#include "recursive/forces/input_range.hpp"
#include "vehicles/driveline/driveline.hpp"
#include "vehicles/driveline/friction.hpp"
#include "vehicles/tyre/wheel.hpp"

namespace semirec {

/// What acts between a wheel's carrier and its rim, about the axle.
struct Hub {
  Wheel wheel;
  Attachment axle;  ///< on the carrier, y along the axle
  TreeIndex rim = 0;
  int connection = -1;

  /// Throws ModelError where the wheel has no rim.
  Hub(const std::vector<Wheel>& wheels, int index, const std::string& user, const Source& source);
  void bind(TreeModel& model);
  Vector6 line(const ForceInput& in) const;
  /// Of the rim against the carrier, rad/s, positive forward.
  double speed(const ForceInput& in) const;
};

/// Friction brake (Friction), one state: its bristle.
/// Channels `<name>.torque` (N m, on the rim), `<name>.speed` (rad/s).
class BrakeForce final : public ForceElement, public InputUser {
 public:
  BrakeForce(const Brake& brake, const std::vector<Wheel>& wheels);
  void bind(const Mechanism& mechanism, TreeModel& model) override;
  void add_forces(const ForceInput& in, ForceSink& out) const override;
  ForcePower report(const ForceInput& in, double* values) const override;
  std::vector<Channel> channels() const override;
  bool add_reported_bodies(std::vector<TreeIndex>& bodies) const override;
  int state_count() const override { return 1; }
  void update_states(const ForceInput& in, StateSink& out) const override;
  void settle_states(const ForceInput& in, StateSink& out) const override;
  std::vector<InputRange> input_ranges() const override { return {range()}; }
  const FormsOfCars* forms_of_cars() const override;

  // what it is made of, once bound
  const Brake& brake() const { return brake_; }
  const Friction& friction() const { return friction_; }
  const Hub& hub() const { return hub_; }

 private:
  InputRange range() const { return {brake_.input, 0.0, 1.0}; }
  double capacity(const ForceInput& in) const;
  FrictionTorque rub(const ForceInput& in) const;

  Brake brake_;
  Friction friction_;
  Hub hub_;
};

/// Torque of an input's size. Channels as those of a brake.
class HubTorqueForce final : public ForceElement {
 public:
  HubTorqueForce(const HubTorque& torque, const std::vector<Wheel>& wheels);
  void bind(const Mechanism& mechanism, TreeModel& model) override;
  void add_forces(const ForceInput& in, ForceSink& out) const override;
  ForcePower report(const ForceInput& in, double* values) const override;
  std::vector<Channel> channels() const override;
  bool add_reported_bodies(std::vector<TreeIndex>& bodies) const override;

 private:
  HubTorque torque_;
  Hub hub_;
};

}  // namespace semirec
