#pragma once

#include <string>

#include <Eigen/Core>

namespace semirec::test {

/// Factor on all tolerances from the environment variable SEMIREC_TOLERANCE_SCALE; 1 without it.
/// With 0 every comparison fails that is not exact and prints its real residual.
double tolerance_scale();

/// Empty if |actual - expected| <= absolute + relative max|expected| in every entry, else the worst
/// entry and its index in words.
std::string difference(const Eigen::MatrixXd& actual, const Eigen::MatrixXd& expected,
                       double relative, double absolute);

}  // namespace semirec::test
