#pragma once

namespace semirec::driveline_numbers {

// of a driveline, for one car and for several side by side
inline constexpr double kIdleBand = 0.1;      ///< of the governor over the idle speed
inline constexpr double kLimiterBand = 0.02;  ///< of the limiter over its speed
inline constexpr double kDragBand =
    5.0;  ///< speed within which a motor's drag goes through zero, rad/s
inline constexpr double kCoupled = 0.98;      ///< speed ratio from which a converter's torque fades
inline constexpr double kLossSpeed = 1.0;     ///< of the output at which a gearbox loses all, rad/s
inline constexpr int kMostIterations = 30;    ///< Newton
inline constexpr int kMostHalvings = 10;      ///< of a correction
inline constexpr double kTorquePart = 1e-12;  ///< of all torques: what may be left over
inline constexpr double kSpeedNoise = 1e-15;  ///< round-off of speeds in the motor's inertia
inline constexpr double kShortestWay = 1e-11;  ///< of the speeds: a correction is stuck below
inline constexpr double kLeastDescent = 0.1;   ///< of what a whole correction promises

}  // namespace semirec::driveline_numbers
