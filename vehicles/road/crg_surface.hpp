#pragma once

#include <string>
#include <vector>

#include "vehicles/road/crg_file.hpp"
#include "vehicles/road/road_surface.hpp"

namespace semirec {

/// A place in the coordinates of a curved grid.
struct CrgPlace {
  double u = 0.0, v = 0.0;  ///< m
};

/// Heights of an OpenCRG file over the ground plane.
///
/// (x, y) to (u, v): v is the distance to the line through the two reference points around, u is
/// interpolated between the lines that halve the angles at them, as the standard has it; beyond its
/// ends the reference line goes straight on, or from its end to its start if the file says so and
/// it can.
///   z = z_ref(u) + bank(u) v + grid(u, v), all linear between rows and columns
/// with v of the banking clipped to the grid. Outside of the grid hold the border modes; offsets
/// are added in the modes zero and keep; `none` is taken as keep. Friction is 1.
///
/// Slopes are those of this surface, exact within a mesh; heights are continuous where border modes
/// are. Needs no memory of earlier questions. Where rows of a tight bend cross, the nearest
/// reference line counts. Cost   a search of a tree of boxes over the reference line, at most 512
/// of them; no heap use.
class CrgSurface final : public RoadSurface {
 public:
  /// Applies the modifiers. `notes`, if given, gets the file's notes and those of this.
  /// Throws ModelError if modifiers make no road of it.
  explicit CrgSurface(const CrgFile& file, std::vector<std::string>* notes = nullptr);

  RoadPoint evaluate(double x, double y) const override;
  void put_into(Fingerprint& fingerprint) const override;
  CrgPlace locate(double x, double y) const;
  /// Whether the file describes the road at a place of the ground plane, m: on its grid, or where
  /// that goes on by being repeated or reflected.
  bool covers(double x, double y) const;

 private:
  /// (u, v), their slopes over x and y, and the mesh along u.
  struct Place {
    double u, v, u_x, u_y, v_x, v_y;
    std::size_t row;
    double part;   ///< of the mesh, 0 to 1
    bool outside;  ///< before the first row or behind the last one
  };
  struct Box {
    double x_low = 1e300, x_high = -1e300, y_low = 1e300, y_high = -1e300;
  };
  struct Height {
    double z = 0.0, z_u = 0.0, z_v = 0.0;
  };
  /// Directions whose normals bound a mesh; `back`, `front`: how far a place is from them, over the
  /// mesh, both positive within.
  struct Wedge {
    double tx, ty, back_x, back_y, front_x, front_y, back, front;
  };

  void check_line(const CrgFile& file) const;
  Wedge wedge(std::size_t row, double x, double y) const;
  Place place(double x, double y) const;
  Height height(const Place& at) const;
  Height on_grid(std::size_t row, double part, double v) const;
  std::size_t nearest(double x, double y) const;
  double heading(double u, double v, double& x, double& y, Place& at) const;
  void lay_line(const CrgFile& file, std::vector<std::string>& notes);
  void lay_heights(const CrgFile& file, std::vector<std::string>& notes);
  void close(const CrgFile& file, std::vector<std::string>& notes);
  void move(const CrgFile& file);
  void make_boxes();

  CrgOptions options_;
  bool closed_ = false;
  bool straight_ = false;
  double pitch_ = 0.0;             ///< of the rows; where closed, the last one has its own
  std::vector<double> u_, x_, y_;  ///< [row] reference line, m
  std::vector<double> ref_z_;      ///< [row] m
  std::vector<double> bank_;       ///< [row]
  std::vector<double> v_;          ///< [column] m
  double v_pitch_ = 0.0;           ///< 0: columns at any distance
  double z_base_ = 0.0;            ///< of z_, m
  std::vector<float> z_;           ///< [row * columns + column] m
  std::vector<Box> boxes_;         ///< tree in heap order over groups of segments
  std::size_t leaves_ = 1;
};

}  // namespace semirec
