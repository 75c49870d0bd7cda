#include "tests/support/difference.hpp"

#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <sstream>

namespace semirec::test {

double tolerance_scale() {
  static const double scale = [] {
    const char* text = std::getenv("SEMIREC_TOLERANCE_SCALE");
    return text == nullptr ? 1.0 : std::strtod(text, nullptr);
  }();
  return scale;
}

std::string difference(const Eigen::MatrixXd& actual, const Eigen::MatrixXd& expected,
                       double relative, double absolute) {
  std::ostringstream words;
  if (actual.rows() != expected.rows() || actual.cols() != expected.cols()) {
    words << "is " << actual.rows() << " x " << actual.cols() << ", expected " << expected.rows()
          << " x " << expected.cols();
    return words.str();
  }
  if (actual.size() == 0) return {};
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
  if (worst <= limit) return {};
  words << "is off by " << worst << ", limit " << limit;
  if (error.size() > 1) words << " at (" << row << ", " << col << ")";
  words << std::setprecision(15) << ": actual " << actual(row, col) << ", expected "
        << expected(row, col);
  return words.str();
}

}  // namespace semirec::test
