#pragma once

#include <vector>

#include <Eigen/Core>

namespace semirec {

/// Edges of the convex hull of points, as pairs of ends. Lines within a flat face are none; of
/// points in one plane the border is returned, of points on one line its two ends, of fewer than
/// two different points nothing. Of more than 150 points the box around them is taken instead.
/// Points nearer to each other, to a plane or to a line than `tolerance` (m, above 0) count as one
/// or as lying in it. Cost   cubic in the number of points.
std::vector<Eigen::Vector3d> find_hull_edges(const std::vector<Eigen::Vector3d>& points,
                                             double tolerance);

/// The twelve edges of a box with the axes of the frame around points.
std::vector<Eigen::Vector3d> box_edges(const Eigen::Vector3d& low, const Eigen::Vector3d& high);

/// The points without those that lie nearer than `tolerance` to one before them.
std::vector<Eigen::Vector3d> distinct_points(const std::vector<Eigen::Vector3d>& points,
                                             double tolerance);

}  // namespace semirec
