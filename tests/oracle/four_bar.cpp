// Chains of four-bars (IFToMM library A02; section 4.1 of [H03]): parallelograms that pass flat
// positions, where the closures lose rank and a second branch opens. Exact motion: phi'' = (g S /
// I) sin phi with phi from the vertical, I = (N + 1) / 3 + N, S = (N + 1) / 2 + N, in Jacobi
// elliptic functions.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "integrator/simulation.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/motion.hpp"

namespace semirec::test {
namespace {

using V = Eigen::Vector3d;

/// Tip of the first crank.
Motion tip(Simulation& bars) {
  Marker marker;
  marker.body = 0;
  marker.X_BF.p.x() = 0.5;
  return bars.motion(marker);
}

/// The energy deviation of largest size within ten seconds, J.
double energy_deviation(int count, LoopKind kind, double h,
                        Formulation formulation = Formulation::hybrid) {
  Simulation bars(make_four_bars(count, kind), h, formulation);
  const double start = bars.stored_energy();
  double worst = 0.0;
  while (bars.state.t < 10.0 - 1e-9) {
    (void)bars.advance();
    const double deviation = bars.stored_energy() - start;
    if (std::abs(deviation) > std::abs(worst)) worst = deviation;
  }
  return worst;
}

struct Deviation {
  double h;         // s
  double printed;   // [H03] Table 1, hybrid formulation, J
  double rounding;  // half of its last digit
  double computed;  // the same to four digits, by a program apart from this engine
};

class DoubleFourBar : public testing::TestWithParam<Deviation> {};

TEST_P(DoubleFourBar, LosesTheEnergyThatThePaperPrints) {
  const Deviation& row = GetParam();
  const double deviation = energy_deviation(2, LoopKind::revolute, row.h);
  expect_close(deviation, row.printed, 0.0, row.rounding);
  expect_close(deviation, row.computed, 0.0, 5.1e-5);  // half of the fourth digit
  // the rows that a planar mechanism has no need of change nothing; 1e-6: convergence of the steps
  expect_close(energy_deviation(2, LoopKind::planar, row.h), deviation, 0.0, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(PaperTable1, DoubleFourBar,
                         testing::Values(Deviation{0.01, -0.01, 0.005, -0.0137},
                                         Deviation{0.03, -0.12, 0.005, -0.1228},
                                         Deviation{0.05, -0.34, 0.005, -0.3403},
                                         Deviation{0.10, -1.34, 0.005, -1.3428}));

/// The global formulation: points and vectors are integrated, not the angle, so it loses more.
struct GlobalDeviation {
  double h;         // s
  double computed;  // a program apart from this engine, J
};

class DoubleFourBarInNaturalCoordinates : public testing::TestWithParam<GlobalDeviation> {};

TEST_P(DoubleFourBarInNaturalCoordinates, LosesTheEnergyThatAnotherProgramDoes) {
  // 2 %: the digits that are known
  expect_close(energy_deviation(2, LoopKind::revolute, GetParam().h, Formulation::global),
               GetParam().computed, 0.02, 0.0);
}

INSTANTIATE_TEST_SUITE_P(PaperTable1, DoubleFourBarInNaturalCoordinates,
                         testing::Values(GlobalDeviation{0.01, -0.092},
                                         GlobalDeviation{0.03, -0.98},
                                         GlobalDeviation{0.05, -3.05}));

TEST(DoubleFourBarByRecursion, LosesTheEnergyOfTheHybridFormulation) {
  // the same equations, solved another way: convergence of the steps
  for (const double h : {0.01, 0.03, 0.05, 0.1})
    expect_close(energy_deviation(2, LoopKind::revolute, h, Formulation::recursive),
                 energy_deviation(2, LoopKind::revolute, h), 0.0, 1e-6);
}

struct Bars {
  int count;
  LoopKind kind;
  V tip_4, tip_10;  // exact, t = 4 s and 10 s
  double spin_10;   // clockwise, rad/s
  int rows, rank;
};

// values of the elliptic functions, computed apart from any engine
const V kSingle4(0.158955504257118, 0.987285747727762, 0.0);
const V kSingle10(0.478385057760971, 0.878150178791209, 0.0);
const V kDouble4(0.117616102376809, 0.993059138451325, 0.0);
const V kDouble10(0.328458111540815, 0.944518538178601, 0.0);

class FourBars : public testing::TestWithParam<Bars> {};

TEST_P(FourBars, StayParallelogramsThroughTenFlatPositions) {
  const Bars& bars = GetParam();
  Simulation run(make_four_bars(bars.count, bars.kind), 0.01);
  int flat = 0;
  double worst_slant = 0.0;
  double height = tip(run).X.p.y();
  while (run.state.t < 10.0 - 1e-9) {
    (void)run.advance();
    const double now = tip(run).X.p.y();
    if (now * height < 0.0) ++flat;
    height = now;
    for (int k = 0; k < bars.count; ++k)
      worst_slant =
          std::max(worst_slant, std::abs(run.body("coupler" + std::to_string(k)).angle_about_z()));
  }
  EXPECT_EQ(flat, 10);
  // couplers stay horizontal; near a flat position a closure error e allows a slant of sqrt(e)
  expect_close(worst_slant, 0.0, 0.0, 1e-4);
}

/// Angle of the cranks from the vertical at t, from 0 at a rate, rad/s: phi'' = (g S / I) sin phi
/// by Runge-Kutta steps of fourth order, far finer than any motion here.
double crank_angle(int count, double t, double start = 1.0) {
  const double factor = 9.81 * ((count + 1) / 2.0 + count) / ((count + 1) / 3.0 + count);
  constexpr int kSteps = 200000;
  const double h = t / kSteps;
  double angle = 0.0;
  double rate = start;
  for (int k = 0; k < kSteps; ++k) {
    const double r1 = rate;
    const double a1 = factor * std::sin(angle);
    const double r2 = rate + 0.5 * h * a1;
    const double a2 = factor * std::sin(angle + 0.5 * h * r1);
    const double r3 = rate + 0.5 * h * a2;
    const double a3 = factor * std::sin(angle + 0.5 * h * r2);
    const double r4 = rate + h * a3;
    const double a4 = factor * std::sin(angle + h * r3);
    angle += h / 6.0 * (r1 + 2.0 * r2 + 2.0 * r3 + r4);
    rate += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
  }
  return angle;
}

/// What round-off in flat positions may add to the angle of the cranks after ten seconds, rad,
/// given how a run has passed them: found as it goes.
///
/// A step that ends at a distance q = |cos phi| from a flat position closes its loops to e, a
/// round- off of 3e-15 m, and so knows the dependent coordinates to e/q. Rates and accelerations
/// come from these by the scheme, which counts them 2/h and 4/h^2 times, or by the closures, which
/// count them w^2/q^2 times; the formulation takes the lesser. That is a kick of no more than
///   dw = h min(4/h^2 e/q, w^2 e/q^3)
/// to the rate w of the cranks there. I w dw of energy is I dw_0 at the start, where they have
/// 1 rad/s, so that the angle changes by d phi / d w_0 times w dw, from then on.
class FlatPassages {
 public:
  FlatPassages(int count, double h) : h_(h) {
    constexpr double kShift = 1e-6;
    gain_ = (crank_angle(count, kEnd, 1.0 + kShift) - crank_angle(count, kEnd)) / kShift;
  }
  /// After each step: height of the tip, rate of the cranks.
  void see(double t, double height, double rate) {
    if (height * height_ < 0.0) {
      // closures are no better than the root of their round-off
      const double q =
          std::max(std::min(std::abs(height), std::abs(height_)), std::sqrt(kRoundOff));
      const double dw = h_ * kRoundOff * std::min(4.0 / (h_ * h_ * q), rate * rate / (q * q * q));
      change_ += std::abs(gain_ * rate) * dw * (kEnd - t) / kEnd;
      ++count_;
    }
    height_ = height;
  }
  double change() const { return change_; }
  int count() const { return count_; }
  static constexpr double kEnd = 10.0;  // s

 private:
  static constexpr double kRoundOff = 3e-15;  // m
  double h_, gain_ = 0.0, height_ = 1.0, change_ = 0.0;
  int count_ = 0;
};

TEST(FourBarsByTopology, KeepTheirDigitsInFlatPositionsAsTheStepShrinks) {
  for (const int count : {2, 10}) {
    const double angle = crank_angle(count, FlatPassages::kEnd);
    for (const LoopKind kind : {LoopKind::planar, LoopKind::revolute})
      for (const double h : {1e-3, 5e-4, 2.5e-4, 1.25e-4}) {
        Simulation bars(make_four_bars(count, kind), h, Formulation::topological);
        FlatPassages passages(count, h);
        for (long k = std::lround(FlatPassages::kEnd / h); k > 0; --k) {
          (void)bars.advance();
          // the first crank stands upright at its coordinate 0
          const double turned = bars.z("pin0");
          passages.see(bars.state.t, std::cos(turned), bars.zd("pin0"));
        }
        EXPECT_EQ(passages.count(), 10);
        const std::string step = std::to_string(h) + (kind == LoopKind::planar ? "p" : "r");
        const V exact(std::sin(angle), std::cos(angle), 0.0);
        RecordProperty("error" + std::to_string(count) + step,
                       std::to_string(1e6 * (tip(bars).X.p - exact).norm()));
        RecordProperty("room" + std::to_string(count) + step,
                       std::to_string(1e6 * passages.change()));
        // second order: the limit of FollowTheEllipticFunctions, 1.25e-4 at 1 ms
        expect_close(tip(bars).X.p, exact, 0.0, 125.0 * h * h + passages.change());
      }
  }
}

// Expected: a kick of a part `lost` of the rate w in a flat position is I w^2 lost of energy, as if
// the cranks had started faster by w^2 lost: the angle then changes by d phi / d w_0 times that.
TEST(FourBarsByTopology, SayWhatRoundOffMayHaveChanged) {
  constexpr int kCount = 2;
  constexpr double kEnd = FlatPassages::kEnd;
  constexpr double kShift = 1e-6;
  const double angle = crank_angle(kCount, kEnd);
  const double gain = std::abs(crank_angle(kCount, kEnd, 1.0 + kShift) - angle) / kShift;
  const double flat_rate_squared = 1.0 + 2.0 * 9.81 * 3.5 / 3.0;  // energy: factor of crank_angle()
  for (const double h : {1e-3, 2.5e-4, 1e-4}) {
    Simulation bars(make_four_bars(kCount, LoopKind::planar), h, Formulation::topological);
    double lost = 0.0;
    for (long k = std::lround(kEnd / h); k > 0; --k)
      lost = std::hypot(lost, bars.advance().rates_lost);
    const V exact(std::sin(angle), std::cos(angle), 0.0);
    // 125 h^2: second order, as above
    EXPECT_LE((tip(bars).X.p - exact).norm(), 125.0 * h * h + gain * flat_rate_squared * lost) << h;
    EXPECT_EQ(lost > kRatesLost, h < 2e-4) << h << ": " << lost;
  }
}

TEST_P(FourBars, FollowTheEllipticFunctions) {
  const Bars& bars = GetParam();
  struct Limit {
    double h, error;
  };
  // benchmark limits at t = 4 s; the error grows in proportion to t
  for (const Limit& limit : {Limit{0.01, 5e-3}, Limit{0.001, 5e-5}}) {
    Simulation run(make_four_bars(bars.count, bars.kind), limit.h);
    run.run_to(4.0);
    expect_close(tip(run).X.p, bars.tip_4, 0.0, limit.error);
    run.run_to(10.0);
    expect_close(tip(run).X.p, bars.tip_10, 0.0, 2.5 * limit.error);
    expect_close(-run.zd("pin0"), bars.spin_10, 0.0, 2.5 * limit.error);
  }
}

TEST_P(FourBars, CountTheirRows) {
  const Bars& bars = GetParam();
  Simulation run(make_four_bars(bars.count, bars.kind), 0.01);
  const ClosureRank rank = find_closure_rank(run.model, run.state, run.ws);
  EXPECT_EQ(rank.rows, bars.rows);
  EXPECT_EQ(rank.rank, bars.rank);
  // one freedom
  EXPECT_EQ(run.model.n() - rank.rank, 1);
}

INSTANTIATE_TEST_SUITE_P(
    Chains, FourBars,
    testing::Values(Bars{1, LoopKind::planar, kSingle4, kSingle10, 1.96693471944032, 2, 2},
                    Bars{1, LoopKind::revolute, kSingle4, kSingle10, 1.96693471944032, 2, 2},
                    Bars{1, LoopKind::redundant, kSingle4, kSingle10, 1.96693471944032, 5, 2},
                    Bars{2, LoopKind::planar, kDouble4, kDouble10, 1.50664218084183, 4, 4},
                    Bars{2, LoopKind::revolute, kDouble4, kDouble10, 1.50664218084183, 4, 4},
                    Bars{2, LoopKind::redundant, kDouble4, kDouble10, 1.50664218084183, 10, 4}));

TEST(FourBarPair, RedundantRowsLeaveTheMotionAlone) {
  Simulation planar(make_four_bars(1, LoopKind::planar), 0.005);
  Simulation spatial(make_four_bars(1, LoopKind::redundant), 0.005);
  planar.run_to(3.0);
  spatial.run_to(3.0);
  const Motion a = tip(planar);
  const Motion b = tip(spatial);
  // both converge to 1e-8 m a step; what is left over does not add up
  expect_close(b.X.p, a.X.p, 0.0, 1e-7);
  expect_close(b.velocity, a.velocity, 0.0, 1e-6);
  expect_close(b.acceleration, a.acceleration, 0.0, 1e-5);
}

TEST(FourBarPair, KnowTheirEnergy) {
  // N = 2: I phid^2 / 2 + g S cos phi with I = 3, S = 3.5, phid = 1, phi = 0, zero at y = 0
  Simulation bars(make_four_bars(2), 0.01);
  expect_close(bars.stored_energy(), 35.835, 1e-14, 0.0);
}

/// Angle from the vertical (rad) and its rate of N four-bars: I phi'' = g S sin phi by Runge and
/// Kutta's fourth order in steps of 0.1 ms, whose error is below 1e-10 rad after 10 s.
std::pair<double, double> exact_swing(int count, double t) {
  const double I = (count + 1) / 3.0 + count;
  const double S = (count + 1) / 2.0 + count;
  const auto acceleration = [&](double phi) { return 9.81 * S / I * std::sin(phi); };
  const long steps = std::lround(t / 1e-4);
  const double h = t / static_cast<double>(steps);
  double phi = 0.0;
  double rate = 1.0;
  for (long k = 0; k < steps; ++k) {
    const double v1 = rate, a1 = acceleration(phi);
    const double v2 = rate + 0.5 * h * a1, a2 = acceleration(phi + 0.5 * h * v1);
    const double v3 = rate + 0.5 * h * a2, a3 = acceleration(phi + 0.5 * h * v2);
    const double v4 = rate + h * a3, a4 = acceleration(phi + h * v3);
    phi += h / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4);
    rate += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
  }
  return {phi, rate};
}

class FortyFourBars : public testing::TestWithParam<LoopKind> {};

TEST_P(FortyFourBars, KeepTheirEnergyWithTwoIterationsAStep) {
  constexpr int kCount = 40;
  constexpr double kI = 41.0 / 3.0 + 40.0;
  constexpr double kS = 41.0 / 2.0 + 40.0;
  constexpr double kEnergy = 0.5 * kI + 9.81 * kS;  // I phid^2 / 2 + g S cos phi, phid = 1, phi = 0
  Simulation bars(make_four_bars(kCount, GetParam()), 0.01);
  const State start = bars.state;
  expect_close(bars.stored_energy(), kEnergy, 1e-13, 0.0);
  bars.settings.iterations = 2;
  double worst = 0.0;
  int flat = 0;
  double height = tip(bars).X.p.y();
  while (bars.state.t < 10.0 - 1e-9) {
    (void)bars.advance();
    worst = std::max(worst, std::abs(bars.stored_energy() - kEnergy));
    const double now = tip(bars).X.p.y();
    if (height * now < 0.0) ++flat;
    height = now;
  }
  const auto [phi, rate] = exact_swing(kCount, 10.0);
  // all singular positions were passed: phi = pi/2, 3 pi/2, ...
  EXPECT_EQ(flat, static_cast<int>(std::floor(phi / std::numbers::pi + 0.5)));
  // J, of 620; 0.229 was found
  expect_close(worst, 0.0, 0.0, 0.3);

  // the trapezoidal rule changes the time scale by omega^2 h^2 / 12, omega^2 = g S / I: by 10 s the
  // motion is late or early by no more than
  constexpr double kOmega2 = 9.81 * kS / kI;
  constexpr double kLate = 10.0 * kOmega2 * 0.01 * 0.01 / 12.0;
  const V exact(std::sin(phi), std::cos(phi), 0.0);
  const V two_iterations = tip(bars).X.p;
  expect_close(two_iterations, exact, 0.0, kLate * rate);
  expect_close(-bars.zd("pin0"), rate, 0.0, kLate * kOmega2);

  // until convergence; where a step beside a flat position has none, run() halves it
  const double spin = bars.zd("pin0");
  RunSettings converged;
  converged.step = bars.settings;
  converged.step.iterations = 0;
  converged.until = 10.0;
  bars.state = start;
  const RunReport report = run(bars.model, converged, bars.state, bars.ws);
  EXPECT_EQ(report.status, RunStatus::finished) << report.message;
  expect_close(report.energy_error, 0.0, 0.0, 0.3);
  expect_close(tip(bars).X.p, exact, 0.0, kLate * rate);
  expect_close(tip(bars).X.p, two_iterations, 0.0, kLate * rate);
  expect_close(bars.zd("pin0"), spin, 0.0, kLate * kOmega2);
}

INSTANTIATE_TEST_SUITE_P(Chains, FortyFourBars,
                         testing::Values(LoopKind::planar, LoopKind::revolute,
                                         LoopKind::redundant));

}  // namespace
}  // namespace semirec::test
