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
  CrgPlace locate(double x, double y) const;

 private:
  /// (u, v), their slopes over x and y, and the mesh along u.
  struct Place {
    double u, v, u_x, u_y, v_x, v_y;
    std::size_t row;
    double part;  ///< of the mesh, 0 to 1
    bool inside;  ///< u is one of a row
  };
  struct Box {
    double x_low, x_high, y_low, y_high;
  };
  struct Height {
    double z, z_u, z_v;
  };
  Place place(double x, double y) const;
  Place place_in(std::size_t row, double x, double y) const;
  std::size_t nearest_segment(double x, double y) const;
  Height height(Place& at) const;
  double distance2(std::size_t segment, double x, double y) const;
  std::size_t next(std::size_t row) const {
    return row + 1 < x_.size() ? row + 1 : closed_ ? 1 : row;
  }
  void lay_line(const CrgFile& file);
  void move(const CrgFile& file);
  void close(std::vector<std::string>& notes);
  void make_boxes();

  CrgOptions options_;
  double u_begin_ = 0.0, u_end_ = 0.0;
  bool closed_ = false;
  bool straight_ = false;
  std::vector<double> u_, x_, y_, ref_z_, bank_;  ///< [row]
  std::vector<double> v_;
  double v_pitch_ = 0.0;    ///< 0: columns of any distance
  std::vector<float> z_;    ///< [row * columns + column]
  std::vector<Box> boxes_;  ///< heap order, the leaves hold kLeaf segments each
  std::size_t leaves_ = 1;
};

}  // namespace semirec
