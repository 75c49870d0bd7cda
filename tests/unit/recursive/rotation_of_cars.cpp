#include "recursive/cars/rotation_of_cars.hpp"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/random_mechanism.hpp"

namespace semirec::test {
namespace {

// Angles from round-off to a half turn, side by side: each lane as by itself.
TEST(RotationOfCars, LogarithmIsThatOfEachCar) {
  Random random(3);
  for (int k = 0; k < 2000; ++k) {
    PackMatrix3Of<WidePack> A;
    std::array<Eigen::Matrix3d, 8> own;
    for (int l = 0; l < 8; ++l) {
      const Eigen::Vector3d axis(random.number(-1.0, 1.0), random.number(-1.0, 1.0),
                                 random.number(-1.0, 1.0));
      const double angle = l == 0   ? 0.0
                           : l == 1 ? random.number(2.1, 3.1)
                                    : std::pow(10.0, random.number(-9.0, 0.3));
      const auto lane = static_cast<std::size_t>(l);
      own[lane] = Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
      for (int i = 0; i < 3; ++i) {
        Pack3Of<WidePack>& column = i == 0 ? A.x : i == 1 ? A.y : A.z;
        column.x[l] = own[lane](0, i);
        column.y[l] = own[lane](1, i);
        column.z[l] = own[lane](2, i);
      }
    }
    const Pack3Of<WidePack> theta = rotation_log_of(A);
    for (int l = 0; l < 8; ++l) {
      const Eigen::Vector3d expected = rotation_log(own[static_cast<std::size_t>(l)]);
      const Eigen::Vector3d found(theta.x[l], theta.y[l], theta.z[l]);
      // a few units in the last place of the matrix
      EXPECT_LE((found - expected).norm(), 1e-15 + 2e-15 * expected.norm()) << "lane " << l;
    }
  }
}

}  // namespace
}  // namespace semirec::test
