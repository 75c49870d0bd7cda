#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "vehicles/road/road_surface.hpp"

namespace semirec {

/// A road of triangles.
///
/// Over a place the highest triangle counts; where there is none, the road lies at the height of
/// the lowest corner. Triangles that stand upright are left out. Cost   a look-up in an even grid,
/// then the triangles over its cell; no heap use.
class MeshSurface final : public RoadSurface {
 public:
  struct Triangle {
    std::array<std::uint32_t, 3> corners;
    double friction;
  };
  /// Throws std::invalid_argument if no triangle is left, or if some place of the grid has more
  /// than 10^4 triangles.
  MeshSurface(const std::vector<Eigen::Vector3d>& corners, const std::vector<Triangle>& triangles);
  RoadPoint evaluate(double x, double y) const override;
  /// Whether a triangle lies over the place.
  bool covers(double x, double y) const;
  void put_into(Fingerprint& fingerprint) const override;
  bool scales_friction() const override;
  std::size_t left_out() const { return left_out_; }

 private:
  /// The plane z + z_x (x - px) + z_y (y - py) within three edges.
  struct Facet {
    double px, py, z, z_x, z_y;
    double ax, ay, bx, by;  ///< edges from p
    double area;            ///< twice, signed
    double friction;
  };
  void make_grid();
  /// Whether a triangle lies over the place; then `point` is on the highest.
  bool find(double x, double y, RoadPoint& point) const;

  std::vector<Facet> facets_;
  double lowest_ = 0.0;
  std::size_t left_out_ = 0;
  double x_low_ = 0.0, y_low_ = 0.0, cell_x_ = 1.0, cell_y_ = 1.0;
  std::size_t cells_x_ = 1, cells_y_ = 1;
  std::vector<std::uint32_t> starts_, members_;  ///< [cell] first of its members; facets
};

}  // namespace semirec
