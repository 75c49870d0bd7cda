#pragma once

#include <optional>
#include <vector>

#include "apps/report/road_mesh.hpp"
#include "apps/results/table.hpp"
#include "vehicles/description/scenario.hpp"

namespace semirec::cli {

/// The road along the way of a car, piece by piece while the way is driven.
class RoadPieces {
 public:
  /// `scenario` lives as long.
  explicit RoadPieces(const Scenario& scenario) : scenario_(scenario) {}
  /// What is to be drawn of the road now that the car is there: from 5 m behind where it was when
  /// this was not empty for the last time to 15 m ahead. Empty while it has gone less than 10 m
  /// since, and where the road is the plane z = 0. `place`, `forward`: world, m; of the heading any
  /// length.
  std::vector<results::Mesh> see(const Eigen::Vector2d& place, const Eigen::Vector2d& forward);

 private:
  const Scenario& scenario_;
  std::optional<Eigen::Vector2d> last_;
};

}  // namespace semirec::cli
