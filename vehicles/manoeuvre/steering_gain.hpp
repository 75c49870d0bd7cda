#pragma once

#include "vehicles/analysis/answer.hpp"
#include "vehicles/description/vehicle.hpp"
#include "vehicles/driver/path_follower.hpp"
#include "vehicles/manoeuvre/manoeuvre.hpp"

namespace semirec {

/// Measures how the car answers the steering wheel: two drives of 4 s on a flat road, at half the
/// speed and at the speed, with a small angle (0.5 m/s^2 at most, or so). Throws AnalysisError
/// where it does not answer, answers to the wrong side, or does not come to rest: an unstable car.
SteeringGain measure_steering(const Vehicle& vehicle, const Manoeuvre& manoeuvre, double speed,
                              const Progress& progress);

/// The same with `known` from another speed, whose a is kept: one drive at the speed.
SteeringGain measure_steering_again(const Vehicle& vehicle, const Manoeuvre& manoeuvre,
                                    double speed, const SteeringGain& known,
                                    const Progress& progress);

}  // namespace semirec
