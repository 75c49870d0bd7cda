#include <cmath>
#include <complex>
#include <memory>
#include <numbers>

#include <gtest/gtest.h>

#include "vehicles/road/layered_surface.hpp"
#include "vehicles/road/obstacles.hpp"
#include "vehicles/road/polyline_surface.hpp"
#include "vehicles/road/profile_surface.hpp"
#include "vehicles/road/random_road.hpp"

namespace semirec {
namespace {

constexpr double kRounding = 1e-12;   // of heights below 10 m
constexpr double kStep = 1e-6;        // of differences, m
constexpr double kSlopeError = 1e-7;  // rounding of heights over twice the step, and its square

void expect_slopes_of_heights(const RoadSurface& road, double x, double y) {
  const RoadPoint point = road.evaluate(x, y);
  EXPECT_NEAR(point.z_x,
              (road.evaluate(x + kStep, y).z - road.evaluate(x - kStep, y).z) / (2.0 * kStep),
              kSlopeError * (1.0 + std::abs(point.z_x)))
      << x << " " << y;
  EXPECT_NEAR(point.z_y,
              (road.evaluate(x, y + kStep).z - road.evaluate(x, y - kStep).z) / (2.0 * kStep),
              kSlopeError * (1.0 + std::abs(point.z_y)))
      << x << " " << y;
}

TEST(Plane, RisesByItsSlopes) {
  const InclinedPlane plane(0.5, 0.1, -0.02);
  EXPECT_NEAR(plane.evaluate(3.0, 2.0).z, 0.5 + 0.3 - 0.04, kRounding);
  expect_slopes_of_heights(plane, 3.0, 2.0);
}

TEST(PlankRoad, HasBevelledEdgesWithinItsLength) {
  const Plank plank(2.0, 0.4, 0.06, 0.1, {-1.0, 1.0});
  EXPECT_EQ(plank.evaluate(1.999, 0.0).z, 0.0);
  EXPECT_NEAR(plank.evaluate(2.05, 0.0).z, 0.03, kRounding);  // half way up the bevel
  EXPECT_EQ(plank.evaluate(2.2, 0.0).z, 0.06);
  EXPECT_NEAR(plank.evaluate(2.375, 0.0).z, 0.015,
              kRounding);  // a quarter of the bevel from its end
  EXPECT_EQ(plank.evaluate(2.401, 0.0).z, 0.0);
  EXPECT_EQ(plank.evaluate(2.2, 1.01).z, 0.0);
  for (const double x : {1.5, 2.05, 2.2, 2.35, 3.0}) expect_slopes_of_heights(plank, x, 0.3);
}

TEST(PlankRoad, WithoutBevelIsABoxAndBelowZeroAPothole) {
  const Plank box(1.0, 0.2, 0.05, 0.0);
  EXPECT_EQ(box.evaluate(1.0, 0.0).z, 0.05);
  EXPECT_EQ(box.evaluate(1.2, 0.0).z, 0.05);
  EXPECT_EQ(box.evaluate(1.2001, 0.0).z, 0.0);
  EXPECT_EQ(box.evaluate(1.1, 0.0).z_x, 0.0);
  EXPECT_EQ(Plank(1.0, 0.2, -0.05, 0.0).evaluate(1.1, 0.0).z, -0.05);
}

TEST(RampRoad, RisesBetweenItsEnds) {
  const Ramp ramp(1.0, 3.0, 0.25);
  EXPECT_EQ(ramp.evaluate(0.0, 0.0).z, 0.0);
  EXPECT_NEAR(ramp.evaluate(2.0, 0.0).z, 0.25, kRounding);
  EXPECT_NEAR(ramp.evaluate(9.0, 0.0).z, 0.5, kRounding);
  for (const double x : {0.5, 2.0, 4.0}) expect_slopes_of_heights(ramp, x, 0.0);
}

TEST(SineWaves, FollowTheirFormula) {
  const SineRoad sine(0.02, 2.0, 1.0, 5.0);
  EXPECT_EQ(sine.evaluate(0.9, 0.0).z, 0.0);
  EXPECT_NEAR(sine.evaluate(1.5, 0.0).z, 0.02, kRounding);  // a quarter wave after the start
  EXPECT_NEAR(sine.evaluate(2.5, 0.0).z, -0.02, kRounding);
  EXPECT_EQ(sine.evaluate(5.1, 0.0).z, 0.0);
  for (const double x : {1.2, 3.3, 4.9}) expect_slopes_of_heights(sine, x, 0.0);
}

TEST(RoundBar, IsACircle) {
  const HalfRound bar(4.0, 0.1);
  EXPECT_NEAR(bar.evaluate(4.0, 0.0).z, 0.1, kRounding);
  EXPECT_NEAR(bar.evaluate(4.06, 0.0).z, 0.08, kRounding);  // 6, 8, 10
  EXPECT_EQ(bar.evaluate(4.1001, 0.0).z, 0.0);
  for (const double x : {3.92, 4.0, 4.05}) expect_slopes_of_heights(bar, x, 0.0);
  EXPECT_LE(std::abs(bar.evaluate(3.9 + 1e-12, 0.0).z_x), 20.0);
}

TEST(Bumps, OfCosineAndRoofFollowTheirFormulas) {
  const CosineBump bump(1.0, 5.0, 0.2);
  EXPECT_NEAR(bump.evaluate(3.5, 0.0).z, 0.2, kRounding);
  EXPECT_NEAR(bump.evaluate(2.25, 0.0).z, 0.1, kRounding);  // a quarter of its length
  for (const double x : {0.5, 1.7, 4.0, 6.5}) expect_slopes_of_heights(bump, x, 0.0);
  const Roof roof(1.0, 2.0, 0.1);
  EXPECT_NEAR(roof.evaluate(1.5, 0.0).z, 0.05, kRounding);
  EXPECT_NEAR(roof.evaluate(2.75, 0.0).z, 0.025, kRounding);
  for (const double x : {0.5, 1.4, 2.6, 3.5}) expect_slopes_of_heights(roof, x, 0.0);
}

TEST(Profiles, OfTheTwoSidesAreTodaysCurves) {
  const ProfileSurface road(Curve::table({{0.0, 0.0}, {2.0, 1.0}}), Curve::constant(0.3));
  EXPECT_NEAR(road.evaluate(1.0, 0.7).z, 0.5, kRounding);
  EXPECT_NEAR(road.evaluate(1.0, 0.7).z_x, 0.5, kRounding);
  EXPECT_NEAR(road.evaluate(1.0, -0.7).z, 0.3, kRounding);
}

TEST(Profiles, ArePlanesWhereBothSidesAreTheSameLine) {
  const auto plane = [](const Curve& left, const Curve& right) {
    return ProfileSurface(left, right).plane() != nullptr;
  };
  const Curve flat = Curve::table({{0.0, 0.3}, {5.0, 0.3}});
  EXPECT_TRUE(plane({}, {}));
  EXPECT_TRUE(plane(flat, Curve::constant(0.3)));
  EXPECT_FALSE(plane(flat, Curve::constant(0.2)));
  EXPECT_FALSE(plane(flat, Curve::table({{0.0, 0.3}, {5.0, 0.4}})));
  EXPECT_FALSE(plane(Curve::smooth_table({{0.0, 0.0}, {1.0, 0.5}, {2.0, 0.0}}), {}));
  Curve wave;
  wave.add_sine({0.01, 6.0});
  EXPECT_FALSE(plane(wave, wave));
  const RoadPoint at_origin =
      *ProfileSurface(Curve::linear(0.1, 2.0), Curve::linear(0.1, 2.0)).plane();
  EXPECT_NEAR(at_origin.z, -0.2, kRounding);
  EXPECT_NEAR(at_origin.z_x, 0.1, kRounding);
}

TEST(Polyline, IsStraightBetweenPointsAndStepsWhereXRepeats) {
  const PolylineSurface road({{0.0, 0.0, 0.0}, {1.0, 0.2, 0.0}, {1.0, 0.5, 0.1}, {3.0, 0.5, 0.3}});
  EXPECT_EQ(road.evaluate(-1.0, 1.0).z, 0.0);
  EXPECT_NEAR(road.evaluate(0.5, 1.0).z, 0.1, kRounding);
  EXPECT_NEAR(road.evaluate(1.0, 1.0).z, 0.5, kRounding);
  EXPECT_NEAR(road.evaluate(2.0, -1.0).z, 0.2, kRounding);
  EXPECT_NEAR(road.evaluate(2.0, -1.0).z_x, 0.1, kRounding);
  EXPECT_NEAR(road.evaluate(8.0, -1.0).z, 0.3, kRounding);
}

TEST(Layers, AddHeightsAndTheLastPatchGivesFriction) {
  const std::vector<std::shared_ptr<const RoadSurface>> layers{
      std::make_shared<InclinedPlane>(0.0, 0.1, 0.0), std::make_shared<Plank>(1.0, 1.0, 0.05, 0.0)};
  const LayeredSurface road(layers, {{0.9}, {0.3, 0.0, 10.0, 0.0, 2.0}});
  EXPECT_NEAR(road.evaluate(1.5, 0.5).z, 0.15 + 0.05, kRounding);
  EXPECT_EQ(road.evaluate(1.5, 0.5).friction, 0.3);   // on the split
  EXPECT_EQ(road.evaluate(1.5, -0.5).friction, 0.9);  // beside it
  EXPECT_EQ(road.evaluate(11.0, 0.5).friction, 0.9);
}

TEST(PlacedRoad, IsTurnedAndMoved) {
  const auto ramp = std::make_shared<Ramp>(0.0, 10.0, 0.2);
  const PlacedSurface road(ramp, 5.0, 2.0, 1.0, std::numbers::pi / 2.0);  // its x axis along y
  EXPECT_NEAR(road.evaluate(5.0, 6.0).z, 1.0 + 0.8, kRounding);
  EXPECT_NEAR(road.evaluate(7.0, 6.0).z, 1.0 + 0.8, kRounding);
  expect_slopes_of_heights(road, 4.0, 6.0);
  const PlacedSurface oblique(ramp, 0.0, 0.0, 0.0, 0.3);
  expect_slopes_of_heights(oblique, 4.0, 1.0);
}

TEST(RandomRoads, ClassesAreFourTimesRougherEach) {
  // geometric means of Gd(n0), 1e-6 m^3, as the standard lists them
  const double listed[] = {16, 64, 256, 1024, 4096, 16384, 65536, 262144};
  for (int k = 0; k < 8; ++k)
    EXPECT_NEAR(displacement_density(static_cast<char>('A' + k)), listed[k] * 1e-6,
                listed[k] * 1e-6 * kRounding);
  EXPECT_EQ(displacement_density('I'), 0.0);
  EXPECT_EQ(displacement_density('a'), 0.0);
}

using Complex = std::complex<double>;

constexpr int kPoints = 10007;  // no multiple of the road's own points

/// Fourier coefficients of one track at all whole waves of the length from `low` to `high`.
std::vector<Complex> waves(const RoadSurface& road, double length, double y, int low, int high) {
  std::vector<Complex> sums;
  for (int k = low; k <= high; ++k) {
    Complex sum = 0.0;
    const Complex turn = std::polar(1.0, -2.0 * std::numbers::pi * k / kPoints);
    Complex wave = 1.0;
    for (int j = 0; j < kPoints; ++j, wave *= turn)
      sum += wave * road.evaluate(length * j / kPoints, y).z;
    sums.push_back(sum / static_cast<double>(kPoints));
  }
  return sums;
}

TEST(RandomRoads, HaveTheDensityOfTheirClass) {
  RandomRoadSettings settings;
  settings.road_class = 'D';
  settings.seed = 42;
  settings.length = 400.0;
  const RandomRoad road(settings);
  for (const double y : {0.75, -0.75})
    for (const double n : {0.03, 0.1, 0.5, 2.0}) {
      const int low = static_cast<int>(0.8 * n * settings.length);
      const int high = static_cast<int>(1.2 * n * settings.length);
      double measured = 0.0;
      double expected = 0.0;
      int k = low;
      for (const Complex& wave : waves(road, settings.length, y, low, high)) {
        measured += 2.0 * std::norm(wave) * settings.length;
        const double own = k++ / settings.length;
        expected += 1024e-6 * (0.1 / own) * (0.1 / own);  // Gd(n) of class D
      }
      // both tracks share phases, so that single waves of one differ; their mean differs by
      // 1/sqrt(number of waves) times the coherence's share, and the cubics damp short waves by 3 %
      EXPECT_NEAR(measured / expected, 1.0, 0.03 + 2.0 / std::sqrt(high - low + 1.0)) << n;
    }
}

TEST(RandomRoads, KnowTheirOtherTrackByDistance) {
  RandomRoadSettings settings;
  settings.length = 2000.0;
  settings.coherence = 0.3;
  const RandomRoad road(settings);
  for (const double n : {0.05, 0.2}) {
    const int low = static_cast<int>(0.9 * n * settings.length);
    const int high = static_cast<int>(1.1 * n * settings.length);
    const auto left = waves(road, settings.length, 0.75, low, high);
    const auto right = waves(road, settings.length, -0.75, low, high);
    double cross = 0.0;
    double own = 0.0;
    for (std::size_t k = 0; k < left.size(); ++k) {
      cross += (left[k] * std::conj(right[k])).real();
      own += 0.5 * (std::norm(left[k]) + std::norm(right[k]));
    }
    EXPECT_NEAR(cross / own, std::exp(-n * 1.5 / 0.3), 0.03) << n;  // exp(-n track/c)
  }
}

// Closed forms: Gd(n) of the class on each track, exp(-n d/c) between any two.
TEST(RandomRoads, HaveTracksAcrossTheirWidth) {
  RandomRoadSettings settings;
  settings.length = 2000.0;
  settings.coherence = 0.6;
  settings.width = 7.0;
  const RandomRoad road(settings);
  ASSERT_EQ(road.half_width(), 2.5 * 1.5);
  for (const double n : {0.05, 0.2}) {
    const int low = static_cast<int>(0.8 * n * settings.length);
    const int high = static_cast<int>(1.2 * n * settings.length);
    const double few = 1.0 / std::sqrt(high - low + 1.0);
    std::vector<std::vector<Complex>> tracks;
    for (int j = 0; j < 6; ++j) {
      tracks.push_back(waves(road, settings.length, 1.5 * j - 3.75, low, high));
      double measured = 0.0;
      double expected = 0.0;
      for (int k = low; k <= high; ++k) {
        const double own = k / settings.length;
        measured +=
            2.0 * std::norm(tracks.back()[static_cast<std::size_t>(k - low)]) * settings.length;
        expected += 256e-6 * (0.1 / own) * (0.1 / own);
      }
      EXPECT_NEAR(measured / expected, 1.0, 0.03 + 2.0 * few) << j;
    }
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = i + 1; j < 6; ++j) {
        double cross = 0.0;
        double own = 0.0;
        for (std::size_t k = 0; k < tracks[i].size(); ++k) {
          cross += (tracks[i][k] * std::conj(tracks[j][k])).real();
          own += 0.5 * (std::norm(tracks[i][k]) + std::norm(tracks[j][k]));
        }
        const double apart = 1.5 * static_cast<double>(j - i);
        EXPECT_NEAR(cross / own, std::exp(-n * apart / 0.6), 2.5 * few) << n << " " << i << j;
      }
  }
}

TEST(RandomRoads, OfMoreWidthHoldTheNarrowerOnes) {
  RandomRoadSettings settings;
  settings.length = 100.0;
  const RandomRoad narrow(settings);
  for (const double width : {0.3, 1.5, 3.1, 4.5, 12.0}) {
    settings.width = width;
    const RandomRoad wide(settings);
    EXPECT_GE(wide.half_width(), 0.5 * width);
    EXPECT_LT(wide.half_width(), 0.5 * width + 1.5);
    for (double x = 0.0; x < 100.0; x += 0.9)
      for (const double y : {-0.75, -0.2, 0.0, 0.5, 0.75})
        EXPECT_NEAR(wide.evaluate(x, y).z, narrow.evaluate(x, y).z, 1e-15) << width;
  }
  const RandomRoad wide(settings);
  int apart = 0;
  for (double x = 0.0; x < 100.0; x += 0.9)
    if (std::abs(wide.evaluate(x, 5.0).z - wide.evaluate(x, 0.75).z) > 1e-3) ++apart;
  EXPECT_GT(apart, 50);
  for (const double y : {-5.0, -2.0, -1.0, 0.4, 2.0, 7.0})
    EXPECT_NEAR(wide.evaluate(33.3, y).z_y,
                (wide.evaluate(33.3, y + 1e-4).z - wide.evaluate(33.3, y - 1e-4).z) / 2e-4, 1e-9);
}

TEST(RandomRoads, AreGivenByTheirSeedAndComeAgain) {
  RandomRoadSettings settings;
  const RandomRoad one(settings);
  const RandomRoad same(settings);
  settings.seed = 2;
  const RandomRoad other(settings);
  double square = 0.0;
  double product = 0.0;
  for (double x = 0.0; x < 500.0; x += 0.7) {
    EXPECT_EQ(one.evaluate(x, 0.2).z, same.evaluate(x, 0.2).z);
    EXPECT_NEAR(one.evaluate(x, 0.2).z, one.evaluate(x + 500.0, 0.2).z, 1e-9);
    square += one.evaluate(x, 0.2).z * one.evaluate(x, 0.2).z;
    product += one.evaluate(x, 0.2).z * other.evaluate(x, 0.2).z;
  }
  EXPECT_LT(std::abs(product), 0.5 * square);
  // heights are floats of a few mm: their differences carry 1e-9 m over twice the step
  const double step = 1e-4;
  for (const double x : {0.01, 3.333, 123.456}) {
    const RoadPoint point = one.evaluate(x, 0.2);
    EXPECT_NEAR(point.z_x, (one.evaluate(x + step, 0.2).z - one.evaluate(x - step, 0.2).z) / (2e-4),
                1e-5);
    EXPECT_NEAR(point.z_y, (one.evaluate(x, 0.2 + step).z - one.evaluate(x, 0.2 - step).z) / (2e-4),
                1e-9);
  }
  for (const double x : {1e12, -1e300, 1e300}) EXPECT_TRUE(std::isfinite(one.evaluate(x, 0.0).z));
}

TEST(RandomRoads, RefuseSettingsOutOfRange) {
  RandomRoadSettings settings;
  settings.length = 1e9;
  EXPECT_THROW(RandomRoad{settings}, std::invalid_argument);
  settings = {};
  settings.road_class = 'Z';
  EXPECT_THROW(RandomRoad{settings}, std::invalid_argument);
  settings = {};
  settings.coherence = std::nan("");
  EXPECT_THROW(RandomRoad{settings}, std::invalid_argument);
  for (const double width : {-1.0, 1e5, 1e300, std::nan("")}) {
    settings = {};
    settings.width = width;
    EXPECT_THROW(RandomRoad{settings}, std::invalid_argument) << width;
  }
}

}  // namespace
}  // namespace semirec
