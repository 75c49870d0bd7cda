#include <bit>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "topology/mechanism.hpp"
#include "vehicles/road/crg_file.hpp"
#include "vehicles/road/crg_surface.hpp"

namespace semirec {
namespace {

using testing::Contains;
using testing::HasSubstr;

constexpr double kRounding = 1e-6;  // heights are kept as floats, text has seven decimals

/// Text of a file from its blocks and rows.
struct Text {
  std::string road = "REFERENCE_LINE_INCREMENT = 1.0\n";
  std::string options, modifiers, channels, rows;
  std::string format = "LRFI";

  Text& columns(const std::vector<double>& v) {
    for (const double at : v) {
      char line[80];
      std::snprintf(line, sizeof line, "D:long section at v = %.3f,m\n", at);
      channels += line;
    }
    return *this;
  }
  Text& row(const std::vector<double>& values) {
    const int width = format == "LRFI" ? 10 : 20;
    int column = 0;
    for (const double value : values) {
      char field[40];
      std::snprintf(field, sizeof field, "%*.*f", width, width == 10 ? 7 : 15, value);
      rows += std::isnan(value) ? (width == 10 ? " *missing*" : "           *missing*") : field;
      if (++column % (80 / width) == 0) rows += "\n";
    }
    rows += "\n";
    return *this;
  }
  std::string header() const {
    std::string all = "$CT ! text\nan example\n$\n$Road_CRG\n" + road + "$\n";
    if (!options.empty()) all += "$ROAD_CRG_OPTS\n" + options + "$\n";
    if (!modifiers.empty()) all += "$ROAD_CRG_MODS\n" + modifiers + "$\n";
    return all + "$KD_Definition\n#:" + format + "\n" + channels + "$\n$$$$\n";
  }
  std::string text() const { return header() + rows; }
};

CrgSurface surface_of(const Text& text, std::vector<std::string>* notes = nullptr) {
  return CrgSurface(parse_crg(text.text(), "hand.crg"), notes);
}

/// z by rows u = 0, 1, 2 and columns v = -1, 0, 1.
Text square() {
  Text text;
  text.columns({-1.0, 0.0, 1.0});
  text.row({1, 2, 3}).row({4, 5, 6}).row({7, 8, 10});
  return text;
}

double z_at(const RoadSurface& road, double x, double y) { return road.evaluate(x, y).z; }

TEST(CrgStraight, IsBilinearBetweenItsPoints) {
  const CrgSurface road = surface_of(square());
  EXPECT_NEAR(z_at(road, 0.0, -1.0), 1.0, kRounding);
  EXPECT_NEAR(z_at(road, 2.0, 1.0), 10.0, kRounding);
  EXPECT_NEAR(z_at(road, 1.5, 0.5), (5.0 + 6.0 + 8.0 + 10.0) / 4.0, kRounding);
  EXPECT_NEAR(road.evaluate(1.5, 0.5).z_x, (8.0 + 10.0 - 5.0 - 6.0) / 2.0, kRounding);
  EXPECT_NEAR(road.evaluate(1.5, 0.5).z_y, (6.0 + 10.0 - 5.0 - 8.0) / 2.0, kRounding);
  EXPECT_NEAR(road.evaluate(1.0, 0.0).z_x, 3.0, kRounding);  // on a row: that of the mesh behind it
}

// Values by hand from the table of square().
TEST(CrgBorder, ModesAlong) {
  const auto at = [](int mode, double x) {
    Text text = square();
    text.options = "BORDER_MODE_U = " + std::to_string(mode) + " ! along\nborder_offset_u = 0.25\n";
    return z_at(surface_of(text), x, 0.0);
  };
  EXPECT_NEAR(at(1, 2.5), 0.25, kRounding);  // zero
  EXPECT_NEAR(at(1, -0.5), 0.25, kRounding);
  EXPECT_NEAR(at(2, 2.5), 8.25, kRounding);  // keep
  EXPECT_NEAR(at(2, -0.5), 2.25, kRounding);
  EXPECT_NEAR(at(0, 2.5), 8.25, kRounding);            // none is taken as keep
  EXPECT_NEAR(at(3, 2.5), (2 + 5) / 2.0, kRounding);   // repeat: 0.5
  EXPECT_NEAR(at(3, -0.5), (5 + 8) / 2.0, kRounding);  // 1.5
  EXPECT_NEAR(at(3, 8.5), (2 + 5) / 2.0, kRounding);
  EXPECT_NEAR(at(4, 2.5), (5 + 8) / 2.0, kRounding);   // reflect: 1.5
  EXPECT_NEAR(at(4, -0.5), (2 + 5) / 2.0, kRounding);  // 0.5
  EXPECT_NEAR(at(4, 4.5), (2 + 5) / 2.0, kRounding);
}

TEST(CrgBorder, ModesAcross) {
  const auto at = [](int mode, double y) {
    Text text = square();
    text.options = "border_mode_v = " + std::to_string(mode) + "\nborder_offset_v = -0.5\n";
    return z_at(surface_of(text), 0.0, y);
  };
  EXPECT_NEAR(at(1, 1.5), -0.5, kRounding);
  EXPECT_NEAR(at(2, 1.5), 2.5, kRounding);
  EXPECT_NEAR(at(2, -1.5), 0.5, kRounding);
  EXPECT_NEAR(at(3, 1.5), 1.5, kRounding);   // v = -0.5
  EXPECT_NEAR(at(3, -1.5), 2.5, kRounding);  // v = 0.5
  EXPECT_NEAR(at(4, 1.5), 2.5, kRounding);
  EXPECT_NEAR(at(4, -1.5), 1.5, kRounding);
  EXPECT_NEAR(at(4, 3.5), 1.5, kRounding);  // v = -0.5 again
}

TEST(CrgBorder, SlopesAreThoseOfTheHeightsInEachMode) {
  for (const int u : {1, 2, 3, 4})
    for (const int v : {1, 2, 3, 4}) {
      Text text = square();
      text.options =
          "border_mode_u = " + std::to_string(u) + "\nborder_mode_v = " + std::to_string(v) + "\n";
      const CrgSurface road = surface_of(text);
      for (const double x : {-0.7, 0.3, 2.6})
        for (const double y : {-1.8, 0.4, 1.3}) {
          const double step = 1e-5;
          const RoadPoint point = road.evaluate(x, y);
          EXPECT_NEAR(point.z_x, (z_at(road, x + step, y) - z_at(road, x - step, y)) / (2 * step),
                      1e-6);
          EXPECT_NEAR(point.z_y, (z_at(road, x, y + step) - z_at(road, x, y - step)) / (2 * step),
                      1e-6);
        }
    }
}

TEST(CrgBorder, HeightsFadeTowardsTheEnds) {
  Text text = square();
  text.road += "reference_line_start_z = 10\n";
  text.options = "border_smooth_ubeg = 1\nborder_smooth_uend = 0.5\n";
  const CrgSurface road = surface_of(text);
  EXPECT_NEAR(z_at(road, 0.5, 0.0), 10.0 + 0.5 * 3.5, kRounding);  // half of the grid's height
  EXPECT_NEAR(road.evaluate(0.5, 0.0).z_x, 0.5 * 3.0 + 3.5, kRounding);
  EXPECT_NEAR(z_at(road, -3.0, 0.0), 10.0, kRounding);
  EXPECT_NEAR(z_at(road, 1.75, 0.0), 10.0 + 0.5 * (5.0 + 0.75 * 3.0), kRounding);
  EXPECT_NEAR(z_at(road, 2.1, 0.0), 10.0, kRounding);
}

// Zones of fading that overlap fade one after the other, so that no step is left between them.
TEST(CrgBorder, ZonesOfFadingMayOverlap) {
  Text text = square();
  text.options = "border_smooth_ubeg = 1.5\nborder_smooth_uend = 1.5\n";
  const CrgSurface road = surface_of(text);
  EXPECT_NEAR(z_at(road, 1.0, 0.0), 5.0 * (1.0 / 1.5) * (1.0 / 1.5), kRounding);
  for (const double edge : {0.5, 1.5})
    EXPECT_NEAR(z_at(road, edge - 1e-9, 0.0), z_at(road, edge + 1e-9, 0.0), 1e-7) << edge;
}

TEST(CrgGrid, WithARowThatIsMissingIsRefused) {
  Text text;
  text.columns({-1.0, 1.0});
  text.row({1, 1}).row({std::nan(""), std::nan("")}).row({1, 1});
  EXPECT_THROW(surface_of(text), ModelError);
}

TEST(CrgLine, BankingAndSlopeLiftTheGrid) {
  Text text;
  text.channels = "D:reference line banking,m/m\nD:reference line slope,m/m\n";
  text.columns({-1.0, 1.0});
  text.row({0.1, 0.0, 0, 0}).row({0.1, 0.1, 0, 0}).row({0.3, 0.2, 0, 0});
  const CrgSurface road = surface_of(text);
  EXPECT_NEAR(z_at(road, 0.0, 0.5), 0.05, kRounding);
  EXPECT_NEAR(z_at(road, 1.0, 0.0), 0.1, kRounding);        // slope of row 1 over 1 m
  EXPECT_NEAR(z_at(road, 2.0, 0.0), 0.1 + 0.2, kRounding);  // and of row 2
  EXPECT_NEAR(z_at(road, 1.5, 0.5), 0.2 + 0.2 * 0.5, kRounding);
  EXPECT_NEAR(z_at(road, 2.0, 7.0), 0.3 + 0.3, kRounding);  // banking up to the edge of the grid
}

TEST(CrgLine, ConstantSlopeAndBankingComeFromTheHeader) {
  Text text;
  text.road +=
      "reference_line_start_s = 0.05\nreference_line_start_b = -0.02\n"
      "reference_line_start_phi = 1.5707963267948966\nreference_line_start_x = 3\n";
  text.columns({-1.0, 1.0}).row({0, 0}).row({0, 0}).row({0, 0});
  const CrgSurface road = surface_of(text);
  EXPECT_NEAR(z_at(road, 3.0, 2.0), 0.1, kRounding);
  EXPECT_NEAR(z_at(road, 2.0, 2.0), 0.1 - 0.02, kRounding);  // 1 m to the left of a road along y
  EXPECT_NEAR(road.evaluate(3.2, 1.0).z_y, 0.05, kRounding);
  EXPECT_NEAR(road.evaluate(3.2, 1.0).z_x, 0.02, kRounding);
}

/// A left circle about (0, R) by `count` chords of 1 m, beginning at the origin towards x.
Text circle(int count, double& radius, double& chord_angle) {
  chord_angle = 2.0 * std::numbers::pi / 300.0;
  radius = 0.5 / std::sin(0.5 * chord_angle);
  Text text;
  text.channels = "D:reference line phi,rad\n";
  text.columns({-2.0, 0.0, 2.0});
  for (int i = 0; i <= count; ++i)
    text.row({i == 0 ? 0.0 : (i - 0.5) * chord_angle, 0.01 * i, 0.01 * i, 0.01 * i});
  text.road += "reference_line_end_u = " + std::to_string(count) + "\n";
  return text;
}

TEST(CrgCircle, PointsOfACircleLieAtOneV) {
  double radius = 0.0;
  double angle = 0.0;
  const CrgSurface road = surface_of(circle(280, radius, angle));
  const double sagitta = radius * (1.0 - std::cos(0.5 * angle));  // between circle and chord
  for (const double v : {-5.0, -1.7, 0.0, 1.3, 20.0})
    for (double turn = 0.1; turn < 279.0 * angle; turn += 0.0317) {
      const double r = radius - v;
      const CrgPlace place = road.locate(r * std::sin(turn), radius - r * std::cos(turn));
      EXPECT_NEAR(place.v, v, sagitta + kRounding * radius) << turn;
      EXPECT_NEAR(place.u, turn / angle, 1e-3) << turn;
      EXPECT_NEAR(z_at(road, r * std::sin(turn), radius - r * std::cos(turn)), 0.01 * turn / angle,
                  1e-4);
    }
}

TEST(CrgCircle, SlopesAreThoseOfTheHeights) {
  double radius = 0.0;
  double angle = 0.0;
  const CrgSurface road = surface_of(circle(280, radius, angle));
  const double step = 1e-4;
  for (const double v : {-3.0, 0.4, 1.3})
    for (double turn = 0.1003; turn < 279.0 * angle; turn += 0.21) {
      const double x = (radius - v) * std::sin(turn);
      const double y = radius - (radius - v) * std::cos(turn);
      const RoadPoint point = road.evaluate(x, y);
      // floats of 2.8 m: 2e-7 m over twice the step
      EXPECT_NEAR(point.z_x, (z_at(road, x + step, y) - z_at(road, x - step, y)) / (2 * step),
                  1e-5);
      EXPECT_NEAR(point.z_y, (z_at(road, x, y + step) - z_at(road, x, y - step)) / (2 * step),
                  1e-5);
    }
}

TEST(CrgCircle, HeightsAreContinuousAcrossRows) {
  double radius = 0.0;
  double angle = 0.0;
  const CrgSurface road = surface_of(circle(280, radius, angle));
  double last = z_at(road, 0.0, 0.5);
  for (double turn = 0.0; turn < 3.0; turn += 1e-4) {
    const double z =
        z_at(road, (radius - 0.5) * std::sin(turn), radius - (radius - 0.5) * std::cos(turn));
    EXPECT_LT(std::abs(z - last), 1e-4 / angle * 0.01 * 1.1) << turn;  // 0.01 m a row
    last = z;
  }
}

TEST(CrgCircle, ClosesItsLineOverTheGapIfAsked) {
  double radius = 0.0;
  double angle = 0.0;
  Text text = circle(299, radius, angle);
  const auto middle_of_gap = [&](const CrgSurface& road) {
    return road.locate(-0.5 * std::cos(0.5 * angle), 0.0);
  };
  text.options = "refline_continuation = 1\n";
  std::vector<std::string> notes;
  const CrgSurface closed = surface_of(text, &notes);
  EXPECT_TRUE(notes.empty());
  text.options += "border_smooth_ubeg = 10\n";
  surface_of(text, &notes);
  EXPECT_THAT(notes, Contains(HasSubstr("not used where the line is closed")));
  EXPECT_NEAR(middle_of_gap(closed).u, 299.5, 1e-2);
  // half way between the last row and the first
  EXPECT_NEAR(z_at(closed, -0.5 * std::cos(0.5 * angle), 0.0), 0.5 * 2.99, 0.03);
  for (double turn = 0.0; turn < 7.0; turn += 0.01)
    EXPECT_NEAR(closed.locate(radius * std::sin(turn), radius - radius * std::cos(turn)).v, 0.0,
                0.01);
  text.options = "refline_continuation = 0\n";
  const CrgSurface open = surface_of(text);
  EXPECT_LT(middle_of_gap(open).u, 0.0);  // straight on before the first row
}

TEST(CrgLine, GoesStraightOnBeyondItsEnds) {
  double radius = 0.0;
  double angle = 0.0;
  const CrgSurface road = surface_of(circle(75, radius, angle));  // a quarter: ends towards y
  const CrgPlace before = road.locate(-3.0 * std::cos(0.5 * angle) - 0.25 * std::sin(0.5 * angle),
                                      -3.0 * std::sin(0.5 * angle) + 0.25 * std::cos(0.5 * angle));
  EXPECT_NEAR(before.u, -3.0, kRounding);
  EXPECT_NEAR(before.v, 0.25, kRounding);
  EXPECT_NEAR(road.locate(radius, radius + 10.0).u, 75.0 + 10.0, 0.01);
}

TEST(CrgLine, MeetsItsWrittenEnd) {
  double radius = 0.0;
  double angle = 0.0;
  Text text = circle(75, radius, angle);
  char end[120];
  std::snprintf(end, sizeof end, "reference_line_end_x = %.9f\nreference_line_end_y = %.9f\n",
                radius + 0.3, radius);
  text.road += end;
  const CrgSurface road = surface_of(text);
  EXPECT_NEAR(road.locate(radius + 0.3, radius).u, 75.0, kRounding);
  EXPECT_NEAR(road.locate(radius + 0.3, radius).v, 0.0, kRounding);
}

// Without headings or slopes there is nothing to spread it over.
TEST(CrgLine, TellsAWrittenEndThatItMisses) {
  Text text = square();
  text.road += "reference_line_end_x = 0\nreference_line_end_y = 2\nreference_line_end_z = 0.5\n";
  std::vector<std::string> notes;
  surface_of(text, &notes);
  ASSERT_EQ(notes.size(), 2U);
  // from (2, 0) to (0, 2)
  EXPECT_NE(notes[0].find("lie 2.828 m from where"), std::string::npos) << notes[0];
  EXPECT_NE(notes[1].find("lies 0.5 m from where"), std::string::npos) << notes[1];
  notes.clear();
  text = square();
  text.road += "reference_line_end_x = 2\nreference_line_end_y = 0\nreference_line_end_z = 0\n";
  surface_of(text, &notes);
  EXPECT_TRUE(notes.empty());
}

TEST(CrgSurfaces, KnowWhatTheyCover) {
  Text text = square();
  const CrgSurface kept = surface_of(text);
  EXPECT_TRUE(kept.covers(1.0, 0.5));
  for (const auto& [x, y] : {std::pair(-0.1, 0.0), std::pair(2.1, 0.0), std::pair(1.0, 1.1)})
    EXPECT_FALSE(kept.covers(x, y)) << x << ' ' << y;
  text.options = "border_mode_u = 3\n";
  const CrgSurface repeated = surface_of(text);
  EXPECT_TRUE(repeated.covers(2.1, 0.0));
  EXPECT_FALSE(repeated.covers(1.0, 1.1));
}

TEST(CrgLine, MayBeListedAsPoints) {
  Text text;
  text.channels = "D:reference line x,m\nD:reference line y,m\n";
  text.columns({-1.0, 1.0});
  for (int i = 0; i < 5; ++i) text.row({0.6 * i, 0.8 * i, 1.0 * i, 1.0 * i});
  const CrgSurface road = surface_of(text);
  EXPECT_NEAR(road.locate(1.2, 1.6).u, 2.0, kRounding);
  EXPECT_NEAR(road.locate(1.2 - 0.4, 1.6 + 0.3).v, 0.5, kRounding);
  EXPECT_NEAR(z_at(road, 1.5, 2.0), 2.5, kRounding);
}

TEST(CrgModifiers, ScaleTheRoad) {
  Text text = square();
  text.road += "reference_line_start_b = 0.1\n";
  text.modifiers = "scale_z_grid = 2\nscale_length = 3\nscale_width = 0.5\nscale_banking = 10\n";
  const CrgSurface road = surface_of(text);
  EXPECT_NEAR(z_at(road, 3.0, 0.5), 2.0 * 6.0 + 10.0 * 0.1 * 0.5, kRounding);
  EXPECT_NEAR(z_at(road, 1.5, 0.0), 2.0 * 3.5, kRounding);
  double radius = 0.0;
  double angle = 0.0;
  Text bend = circle(75, radius, angle);
  bend.modifiers = "scale_curvature = 0\n";
  // straight on along the first heading
  EXPECT_NEAR(surface_of(bend).locate(60.0 * std::cos(0.5 * angle), 60.0 * std::sin(0.5 * angle)).u,
              60.0, kRounding);
}

// A line of ten metres whose headings run from 2.5 to 4.3 rad, listed within half a turn: curvature
// is scaled from the first heading on, pbeg + cumsum(s diff(unwrap(phi))) of OpenCRG.
TEST(CrgModifiers, ScaleCurvatureFromTheFirstHeadingOn) {
  constexpr double kScale = 0.9;
  Text text;
  text.channels = "D:reference line phi,rad\n";
  text.columns({-1.0, 1.0});
  double x = 0.0;
  double y = 0.0;
  for (int i = 0; i <= 10; ++i) {
    const double phi = 2.5 + 0.18 * (i - 1);
    text.row({std::remainder(phi, 2.0 * M_PI), 1.0 * i, 1.0 * i});
    if (i == 0) continue;
    const double scaled = 2.5 + kScale * 0.18 * (i - 1);
    x += std::cos(scaled);
    y += std::sin(scaled);
  }
  text.modifiers = "scale_curvature = 0.9\n";
  const CrgSurface road = surface_of(text);
  EXPECT_NEAR(road.locate(x, y).u, 10.0, 1e-6);
  EXPECT_NEAR(road.locate(x, y).v, 0.0, 1e-6);
}

TEST(CrgModifiers, MoveTheLineByOffsets) {
  Text text = square();
  text.modifiers =
      "refline_offset_phi = 1.5707963267948966\nrefline_rotcenter_x = 1\nrefline_rotcenter_y = 0\n"
      "refline_offset_x = 10\nrefline_offset_z = 100\n";
  const CrgSurface road = surface_of(text);
  // (1, 0) stays but for the offset; (2, 0) turns to (1, 1)
  EXPECT_NEAR(z_at(road, 11.0, 0.0), 105.0, 1e-5);
  EXPECT_NEAR(z_at(road, 11.0, 1.0), 108.0, 1e-5);
  EXPECT_NEAR(z_at(road, 10.0, 1.0), 110.0, 1e-5);
}

TEST(CrgModifiers, PutAPointOfTheRoadToAPlace) {
  Text text = square();
  text.modifiers =
      "refpoint_u_fraction = 0.25\nrefpoint_u_offset = 0.5\nrefpoint_v = 0\nrefpoint_x = 100\n"
      "refpoint_y = 50\nrefpoint_z = 7\nrefpoint_phi = 3.141592653589793\n";
  const CrgSurface road = surface_of(text);
  EXPECT_NEAR(z_at(road, 100.0, 50.0), 7.0, kRounding);        // u = 1, v = 0
  EXPECT_NEAR(z_at(road, 99.0, 50.0), 7.0 + 3.0, kRounding);   // u = 2
  EXPECT_NEAR(z_at(road, 100.0, 49.0), 7.0 + 1.0, kRounding);  // v = 1
}

TEST(CrgGrid, FillsWhatIsMissing) {
  const double nan = std::nan("");
  Text text;
  text.columns({-2.0, -1.0, 0.0, 1.0, 2.0});
  text.row({nan, 1, nan, 3, nan}).row({nan, nan, 2, nan, nan});
  const auto at = [&](const std::string& modifiers, double y) {
    text.modifiers = modifiers;
    return z_at(surface_of(text), 0.0, y);
  };
  EXPECT_NEAR(at("", -2.0), 1.0, kRounding);  // the number beside
  EXPECT_NEAR(at("", 0.0), 1.0, kRounding);
  EXPECT_NEAR(at("", 2.0), 3.0, kRounding);
  EXPECT_NEAR(at("grid_nan_mode = 1\ngrid_nan_offset = -0.5\n", 2.0), -0.5, kRounding);
  EXPECT_NEAR(at("grid_nan_mode = 2\ngrid_nan_offset = -0.5\n", 2.0), 2.5, kRounding);
  std::vector<std::string> notes;
  text.modifiers = "grid_nan_mode = 0\n";
  EXPECT_TRUE(std::isfinite(z_at(surface_of(text, &notes), 1.0, 0.0)));
  EXPECT_THAT(notes, Contains(HasSubstr("grid_nan_mode = 0")));
}

template <typename Word, typename Number>
void put(std::string& bytes, double value) {
  const auto word = std::bit_cast<Word>(static_cast<Number>(value));
  for (int k = static_cast<int>(sizeof(Word)) - 1; k >= 0; --k)
    bytes += static_cast<char>(static_cast<unsigned char>(word >> (8 * k)));
}

TEST(CrgFormats, TextAndBinaryGiveTheSameRoad) {
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 6; ++i) {
    rows.push_back({0.125 * i});
    for (int k = 0; k < 11; ++k) rows.back().push_back(0.25 * i - 0.0625 * k * k);
  }
  std::vector<double> v;
  for (int k = 0; k < 11; ++k) v.push_back(-2.5 + 0.5 * k);
  const auto make = [&](const std::string& format, bool with_end) {
    Text text;
    text.format = format;
    if (with_end) text.road += "reference_line_end_u = 5\n";
    text.channels = "D:reference line phi,rad\n";
    text.columns(v);
    if (format[1] != 'R' || format[2] != 'B')
      if (format == "LRFI" || format == "LDFI") {
        for (const auto& row : rows) text.row(row);
        return text.text();
      }
    for (const auto& row : rows)
      for (const double value : row)
        format == "KRBI" ? put<std::uint32_t, float>(text.rows, value)
                         : put<std::uint64_t, double>(text.rows, value);
    while (text.rows.size() % 80 != 0)
      format == "KRBI" ? put<std::uint32_t, float>(text.rows, std::nan(""))
                       : put<std::uint64_t, double>(text.rows, std::nan(""));
    return text.text();
  };
  const CrgFile expected = parse_crg(make("LRFI", false), "text");
  ASSERT_EQ(expected.rows, 6U);
  for (const char* format : {"LRFI", "LDFI", "KRBI", "KDBI"})
    for (const bool with_end : {false, true}) {
      const CrgFile file = parse_crg(make(format, with_end), format);
      EXPECT_EQ(file.rows, expected.rows) << format;
      EXPECT_EQ(file.phi, expected.phi) << format;
      EXPECT_EQ(file.v, expected.v) << format;
      EXPECT_EQ(file.z, expected.z) << format;
    }
}

// Rows behind the written end are told, and a file that ends within a row is refused.
TEST(CrgFormats, BinaryRowsThatAreLeftOutOrCutAreNotSilent) {
  const auto make = [&](const std::string& road, std::size_t cut) {
    Text text;
    text.format = "KDBI";
    text.road += road;
    text.columns({-1.0, 0.0, 1.0});
    for (int i = 0; i < 61; ++i)
      for (int k = 0; k < 3; ++k) put<std::uint64_t, double>(text.rows, 0.01 * i);
    text.rows.resize(text.rows.size() - cut);
    return parse_crg(text.text(), "hand.crg");
  };
  EXPECT_EQ(make("", 0).rows, 61U);
  EXPECT_EQ(make("", 24).rows, 60U);
  const CrgFile file = make("reference_line_end_u = 30\n", 0);
  EXPECT_EQ(file.rows, 31U);
  ASSERT_EQ(file.notes.size(), 1U);
  EXPECT_NE(file.notes[0].find("31 of 61 are used"), std::string::npos) << file.notes[0];
  EXPECT_TRUE(make("reference_line_end_u = 60\n", 0).notes.empty());
  // a part of a row that is shorter than a record
  for (const std::size_t cut : {8U, 12U, 20U}) {
    const CrgFile shorter = make("", cut);
    EXPECT_EQ(shorter.rows, 60U);
    ASSERT_EQ(shorter.notes.size(), 1U);
    EXPECT_NE(shorter.notes[0].find("may be cut off"), std::string::npos) << shorter.notes[0];
  }
  // and one that is not
  Text wide;
  wide.format = "KDBI";
  std::vector<double> v;
  for (int k = 0; k < 21; ++k) v.push_back(0.1 * k);
  wide.columns(v);
  for (int i = 0; i < 40 * 21; ++i) put<std::uint64_t, double>(wide.rows, 0.01 * i);
  EXPECT_TRUE(parse_crg(wide.text(), "hand.crg").notes.empty());
  for (const char pad : {'\0', ' ', '\n'})
    EXPECT_TRUE(parse_crg(wide.text() + std::string(40, pad), "hand.crg").notes.empty());
  wide.rows.resize(wide.rows.size() - 50);
  try {
    parse_crg(wide.text(), "hand.crg");
    ADD_FAILURE() << "50 bytes are missing";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("ends within row 40"), std::string::npos)
        << error.what();
  }
}

