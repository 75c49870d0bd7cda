#include "vehicles/drawing/hull_edges.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

#include "topology/frame.hpp"

namespace semirec {

namespace {

using Eigen::Vector3d;

constexpr std::size_t kMostHullPoints = 150;

/// Whether the line from a to b is an edge: seen along it, all other points lie within less than
/// half a turn around it, and none lies on it beyond its ends.
bool is_edge(const std::vector<Vector3d>& points, const Vector3d& a, const Vector3d& b,
             double tolerance, std::vector<double>& angles) {
  const double length = (b - a).norm();
  const Frame across = make_frame(a, b - a);
  angles.clear();
  double nearest = 1e300;
  for (const Vector3d& point : points) {
    const Vector3d from = across.A.transpose() * (point - a);
    const double distance = std::hypot(from.x(), from.y());
    if (distance > tolerance) {
      angles.push_back(std::atan2(from.y(), from.x()));
      nearest = std::min(nearest, distance);
    } else if (from.z() < -tolerance || from.z() > length + tolerance) {
      return false;
    }
  }
  if (angles.empty()) return true;
  std::sort(angles.begin(), angles.end());
  double gap = angles.front() + 2.0 * std::numbers::pi - angles.back();
  for (std::size_t k = 1; k < angles.size(); ++k) gap = std::max(gap, angles[k] - angles[k - 1]);
  // a face that is flat within the tolerance has a gap of half a turn
  return gap > std::numbers::pi + std::min(0.1, tolerance / nearest);
}

}  // namespace

std::vector<Vector3d> distinct_points(const std::vector<Vector3d>& points, double tolerance) {
  std::vector<Vector3d> distinct;
  for (const Vector3d& point : points) {
    const bool known = std::any_of(distinct.begin(), distinct.end(), [&](const Vector3d& other) {
      return (point - other).norm() < tolerance;
    });
    if (!known) distinct.push_back(point);
  }
  return distinct;
}

std::vector<Vector3d> box_edges(const Vector3d& low, const Vector3d& high) {
  std::vector<Vector3d> lines;
  for (int axis = 0; axis < 3; ++axis)
    for (int corner = 0; corner < 4; ++corner) {
      Vector3d from = low;
      if ((corner & 1) != 0) from[(axis + 1) % 3] = high[(axis + 1) % 3];
      if ((corner & 2) != 0) from[(axis + 2) % 3] = high[(axis + 2) % 3];
      Vector3d to = from;
      to[axis] = high[axis];
      lines.push_back(from);
      lines.push_back(to);
    }
  return lines;
}

std::vector<Vector3d> find_hull_edges(const std::vector<Vector3d>& points, double tolerance) {
  if (points.size() > kMostHullPoints) {
    Vector3d low = points.front();
    Vector3d high = low;
    for (const Vector3d& point : points) {
      low = low.cwiseMin(point);
      high = high.cwiseMax(point);
    }
    return box_edges(low, high);
  }
  const std::vector<Vector3d> distinct = distinct_points(points, tolerance);
  std::vector<Vector3d> lines;
  std::vector<double> angles;
  for (std::size_t i = 0; i < distinct.size(); ++i)
    for (std::size_t j = i + 1; j < distinct.size(); ++j) {
      if (!is_edge(distinct, distinct[i], distinct[j], tolerance, angles)) continue;
      lines.push_back(distinct[i]);
      lines.push_back(distinct[j]);
    }
  return lines;
}

}  // namespace semirec
