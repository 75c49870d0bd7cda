#pragma once

#include <vector>

#include "vehicles/analysis/bicycle/bicycle_model.hpp"

namespace semirec {

/// How a car answers at one speed and one frequency.
struct ResponsePoint {
  double speed = 0.0;      ///< m/s
  double frequency = 0.0;  ///< Hz
  SteeringResponse response;
};

/// How far a model is from the points: the size of the complex difference over that of the point's
/// own response.
struct FitErrors {
  double yaw_gain = 0.0;  ///< largest at frequency zero
  double yaw_rate = 0.0, yaw_rate_rms = 0.0;
  double lateral_acceleration = 0.0, lateral_acceleration_rms = 0.0;
};

/// Over the points of one speed, or of all (0).
FitErrors find_errors(const BicycleModel& model, const std::vector<ResponsePoint>& points,
                      double ahead, double speed = 0.0);

/// Finds cornering stiffnesses and relaxation lengths; all else of `known` is kept (theory 38). The
/// understeer gradient is that of the points at frequency zero, by linear least squares; what is
/// left free, the mean compliance of both axles and the two relaxation lengths (zero or more),
/// minimises the sum of the squared relative differences of yaw rate and lateral acceleration over
/// all points, by Levenberg's and Marquardt's method from the best of a row of starts. Where a
/// relaxation length would end below zero, the best of the fits with one or both at zero is taken.
///
/// `ahead`: where the lateral acceleration is taken, m from the centre of mass. Without `with_lag`
/// both relaxation lengths are zero and the compliance alone is free. Needs a point at frequency
/// zero and a point above it. Throws AnalysisError where the points have no steady yaw rate to the
/// side of the steering.
BicycleModel fit_bicycle(const std::vector<ResponsePoint>& points, const BicycleModel& known,
                         double ahead, bool with_lag = true);

}  // namespace semirec