// A grade of 1 % in rows of 1 cm, 0 and 1500 m above the sea: floats of 1500 m have steps of 0.12
// mm.
TEST(CrgFormats, KnowHeightsFarAboveTheSea) {
  for (const double sea : {0.0, -300.0, 1500.0}) {
    Text text;
    text.format = "LDFI";
    text.road = "REFERENCE_LINE_INCREMENT = 0.01\n";
    text.columns({-1.0, 1.0});
    for (int i = 0; i < 200; ++i) text.row({sea + 1e-4 * i, sea + 1e-4 * i});
    const CrgSurface road = surface_of(text);
    for (double x = 0.005; x < 1.98; x += 0.01) {
      EXPECT_NEAR(road.evaluate(x, 0.3).z, sea + 0.01 * x, 1e-8);
      EXPECT_NEAR(road.evaluate(x, 0.3).z_x, 0.01, 1e-6);
    }
  }
  // missing heights that are zero stay there
  Text text;
  text.format = "LDFI";
  text.modifiers = "GRID_NAN_MODE = 1\n";
  text.columns({-1.0, 0.0, 1.0});
  text.row({1500, 1500, std::nan("")}).row({1500, 1500, std::nan("")});
  EXPECT_NEAR(z_at(surface_of(text), 0.5, 1.0), 0.0, 1e-4);
}

