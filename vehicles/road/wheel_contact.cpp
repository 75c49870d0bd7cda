#include "vehicles/road/wheel_contact.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace semirec {

namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr int kPointSteps = 3;
constexpr int kSamples = 38;
/// Index of the last sample that is not ahead of the wheel's centre.
constexpr int kMiddle = kSamples / 2 - 1;
/// An axle as upright as this has no direction of rolling.
constexpr double kSmallest = 1e-9;
/// Square of the cosine to the road below which a wheel counts as lying: its middle plane meets the
/// road nowhere near.
constexpr double kOnItsSide = 0.01;
/// Outside of this part of a cam's length its flank is too steep to carry.
constexpr double kCarryingPart = 0.92;

/// Axes of a cam and the distance of the two, as parts of the unloaded radius. Those of the cams
/// are in the middle of what is published for passenger car tyres.
struct Cams {
  double half_length, half_height, spacing;
};
constexpr Cams kDisc{1.0, 1.0, 0.125};
constexpr Cams kTandem{1.03, 1.01, 0.35};

struct Plane {
  Vector3d point, normal;
};

Plane plane_at(double x, double y, const RoadPoint& road) {
  return {Vector3d(x, y, road.z), Vector3d(-road.z_x, -road.z_y, 1.0).normalized()};
}

/// Where the line from the centre, in the wheel's middle plane, falls steepest onto the plane.
WheelContact meet(const Plane& plane, const Vector3d& centre, const Vector3d& axle, double radius) {
  WheelContact contact;
  contact.normal = plane.normal;
  const Vector3d up = plane.normal - plane.normal.dot(axle) * axle;
  const double height = plane.normal.dot(centre - plane.point);
  contact.ground = centre - up * (height / std::max(up.squaredNorm(), kOnItsSide));
  contact.deflection = radius * up.norm() - height;
  return contact;
}

/// Heights of the road along a line: lattice points of a fixed distance, the first before the
/// wheel.
struct Profile {
  std::array<double, kSamples> s, z;  ///< m from the middle of the patch, m
};

/// Height of the bottom of a cam at `at` that lies on the road.
double rest(const Profile& road, double at, double a, double b) {
  const double reach = kCarryingPart * a;
  double highest = -1e300;
  for (int i = 0; i + 1 < kSamples; ++i) {
    const double slope = (road.z[i + 1] - road.z[i]) / (road.s[i + 1] - road.s[i]);
    const double from = std::max(road.s[i] - at, -reach);
    const double to = std::min(road.s[i + 1] - at, reach);
    if (from >= to) continue;
    // where the cam's flank is as steep as the line
    const double touch = a * a * slope / std::sqrt(a * a * slope * slope + b * b);
    const double s = std::clamp(touch, from, to);
    const double part = s / a;
    highest = std::max(highest,
                       road.z[i] + slope * (s + at - road.s[i]) + b * std::sqrt(1.0 - part * part));
  }
  return highest - b;
}

Plane roll_over(const RoadSurface& road, const Cams& cams, const Vector3d& centre,
                const Vector3d& axle, double radius, double width) {
  const double a = cams.half_length * radius;
  const double b = cams.half_height * radius;
  const double spacing = cams.spacing * radius;
  const double pitch = (2.0 * kCarryingPart * a + spacing) / (kSamples - 3);
  Vector2d forward(axle.y(), -axle.x());
  const double level = forward.norm();
  forward = level > kSmallest ? Vector2d(forward / level) : Vector2d(1.0, 0.0);
  const Vector2d left(-forward.y(), forward.x());
  // under the wheel where it leans: at the lower end of its middle plane
  const Vector3d up = Vector3d::UnitZ() - axle.z() * axle;
  const Vector2d middle =
      centre.head<2>() - radius / std::sqrt(std::max(up.squaredNorm(), kOnItsSide)) * up.head<2>();
  const double track = std::max(width, 0.1 * radius);

  // the lattice stands still in the world
  const double way = middle.dot(forward);
  const double phase = std::clamp(way - pitch * std::floor(way / pitch), 0.0, pitch);
  std::array<double, 2> front{}, rear{};
  Profile profile{};
  double sum = 0.0;
  for (int side = 0; side < 2; ++side) {
    const Vector2d start = middle + (side == 0 ? 0.5 : -0.5) * track * left;
    for (int i = 0; i < kSamples; ++i) {
      profile.s[i] = pitch * (i - kMiddle) - phase;
      const Vector2d place = start + profile.s[i] * forward;
      profile.z[i] = road.evaluate(place.x(), place.y()).z;
      sum += profile.z[i];
    }
    front[side] = rest(profile, 0.5 * spacing, a, b);
    rear[side] = rest(profile, -0.5 * spacing, a, b);
  }

  const double along = 0.5 * (front[0] + front[1] - rear[0] - rear[1]) / spacing;
  const double across = 0.5 * (front[0] + rear[0] - front[1] - rear[1]) / track;
  // a cam on an inclined plane stands higher than its place by this much
  const double lifted = std::sqrt(along * along * a * a + b * b) - b;
  const Vector2d slope = along * forward + across * left;
  Plane plane;
  plane.point << middle, 0.25 * (front[0] + front[1] + rear[0] + rear[1]) - lifted;
  // the cams rest on the highest place and pass over one without a height
  if (!std::isfinite(sum)) plane.point.z() = std::numeric_limits<double>::quiet_NaN();
  plane.normal = Vector3d(-slope.x(), -slope.y(), 1.0).normalized();
  return plane;
}

/// Whether the road's plane at a place is that at another one, `way` from it: nothing is left to be
/// found.
bool is_same_plane(const RoadPoint& a, const RoadPoint& b, const Vector2d& way) {
  constexpr double kSame = 1e-14;  // m
  return a.z_x == b.z_x && a.z_y == b.z_y &&
         std::abs(b.z - a.z - a.z_x * way.x() - a.z_y * way.y()) <= kSame;
}

}  // namespace

WheelContact compute_wheel_contact(const RoadSurface& road, ContactMethod method,
                                   const Vector3d& centre, const Vector3d& axle, double radius,
                                   double width) {
  if (const RoadPoint* everywhere = road.plane()) {
    // every method would find this plane
    const double x = centre.x();
    const double y = centre.y();
    RoadPoint point = *everywhere;
    point.z += point.z_x * x + point.z_y * y;
    WheelContact contact = meet(plane_at(x, y, point), centre, axle, radius);
    contact.friction = point.friction;
    return contact;
  }
  if (method == ContactMethod::point) {
    WheelContact contact;
    contact.ground = centre;
    RoadPoint last;
    Vector2d place = centre.head<2>();
    for (int step = 0; step <= kPointSteps; ++step) {
      const double x = contact.ground.x();
      const double y = contact.ground.y();
      const RoadPoint point = road.evaluate(x, y);
      if (step > 0 && is_same_plane(last, point, Vector2d(x, y) - place)) {
        contact.friction = point.friction;
        break;
      }
      last = point;
      place = {x, y};
      contact = meet(plane_at(x, y, point), centre, axle, radius);
      contact.friction = point.friction;
    }
    return contact;
  }
  const Cams& cams = method == ContactMethod::disc ? kDisc : kTandem;
  WheelContact contact =
      meet(roll_over(road, cams, centre, axle, radius, width), centre, axle, radius);
  contact.friction = road.evaluate(contact.ground.x(), contact.ground.y()).friction;
  return contact;
}

}  // namespace semirec
