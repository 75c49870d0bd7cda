#pragma once

#include <vector>

#include "vehicles/driver/motion.hpp"
#include "vehicles/manoeuvre/car.hpp"

namespace semirec {

/// A lane of cones along x: from begin to end, y between right and left, m.
struct Gate {
  double begin = 0.0, end = 0.0;
  double right = 0.0, left = 0.0;
  double centre() const { return 0.5 * (right + left); }
};

/// A cone, as the point at which it limits the lane.
struct Cone {
  double x = 0.0, y = 0.0;
  bool hit = false;
};

/// Three lanes, the first around y = 0 from x = 0 on, and their cones.
struct LaneChange {
  std::vector<Gate> gates;
  std::vector<Cone> cones;
};

/// Double lane change of ISO 3888-1 for a car of this width: lanes of 15, 25 and 30 m with 30 and
/// 25 m between them; widths 1.1, 1.2 and 1.3 of the car's plus 0.25 m; the right limit of the
/// second lane lies `offset` to the left of the first one's, that of the third in line with it.
LaneChange make_lane_change_1(double width, double offset = 3.5);
/// Obstacle avoidance of ISO 3888-2: lanes of 12, 11 and 12 m with 13.5 and 12.5 m between them;
/// widths 1.1 of the car's plus 0.25 m, the car's plus 1 m, 1.3 of the car's plus 0.25 m but not
/// less than 3 m; the right limit of the second lane lies `offset` to the left of the left limit of
/// the first, the right limit of the third in line with the first one's.
LaneChange make_lane_change_2(double width, double offset = 1.0);

/// The same course farther along x.
LaneChange shift(LaneChange course, double dx);

/// A car seen from above: a rectangle about the middle between its first and last axle.
struct Outline {
  double front = 0.0, rear = 0.0;  ///< from the chassis' centre of mass, both positive, m
  double half_width = 0.0;
};
Outline make_outline(const CarMeasures& car, double width, double length);

/// Marks the cones under the car's outline.
void mark_hits(const Outline& outline, const CarMotion& motion, LaneChange& course) noexcept;
/// How far at most one of the cones is inside the car's outline, from its nearer side, m; 0: none.
double deepest_cone(const Outline& outline, const CarMotion& motion,
                    const LaneChange& course) noexcept;
int count_hits(const LaneChange& course);
/// Whether the car's middle is beside the lane that it passes.
bool misses_gate(const CarMotion& motion, const LaneChange& course) noexcept;

}  // namespace semirec