// Where the rows begin and their distance, in the definition of u alone.
TEST(CrgFormats, TakeTheRowsFromTheDefinitionOfU) {
  Text text = square();
  text.road = "";
  text.channels = "U:reference line u,m,5.0,2.0\n" + text.channels;
  std::vector<std::string> notes;
  const CrgSurface road = surface_of(text, &notes);
  EXPECT_TRUE(notes.empty());
  EXPECT_NEAR(z_at(road, 2.0, -1.0), 4.0, kRounding);
  const CrgFile file = parse_crg(text.text(), "hand.crg");
  EXPECT_EQ(file.u_begin, 5.0);
  EXPECT_EQ(file.u_increment, 2.0);
  EXPECT_TRUE(file.notes.empty());
}

TEST(CrgFormats, ColumnsMayComeInAnyOrderAndByNumber) {
  Text text;
  text.road += "long_section_v_right = -3\nlong_section_v_increment = 2\n";
  text.channels = "D:long section 2,m\nD:long section 3,m\nD:long section 1,m\n";
  text.row({2, 3, 1}).row({2, 3, 1});
  const CrgFile file = parse_crg(text.text(), "hand.crg");
  EXPECT_EQ(file.v, (std::vector<double>{-3.0, -1.0, 1.0}));
  EXPECT_EQ(file.z, (std::vector<float>{1, 2, 3, 1, 2, 3}));
}

