#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "vehicles/driver/path.hpp"

namespace semirec {
namespace {

TEST(Path, ArcsEndWhereTheCircleDoes) {
  // a quarter circle of 50 m to the left after 20 m straight: x = 20 + R, y = R
  const double R = 50.0;
  const Path path = Path::from_segments({{20.0, 0.0, 0.0}, {0.5 * M_PI * R, 1.0 / R, 1.0 / R}});
  const PathPoint end = path.at(path.length());
  EXPECT_NEAR(path.length(), 20.0 + 0.5 * M_PI * R, 1e-10);
  EXPECT_NEAR(end.x, 70.0, 1e-9);  // rounding of 400 knots
  EXPECT_NEAR(end.y, 50.0, 1e-9);
  EXPECT_NEAR(end.heading, 0.5 * M_PI, 1e-12);
  // in between, also off the knots, on the circle: the cubics leave 1e-9 m at knots 0.2 m apart
  for (double s = 20.0; s < path.length(); s += 0.777) {
    const PathPoint p = path.at(s);
    EXPECT_NEAR(std::hypot(p.x - 20.0, p.y - R), R, 1e-8);
    EXPECT_NEAR(p.heading, (s - 20.0) / R, 1e-12);
  }
}

/// int_0^s of cos or sin of u^2 k' / 2 by Simpson's rule with 20000 pieces: shares nothing with the
/// path's Gauss rule.
double fresnel(double s, double rate, bool sine) {
  const int n = 20000;
  double sum = 0.0;
  for (int i = 0; i <= n; ++i) {
    const double u = s * i / n;
    const double value = sine ? std::sin(0.5 * rate * u * u) : std::cos(0.5 * rate * u * u);
    sum += (i == 0 || i == n ? 1.0 : i % 2 == 1 ? 4.0 : 2.0) * value;
  }
  return sum * s / n / 3.0;
}

TEST(Path, ClothoidsAreFresnelIntegrals) {
  const double length = 40.0;
  const double end_curvature = 1.0 / 15.0;
  const Path path = Path::from_segments({{length, 0.0, end_curvature}});
  const double rate = end_curvature / length;
  for (const double s : {5.0, 17.3, 31.0, 40.0}) {
    const PathPoint p = path.at(s);
    EXPECT_NEAR(p.x, fresnel(s, rate, false), 1e-8) << s;
    EXPECT_NEAR(p.y, fresnel(s, rate, true), 1e-8) << s;
    EXPECT_NEAR(p.heading, 0.5 * rate * s * s, 1e-11) << s;
    EXPECT_NEAR(p.curvature, rate * s, 1e-12) << s;
  }
}

TEST(Path, PointsOfACircleMakeACircle) {
  std::vector<std::pair<double, double>> points;
  const double R = 30.0;
  for (int k = 0; k <= 60; ++k) {
    const double angle = k * M_PI / 60.0;
    points.emplace_back(R * std::sin(angle), R * (1.0 - std::cos(angle)));
  }
  const Path path = Path::from_points(points);
  // the spline's error falls with the fourth power of the spacing, 1.57 m: below 1e-4 of the
  // radius; the natural ends (curvature zero) disturb a few points only
  EXPECT_NEAR(path.length(), M_PI * R, 5e-3);
  for (double s = 20.0; s < 74.0; s += 1.3) {
    EXPECT_NEAR(path.at(s).curvature, 1.0 / R, 1e-3 / R) << s;
    EXPECT_NEAR(std::hypot(path.at(s).x, path.at(s).y - R), R, 1e-4) << s;
  }
}

TEST(Path, IsStraightBeyondItsEnds) {
  const Path path = Path::from_segments({{10.0, 0.1, 0.1}});
  const PathPoint before = path.at(-5.0);
  EXPECT_DOUBLE_EQ(before.x, -5.0);
  EXPECT_DOUBLE_EQ(before.y, 0.0);
  const PathPoint end = path.at(10.0);
  const PathPoint after = path.at(13.0);
  EXPECT_NEAR(after.x, end.x + 3.0 * std::cos(1.0), 1e-12);  // heading 10 m * 0.1/m
  EXPECT_NEAR(after.y, end.y + 3.0 * std::sin(1.0), 1e-12);
  EXPECT_EQ(after.curvature, 0.0);
}

TEST(Path, FindsTheFootOfAPerpendicular) {
  const double R = 40.0;
  const Path path = Path::from_segments({{M_PI * R, 1.0 / R, 1.0 / R}});
  for (const double angle : {0.2, 1.0, 2.5})
    for (const double off : {-3.0, 0.0, 2.0}) {
      // `off` to the left of the path is nearer to the centre (0, R)
      const double x = (R - off) * std::sin(angle);
      const double y = R - (R - off) * std::cos(angle);
      const PathPoint foot = path.nearest(x, y, R * angle - 3.0);
      EXPECT_NEAR(foot.s, R * angle, 1e-6);
      EXPECT_NEAR(Path::offset(foot, x, y), off, 1e-8);
    }
}

TEST(Path, RefusesWhatIsNone) {
  using Segments = std::vector<PathSegment>;
  EXPECT_THROW(Path::from_segments(Segments{}), std::invalid_argument);
  EXPECT_THROW(Path::from_segments(Segments{{0.0, 0.0, 0.0}}), std::invalid_argument);
  EXPECT_THROW(Path::from_segments(Segments{{1e9, 0.0, 0.0}}), std::invalid_argument);
  EXPECT_THROW(Path::from_segments(Segments{{5.0, 100.0, 0.0}}), std::invalid_argument);
  EXPECT_THROW(Path::from_segments(Segments{{5.0, std::nan(""), 0.0}}), std::invalid_argument);
  EXPECT_THROW(Path::from_points({{0.0, 0.0}}), std::invalid_argument);
  EXPECT_THROW(Path::from_points({{0.0, 0.0}, {0.0, 0.0}}), std::invalid_argument);
  EXPECT_THROW(Path::from_points({{0.0, 0.0}, {1e7, 0.0}}), std::invalid_argument);
}

}  // namespace
}  // namespace semirec
