#pragma once

#include <Eigen/Core>

namespace semirec {

/// Principal moments of an inertia, ascending, kg m^2, and unit vectors along their axes as
/// columns.
struct PrincipalAxes {
  Eigen::Vector3d moments = Eigen::Vector3d::Zero();
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
};

/// J: 3 x 3, symmetric (the lower triangle is read), finite.
PrincipalAxes find_principal_axes(const Eigen::Matrix3d& J);

}  // namespace semirec