TEST(CrgFormats, LineEndsOfOtherSystemsAndFirstHeadingUnusedAreRead) {
  std::string text = Text(square()).text();
  std::string dos;
  for (const char c : text) dos += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(parse_crg(dos, "dos.crg").z, parse_crg(text, "unix.crg").z);
  Text bend;
  bend.channels = "D:reference line phi,rad\n";
  bend.columns({-1.0, 1.0});
  bend.rows = "**unused** 0.0000000 0.0000000\n 0.1000000 0.0D+00    1.0e-1\n";
  const CrgFile file = parse_crg(bend.text(), "bend.crg");
  EXPECT_EQ(file.phi, (std::vector<double>{0.0, 0.1}));
  EXPECT_FLOAT_EQ(file.z.back(), 0.1F);
}

TEST(CrgFiles, ReferToOthersAndKeepTheirOwnOptions) {
  const std::string data = [] {
    Text text = square();
    text.options = "border_offset_u = 9\n";
    text.modifiers = "scale_z_grid = 3\n";
    return text.text();
  }();
  const CrgOpen open = [&](const std::string& name, const std::string& from) {
    EXPECT_EQ(name, "grid.crg");
    EXPECT_EQ(from, "top.crg");
    return CrgBytes{"grid.crg", data};
  };
  const std::string top = "$ROAD_CRG_OPTS\nborder_offset_u = 0.5\n$\n$ROAD_CRG_FILE\ngrid.crg\n$\n";
  const CrgFile file = parse_crg(top, "top.crg", open);
  EXPECT_EQ(file.options.offset_u, 0.5);
  EXPECT_EQ(file.modifiers.scale_z, 3.0);  // none of its own, so those of the file with data
  EXPECT_EQ(file.rows, 3U);
}

