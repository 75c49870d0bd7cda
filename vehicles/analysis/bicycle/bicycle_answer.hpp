#pragma once

#include <vector>

#include "vehicles/analysis/bicycle/car_response.hpp"

namespace semirec {

/// What `semirec fit bicycle` asks.
struct BicycleOptions {
  std::vector<double> speeds;  ///< m/s
  double frequency = 1.0;      ///< Hz, up to which it is fitted
};

/// Up to which lateral acceleration a model follows the car's steady turns.
struct LateralLimit {
  double value = 0.0;         ///< m/s^2
  bool model_leaves = false;  ///< there; else the sharpest turn that was found
};

/// A model with what is known of it.
struct FittedBicycle {
  BicycleModel model;
  CarFigures figures;
  std::vector<ResponsePoint> points;  ///< of the car, to which it was fitted
  std::vector<std::string> sliding;   ///< friction that was taken for sliding (CarResponses)
  FitErrors errors;                   ///< over all points
  BicycleModel without_lag;           ///< fitted with relaxation lengths of zero
  FitErrors errors_without_lag;
  /// [speed] up to which the steady yaw rate is within kBend of the car's at the same angle of the
  /// steering wheel.
  std::vector<LateralLimit> lateral_limits;
};

/// The share by which the steady yaw rate may be off at the largest lateral acceleration.
inline constexpr double kBend = 0.1;

/// Fits a single track model to a car on a flat road: figures of the whole, its responses over
/// speed and frequency, its steady turns. Throws ModelError, AnalysisError, Interrupted.
FittedBicycle find_bicycle(SteadyCar& car, const BicycleOptions& options, const Progress& progress);

/// The same as quantities (those for other programs among them), tables over speed and frequency,
/// charts.
Answer analyse_bicycle(SteadyCar& car, const BicycleOptions& options, const Progress& progress);
/// Of the vehicle on a flat road, differentials of limited slip open, with a note.
Answer analyse_bicycle(const Vehicle& vehicle, const BicycleOptions& options,
                       const Progress& progress);

}  // namespace semirec
