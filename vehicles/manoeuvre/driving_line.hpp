#pragma once

#include <vector>

#include "vehicles/driver/path.hpp"
#include "vehicles/manoeuvre/gates.hpp"

namespace semirec {

/// The way of the centre of mass through a course: y over x at even places, and how good it is.
struct DrivingLine {
  double begin = 0.0;       ///< x of the first place, m
  double spacing = 0.5;     ///< m
  std::vector<double> y;    ///< m; zero at the first two places
  double margin = 0.0;      ///< least distance of the car's outline from a cone, m
  double least_peak = 0.0;  ///< of |y''| over all lines that keep the margin, 1/m
  double peak = 0.0;        ///< of |curvature| of this one, 1/m
  bool fits = false;        ///< the outline passes beside all cones

  std::size_t size() const { return y.size(); }
  double x(std::size_t i) const { return begin + spacing * static_cast<double>(i); }
  /// dy/dx by central differences.
  double slope(std::size_t i) const;
};

/// What a line depends on besides the cones.
struct LineTask {
  Outline outline;
  double margin = 0.1;           ///< asked for, m
  double before = 30.0;          ///< m before the first lane: from here the line may leave y = 0
  double after = 50.0;           ///< m behind the last lane
  std::vector<double> sideslip;  ///< at the line's places, rad; empty: none
};

/// The line through the lanes that asks for the least lateral acceleration.
///
/// The car's heading is that of the line less its sideslip, and beside each cone its outline stays
/// inside by the margin: to first order in the heading these are linear bounds on y. Among them
///   1. the largest margin that leaves any line with a radius above 10 m; where it is below the one
///      asked for, half of it counts (where not even zero fits, the line hits the least);
///   2. the least possible peak of |y''|;
///   3. of all lines with |y''| up to 1.25 times that, the one of least integral of y'''^2.
/// Each is a small linear or quadratic programme. Cost: some 50 ms.
DrivingLine find_line(const LaneChange& course, const LineTask& task);

/// The line as a path from (0, 0), where the car stands, `shift` before the course's x = 0, with
/// `offset` (at the line's places, m, or empty) added to it.
Path make_path(const DrivingLine& line, double shift, const std::vector<double>& offset);

}  // namespace semirec