TEST(CrgFiles, NamesWhatStandsTwiceOrBesideWhatCounts) {
  Text text = square();
  text.road += "reference_line_start_z = 1.5\nreference_line_start_z = 7\n";
  text.channels += "U:reference line u,m,0,2\n";
  std::vector<std::string> notes;
  const CrgSurface road = surface_of(text, &notes);
  EXPECT_NEAR(z_at(road, 0.0, 0.0), 2.0 + 7.0, kRounding);
  EXPECT_EQ(notes.size(), 2U);
  EXPECT_THAT(notes, Contains(HasSubstr("reference_line_start_z stands twice")));
  EXPECT_THAT(notes, Contains(HasSubstr("U: says of reference_line_increment")));
  // a start beside a channel that begins with another value; the same value is no matter
  for (const auto& [start, count] : {std::pair{"0.3", 1U}, {"0.1", 0U}}) {
    Text banked;
    banked.columns({-1.0, 1.0});
    banked.road += "reference_line_start_b = " + std::string(start) + "\n";
    banked.channels += "D:reference line banking,m/m\n";
    banked.row({0, 0, 0.1}).row({0, 0, 0.1}).row({0, 0, 0.1});
    notes.clear();
    surface_of(banked, &notes);
    EXPECT_EQ(notes.size(), count);
    if (count > 0) EXPECT_THAT(notes, Contains(HasSubstr("start_b is not used")));
  }
}

