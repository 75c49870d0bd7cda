#pragma once

#include <functional>
#include <string>
#include <vector>

#include "vehicles/analysis/answer.hpp"
#include "vehicles/analysis/kc/point.hpp"

namespace semirec {

/// A curve on the rig: from the design position both ways along one direction of the command.
struct Sweep {
  std::string test;  ///< for messages: `front parallel`
  Channel variable;
  double reach = 0.0;    ///< each way
  RigCommand direction;  ///< for a variable of one
  int points = 21;       ///< odd
};

/// One equilibrium of a curve.
struct SweepPoint {
  double variable = 0.0;
  RigCommand command;
  RigState state;
};

/// The points in ascending order. Where an equilibrium is no longer found the way to it is halved
/// a few times, the last one that was found ends the curve, and `notes` gets a line.
std::vector<SweepPoint> run_sweep(const Rig& rig, const RigState& design, const Sweep& sweep,
                                  Workspace& ws, std::vector<std::string>& notes);

/// A table with the variable and, for both wheels of an axle: load, toe, camber to the road, steer,
/// displacement of contact point and wheel centre. Callers append columns.
Table sweep_table(const std::string& name, const Rig& rig, const Axle& axle, const Sweep& sweep,
                  const std::vector<SweepPoint>& points, const Reading& design, Workspace& ws);

/// Position of a column; -1 without one.
int find_column(const Table& table, const std::string& name);

}  // namespace semirec
