// A tyre that slides as a whole is pushed against its sliding.

#include "vehicles/tyre/sliding_friction.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "vehicles/tyre/read_tyre.hpp"

namespace semirec {
namespace {

const std::string kTyreFiles = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/tyres/";
constexpr double kDegree = std::numbers::pi / 180.0;

TyreSlip slipping(double size, double way) {
  TyreSlip slip;
  slip.load = 4500.0;
  slip.kappa = -size * std::cos(way);
  slip.tan_alpha = size * std::sin(way);
  slip.speed = 20.0;
  return slip;
}

TyreForces turned(const TyreLaw& law, const TyreSlip& slip) {
  TyreForces F = law.forces(slip);
  turn_against_sliding(slip, F);
  return F;
}

TEST(SlidingFriction, PointsAgainstTheSlidingAndKeepsItsSize) {
  for (const char* file : {"touring_225.tir", "touring_pac2002.tir"}) {
    const auto law = read_tyre_file(kTyreFiles + file, Side::left);
    for (double way = -175.0; way < 180.0; way += 12.5)
      for (const double size : {1.0, 1.3, 2.0, 50.0}) {
        SCOPED_TRACE(testing::Message() << file << " " << way << " " << size);
        const TyreSlip slip = slipping(size, way * kDegree);
        const TyreForces own = law->forces(slip);
        const TyreForces F = turned(*law, slip);
        // Coulomb: the force is opposite to (Vsx, Vsy) = |Vx| (-kappa, tan_alpha)
        EXPECT_NEAR(F.Fx * slip.tan_alpha + F.Fy * slip.kappa, 0.0, 1e-9 * size * 4500.0);
        EXPECT_GT(F.Fx * slip.kappa - F.Fy * slip.tan_alpha, 0.0);
        EXPECT_NEAR(std::hypot(F.Fx, F.Fy), std::hypot(own.Fx, own.Fy), 1e-9 * 4500.0);
      }
  }
}

TEST(SlidingFriction, LeavesSmallSlipsAlone) {
  const auto law = read_tyre_file(kTyreFiles + "touring_225.tir", Side::left);
  for (double way = -180.0; way < 180.0; way += 10.0)
    for (const double size : {0.0, 0.01, 0.1, 0.3, 0.499}) {
      const TyreSlip slip = slipping(size, way * kDegree);
      const TyreForces own = law->forces(slip);
      const TyreForces F = turned(*law, slip);
      EXPECT_EQ(F.Fx, own.Fx);
      EXPECT_EQ(F.Fy, own.Fy);
      EXPECT_EQ(F.Fx_kappa, own.Fx_kappa);
      EXPECT_EQ(F.Fy_tan_alpha, own.Fy_tan_alpha);
    }
}

TEST(SlidingFriction, SlopesAreThoseOfDifferences) {
  const auto law = read_tyre_file(kTyreFiles + "touring_225.tir", Side::left);
  for (double way = -170.0; way < 180.0; way += 20.0)
    for (const double size : {0.3, 0.49, 0.51, 0.6, 0.75, 0.9, 0.99, 1.01, 1.1}) {
      SCOPED_TRACE(testing::Message() << way << " " << size);
      const TyreSlip slip = slipping(size, way * kDegree);
      const TyreForces F = turned(*law, slip);
      const auto difference = [&](double TyreSlip::*argument, double TyreForces::*force) {
        constexpr double kStep = 1e-6;
        TyreSlip low = slip;
        TyreSlip high = slip;
        low.*argument -= kStep;
        high.*argument += kStep;
        return (turned(*law, high).*force - turned(*law, low).*force) / (2.0 * kStep);
      };
      // second differences of 1e5 N times the step, and rounding of 4e3 N over it
      constexpr double kDifferences = 0.1;
      EXPECT_NEAR(F.Fx_kappa, difference(&TyreSlip::kappa, &TyreForces::Fx), kDifferences);
      EXPECT_NEAR(F.Fy_kappa, difference(&TyreSlip::kappa, &TyreForces::Fy), kDifferences);
      EXPECT_NEAR(F.Fx_tan_alpha, difference(&TyreSlip::tan_alpha, &TyreForces::Fx), kDifferences);
      EXPECT_NEAR(F.Fy_tan_alpha, difference(&TyreSlip::tan_alpha, &TyreForces::Fy), kDifferences);
    }
}

TEST(SlidingFriction, NoForceStaysNone) {
  TyreForces none;
  turn_against_sliding(slipping(2.0, 1.0), none);
  EXPECT_EQ(none.Fx, 0.0);
  EXPECT_EQ(none.Fy, 0.0);
  EXPECT_EQ(none.Fx_kappa, 0.0);
}

}  // namespace
}  // namespace semirec