TEST(CrgFiles, EndlessReferencesAreRefused) {
  const CrgOpen open = [](const std::string&, const std::string&) {
    return CrgBytes{"self.crg", "$ROAD_CRG_FILE\nself.crg\n$\n"};
  };
  try {
    parse_crg("$ROAD_CRG_FILE\nself.crg\n$\n", "self.crg", open);
    FAIL() << "was read";
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("in a circle"));
  }
}

TEST(CrgFiles, WhatIsNotHonouredIsNamed) {
  Text text = square();
  text.road += "reference_line_offset_x = 3\nsome_key = 1\n";
  text.options = "border_mode_u = 0\nnew_option = 7\nwarn_msgs = 3\n";
  text.modifiers = "new_modifier = 7\n";
  text.channels += "D:friction,-\n";
  text.rows.clear();
  text.row({1, 2, 3, 0}).row({4, 5, 6, 0});
  std::vector<std::string> notes;
  surface_of(text, &notes);
  for (const char* word : {"reference_line_offset_x", "some_key", "border_mode_u = 0", "new_option",
                           "new_modifier", "friction"})
    EXPECT_THAT(notes, Contains(HasSubstr(word)));
  EXPECT_EQ(notes.size(), 6U);
}

struct Broken {
  const char* name;
  std::string text;
  std::string words;  ///< place and fault
};

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

