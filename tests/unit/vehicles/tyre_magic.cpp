#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "vehicles/tyre/magic_stiffness.hpp"
#include "vehicles/tyre/magic_tyre.hpp"
#include "vehicles/tyre/read_tyre.hpp"
#include "vehicles/tyre/tir_file.hpp"

namespace semirec {
namespace {

const std::string kFolder = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/tyres/";
const std::string kTouring = kFolder + "touring_225.tir";
const std::string kPac2002 = kFolder + "touring_pac2002.tir";

/// Turn slip for the tyre of 6.1; invented numbers.
const std::string kTurnSlip =
    "\n[MODEL]\nUSE_MODE=5\n[TURNSLIP_COEFFICIENTS]\n"
    "PDXP1=0.35\nPDXP2=0.1\nPDXP3=0.6\nPKYP1=0.8\nPDYP1=0.45\nPDYP2=0.05\nPDYP3=0.2\nPDYP4=0.15\n"
    "PHYP1=1.1\nPHYP2=0.14\nPHYP3=0.02\nPHYP4=-3.5\nPECP1=0.55\nPECP2=0.04\nQDTP1=9\nQCRP1=0.22\n"
    "QCRP2=0.12\nQBRP1=0.15\nQDRP1=0.95\nQDRP2=-1.2\n";

std::shared_ptr<const TyreLaw> with(const std::string& path, const std::string& more,
                                    Side side = Side::left) {
  return read_tyre_text(read_tir_text(path) + more, path, side);
}

TyreSlip at(double load, double kappa, double tan_alpha, double gamma = 0.0, double turn_slip = 0.0,
            double speed = 20.0) {
  TyreSlip slip;
  slip.load = load;
  slip.kappa = kappa;
  slip.tan_alpha = tan_alpha;
  slip.gamma = gamma;
  slip.turn_slip = turn_slip;
  slip.speed = speed;
  return slip;
}

/// load, kappa, tan_alpha, gamma, turn slip, speed; Fx, Fy, Mx, My, Mz.
struct Point {
  std::array<double, 6> slip;
  std::array<double, 5> forces;
};

void expect_points(const TyreLaw& tyre, const std::vector<Point>& points, double relative) {
  for (const Point& point : points) {
    const auto& s = point.slip;
    const TyreForces f = tyre.forces(at(s[0], s[1], s[2], s[3], s[4], s[5]));
    SCOPED_TRACE(testing::Message()
                 << "load " << s[0] << " kappa " << s[1] << " tan_alpha " << s[2]);
    const std::array<double, 5> found{f.Fx, f.Fy, f.Mx, f.My, f.Mz};
    for (std::size_t i = 0; i < 5; ++i) {
      // 0.01 N or N m: what forces near zero are measured against
      const double scale = std::abs(point.forces[i]) + 0.01;
      // a locked wheel has no rolling resistance here
      if (i == 3 && s[1] <= -0.5) continue;
      EXPECT_NEAR(found[i], point.forces[i], relative * scale) << "component " << i;
    }
  }
}

/// Two implementations of the same equations in double precision.
constexpr double kSameEquations = 1e-10;

// y = D sin(C atan(Bx - E(Bx - atan Bx))), written out with 15 digits by mpmath 1.3.
TEST(MagicFormula, CurveMeetsMultiplePrecision) {
  const auto y = [](double B, double C, double D, double E, double x) {
    return magic_sine(broadcast(x), broadcast(B), C, D, broadcast(E))[0];
  };
  constexpr double kRounding = 1e-9;                                       // N
  EXPECT_NEAR(y(10, 1.9, 4000, 0.97, 0.1), 3823.36841233656, kRounding);   // mpmath
  EXPECT_NEAR(y(10, 1.9, 4000, 0.97, 0.05), 2942.47735028291, kRounding);  // mpmath
  EXPECT_NEAR(y(10, 1.9, 4000, 0.97, 1), 3658.08783205122, kRounding);     // mpmath
  EXPECT_NEAR(y(11, 1.3, 3800, -1.2, 0.1), 3599.61162599904, kRounding);   // mpmath
  EXPECT_NEAR(y(11, 1.3, 3800, -1.2, 0.05), 2473.57921966252, kRounding);  // mpmath
}

// Expected numbers: a second implementation in Python, written from the equations apart from this
// one, at the same operating points.
TEST(MagicFormula, Version61MeetsSecondImplementation) {
  const std::vector<Point> points{
      {{4500, 0, 0, 0, 0, 20},
       {0, -82.5218677447056, -0.316434717855481, -13.7778873046875, 4.66042208442939}},
      {{4500, 0, 0.05, 0, 0, 20},
       {0, -4075.01250160777, -33.4138506444593, -13.7778873046875, 123.046005448962}},
      {{4500, 0, -0.12, 0.03, 0, 20},
       {0, 4773.58547770325, 8.30111373342568, -13.7911875046875, -62.3481601570719}},
      {{3000, 0.04, 0, 0, 0, 12},
       {2400.67922070076, -98.8357878641826, -0.234204193127001, -9.26699117329014,
        11.0854685556433}},
      {{6500, -0.08, 0.06, -0.05, 0, 30},
       {-5841.93263813728, -4111.04601989852, 26.5713884260123, -20.4443114118583,
        105.932549778971}},
      {{2000, 0.2, -0.3, 0.1, 0, 8},
       {989.560116595657, 1537.98677325209, -49.7528751841133, -6.48452988593713, 17.264140987456}},
      {{8000, -0.5, 0.1, 0, 0, 40},
       {-6362.27611102597, -1409.12408201674, -14.3158602441933, -27.3926410422766,
        -30.1108348555929}},
      {{4500, -1, 0.4, -0.02, 0, 15},
       {-3039.70774962408, -1124.73050071107, 17.0481162739541, -13.4327206596863,
        -9.26775163783037}},
      {{5200, 0.02, 0.02, 0.08, 0, 25},
       {2429.96655796941, -2508.73709526797, -120.719952101748, -16.2298371305674,
        95.4212684942134}},
      {{700, 0.1, 0.15, -0.1, 0, 10},
       {447.20102077887, -625.219590869207, 18.9792747949981, -2.60492893708908,
        -3.21080754054857}},
      {{9500, 0.015, -0.04, 0.05, 0, 35},
       {3477.22763564854, 4117.72614623457, -30.6870105754987, -29.9389315721292,
        -278.26257637191}},
      {{4500, 0.3, 0.3, 0.15, 0, 5},
       {2434.72704810392, -2504.13528767823, -183.758746240885, -13.1713153019714,
        29.0350701911212}},
  };
  expect_points(*read_tyre_file(kTouring, Side::left), points, kSameEquations);
}

// As above.
TEST(MagicFormula, Pac2002MeetsSecondImplementation) {
  const std::vector<Point> points{
      {{4500, 0, 0, 0, 0, 20},
       {0, -120.773550979431, -1.98310170708225, -15.420593607753, 5.49362986729032}},
      {{4500, 0, 0.05, 0, 0, 20},
       {0, -4022.36671366931, -66.0472614384501, -15.420593607753, 115.717630047976}},
      {{4500, 0, -0.12, 0.03, 0, 20},
       {0, 4689.99094911837, 41.5424513845236, -15.420593607753, -67.9190604832062}},
      {{3000, 0.04, 0, 0, 0, 12},
       {2315.19523066083, -102.749113608903, -1.12476029697213, -9.87198123680077,
        9.2538474652235}},
      {{6500, -0.08, 0.06, -0.05, 0, 30},
       {-5824.15356493359, -4178.41131132599, -13.7186309461828, -23.9285583703299,
        101.872793816942}},
      {{2000, 0.2, -0.3, 0.1, 0, 8},
       {950.201851990241, 1541.16999947368, -41.2968838260632, -6.46396577454316,
        13.3955006532119}},
      {{8000, -0.5, 0.1, 0, 0, 40},
       {-6501.81063966399, -1545.41576132178, -45.1124032016066, -33.0462666609327,
        -29.1750058762334}},
      {{4500, -1, 0.4, -0.02, 0, 15},
       {-2995.70121420157, -1173.99275215279, 4.3678390096512, -15.0198924731917,
        -9.23425701824429}},
      {{5200, 0.02, 0.02, 0.08, 0, 25},
       {2372.2344623806, -2478.67829403612, -156.32251276844, -18.3941260098776, 96.3714095015653}},
      {{700, 0.1, 0.15, -0.1, 0, 10},
       {420.9982606887, -638.973518970555, 16.7583196384339, -2.2826254302774, -2.03075476648633}},
      {{9500, 0.015, -0.04, 0.05, 0, 35},
       {3552.77521665392, 4042.69848145474, 15.3458969160279, -36.7970526599158,
        -230.467616322941}},
      {{4500, 0.3, 0.3, 0.15, 0, 5},
       {2470.20068294297, -2537.54353997082, -219.002464926321, -14.3530711753144,
        22.4236887595413}},
  };
  expect_points(*read_tyre_file(kPac2002, Side::left), points, kSameEquations);
}

// As above; 1e-6: |spin| and its root are rounded off at zero here.
TEST(MagicFormula, TurnSlipMeetsSecondImplementation) {
  const std::vector<Point> points{
      {{4500, 0, 0.03, 0, 0.1, 5},
       {0, -2777.7425989415, -19.0483075507637, -12.8388103019714, 112.559053462268}},
      {{4500, 0, 0, 0, -0.3, 5},
       {0, -979.166685979794, -4.37969063994471, -12.8388103019714, -37.6241519330012}},
      {{3500, -0.1, 0.08, 0.05, 0.5, 5},
       {-3136.46448337384, -2666.30263693538, -58.1663164232304, -10.3276714501034,
        8.7991717519173}},
      {{6000, 0.05, -0.05, -0.08, -0.05, 5},
       {4728.23131388119, 4327.18714336162, 164.853226829722, -16.6187562353048,
        -110.996063991591}},
  };
  expect_points(*with(kTouring, kTurnSlip), points, 1e-6);
}

// As above, at 2.7 bar.
TEST(MagicFormula, InflationPressureMeetsSecondImplementation) {
  const std::vector<Point> points{
      {{5000, 0.05, -0.07, 0.04, 0, 22},
       {3398.89047407036, 4241.52098098713, -9.37770911021643, -14.364707717357,
        -72.1950690907186}},
  };
  expect_points(*with(kTouring, "\n[OPERATING_CONDITIONS]\nINFLPRES = 270000\n"), points,
                kSameEquations);
}

// In 6.x the trail takes the side force of a tyre that does not lean, its weight of combined slip
// included: what RBY4 adds to the weight by camber moves Fy, and of Mz the part that is its own
// force times the lateral offset alone, here none.
TEST(MagicFormula, TrailTakesTheWeightOfTheUprightTyre) {
  const std::string plain = "\n[ALIGNING_COEFFICIENTS]\nSSZ1=0\nSSZ2=0\nSSZ3=0\nSSZ4=0\n";
  const auto bent = with(kTouring, plain + "[LATERAL_COEFFICIENTS]\nRBY4=-60\n");
  const auto straight = with(kTouring, plain);
  const TyreForces b = bent->forces(at(4500, 0.2, 0.05, -0.15));
  const TyreForces s = straight->forces(at(4500, 0.2, 0.05, -0.15));
  EXPECT_GT(std::abs(b.Fy - s.Fy), 10.0);  // N
  EXPECT_NEAR(b.Mz, s.Mz, 1e-9 * std::abs(s.Mz));
}

TEST(MagicFormula, TouringTyreIsThatOfACar) {
  for (const std::string& path : {kTouring, kPac2002}) {
    SCOPED_TRACE(path);
    const auto tyre = read_tyre_file(path, Side::left);
    EXPECT_EQ(tyre->nominal_load(), 4500.0);
    // stiffness at 4500 N: 1.1e5 N/rad, within a tenth
    EXPECT_NEAR(tyre->forces(at(4500, 0, 0)).Fy_tan_alpha, -1.1e5, 1.1e4);
    double peak = 0.0;
    for (double t = -0.5; t < 0.5; t += 0.001)
      peak = std::max(peak, std::abs(tyre->forces(at(4500, 0, t)).Fy) / 4500);
    EXPECT_GT(peak, 1.0);
    EXPECT_LT(peak, 1.1);
    EXPECT_GT(tyre->relaxation_y(4500, 0), 0.4);
    EXPECT_LT(tyre->relaxation_y(4500, 0), 0.5);
    EXPECT_LT(tyre->effective_radius(4500, 50), tyre->unloaded_radius());
    EXPECT_GT(tyre->effective_radius(4500, 50), tyre->unloaded_radius() - 4500 / 2.1e5);
  }
}

// Signs in W axes of ISO: forces oppose slip; side force behind the centre turns the wheel back;
// leaning to the right pulls to the right and turns to the right; a turning wheel is held back.
TEST(MagicFormula, SignsAreThoseOfWAxes) {
  const auto tyre = with(kTouring, kTurnSlip);
  EXPECT_GT(tyre->forces(at(4500, 0.05, 0)).Fx, 1000.0);
  const TyreForces slipping = tyre->forces(at(4500, 0, 0.03));
  EXPECT_LT(slipping.Fy, -1000.0);
  EXPECT_GT(slipping.Mz, 20.0);
  const TyreForces rolling = tyre->forces(at(4500, 0, 0));
  const TyreForces leaning = tyre->forces(at(4500, 0, 0, 0.05));
  EXPECT_LT(leaning.Fy, rolling.Fy - 100.0);
  const auto upright = read_tyre_file(kTouring, Side::left);
  EXPECT_LT(upright->forces(at(4500, 0, 0, 0.05)).Mz, upright->forces(at(4500, 0, 0)).Mz);
  // turn slip is -yaw rate / speed: this wheel turns to the left
  const TyreForces turning = tyre->forces(at(4500, 0, 0, 0, -0.2));
  EXPECT_LT(turning.Mz, rolling.Mz - 10.0);
  EXPECT_LT(turning.Fy, rolling.Fy - 100.0);
  EXPECT_LT(rolling.My, 0.0);
  EXPECT_GT(tyre->forces(at(4500, 0, 0, 0, 0, -20)).My, 0.0);
}

// Turned by half a turn about the normal, a tyre without shifts rolls backwards: the trail is on
// the other side, and so is the torque.
TEST(MagicFormula, ReverseTurnsTheTorqueOnly) {
  const auto tyre = with(kTouring,
                         "\n[SCALING_COEFFICIENTS]\nLHY=0\nLVY=0\nLRES=0\nLVYKA=0\n"
                         "[LATERAL_COEFFICIENTS]\nPEY3=0\n[ALIGNING_COEFFICIENTS]\n"
                         "QHZ1=0\nQHZ2=0\nQEZ4=0\nSSZ1=0\n");
  const TyreForces forward = tyre->forces(at(4500, 0.02, 0.04, 0, 0, 10));
  const TyreForces back = tyre->forces(at(4500, 0.02, 0.04, 0, 0, -10));
  EXPECT_DOUBLE_EQ(forward.Fx, back.Fx);
  EXPECT_DOUBLE_EQ(forward.Fy, back.Fy);
  const double offset = tyre->forces(at(4500, 0.02, 0.04, 0, 0, 0)).Mz;  // s Fx, which stays
  EXPECT_NEAR(forward.Mz - offset, -(back.Mz - offset), 1e-9);
  EXPECT_GT(std::abs(forward.Mz - offset), 20.0);
}

TEST(MagicFormula, SmallSlipHasTheSlopeOfTheFile) {
  const auto tyre = read_tyre_file(kPac2002, Side::left);
  const auto& p = dynamic_cast<const MagicTyre&>(*tyre).parameters();
  for (const double load : {1000.0, 4500.0, 9000.0}) {
    // PHX* and PVX* of this file are zero: the curve's slope at zero is B C D = Kx
    const double K = magic_slip_stiffness(p, broadcast(load))[0];
    EXPECT_NEAR(tyre->forces(at(load, 0, 0)).Fx_kappa, K, 1e-6 * K);
  }
}

// At large slip a curve with E < 1 tends to D sin(C pi / 2).
TEST(MagicFormula, LargeSlipTendsToSlidingFriction) {
  const double far =
      magic_sine(broadcast(1e9), broadcast(12.0), 1.4, broadcast(3000.0), broadcast(0.3))[0];
  EXPECT_NEAR(far, 3000.0 * std::sin(1.4 * std::acos(0.0)), 1e-4);  // tail of atan: C D / (B x)
  for (const std::string& path : {kTouring, kPac2002}) {
    const auto tyre = read_tyre_file(path, Side::left);
    for (double angle = 0.0; angle < 6.28; angle += 0.1) {
      const TyreForces f = tyre->forces(at(4500, std::cos(angle), std::sin(angle)));
      EXPECT_LT(std::hypot(f.Fx, f.Fy), 1.2 * 4500) << angle;
      EXPECT_GT(std::hypot(f.Fx, f.Fy), 0.5 * 4500) << angle;
    }
  }
}

/// The slopes a law gives against central differences; kinks of ranges are left out by the caller.
void expect_slopes(const TyreLaw& tyre, const TyreSlip& slip, double scale) {
  const TyreForces f = tyre.forces(slip);
  const auto difference = [&](double TyreSlip::*argument, double TyreForces::*force) {
    const double step = 2e-6 * (1.0 + std::abs(slip.*argument));
    TyreSlip low = slip;
    TyreSlip high = slip;
    low.*argument -= step;
    high.*argument += step;
    return (tyre.forces(high).*force - tyre.forces(low).*force) / (2.0 * step);
  };
  // third derivatives are below 1e9 N: 1e9 * (2e-6)^2 / 6, and rounding of 1e4 N over 4e-6
  const double bound = 2e-3 * scale;
  EXPECT_NEAR(f.Fx_kappa, difference(&TyreSlip::kappa, &TyreForces::Fx), bound);
  EXPECT_NEAR(f.Fy_kappa, difference(&TyreSlip::kappa, &TyreForces::Fy), bound);
  EXPECT_NEAR(f.Fx_tan_alpha, difference(&TyreSlip::tan_alpha, &TyreForces::Fx), bound);
  EXPECT_NEAR(f.Fy_tan_alpha, difference(&TyreSlip::tan_alpha, &TyreForces::Fy), bound);
}

class MagicTyres : public testing::TestWithParam<std::pair<std::string, std::string>> {
 protected:
  std::shared_ptr<const TyreLaw> tyre(Side side = Side::left) const {
    return with(GetParam().first, GetParam().second, side);
  }
};

TEST_P(MagicTyres, SlopesAreThoseOfDifferences) {
  const auto law = tyre();
  for (const double load : {1e-3, 50.0, 800.0, 4500.0, 9000.0, 2e4})
    for (const double kappa : {-1e3, -1.0, -0.3, -0.04, 0.003, 0.11, 0.9, 7.0, 1e3})
      for (const double tan_alpha : {-1e3, -2.0, -0.2, -0.015, 0.004, 0.06, 0.7, 5.0, 1e3})
        for (const double speed : {-15.0, 0.3, 25.0}) {
          SCOPED_TRACE(testing::Message()
                       << load << " " << kappa << " " << tan_alpha << " " << speed);
          expect_slopes(*law, at(load, kappa, tan_alpha, 0.03, 0.02, speed), 1.0 + load / 4500.0);
        }
}

// Along lines through the whole space of slips no step is larger than the line's stiffest slope.
TEST_P(MagicTyres, ForcesAreContinuous) {
  const auto law = tyre();
  const std::vector<std::function<TyreSlip(double)>> lines{
      [](double u) { return at(4500, 3.0 * u, 0.1, 0.05, 0.1); },
      [](double u) { return at(4500, -0.05, 3.0 * u, -0.05, 0.1); },
      [](double u) { return at(4500, 0.02, 0.03, 0.5 * u, 0.0); },
      [](double u) { return at(4500, 0.02, 0.03, 0.02, 2.0 * u); },
      [](double u) { return at(6000.0 * (1.0 + u), 0.05, 0.05, 0.03, 0.01); },
      [](double u) { return at(4500, 0.05, 0.05, 0.03, 0.01, 3.0 * u); },
      [](double u) { return at(4500, u, u, 0.1 * u, u, 3.0 * u); }};
  constexpr int kSteps = 10000;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    TyreForces before = law->forces(lines[k](-1.0));
    for (int i = 1; i <= kSteps; ++i) {
      const TyreForces now = law->forces(lines[k](-1.0 + 2.0 * i / kSteps));
      // 3e5 N per unit of slip times the step of 6e-4, 180 N; torques over 0.3 m
      ASSERT_LT(std::abs(now.Fx - before.Fx), 180.0) << "line " << k << " step " << i;
      ASSERT_LT(std::abs(now.Fy - before.Fy), 180.0) << "line " << k << " step " << i;
      ASSERT_LT(std::abs(now.Mx - before.Mx), 60.0) << "line " << k << " step " << i;
      ASSERT_LT(std::abs(now.My - before.My), 60.0) << "line " << k << " step " << i;
      ASSERT_LT(std::abs(now.Mz - before.Mz), 60.0) << "line " << k << " step " << i;
      before = now;
    }
  }
}

// The slope goes through the slip at which a curve has its kink E(sign) without a jump.
TEST_P(MagicTyres, SlopesAreContinuousInside) {
  const auto law = tyre();
  TyreForces before = law->forces(at(4500, -1.0, 0.03));
  for (int i = 1; i <= 20000; ++i) {
    const TyreForces now = law->forces(at(4500, -1.0 + 1e-4 * i, 0.03));
    // second derivatives are below 4e7 N: 4e3 N over 1e-4
    ASSERT_LT(std::abs(now.Fx_kappa - before.Fx_kappa), 4e3) << i;
    ASSERT_LT(std::abs(now.Fy_tan_alpha - before.Fy_tan_alpha), 4e3) << i;
    before = now;
  }
}

TEST_P(MagicTyres, AnythingFiniteGivesSomethingFinite) {
  const auto law = tyre();
  const double most = std::numeric_limits<double>::max();
  const std::vector<double> values{-most, -1e3, -1.0, -1e-300, 0.0, 1e-300, 1e-3, 1.0, 1e3, most};
  for (const double load : {-1.0, 0.0, 1e-300, 1.0, 4500.0, most})
    for (const double kappa : values)
      for (const double tan_alpha : values)
        for (const double other : values) {
          TyreSlip slip = at(load, kappa, tan_alpha, other, other, other);
          slip.friction = std::abs(other);
          const TyreForces f = law->forces(slip);
          for (const double value : {f.Fx, f.Fy, f.Mx, f.My, f.Mz, f.Fx_kappa, f.Fx_tan_alpha,
                                     f.Fy_kappa, f.Fy_tan_alpha})
            ASSERT_TRUE(std::isfinite(value))
                << load << " " << kappa << " " << tan_alpha << " " << other;
        }
  for (const double value : {-most, -1.0, 0.0, 1.0, most}) {
    EXPECT_TRUE(std::isfinite(law->effective_radius(value, value)));
    EXPECT_GT(law->effective_radius(value, value), 0.0);
    EXPECT_GT(law->relaxation_x(value, value), 0.0);
    EXPECT_GT(law->relaxation_y(value, value), 0.0);
    EXPECT_TRUE(std::isfinite(law->relaxation_x(value, value)));
    EXPECT_TRUE(std::isfinite(law->relaxation_y(value, value)));
  }
}

// A mirror swaps left and right: what is lateral, and what turns about x or z, changes its sign.
TEST_P(MagicTyres, OtherSideIsTheMirror) {
  const auto left = tyre(Side::left);
  const auto right = tyre(Side::right);
  for (const double kappa : {-0.1, 0.0, 0.2})
    for (const double tan_alpha : {-0.1, 0.0, 0.3})
      for (const double gamma : {-0.05, 0.0, 0.1}) {
        const TyreForces a = left->forces(at(4000, kappa, tan_alpha, gamma, 0.03));
        const TyreForces b = right->forces(at(4000, kappa, -tan_alpha, -gamma, -0.03));
        EXPECT_EQ(a.Fx, b.Fx);
        EXPECT_EQ(a.Fy, -b.Fy);
        EXPECT_EQ(a.Mx, -b.Mx);
        EXPECT_EQ(a.My, b.My);
        EXPECT_EQ(a.Mz, -b.Mz);
        EXPECT_EQ(a.Fx_kappa, b.Fx_kappa);
        EXPECT_EQ(a.Fx_tan_alpha, -b.Fx_tan_alpha);
        EXPECT_EQ(a.Fy_kappa, -b.Fy_kappa);
        EXPECT_EQ(a.Fy_tan_alpha, b.Fy_tan_alpha);
      }
}

TEST_P(MagicTyres, NoLoadAndNoFrictionGiveNoForce) {
  const auto law = tyre();
  const TyreForces none = law->forces(at(0, 0.1, 0.1));
  EXPECT_EQ(none.Fx, 0.0);
  EXPECT_EQ(none.Fy, 0.0);
  EXPECT_EQ(none.Mz, 0.0);
  TyreSlip ice = at(4500, 0.1, 0.1);
  ice.friction = 0.0;
  EXPECT_EQ(law->forces(ice).Fx, 0.0);
  EXPECT_EQ(law->forces(ice).Fy, 0.0);
  // half the friction: at large slip half the force
  TyreSlip wet = at(4500, 0, 1.0);
  const double dry = law->forces(wet).Fy;
  wet.friction = 0.5;
  EXPECT_NEAR(law->forces(wet).Fy, 0.5 * dry, 0.02 * std::abs(dry));  // the peak moves, too
}

TEST_P(MagicTyres, RangesHoldAndTell) {
  const auto law = tyre();
  EXPECT_FALSE(law->forces(at(4500, 0.1, 0.1, 0.05)).clamped);
  EXPECT_EQ(law->forces(at(4500, 5.0, 0.1, 0.05)).clamped, tyre_clamped::kKappa);
  EXPECT_EQ(law->forces(at(4500, 0.1, 0.1, 0.5)).clamped, tyre_clamped::kGamma);
  EXPECT_EQ(law->forces(at(50, 0.1, 0.1)).clamped, tyre_clamped::kLoad);
  EXPECT_EQ(law->forces(at(30000, 0.1, 0.1)).clamped, tyre_clamped::kLoad);
  EXPECT_EQ(law->forces(at(30000, 0.1, 1e3, -0.5)).clamped,
            tyre_clamped::kLoad | tyre_clamped::kAlpha | tyre_clamped::kGamma);
  EXPECT_EQ(law->forces(at(4500, 5.0, 0.1)).Fx, law->forces(at(4500, 500.0, 0.1)).Fx);
  EXPECT_NEAR(law->forces(at(50, 0.1, 0.1)).Fx, 0.5 * law->forces(at(100, 0.1, 0.1)).Fx, 1e-9);
}

TEST_P(MagicTyres, LoadRisesWithDeflectionAndHasItsSlope) {
  const auto law = tyre();
  for (const double omega : {0.0, 60.0, -150.0})
    for (double deflection = -0.05; deflection < 0.15; deflection += 0.001) {
      const TyreLoad here = law->load(deflection, 0.0, omega);
      const double difference = (law->load(deflection + 1e-6, 0.0, omega).load -
                                 law->load(deflection - 1e-6, 0.0, omega).load) /
                                2e-6;
      EXPECT_GT(here.stiffness, 1e5);
      EXPECT_NEAR(here.stiffness, difference, 20.0);  // 1e7 N/m^2 of curvature, kinks
      EXPECT_NEAR(law->load(deflection, 0.1, omega).load, here.load + 0.1 * here.damping, 1e-9);
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, MagicTyres,
    testing::Values(std::pair(kTouring, std::string()), std::pair(kTouring, kTurnSlip),
                    std::pair(kPac2002, std::string()),
                    // without weights: ellipse of friction
                    std::pair(kPac2002, std::string("\n[LATERAL_COEFFICIENTS]\nRBY1 = 0\n"))));

// In no direction and at no slip is the force beyond the ellipse whose axes are PDX1 Fz and PDY1 Fz
// (the camber and shift of this file add 1 %); two pure forces at once would reach 1.2 and more.
TEST(MagicFormula, EllipseOfFrictionIsNoSquare) {
  const auto tyre = with(kPac2002, "\n[LATERAL_COEFFICIENTS]\nRBY1 = 0\n");
  double most = 0.0;
  for (double angle = 0.0; angle < 6.28; angle += 0.05)
    for (double size = 0.01; size < 2.0; size *= 1.1) {
      const TyreForces f = tyre->forces(at(4500, size * std::cos(angle), size * std::sin(angle)));
      most = std::max(most, std::hypot(f.Fx / (1.14 * 4500), f.Fy / (1.04 * 4500)));
    }
  EXPECT_LT(most, 1.02);
  EXPECT_GT(most, 0.98);
  // and rest is its own limit
  EXPECT_NEAR(tyre->forces(at(4500, 1e-8, 1e-8)).Fx_kappa, tyre->forces(at(4500, 0, 0)).Fx_kappa,
              1.0);
}

// Q_FZ2 bends the load: QFZ1 follows from the stiffness at the nominal load's tangent form
// (Cz R0 / Fz0)^2 = QFZ1^2 + 4 QFZ2, and then F(rho) = Fz0 (QFZ1 r + QFZ2 r^2).
TEST(MagicFormula, LoadIsTheParabolaOfTheFile) {
  const auto tyre = read_tyre_file(kTouring, Side::left);
  const double q1 = std::sqrt(std::pow(215000 * 0.3284 / 4500, 2) - 4 * 14.0);
  const double r = 0.02 / 0.3284;
  EXPECT_NEAR(tyre->load(0.02, 0, 0).load, 4500 * (q1 * r + 14.0 * r * r), 1e-9);
  // faster: grown by QV1 v^2 R0, stiffened by QV2 v, with v = omega R0 / V0
  const double v = 60 * 0.3284 / 16.0;
  const double grown = r + 0.0006 * v * v;
  EXPECT_NEAR(tyre->load(0.02, 0, 60).load,
              (1 + 0.035 * v) * 4500 * (q1 * grown + 14.0 * grown * grown), 1e-9);
}

TEST(MagicFormula, MeasuredLoadCurveIsFollowed) {
  const auto tyre =
      with(kPac2002, "\n[DEFLECTION_LOAD_CURVE]\n{pen fz}\n0 0\n0.01 1800\n0.03 6500\n");
  EXPECT_NEAR(tyre->load(0.005, 0, 0).load, 900, 1e-9);
  EXPECT_NEAR(tyre->load(0.02, 0, 0).load, 4150, 1e-9);
  EXPECT_NEAR(tyre->load(0.04, 0, 0).load, 8850, 1e-9);  // the last slope goes on
  EXPECT_NEAR(tyre->load(-0.01, 0, 0).load, -1800, 1e-9);
}

// PAC2002: sigma_kappa = F (PTX1 + PTX2 dfz) exp(-PTX3 dfz) R0/Fz0, Fz0 that of the file;
// sigma_alpha = PTY1 sin(2 atan(F/(PTY2 Fz0'))) R0 LFZO; dfz and Fz0' = LFZO Fz0 are scaled.
TEST(MagicFormula, RelaxationTakesTheNominalLoadsOfTheBook) {
  for (const double scale : {1.0, 0.81, 0.58}) {
    const auto tyre =
        with(kPac2002, "\n[SCALING_COEFFICIENTS]\nLFZO = " + std::to_string(scale) + "\n");
    const double R0 = tyre->unloaded_radius();
    for (const double load : {1500.0, 4500.0, 7000.0}) {
      const double nominal = 4500.0 * scale;
      const double dfz = (load - nominal) / nominal;
      const double x = load / 4500.0 * (1.05 + 0.35 * dfz) * std::exp(-0.12 * dfz) * R0;
      EXPECT_NEAR(tyre->relaxation_x(load, 0.0), x, 1e-12) << scale << " " << load;
      const double y = 1.55 * std::sin(2.0 * std::atan(load / (1.9 * nominal))) * R0 * scale;
      EXPECT_NEAR(tyre->relaxation_y(load, 0.0), y, 1e-12) << scale << " " << load;
    }
  }
}

/// Power of the rolling resistance at a speed and slip, over the size of the rotation, N: omega R_e
/// is Vx + kappa |Vx|.
double power_of_rolling(const TyreLaw& tyre, double speed, double kappa) {
  return tyre.forces(at(4500, kappa, 0.0, 0.0, 0.0, speed)).My * (speed + kappa * std::abs(speed));
}

// Whatever the speed and the slip, also where both fade: it takes power.
TEST(MagicFormula, RollingResistanceDrivesNoWheel) {
  for (const std::string& file : {kTouring, kPac2002}) {
    const auto tyre = with(file, "");
    for (const double v : {0.0, 0.01, 0.05, 0.2, 0.5, 0.9, 1.1, 10.0})
      for (const double forward : {-1.0, 1.0})
        for (int k = -15; k <= 15; ++k)
          EXPECT_LE(power_of_rolling(*tyre, forward * v, 0.1 * k), 0.0)
              << file << " at " << forward * v << " m/s, kappa " << 0.1 * k;
    // locked
    for (const double v : {0.0, 0.1, 0.2, 1.0})
      EXPECT_EQ(tyre->forces(at(4500, -1.0, 0.0, 0.0, 0.0, v)).My, 0.0) << v;
  }
}

// The weights of combined slip and the trail are cosines, even in B (closed form).
TEST(MagicFormula, FactorsWithinCosinesCountWithEitherSign) {
  const TyreSlip both = at(4500, 0.12, -0.12);
  const TyreForces f = with(kPac2002, "")->forces(both);
  std::vector<std::string> notes;
  const MagicParameters p =
      read_magic_parameters(parse_tir(read_tir_text(kPac2002), "t.tir"), Side::left, notes);
  const auto minus = [](const char* key, double value) {
    return std::string("\n") + key + " = " + std::to_string(-value);
  };
  const auto turned = read_tyre_text(
      read_tir_text(kPac2002) + "\n[LONGITUDINAL_COEFFICIENTS]" + minus("RBX1", p.c.RBX1) +
          minus("RBX3", p.c.RBX3) + "\n[LATERAL_COEFFICIENTS]" + minus("RBY1", p.c.RBY1) +
          minus("RBY4", p.c.RBY4) + "\n[ALIGNING_COEFFICIENTS]" + minus("QBZ1", p.c.QBZ1) +
          minus("QBZ2", p.c.QBZ2) + minus("QBZ3", p.c.QBZ3) + "\n",
      "t.tir", Side::left, &notes);
  EXPECT_NEAR(turned->forces(both).Fx, f.Fx, 1e-6 * std::abs(f.Fx));
  EXPECT_NEAR(turned->forces(both).Fy, f.Fy, 1e-6 * std::abs(f.Fy));
  EXPECT_NEAR(turned->forces(both).Mz, f.Mz, 1e-6 * std::abs(f.Mz));
  EXPECT_TRUE(std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
    return note.find("RBX1, RBY1, QBZ1: below zero") != std::string::npos;
  }));
}

