#pragma once

#include <vector>

#include "apps/cli/result_files.hpp"
#include "apps/cli/road_pieces.hpp"
#include "vehicles/session/drive.hpp"

namespace semirec::cli {

/// Rows of a drive with what tables that draw want beside the channels: poses of the bodies, and
/// the road along the way of the chassis.
class PosedRows {
 public:
  /// Both outlive this. The head of `table` has the bodies of the drive.
  PosedRows(ResultFiles& table, const Scenario& scenario) : table_(table), road_(scenario) {}
  /// The row of a state; `ws` is scratch. False as ResultFiles::add().
  bool add(const Drive& drive, const State& state, const std::vector<double>& values,
           Workspace& ws);

 private:
  ResultFiles& table_;
  RoadPieces road_;
  std::vector<double> poses_;
};

/// Names of the bodies whose poses PosedRows hands on.
std::vector<std::string> names_of_bodies(const Mechanism& mechanism);

}  // namespace semirec::cli