std::vector<Broken> broken_files() {
  const std::string good = square().text();
  Text binary = square();
  binary.format = "KRBI";
  binary.road += "reference_line_end_u = 1000000\n";
  binary.rows = std::string(100, '\0');
  Text bend;
  bend.channels = "D:reference line phi,rad\n";
  bend.columns({-1.0, 1.0});
  Text sharp = bend;
  bend.row({0, 0, 0}).row({std::nan(""), 0, 0});
  sharp.row({0, 0, 0}).row({0, 0, 0}).row({3, 0, 0});
  return {
      {"empty", "", "bad.crg: element 'crg': has no data"},
      {"no road file", "<xml/>\n", "bad.crg:1: element '<xml/>': stands outside of all blocks"},
      {"endless line", std::string(5000, 'x'), "a line is too long"},
      {"header alone", good.substr(0, good.find("$$$$")), "has no data"},
      {"no rows", good.substr(0, good.find("$$$$") + 5), "has 0 rows of data"},
      {"cut row", good.substr(0, good.size() - 15), "expected a number in characters"},
      {"word for a number", replaced(good, "= 1.0", "= one"),
       "bad.crg:5: element 'reference_line_increment': is 'one', which is no number"},
      {"nan for a number", replaced(good, "= 1.0", "= nan"), "is 'nan', which is no number"},
      {"absurd number", replaced(good, "= 1.0", "= 1e300"), "expected at most 1e8"},
      {"increment of zero", replaced(good, "= 1.0", "= 0"), "is not above zero"},
      {"key without value", replaced(good, "_INCREMENT = 1.0", "_INCREMENT"), "without '='"},
      {"unknown format", replaced(good, "LRFI", "XXXX"), "expected LRFI, LDFI, KRBI or KDBI"},
      {"no format", replaced(good, "#:LRFI\n", ""), "has no format"},
      {"one column",
       replaced(replaced(good, "D:long section at v = 0.000,m\n", ""),
                "D:long section at v = 1.000,m\n", ""),
       "has 1 long sections, expected at least two"},
      {"two columns at one place", replaced(good, "v = 0.000", "v = 1.000"), "at one place"},
      {"wrong unit", replaced(good, "v = 0.000,m", "v = 0.000,mm"), "is given in 'mm'"},
      {"wrong unit of the reference line",
       replaced(good, "#:LRFI\n", "#:LRFI\nU:reference line u,mm,0.0,0.5\n"), "is given in 'mm'"},
      {"mixed columns", replaced(good, "long section at v = 0.000", "long section 2"),
       "by number and by position"},
      {"letters in data", replaced(good, "5.0000000", "5.000000x"),
       "bad.crg:15: element 'column 2'"},
      {"height beyond measure", replaced(good, "5.0000000", "9000000.0"), "beyond 1e5 m"},
      {"too many columns of data", replaced(good, "3.0000000\n", "3.0000000 1.0000000\n"),
       "has more than 3 columns"},
      {"binary data cut", binary.text(), "ends after row 8, expected 1000001 rows"},
      {"missing heading", bend.text(), "has no number for the reference line"},
      {"heading turns back", sharp.text(), "turns by more than 2 rad at row 2"},
      {"unknown border mode", replaced(good, "$KD_", "$ROAD_CRG_OPTS\nborder_mode_u = 7\n$\n$KD_"),
       "is not one of 0 to 4"},
      {"two ways to move",
       replaced(good, "$KD_", "$ROAD_CRG_MODS\nrefpoint_x = 1\nrefline_offset_x = 1\n$\n$KD_"),
       "by refline_offset and by refpoint"},
      {"scaled to nothing", replaced(good, "$KD_", "$ROAD_CRG_MODS\nscale_length = 1e-30\n$\n$KD_"),
       "is scaled to nothing"},
      {"reference without opener", "$ROAD_CRG_FILE\nother.crg\n$\n", "refers to another file"},
      {"reference and data", "$ROAD_CRG_FILE\nother.crg\n$\n$$$$\n", "stands beside data"},
  };
}

