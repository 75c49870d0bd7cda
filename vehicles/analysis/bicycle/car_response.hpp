#pragma once

#include <string>
#include <vector>

#include "vehicles/analysis/bicycle/bicycle_fit.hpp"
#include "vehicles/analysis/steady_state.hpp"

namespace semirec {

/// What a single track model takes from a car as it stands on its wheels.
struct CarFigures {
  double mass = 0.0;            ///< kg, of all bodies
  double yaw_inertia = 0.0;     ///< kg m^2, of all bodies about their centre of mass
  double centre_height = 0.0;   ///< m, of that over the contact of the wheels
  double a = 0.0, b = 0.0;      ///< m, from it to the wheel centres of the front and rear axle
  double track = 0.0;           ///< m, of the front axle
  double wheel_radius = 0.0;    ///< m, height of the wheel centres, mean
  double ahead = 0.0;           ///< m, from it to the chassis' centre of mass
  double gravity = 0.0;         ///< m/s^2
  double steering_ratio = 0.0;  ///< steering wheel over mean angle of the wheels that are steered
  /// kg on a wheel at rest; left and right of the front axle, then of the rear.
  double load_mass[4] = {0.0, 0.0, 0.0, 0.0};
};

/// Throws ModelError for a vehicle that no single track model describes (trailers, an axle more or
/// less than two, no steering, steering behind), AnalysisError where it finds no rest.
CarFigures find_figures(SteadyCar& car);

/// What find_responses() gives.
struct CarResponses {
  std::vector<ResponsePoint> points;
  std::vector<std::string> sliding;  ///< states of equations that were taken for sliding friction
};

/// Yaw rate and the lateral acceleration of the chassis' centre of mass over the mean angle of the
/// front wheels, by the car's linear system about straight running (theory 31):
///   y = (C (s - A)^-1 B + D) u,   u = (1, s, s^2) of the steering's columns.
/// Every speed with every frequency; the steering turns with its rate and second rate.
/// Friction that holds, a state of an equation that keeps the way of a coordinate, slides: it
/// carries nothing, as in a steady turn. Throws AnalysisError for a car that is unstable at one of
/// the speeds.
CarResponses find_responses(SteadyCar& car, const CarFigures& figures,
                            const std::vector<double>& speeds,
                            const std::vector<double>& frequencies, const Progress& progress);

}  // namespace semirec
