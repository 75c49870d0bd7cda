#pragma once

#include <functional>
#include <string>

#include <Eigen/Core>

#include "tests/support/drives.hpp"

namespace semirec::test {

/// A mechanism and what its scenario's <run> says (`step="0.001"`), both as text, read,
/// joined and started from the design position. Includes are found beside the shipped models.
ShippedDrive start_text(const std::string& mechanism, const std::string& run,
                        Formulation formulation = Formulation::hybrid,
                        const std::function<void(Scenario&)>& change = {});

/// Steps until the time `end`; throws std::runtime_error where a step fails.
void drive_to(ShippedDrive& drive, double end);

/// Expects every eigenvalue of a matrix among those of the drive linearized where it is, as many
/// and within 1e-5.
void expect_eigenvalues(ShippedDrive& drive, const Eigen::MatrixXd& known);

}  // namespace semirec::test
