#pragma once

#include <array>
#include <vector>

#include "recursive/forces/force_element.hpp"
#include "recursive/forces/input_range.hpp"
#include "recursive/forces/sliding_states.hpp"
#include "recursive/forces/switched_states.hpp"
#include "vehicles/driveline/driveline_model.hpp"
#include "vehicles/tyre/wheel.hpp"

namespace semirec {

/// A driveline between its motor and the rims of its wheels. A half shaft twists by the speed of
/// the rim against the body that carries the differential, about the wheel's axle, and acts on
/// these two with equal and opposite torques.
///
/// States: driveline_state. The gear changes in update_states() at the end of a step and nowhere
/// else. The tangent gets the resistance of each wheel alone, weighted so that the iteration
/// converges whatever it leaves out between wheels.
/// Channels `<name>.{motor_speed,output_speed}` (rad/s), `.{motor_torque,coupling_torque}` (N m),
/// `.gear` (0 during a shift), `.<wheel>` (N m, torque on the rim).
class DrivelineForce final : public ForceElement,
                             public InputUser,
                             public SlidingStates,
                             public SwitchedStates {
 public:
  /// Throws ModelError where a wheel has no rim or the numbers cannot be simulated.
  DrivelineForce(const Driveline& driveline, const std::vector<Wheel>& wheels);
  void bind(const Mechanism& mechanism, TreeModel& model) override;
  void add_forces(const ForceInput& in, ForceSink& out) const override;
  ForcePower report(const ForceInput& in, double* values) const override;
  std::vector<Channel> channels() const override;
  bool add_reported_bodies(std::vector<TreeIndex>& bodies) const override;
  int state_count() const override { return driveline_state::kCount; }
  void update_states(const ForceInput& in, StateSink& out) const override;
  void settle_states(const ForceInput& in, StateSink& out) const override;
  /// The bristles of differentials with friction.
  void add_sliding_states(std::vector<int>& states) const override;
  /// The gear, and the time until an automatic may shift again.
  void add_switched_states(std::vector<int>& states) const override;
  std::vector<InputRange> input_ranges() const override;
  const FormsOfCars* forms_of_cars() const override;

  /// Half shaft, from the body that carries the differential to a rim.
  struct Shaft {
    Wheel wheel;
    BodyIndex body = kGround;
    Attachment axle;  ///< on the carrier, y along the axle
    TreeIndex rim = 0, base = 0;
    int connection = -1;
  };
  // what it is made of, once bound
  const DrivelineModel& model() const { return model_; }
  const std::vector<Shaft>& shafts() const { return shafts_; }

 private:
  Vector6 line(const Shaft& shaft, const ForceInput& in) const;
  DrivelineDemand demand(const ForceInput& in) const;
  void solve(const ForceInput& in, const DrivelineDemand& given, bool with_resistance,
             DrivelineSolution& solution) const;

  DrivelineModel model_;
  std::vector<Shaft> shafts_;
};

}  // namespace semirec