// D sin(C atan(B x ...)) with B = K/(C D) is the same with D of the other sign; SVyk is in
// proportion to D, so RVY keep its part, B C to 1/D, so QBZ10 does.
TEST(MagicFormula, APeakBelowZeroIsTheSameTyre) {
  std::vector<std::string> notes;
  const MagicParameters p =
      read_magic_parameters(parse_tir(read_tir_text(kPac2002), "t.tir"), Side::left, notes);
  std::string lines = "\n[ALIGNING_COEFFICIENTS]\nQBZ10 = -0.7\n[LATERAL_COEFFICIENTS]";
  for (const auto& [key, value] :
       {std::pair("PDY1", p.c.PDY1), std::pair("PDY2", p.c.PDY2), std::pair("RVY1", p.c.RVY1),
        std::pair("RVY2", p.c.RVY2), std::pair("RVY3", p.c.RVY3)})
    lines += std::string("\n") + key + " = " + std::to_string(-value);
  const auto turned = with(kPac2002, lines + "\n");
  const auto tyre = with(kPac2002, "\n[ALIGNING_COEFFICIENTS]\nQBZ10 = 0.7\n");
  for (const double kappa : {-0.1, 0.0, 0.05})
    for (const double tan_alpha : {-0.1, 0.02}) {
      const TyreSlip slip = at(5000, kappa, tan_alpha, 0.03);
      EXPECT_NEAR(turned->forces(slip).Fy, tyre->forces(slip).Fy, 1e-3);
      EXPECT_NEAR(turned->forces(slip).Mz, tyre->forces(slip).Mz, 1e-3);
    }
}

