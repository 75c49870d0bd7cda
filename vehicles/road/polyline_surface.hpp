#pragma once

#include <vector>

#include "vehicles/road/road_surface.hpp"

namespace semirec {

/// Straight lines between heights over x, apart for the left (y >= 0) and right; the end heights
/// hold outside, a repeated x is a vertical step. Cost   one binary search.
class PolylineSurface final : public RoadSurface {
 public:
  struct Point {
    double x, left, right;  ///< m
  };
  /// `points`: at least one, x not descending.
  explicit PolylineSurface(std::vector<Point> points) : points_(std::move(points)) {}
  RoadPoint evaluate(double x, double y) const override;
  void put_into(Fingerprint& fingerprint) const override;

 private:
  std::vector<Point> points_;
};

}  // namespace semirec
