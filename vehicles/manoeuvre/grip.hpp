#pragma once

#include <string>
#include <vector>

#include "vehicles/description/scenario.hpp"
#include "vehicles/description/vehicle.hpp"
#include "vehicles/manoeuvre/history.hpp"

namespace semirec {

/// How much of the side force that its tyres can give an axle of the first unit uses, at each row
/// of a history from `first` to before `last`.
struct AxleGrip {
  std::string axle;           ///< `front`, `rear`, ...
  std::vector<double> share;  ///< 0 to 1; empty where the axle's tyres give no side force
};

/// `front axle`, or the name of one that is called an axle itself (`axle_2`).
std::string axle_in_words(const AxleGrip& axle);

/// For a tyre: |side force| over the most that its law gives at the same load, camber,
/// longitudinal slip and friction of the road at any slip angle, and 1 beyond the angle of that
/// maximum. For an axle: the mean of its tyres, weighted by that most. Throws ModelError where the
/// history lacks the wheels' channels. Cost: 60 calls of the tyre law a row and wheel.
std::vector<AxleGrip> find_grip(const Vehicle& vehicle, const Scenario& scenario,
                                const History& history, std::size_t first, std::size_t last);

/// The largest mean of five neighbouring rows: a single one may be an impact. Zero for fewer rows.
double largest_share(const AxleGrip& axle);

/// Whether all wheels of one side of the first unit are off the road in one of those rows.
bool tips(const Vehicle& vehicle, const History& history, std::size_t first, std::size_t last);

}  // namespace semirec
