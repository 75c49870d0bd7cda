#include "vehicles/manoeuvre/gates.hpp"

#include <algorithm>
#include <cmath>

namespace semirec {

namespace {

constexpr double kConeSpacing = 3.0;  // m, at most

void add_cones(LaneChange& course) {
  for (const Gate& gate : course.gates) {
    const int pieces = static_cast<int>(std::ceil((gate.end - gate.begin) / kConeSpacing));
    for (int k = 0; k <= pieces; ++k) {
      const double x = gate.begin + (gate.end - gate.begin) * k / pieces;
      course.cones.push_back({x, gate.right});
      course.cones.push_back({x, gate.left});
    }
  }
}

/// How far the cone is inside the outline, from its nearer side, m; 0 or below: beside it.
double depth_under(const Outline& outline, const CarMotion& motion, const Cone& cone) noexcept {
  const double c = std::cos(motion.yaw);
  const double s = std::sin(motion.yaw);
  const double dx = cone.x - motion.x;
  const double dy = cone.y - motion.y;
  const double along = c * dx + s * dy;
  const double across = -s * dx + c * dy;
  if (!(along < outline.front && along > -outline.rear)) return 0.0;
  return std::max(0.0, outline.half_width - std::abs(across));
}

}  // namespace

LaneChange make_lane_change_1(double width, double offset) {
  const double first = 1.1 * width + 0.25;
  const double second = 1.2 * width + 0.25;
  const double third = 1.3 * width + 0.25;
  const double right = -0.5 * first;
  LaneChange course;
  course.gates = {{0.0, 15.0, right, 0.5 * first},
                  {45.0, 70.0, right + offset, right + offset + second},
                  {95.0, 125.0, right, right + third}};
  add_cones(course);
  return course;
}

LaneChange make_lane_change_2(double width, double offset) {
  const double first = 1.1 * width + 0.25;
  const double second = width + 1.0;
  const double third = std::max(3.0, 1.3 * width + 0.25);
  LaneChange course;
  course.gates = {{0.0, 12.0, -0.5 * first, 0.5 * first},
                  {25.5, 36.5, 0.5 * first + offset, 0.5 * first + offset + second},
                  {49.0, 61.0, -0.5 * first, -0.5 * first + third}};
  add_cones(course);
  return course;
}

LaneChange shift(LaneChange course, double dx) {
  for (Gate& gate : course.gates) {
    gate.begin += dx;
    gate.end += dx;
  }
  for (Cone& cone : course.cones) cone.x += dx;
  return course;
}

Outline make_outline(const CarMeasures& car, double width, double length) {
  const double overhang = 0.5 * (length - (car.first + car.last));
  return {car.first + overhang, car.last + overhang, 0.5 * width};
}

double deepest_cone(const Outline& outline, const CarMotion& motion,
                    const LaneChange& course) noexcept {
  double deepest = 0.0;
  for (const Cone& cone : course.cones)
    deepest = std::max(deepest, depth_under(outline, motion, cone));
  return deepest;
}

void mark_hits(const Outline& outline, const CarMotion& motion, LaneChange& course) noexcept {
  for (Cone& cone : course.cones)
    if (depth_under(outline, motion, cone) > 0.0) cone.hit = true;
}

int count_hits(const LaneChange& course) {
  return static_cast<int>(
      std::count_if(course.cones.begin(), course.cones.end(), [](const Cone& c) { return c.hit; }));
}

bool misses_gate(const CarMotion& motion, const LaneChange& course) noexcept {
  for (const Gate& gate : course.gates)
    if (motion.x >= gate.begin && motion.x <= gate.end &&
        (motion.y < gate.right || motion.y > gate.left))
      return true;
  return false;
}

}  // namespace semirec