TEST(CrgBroken, EachFileGivesOneLine) {
  for (const Broken& broken : broken_files()) {
    try {
      const CrgSurface road(parse_crg(broken.text, "bad.crg"));
      ADD_FAILURE() << broken.name << " was read";
    } catch (const ModelError& error) {
      EXPECT_THAT(error.what(), HasSubstr(broken.words)) << broken.name;
      EXPECT_THAT(error.what(), HasSubstr("bad.crg")) << broken.name;
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << broken.name;
    }
  }
}

TEST(CrgBroken, AnyCutOfAFileIsReadOrRefused) {
  double radius = 0.0;
  double angle = 0.0;
  const std::string text = circle(4, radius, angle).text();
  for (std::size_t size = 0; size < text.size(); ++size) {
    try {
      const CrgSurface road(parse_crg(text.substr(0, size), "cut.crg"));
      EXPECT_TRUE(std::isfinite(z_at(road, 1.0, 0.0)));
    } catch (const ModelError& error) {
      EXPECT_THAT(error.what(), HasSubstr("cut.crg"));
    }
  }
}

// Whole files of tests/data/roads, whose numbers are made up.

CrgSurface file_surface(const std::string& name) {
  return CrgSurface(
      read_crg(std::filesystem::path(SEMIREC_SOURCE_DIR) / "tests/data/roads" / name));
}

TEST(CrgFiles, CommentsDoNotChangeTheBend) {
  const CrgSurface full = file_surface("bend_with_comments.crg");
  const CrgSurface bare = file_surface("bend_bare.crg");
  for (double x = -2.0; x < 14.0; x += 0.37)
    for (double y = -2.0; y < 4.0; y += 0.23) EXPECT_EQ(z_at(full, x, y), z_at(bare, x, y));
}

TEST(CrgFiles, BankedRowLiesAsItsFileSays) {
  const CrgSurface road = file_surface("banked.crg");
  // third row: bank 0.03, 0.008 m at v = 0.6; sixth: bank 0.075, 0.004 m at v = -0.7
  EXPECT_NEAR(z_at(road, 2.0, 0.6), 0.6 * 0.03 + 0.008, kRounding);
  EXPECT_NEAR(z_at(road, 5.0, -0.7), -0.7 * 0.075 + 0.004, kRounding);
}

TEST(CrgFiles, HalfRoundBarIsACylinder) {
  const CrgSurface road = file_surface("half_round.crg");
  // at the points of its grid, 10 mm apart
  for (int i = 0; i <= 300; ++i) {
    const double x = 0.01 * i;
    const double rest = 0.08 * 0.08 - (x - 1.5) * (x - 1.5);
    EXPECT_NEAR(z_at(road, x, 0.5), rest > 1e-9 ? std::sqrt(rest) : 0.0, kRounding) << x;
  }
}

TEST(CrgFiles, CircleClosesOnARegularPolygon) {
  const CrgSurface road = file_surface("circle.crg");
  const double first = 0.4;  // heading of the first chord, which begins at the origin
  const double half_turn = std::numbers::pi / 1256.0;
  const double radius = 0.1 / std::sin(half_turn);
  const double apothem = 0.1 / std::tan(half_turn);
  const double cx = 0.1 * std::cos(first) - apothem * std::sin(first);
  const double cy = 0.1 * std::sin(first) + apothem * std::cos(first);
  for (double turn = 0.0; turn < 6.28; turn += 0.01)
    for (const double v : {-2.5, 0.0, 2.0}) {
      const double r = radius - v;
      // between two points the chord lies 0.13 mm inside of the circle; headings are floats
      EXPECT_NEAR(road.locate(cx + r * std::cos(turn), cy + r * std::sin(turn)).v, v, 2e-4) << turn;
    }
}

}  // namespace
}  // namespace semirec
