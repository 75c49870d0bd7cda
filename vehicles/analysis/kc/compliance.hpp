#pragma once

#include "vehicles/analysis/answer.hpp"
#include "vehicles/analysis/kc/point.hpp"

namespace semirec {

/// Twelve loads on the wheels of an axle, force and moment on the left one, then on the right one,
/// and what answers to them there: displacement of the same point of the carrier and its rotation.
/// World axes; the pads keep their heights.
using ComplianceMatrix = Eigen::Matrix<double, 12, 12>;

enum class LoadPoint { contact, centre };

/// Response (row) to loads (column) at one point of each wheel, m/N, rad/N, m/(N m), rad/(N m).
ComplianceMatrix find_compliance(const RigPoint& point, const Axle& axle, LoadPoint where,
                                 Workspace& ws);

/// Largest |C_ij - C_ji| over sqrt(C_ii C_jj); entries below 1e-15 of their units count as zero.
double asymmetry(const ComplianceMatrix& compliance);

/// Twelve rows, one a load; columns are the responses.
Table compliance_table(const std::string& name, const ComplianceMatrix& compliance);

}  // namespace semirec
