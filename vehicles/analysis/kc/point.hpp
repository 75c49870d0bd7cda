#pragma once

#include "vehicles/analysis/kc/reading.hpp"

namespace semirec {

/// An equilibrium of the rig, linearised: what all rates are asked of.
struct RigPoint {
  const Rig* rig = nullptr;
  RigCommand command;
  RigState state;
  RigTangent tangent;
  double step = 1e-5;  ///< of the differences, m, rad
  Reading reading;
};

RigPoint make_point(const Rig& rig, const RigCommand& command, const RigState& state, double step,
                    Workspace& ws);
RigResponse response_of(const RigPoint& point, const RigCommand& rate, Workspace& ws);
Reading rate_of(const RigPoint& point, const RigCommand& rate, Workspace& ws);

/// Rates of a command: pads of an axle rise by these, all loads stay zero.
RigCommand lift(const Rig& rig, const Axle& axle, double left, double right);
RigCommand roll_rate(const Rig& rig);
RigCommand steering_rate(const Rig& rig);

/// Height of the pole about which the chassis rolls over the contact points of an axle, above them,
/// m; from the sideways motion of the contact points when one pad rises and the other falls.
double find_roll_centre(const RigPoint& point, const Axle& axle, Workspace& ws);

}  // namespace semirec
