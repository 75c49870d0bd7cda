#pragma once

#include <vector>

#include "recursive/cars/line_force_of_cars.hpp"
#include "vehicles/tyre/wheel_place.hpp"

namespace semirec {

/// One wheel of cars side by side: its rim, its road and, where that moves, its inputs.
template <AnyPack P>
class RollingWheelOfCars {
 public:
  RollingWheelOfCars(const TreeModel& tree, const std::vector<const RollingTyre*>& tyres)
      : rim_(tree, rims_of(tyres)),
        tangent_(tree, tyres.front()->connection()),
        contact_(tyres),
        friction_scale_(number_of_cars<P>(
            tyres, [](const RollingTyre& own) { return own.numbers().friction_scale; })),
        motion_(tyres.front()->motion()) {}

  void locate(const CarsWorkspace<P>& ws, unsigned cars, WheelPlaceOf<P>& p) const {
    RimMotionOf<P> rim{rim_.position(ws), rim_.direction(ws, rim_.A.y), rim_.velocity(ws)};
    if (motion_.moves()) {
      const auto input = [&](InputIndex k) -> const LaneInputOf<P>& { return ws.inputs[at(k)]; };
      rim.added = added_road<P>(motion_, input);
      rim.tilts = motion_.tilts();
      if (motion_.friction != kNoInput) rim.friction = larger_of(input(motion_.friction).f, P{});
    }
    find_wheel_place(contact_, friction_scale_, ws.origin, rim, cars, p);
  }

  void push(CarsWorkspace<P>& ws, const WheelPlaceOf<P>& p, const PatchPushOf<P>& F) const {
    add_wrench(ws, rim_.group, patch_wrench(p, F));
    const TangentWeights& weights = ws.weights;
    if (weights.stiffness == 0.0 && weights.damping == 0.0) return;
    if (weights.lead != 0.0) add_wrench(ws, rim_.group, patch_lead(p, F, weights.lead));
    tangent_.add_six_axis_tangent(ws, patch_tangent(p, F, weights));
  }

 private:
  static std::vector<const Attachment*> rims_of(const std::vector<const RollingTyre*>& tyres) {
    std::vector<const Attachment*> rims;
    for (const RollingTyre* tyre : tyres) rims.push_back(&tyre->rim());
    return rims;
  }

  FrameOfCars<P> rim_;
  LineForceOfCars<P> tangent_;
  ContactInLanes<P> contact_;
  P friction_scale_;
  RoadMotion motion_;
};

}  // namespace semirec
