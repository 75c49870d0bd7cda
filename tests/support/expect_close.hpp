#pragma once

#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <source_location>
#include <sstream>

#include <Eigen/Core>
#include <gtest/gtest.h>

namespace semirec::test {

/// Factor on all tolerances from the environment variable SEMIREC_TOLERANCE_SCALE; 1 without it.
/// With 0 every comparison fails that is not exact and prints its real residual.
inline double tolerance_scale() {
  static const double scale = [] {
    const char* text = std::getenv("SEMIREC_TOLERANCE_SCALE");
    return text == nullptr ? 1.0 : std::strtod(text, nullptr);
  }();
  return scale;
}

/// Expects |actual - expected| <= absolute + relative max|expected| in every entry; prints the
/// worst entry and its index.
template <class Actual, class Expected>
void expect_close(const Eigen::MatrixBase<Actual>& actual,
                  const Eigen::MatrixBase<Expected>& expected, double relative, double absolute,
                  const std::source_location& where = std::source_location::current()) {
  if (actual.rows() != expected.rows() || actual.cols() != expected.cols()) {
    ADD_FAILURE_AT(where.file_name(), static_cast<int>(where.line()))
        << "is " << actual.rows() << " x " << actual.cols() << ", expected " << expected.rows()
        << " x " << expected.cols();
    return;
  }
  if (actual.size() == 0) return;
  const Eigen::MatrixXd error = (actual - expected).cwiseAbs();
  const double limit = tolerance_scale() * (absolute + relative * expected.cwiseAbs().maxCoeff());
  Eigen::Index row = 0;
  Eigen::Index col = 0;
  // comparisons with a number that is not finite are false: such an entry must be the worst one
  double worst = -1.0;
  for (Eigen::Index j = 0; j < error.cols(); ++j)
    for (Eigen::Index i = 0; i < error.rows(); ++i)
      if (!(error(i, j) <= worst) && !std::isnan(worst)) {
        worst = error(i, j);
        row = i;
        col = j;
      }
  if (worst <= limit) return;
  std::ostringstream index;
  if (error.size() > 1) index << " at (" << row << ", " << col << ")";
  ADD_FAILURE_AT(where.file_name(), static_cast<int>(where.line()))
      << "is off by " << worst << ", limit " << limit << index.str() << std::setprecision(15)
      << ": actual " << actual(row, col) << ", expected " << expected(row, col);
}

/// The same for one number.
inline void expect_close(double actual, double expected, double relative, double absolute,
                         const std::source_location& where = std::source_location::current()) {
  using One = Eigen::Matrix<double, 1, 1>;
  expect_close(One(actual), One(expected), relative, absolute, where);
}

}  // namespace semirec::test
