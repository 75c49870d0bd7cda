#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "topology/mechanism.hpp"
#include "vehicles/tyre/calspan.hpp"
#include "vehicles/tyre/calspan_tyre.hpp"
#include "vehicles/tyre/fiala_tyre.hpp"
#include "vehicles/tyre/foreign_tyre.hpp"
#include "vehicles/tyre/linear_tyre.hpp"
#include "vehicles/tyre/tmeasy_tyre.hpp"

namespace semirec {
namespace {

RadialTyre radial() {
  RadialTyre r;
  r.radius = 0.32;
  r.stiffness = 2e5;
  r.damping = 50.0;
  r.nominal_load = 4000.0;
  r.rolling_resistance = 0.01;
  return r;
}

LinearTyreParameters linear() {
  LinearTyreParameters p;
  p.radial = radial();
  p.slip_stiffness = 1.2e5;
  p.cornering_stiffness = 9e4;
  p.camber_stiffness = 4e3;
  p.trail = 0.03;
  return p;
}

FialaTyreParameters fiala() {
  FialaTyreParameters p;
  p.radial = radial();
  p.slip_stiffness = 1.2e5;
  p.cornering_stiffness = 9e4;
  p.camber_stiffness = 4e3;
  p.friction = 1.05;
  p.friction_fall = 0.1;
  p.contact_half_length = 0.07;
  return p;
}

TmeasyTyreParameters tmeasy() {
  TmeasyTyreParameters p;
  p.radial = radial();
  p.x[0] = {1.1e5, 0.11, 4300, 0.5, 4000};
  p.x[1] = {2.0e5, 0.12, 8200, 0.6, 7600};
  p.y[0] = {8.5e4, 0.16, 4100, 0.6, 3900};
  p.y[1] = {1.45e5, 0.18, 7700, 0.7, 7400};
  p.trail[0] = {0.17, 0.2, 0.35};
  p.trail[1] = {0.19, 0.21, 0.36};
  p.camber_slip = 0.05;
  return p;
}

CalspanCoefficients calspan() {
  CalspanCoefficients c;
  c.A0 = 8000;
  c.A1 = 50;
  c.A2 = 6000;
  c.A3 = 1;
  c.A4 = 3900;
  c.B1 = -1e-5;
  c.B3 = 1.0;
  c.SN = 1.0;
  c.AF1 = -6e-6;
  c.AF2 = 1e-6;
  return c;
}

int brush(const ForeignTyreState* state, ForeignTyreForces* forces, void* user) {
  TyreSlip slip;
  slip.load = state->load;
  slip.kappa = state->kappa;
  slip.tan_alpha = state->tan_alpha;
  slip.gamma = state->gamma;
  slip.turn_slip = state->turn_slip;
  slip.speed = state->speed;
  slip.friction = state->friction;
  const TyreForces f = static_cast<const TyreLaw*>(user)->forces(slip);
  *forces = {f.Fx, f.Fy, f.Mx, f.My, f.Mz};
  return 0;
}

struct Named {
  std::string name;
  std::shared_ptr<const TyreLaw> law;
};

std::vector<Named> all() {
  static FialaTyre inner(fiala());
  return {{"linear", std::make_shared<LinearTyre>(linear())},
          {"fiala", std::make_shared<FialaTyre>(fiala())},
          {"tmeasy", std::make_shared<TmeasyTyre>(tmeasy())},
          {"calspan", std::make_shared<CalspanTyre>(radial(), calspan())},
          {"foreign", std::make_shared<ForeignTyre>(radial(), "brush", brush, &inner)}};
}

TyreSlip at(double load, double kappa, double tan_alpha, double gamma = 0.0, double speed = 20.0) {
  TyreSlip slip;
  slip.load = load;
  slip.kappa = kappa;
  slip.tan_alpha = tan_alpha;
  slip.gamma = gamma;
  slip.speed = speed;
  return slip;
}

TEST(SimpleTyres, SlopesAreThoseOfDifferences) {
  for (const Named& tyre : all()) {
    for (const double load : {5.0, 900.0, 4000.0, 7000.0})
      for (const double kappa : {-20.0, -1.7, -0.5, -0.03, 0.002, 0.09, 0.7, 30.0})
        for (const double tan_alpha : {-40.0, -1.0, -0.07, 0.013, 0.21, 3.0}) {
          SCOPED_TRACE(testing::Message()
                       << tyre.name << " " << load << " " << kappa << " " << tan_alpha);
          const TyreForces f = tyre.law->forces(at(load, kappa, tan_alpha, 0.04));
          const auto difference = [&](double TyreSlip::*argument, double TyreForces::*force) {
            TyreSlip low = at(load, kappa, tan_alpha, 0.04);
            const double step = 1e-6 * (1.0 + std::abs(low.*argument));
            TyreSlip high = low;
            low.*argument -= step;
            high.*argument += step;
            return (tyre.law->forces(high).*force - tyre.law->forces(low).*force) / (2.0 * step);
          };
          // third derivatives times step^2, and rounding of 1e6 N over the step
          constexpr double kBound = 0.3;
          EXPECT_NEAR(f.Fx_kappa, difference(&TyreSlip::kappa, &TyreForces::Fx), kBound);
          EXPECT_NEAR(f.Fx_tan_alpha, difference(&TyreSlip::tan_alpha, &TyreForces::Fx), kBound);
          EXPECT_NEAR(f.Fy_kappa, difference(&TyreSlip::kappa, &TyreForces::Fy), kBound);
          // where the polynomial's slope would push it gives none
          if (tyre.name != "calspan" || f.Fy_tan_alpha != 0.0) {
            EXPECT_NEAR(f.Fy_tan_alpha, difference(&TyreSlip::tan_alpha, &TyreForces::Fy), kBound);
          }
        }
  }
}

TEST(SimpleTyres, ForcesAreContinuous) {
  constexpr int kSteps = 20000;
  for (const Named& tyre : all()) {
    const auto line = [](int k, double u) {
      if (k == 0) return at(4000, 3.0 * u, 0.05, 0.03);
      if (k == 1) return at(4000, 0.03, 3.0 * u, -0.03);
      if (k == 2) return at(5000 * (1.0 + u), -0.04, 0.04);
      if (k == 3) return at(4000, 0.05, 0.06, 0.3 * u);
      return at(4000, -1.0 + u, u, 0.1, 2.0 * u);
    };
    for (int k = 0; k < 5; ++k) {
      TyreForces before = tyre.law->forces(line(k, -1.0));
      for (int i = 1; i <= kSteps; ++i) {
        const TyreForces now = tyre.law->forces(line(k, -1.0 + 2.0 * i / kSteps));
        // 2e5 N per unit of slip times the step of 3e-4, 60 N; torques over 0.3 m
        ASSERT_LT(std::abs(now.Fx - before.Fx), 60.0) << tyre.name << " line " << k << " " << i;
        ASSERT_LT(std::abs(now.Fy - before.Fy), 60.0) << tyre.name << " line " << k << " " << i;
        ASSERT_LT(std::abs(now.My - before.My), 20.0) << tyre.name << " line " << k << " " << i;
        ASSERT_LT(std::abs(now.Mz - before.Mz), 20.0) << tyre.name << " line " << k << " " << i;
        before = now;
      }
    }
  }
}

TEST(SimpleTyres, AnythingFiniteGivesSomethingFinite) {
  const double most = std::numeric_limits<double>::max();
  const std::vector<double> values{-most, -1e3, -1.0, -1e-300, 0.0, 1e-160, 1.0, 1e3, most};
  for (const Named& tyre : all())
    for (const double load : {-1.0, 0.0, 1e-300, 1e-160, 1.0, 4000.0, most})
      for (const double kappa : values)
        for (const double tan_alpha : values)
          for (const double other : values) {
            TyreSlip slip = at(load, kappa, tan_alpha, other, other);
            slip.friction = std::abs(other);
            const TyreForces f = tyre.law->forces(slip);
            for (const double value : {f.Fx, f.Fy, f.Mx, f.My, f.Mz, f.Fx_kappa, f.Fx_tan_alpha,
                                       f.Fy_kappa, f.Fy_tan_alpha})
              ASSERT_TRUE(std::isfinite(value))
                  << tyre.name << " " << load << " " << kappa << " " << tan_alpha << " " << other;
            if (load <= 0.0) {
              ASSERT_EQ(f.Fx, 0.0) << tyre.name;
            }
          }
}

TEST(SimpleTyres, ForcesOpposeSlipAndTorqueTurnsBack) {
  for (const Named& tyre : all()) {
    SCOPED_TRACE(tyre.name);
    const TyreForces f = tyre.law->forces(at(4000, 0.0, 0.03));
    EXPECT_LT(f.Fy, -500.0);
    EXPECT_GT(f.Mz, 1.0);
    EXPECT_LT(f.Fy_tan_alpha, -1e4);
    EXPECT_LT(f.My, 0.0);
    if (tyre.name != "calspan") {
      EXPECT_GT(tyre.law->forces(at(4000, 0.03, 0.0)).Fx, 500.0);
    }
    EXPECT_GT(tyre.law->forces(at(4000, 0.0, 0.03, 0.0, -20.0)).My, 0.0);
    EXPECT_LT(tyre.law->forces(at(4000, 0.0, 0.03, 0.0, -20.0)).Mz, -1.0);
  }
}

// omega R_e = Vx + kappa |Vx|: whatever the speed and the slip it takes power.
TEST(SimpleTyres, RollingResistanceDrivesNoWheel) {
  for (const Named& named : all())
    for (const double v : {0.0, 0.01, 0.1, 0.3, 0.6, 10.0})
      for (const double forward : {-1.0, 1.0})
        for (int k = -15; k <= 15; ++k) {
          const double kappa = 0.1 * k;
          TyreSlip slip = at(4000, kappa, 0.0);
          slip.speed = forward * v;
          EXPECT_LE(named.law->forces(slip).My * (slip.speed + kappa * v), 0.0)
              << named.name << " at " << slip.speed << " m/s, kappa " << kappa;
          if (k == -10 && forward > 0.0) EXPECT_EQ(named.law->forces(slip).My, 0.0) << named.name;
        }
}

TEST(LinearTyre, IsItsStiffnesses) {
  const LinearTyre tyre(linear());
  const TyreForces f = tyre.forces(at(2000, 0.01, 0.02, 0.05));
  EXPECT_DOUBLE_EQ(f.Fx, 600.0);                    // 1.2e5 * 0.01 / 2
  EXPECT_DOUBLE_EQ(f.Fy, -900.0 - 100.0);           // (9e4 * 0.02 + 4e3 * 0.05) / 2
  EXPECT_DOUBLE_EQ(f.Mz, 0.03 * 900.0);             // trail
  EXPECT_NEAR(f.My, -0.01 * 2000.0 * 0.32, 1e-12);  // rolling resistance
  const TyreLoad load = tyre.load(0.02, 0.1, 0.0);
  EXPECT_DOUBLE_EQ(load.load, 4005.0);                               // 2e5 * 0.02 + 50 * 0.1
  EXPECT_NEAR(tyre.effective_radius(3000, 0), 0.32 - 0.005, 1e-15);  // a third of 15 mm
}

// Bristles of stiffness c per length under the pressure 3 mu F (a^2 - x^2) / (4 a^3), summed up
// along the contact: they follow the road until the pressure lets go, then take the friction.
TEST(FialaTyre, IsTheSumOfItsBristles) {
  FialaTyreParameters p = fiala();
  p.friction_fall = 0.0;
  const FialaTyre tyre(p);
  const double load = 4000.0;
  const double limit = 1.05 * load;
  const double a = 0.07;
  for (const double tan_alpha : {0.005, 0.03, 0.08, 0.13, 0.2, 0.5}) {
    // 2 a^2 c = cornering stiffness
    const double c = 9e4 / (2.0 * a * a);
    double force = 0.0;
    double torque = 0.0;
    constexpr int kBristles = 20000;
    for (int i = 0; i < kBristles; ++i) {
      const double x = a - 2.0 * a * (i + 0.5) / kBristles;
      const double most = 0.75 * limit * (a * a - x * x) / (a * a * a);
      const double q = std::min(c * tan_alpha * (a - x), most);
      force += q * 2.0 * a / kBristles;
      torque += q * x * 2.0 * a / kBristles;
    }
    const TyreForces f = tyre.forces(at(load, 0.0, tan_alpha));
    EXPECT_NEAR(f.Fy, -force, 1e-4 * force) << tan_alpha;  // the sum's own step
    EXPECT_NEAR(f.Mz, -torque, 1e-4 * force * a) << tan_alpha;
  }
}

TEST(FialaTyre, KeepsToTheCircleOfFriction) {
  const FialaTyre tyre(fiala());
  for (double angle = 0.0; angle < 6.28; angle += 0.1)
    for (double size = 0.001; size < 1e3; size *= 2.0) {
      const TyreForces f =
          tyre.forces(at(4000, size * std::cos(angle), size * std::sin(angle), 0.1));
      EXPECT_LE(std::hypot(f.Fx, f.Fy), 1.05 * 4000 * (1.0 + 1e-12));
    }
  // sliding as a whole
  const TyreForces locked = tyre.forces(at(4000, -1.0, 0.5));
  EXPECT_NEAR(std::hypot(locked.Fx, locked.Fy), 1.05 * 4000, 1e-6);
  EXPECT_EQ(locked.Mz, 0.0);
}

// The five numbers are found again on the curve, at both loads.
TEST(TmeasyTyre, GoesThroughItsNumbers) {
  const TmeasyTyreParameters p = tmeasy();
  const TmeasyTyre tyre(p);
  for (int i = 0; i < 2; ++i) {
    const double load = 4000.0 * (i + 1);
    // the slip of the law is kappa / (1 + kappa)
    const auto kappa = [](double s) { return s / (1.0 - s); };
    EXPECT_NEAR(tyre.forces(at(load, kappa(p.x[i].slip_at_maximum), 0)).Fx, p.x[i].maximum, 1e-8);
    EXPECT_NEAR(tyre.forces(at(load, kappa(p.x[i].slip_at_sliding), 0)).Fx, p.x[i].sliding, 1e-8);
    EXPECT_NEAR(tyre.forces(at(load, 0, 0)).Fx_kappa, p.x[i].initial_slope, 1e-6);
    EXPECT_NEAR(tyre.forces(at(load, 0, p.y[i].slip_at_maximum)).Fy, -p.y[i].maximum, 1e-8);
    EXPECT_NEAR(tyre.forces(at(load, 0, p.y[i].slip_at_sliding)).Fy, -p.y[i].sliding, 1e-8);
    EXPECT_NEAR(tyre.forces(at(load, 0, 3.0)).Fy, -p.y[i].sliding, 1e-8);
    EXPECT_NEAR(tyre.forces(at(load, 0, 0)).Fy_tan_alpha, -p.y[i].initial_slope, 1e-6);
    EXPECT_NEAR(tyre.forces(at(load, 0, p.trail[i].slip_at_zero)).Mz, 0.0, 1e-8);
  }
  // trail at small slip: n/L0 times the contact's length 2 sqrt(R dR)
  const TyreForces small = tyre.forces(at(4000, 0, 1e-5));
  EXPECT_NEAR(-small.Mz / small.Fy, 0.17 * 2.0 * std::sqrt(0.32 * 0.02), 1e-5);
}

// The trail of the source beyond the change of its sign, n = -n0 (1 - w) (s - s0)/s0 ((sE - s)/(sE
// - s0))^2 with w = s0/sE: it goes through s0 without a kink. On a road of friction mu a slip of mu
// s has the trail of s.
TEST(TmeasyTyre, HasATrailThatGoesThroughZeroSmoothlyOnEveryRoad) {
  const TmeasyTyreParameters p = tmeasy();
  const TmeasyTyre tyre(p);
  const auto share_at = [&](double slip, double mu) {
    TyreSlip s = at(4000, 0, slip);
    s.friction = mu;
    const TyreForces f = tyre.forces(s);
    return -f.Mz / f.Fy / (2.0 * std::sqrt(0.32 * 0.02));
  };
  const TmeasyTrail& t = p.trail[0];
  const double s0 = t.slip_at_zero;
  const double sE = t.slip_at_end;
  const double d = 1e-6 * s0;
  const double before = (share_at(s0, 1.0) - share_at(s0 - d, 1.0)) / d;
  const double after = (share_at(s0 + d, 1.0) - share_at(s0, 1.0)) / d;
  EXPECT_NEAR(after, before, 1e-4 * std::abs(before));  // differences over a millionth
  for (const double mu : {1.0, 0.3})
    for (const double part : {0.25, 0.5, 0.75}) {
      const double s = s0 + part * (sE - s0);
      const double expected =
          -t.share * (1.0 - s0 / sE) * (s - s0) / s0 * (1.0 - part) * (1.0 - part);
      EXPECT_NEAR(share_at(mu * s, mu), expected, 1e-12) << mu << ' ' << part;
    }
}

// A wheel that rolls backwards with the same brake slip is the mirror image of one that rolls
// forwards; locked, it slides as a whole.
TEST(SimpleTyres, AreTheSameInReverse) {
  const FialaTyre brush(fiala());
  const TmeasyTyre tmeasy_tyre(tmeasy());
  for (const TyreLaw* law :
       {static_cast<const TyreLaw*>(&brush), static_cast<const TyreLaw*>(&tmeasy_tyre)})
    for (const double kappa : {-0.05, -0.3, -1.0, 0.2})
      for (const double side : {0.0, 0.04, -0.2}) {
        const TyreForces ahead = law->forces(at(4000, kappa, side, 0.0, 20.0));
        const TyreForces back = law->forces(at(4000, -kappa, side, 0.0, -20.0));
        EXPECT_NEAR(back.Fx, -ahead.Fx, 1e-9) << kappa << ' ' << side;
        EXPECT_NEAR(back.Fy, ahead.Fy, 1e-9) << kappa << ' ' << side;
        EXPECT_NEAR(back.Mz, -ahead.Mz, 1e-9) << kappa << ' ' << side;
        EXPECT_NEAR(back.Fx_kappa, ahead.Fx_kappa, 1e-6) << kappa << ' ' << side;
      }
}

// Forces are parabolas through zero and both loads up to the maximum load, 3.5 nominal loads if
// none is given, and held beyond.
TEST(TmeasyTyre, GrowsWithTheLoadUpToTheMaximumLoad) {
  TmeasyTyreParameters p = tmeasy();
  // at three times the load: FyM = 3 (2 4100 - 7700/2 - (4100 - 7700/2) 3), syM one step further
  EXPECT_NEAR(TmeasyTyre(p).forces(at(12000, 0, 0.20)).Fy, -10800.0, 1e-8);
  EXPECT_EQ(TmeasyTyre(p).forces(at(12000, 0, 0.20)).clamped, 0U);
  const double most = TmeasyTyre(p).forces(at(14000, 0, 0.1)).Fy;
  EXPECT_EQ(TmeasyTyre(p).forces(at(20000, 0, 0.1)).Fy, most);
  EXPECT_EQ(TmeasyTyre(p).forces(at(20000, 0, 0.1)).clamped, tyre_clamped::kLoad);
  p.maximum_load = 12000.0;
  EXPECT_NEAR(TmeasyTyre(p).forces(at(16000, 0, 0.20)).Fy, -10800.0, 1e-8);
  // a parabola that has its summit before is held there: 4100, 5000 at twice, summit at 1.78
  p.y[1] = {1.45e5, 0.18, 5000, 0.7, 4900};
  const double summit = (4100.0 - 1250.0) / (4100.0 - 2500.0);
  const double force = summit * (2.0 * 4100.0 - 2500.0 - (4100.0 - 2500.0) * summit);
  EXPECT_NEAR(TmeasyTyre(p).forces(at(12000, 0, 0.20)).Fy, -force, 1e-8);
}

TEST(TmeasyTyre, RefusesCurvesThatAreNone) {
  const auto refuses = [](const auto& change) {
    TmeasyTyreParameters p = tmeasy();
    change(p);
    EXPECT_THROW(TmeasyTyre{p}, ModelError);
  };
  refuses([](auto& p) { p.x[0].slip_at_sliding = 0.05; });
  refuses([](auto& p) { p.y[1].maximum = -1.0; });
  refuses([](auto& p) { p.y[0].initial_slope = 1e3; });
  refuses([](auto& p) { p.y[1].maximum = 50.0; });
  refuses([](auto& p) { p.radial.radius = std::nan(""); });
  refuses([](auto& p) { p.trail[0].slip_at_end = 0.1; });
  refuses([](auto& p) { p.maximum_load = 3999.0; });
  // the line of slips reaches zero below the maximum load
  refuses([](auto& p) { p.y[1].slip_at_maximum = 0.09; });
}

TEST(CalspanTyre, IsThePolynomial) {
  const CalspanTyre tyre(radial(), calspan());
  const LateralForce f = calspan_lateral(calspan(), 3000, std::atan(0.04), 0.02);
  const TyreForces g = tyre.forces(at(3000, 0.1, 0.04, 0.02));
  EXPECT_EQ(g.Fx, 0.0);
  EXPECT_EQ(g.Fy, f.force);
  EXPECT_EQ(g.Mz, f.torque);
}

TEST(ForeignTyre, AnswersWhatTheFunctionSays) {
  FialaTyre inner(fiala());
  const ForeignTyre tyre(radial(), "brush", brush, &inner);
  const TyreSlip slip = at(4000, 0.02, -0.03, 0.01);
  EXPECT_EQ(tyre.forces(slip).Fx, inner.forces(slip).Fx);
  EXPECT_EQ(tyre.forces(slip).Mz, inner.forces(slip).Mz);
  EXPECT_NEAR(tyre.forces(slip).Fy_tan_alpha, inner.forces(slip).Fy_tan_alpha, 1.0);
  const ForeignTyre silent(
      radial(), "silent", [](const ForeignTyreState*, ForeignTyreForces*, void*) { return 1; },
      nullptr);
  EXPECT_EQ(silent.forces(slip).clamped, tyre_clamped::kNoAnswer);
  EXPECT_EQ(silent.forces(slip).Fx, 0.0);
  const ForeignTyre wild(
      radial(), "wild",
      [](const ForeignTyreState*, ForeignTyreForces* f, void*) {
        f->Fx = std::nan("");
        return 0;
      },
      nullptr);
  EXPECT_EQ(wild.forces(slip).Fx, 0.0);
  EXPECT_THROW(ForeignTyre(radial(), "none", nullptr, nullptr), ModelError);
}

}  // namespace
}  // namespace semirec
