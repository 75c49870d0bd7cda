#pragma once

#include <string>
#include <vector>

#include "vehicles/analysis/answer.hpp"
#include "vehicles/description/vehicle.hpp"

namespace semirec {

/// The design position of the rig: wheels where the file draws them, or where the car rests.
enum class KcPosition { drawn, rest };

/// What is done on the suspension rig.
struct KcOptions {
  KcPosition position = KcPosition::drawn;
  double travel = 0.08;            ///< each way, m
  double steering = 7.0;           ///< of the steering wheel, each way, rad
  double load = 2000.0;            ///< each way, N; moments are load times 0.05 m
  int points = 21;                 ///< of a curve, odd
  std::string unit;                ///< of find_units(); empty: the first
  std::string axle;                ///< `front`, `rear`, ...; empty: all
  std::vector<std::string> tests;  ///< of kc_tests(); empty: all
};

/// The rig along a curve, to be drawn.
struct KcMotion {
  std::string name;                 ///< `front parallel`, `roll`, `front lateral_contact_same`
  Channel variable;                 ///< that the curve runs over
  std::string charts;               ///< what the titles of its charts begin with; empty: none
  std::vector<double> values;       ///< of the variable, ascending
  std::vector<std::string> bodies;  ///< those of the unit on the rig
  std::vector<std::vector<Frame>> frames;  ///< [value][body] X_WB
};

/// design, parallel, opposite, roll, steering, lateral, longitudinal, aligning, compliance.
const std::vector<std::string>& kc_tests();

/// Kinematics and compliance of the axles of a vehicle (docs/how_to/kc.md): quasi-static
/// equilibria on the rig of rig.hpp. Of a vehicle with trailers one unit stands there, held by its
/// frame, and the others are taken off: it rests, where that is asked for, as the first unit does
/// alone, another one as the whole vehicle does. Twin wheels are one wheel in their middle.
/// Quantities are
/// `<axle>.<name>`, tables `<axle>_<test>`. Throws ModelError for options and vehicles that make no
/// sense, AnalysisError when the design position has no equilibrium or the car cannot rest,
/// Interrupted. `motions` gets the rig of each curve.
Answer find_kinematics_and_compliance(const Vehicle& vehicle, const KcOptions& options,
                                      const Progress& progress = {},
                                      std::vector<KcMotion>* motions = nullptr);

}  // namespace semirec