// The last digit of USE_MODE has turn slip with 5 alone.
TEST(MagicFormula, TurnsOnlyWhereUseModeSaysSo) {
  const TyreSlip turning = at(4500, 0.0, 0.0, 0.0, 0.1);
  std::vector<std::string> notes;
  const auto tyre = [&](const std::string& digits) {
    notes.clear();
    return read_tyre_text(
        read_tir_text(kTouring) + kTurnSlip + "[MODEL]\nUSE_MODE = " + digits + "\n", "t.tir",
        Side::left, &notes);
  };
  const TyreForces without = with(kTouring, "")->forces(turning);
  for (const char* digits : {"4", "14"}) {
    EXPECT_EQ(tyre(digits)->forces(turning).Fy, without.Fy);
    EXPECT_TRUE(std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
      return note.find("[TURNSLIP_COEFFICIENTS] not used") != std::string::npos;
    }));
  }
  for (const char* digits : {"5", "25"}) EXPECT_NE(tyre(digits)->forces(turning).Fy, without.Fy);
}

// The modes leave out what they name.
TEST(MagicFormula, UseModeChoosesForces) {
  const auto mode = [](const std::string& digits) {
    return with(kTouring, "\n[MODEL]\nUSE_MODE = " + digits + "\n")->forces(at(4500, 0.05, 0.05));
  };
  EXPECT_EQ(mode("0").Fx, 0.0);
  EXPECT_EQ(mode("0").Fy, 0.0);
  EXPECT_GT(mode("1").Fx, 0.0);
  EXPECT_EQ(mode("1").Fy, 0.0);
  EXPECT_EQ(mode("2").Fx, 0.0);
  EXPECT_LT(mode("12").Fy, 0.0);
  EXPECT_GT(mode("3").Fx, mode("4").Fx);
  EXPECT_LT(mode("3").Fy, mode("4").Fy);
  // mirrored
  EXPECT_EQ(mode("-4").Fy, with(kTouring, "", Side::right)->forces(at(4500, 0.05, 0.05)).Fy);
}

}  // namespace
}  // namespace semirec
