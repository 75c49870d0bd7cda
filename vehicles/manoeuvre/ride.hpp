#pragma once

#include <string>
#include <vector>

#include "vehicles/analysis/metrics/vibration.hpp"
#include "vehicles/manoeuvre/history.hpp"
#include "vehicles/manoeuvre/method.hpp"

namespace semirec {

/// `seat_x`, `seat_y`, `seat_z`: the point whose vibration is judged.
std::vector<ValueRule> seat_values();

/// The vehicle with a marker on its chassis at that place, and a manoeuvre that records it.
struct SeatedCar {
  Vehicle vehicle;
  Manoeuvre manoeuvre;
};
SeatedCar with_seat(const Vehicle& vehicle, const Manoeuvre& manoeuvre);

/// Acceleration of the seat along the chassis' axes, gravity not in it, m/s^2.
struct SeatAcceleration {
  std::vector<double> x, y, z;
};
SeatAcceleration seat_acceleration(const History& history);

/// Weighted by ISO 2631-1 (x and y by Wd, z by Wk), whole record.
struct WeightedRide {
  VibrationDose x, y, z;
  double total = 0.0;  ///< sqrt(x^2 + y^2 + z^2) of the r.m.s.
};
WeightedRide weigh_ride(const SeatAcceleration& a, double dt);

/// Wheel centre along the chassis' z axis from where it is in the first row, m; up is bump.
std::vector<double> travel_of(const History& history, const std::string& wheel);

}  // namespace semirec
