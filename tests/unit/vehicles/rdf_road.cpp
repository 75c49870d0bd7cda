#include <cmath>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "topology/mechanism.hpp"
#include "vehicles/road/mesh_surface.hpp"
#include "vehicles/road/rdf_file.hpp"

namespace semirec {
namespace {

using testing::Contains;
using testing::HasSubstr;

constexpr double kRounding = 1e-12;

std::string plane_road(const std::string& type, const std::string& parameters) {
  return "$ a comment\n[UNITS]\nLENGTH = 'mm' $ of all lengths\nANGLE = 'degrees'\n[MODEL]\n"
         "METHOD = '2D'\nROAD_TYPE = '" +
         type + "'\n[PARAMETERS]\n" + parameters;
}

double z_of(const RdfRoad& road, double x, double y = 0.0) {
  return road.surface->evaluate(x, y).z;
}

TEST(RdfRoads, FlatHasFrictionAndOffset) {
  const RdfRoad road = parse_rdf(plane_road("flat", "MU = 0.7\nOFFSET = -50\n"), "flat.rdf");
  EXPECT_EQ(road.surface->evaluate(3.0, 4.0).friction, 0.7);
  EXPECT_NEAR(z_of(road, 3.0), -0.05, kRounding);
  EXPECT_TRUE(road.notes.empty());
}

TEST(RdfRoads, PlankIsBevelledAndOblique) {
  const RdfRoad road = parse_rdf(
      plane_road("PLANK", "HEIGHT = 20\nSTART = 3000\nLENGTH = 400\nBEVEL_EDGE_LENGTH = 20\n"),
      "plank.rdf");
  EXPECT_NEAR(z_of(road, 3.01), 0.01, kRounding);
  EXPECT_NEAR(z_of(road, 3.2), 0.02, kRounding);
  EXPECT_EQ(z_of(road, 3.41), 0.0);
  const RdfRoad oblique =
      parse_rdf(plane_road("plank", "HEIGHT = 20\nSTART = 3000\nLENGTH = 400\nDIRECTION = 45\n"),
                "plank.rdf");
  EXPECT_NEAR(z_of(oblique, 3.2, 0.0), 0.02, kRounding);
  EXPECT_EQ(z_of(oblique, 3.2, 0.5), 0.0);  // turned to the left: begins earlier there
  EXPECT_NEAR(z_of(oblique, 2.7, 0.5), 0.02, kRounding);
}

TEST(RdfRoads, PotholeRampRoofAndSine) {
  const RdfRoad hole =
      parse_rdf(plane_road("pot_hole", "DEPTH = 50\nSTART = 1000\nLENGTH = 300\n"), "a.rdf");
  EXPECT_NEAR(z_of(hole, 1.1), -0.05, kRounding);
  EXPECT_THAT(hole.notes, Contains(HasSubstr("DEPTH")));
  const RdfRoad ramp =
      parse_rdf(plane_road("ramp", "HEIGHT = -500\nSTART = 1000\nSLOPE = 0.5\n"), "a.rdf");
  EXPECT_NEAR(z_of(ramp, 1.5), -0.25, kRounding);  // 0.5 m at 0.5
  EXPECT_NEAR(z_of(ramp, 9.0), -0.5, kRounding);
  const RdfRoad roof =
      parse_rdf(plane_road("roof", "HEIGHT = 100\nSTART = 1000\nLENGTH = 400\n"), "a.rdf");
  EXPECT_NEAR(z_of(roof, 1.2), 0.1, kRounding);
  const RdfRoad sine = parse_rdf(
      plane_road("sine", "AMPLITUDE = 10\nWAVE_LENGTH = 2000\nSTART = 1000\nLENGTH = 4000\n"),
      "a.rdf");
  EXPECT_NEAR(z_of(sine, 1.5), 0.01, kRounding);
  EXPECT_EQ(z_of(sine, 5.1), 0.0);
}

TEST(RdfRoads, PolylineHasTwoTracksAndMayBeTurned) {
  const std::string table = "(XZ_DATA)\n{ x z_left z_right }\n0 0 0\n1000 100 0\n2000 100 50\n";
  const RdfRoad road = parse_rdf(plane_road("poly_line", table), "a.rdf");
  EXPECT_NEAR(z_of(road, 0.5, 1.0), 0.05, kRounding);
  EXPECT_NEAR(z_of(road, 1.5, -1.0), 0.025, kRounding);
  const RdfRoad back =
      parse_rdf(plane_road("poly_line", "ROTATION_ANGLE_XY_PLANE = 180\n" + table), "a.rdf");
  EXPECT_NEAR(z_of(back, -0.5, -1.0), 0.05, 1e-9);
}

std::string mesh_road() {
  return "[UNITS]\nLENGTH = 'meter'\n[MODEL]\nMETHOD = '3D'\n[OFFSET]\nX = 10\n[NODES]\n"
         "NUMBER_OF_NODES = 4\n{ node x y z }\n1 0 0 0\n2 4 0 0.4\n3 4 4 0.4\n7 0 4 0\n"
         "[ELEMENTS]\nNUMBER_OF_ELEMENTS = 2\n{ a b c mu }\n1 2 3 0.5\n1 3 7 0.9\n";
}

TEST(RdfMesh, IsAPlaneOfTriangles) {
  const RdfRoad road = parse_rdf(mesh_road(), "mesh.rdf");
  for (const double x : {10.0, 11.3, 14.0})
    for (const double y : {0.0, 1.7, 4.0}) {
      EXPECT_NEAR(z_of(road, x, y), 0.1 * (x - 10.0), kRounding) << x << " " << y;
      EXPECT_NEAR(road.surface->evaluate(x, y).z_x, 0.1, kRounding);
    }
  EXPECT_EQ(road.surface->evaluate(13.0, 1.0).friction, 0.5);
  EXPECT_EQ(road.surface->evaluate(11.0, 3.0).friction, 0.9);
  EXPECT_EQ(z_of(road, 9.0, 1.0), 0.0);  // beside it: the lowest node
}

TEST(RdfMesh, FindsTheTriangleOfAnyPlaceInALargeOne) {
  // z = 0.3 x - 0.2 y + 0.05 x y over its nodes; linear on each triangle
  constexpr int n = 60;
  std::vector<Eigen::Vector3d> corners;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) corners.emplace_back(0.25 * i, 0.5 * j, 0.01 * i * j);
  std::vector<MeshSurface::Triangle> triangles;
  const auto at = [](int i, int j) { return static_cast<std::uint32_t>(i * (n + 1) + j); };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      triangles.push_back({{at(i, j), at(i + 1, j), at(i + 1, j + 1)}, 1.0});
      triangles.push_back({{at(i, j), at(i + 1, j + 1), at(i, j + 1)}, 1.0});
    }
  const MeshSurface mesh(corners, triangles);
  for (double x = 0.01; x < 15.0; x += 0.333)
    for (double y = 0.01; y < 30.0; y += 0.777) {
      const double i = x / 0.25;
      const double j = y / 0.5;
      const double a = i - std::floor(i);
      const double b = j - std::floor(j);
      const double p = std::floor(i);
      const double q = std::floor(j);
      const double diagonal = (p + 1) * (q + 1);
      const double expected =
          a >= b ? p * q + a * ((p + 1) * q - p * q) + b * (diagonal - (p + 1) * q)
                 : p * q + b * (p * (q + 1) - p * q) + a * (diagonal - p * (q + 1));
      EXPECT_NEAR(mesh.evaluate(x, y).z, 0.01 * expected, 1e-9) << x << " " << y;
    }
}

TEST(RdfRoads, WhatIsNotHonouredIsNamed) {
  const RdfRoad road = parse_rdf(plane_road("flat", "WARP = 3\n"), "a.rdf");
  EXPECT_THAT(road.notes, Contains(HasSubstr("warp is not used")));
  // where other programs' 3D planks have them
  const RdfRoad elsewhere = parse_rdf(
      "[UNITS]\nLENGTH = 'mm'\n[MODEL]\nMETHOD = '2D'\nFUNCTION_NAME = 'ARC901'\n"
      "ROAD_TYPE = 'flat'\nMU = 0.3\n[PARAMETERS]\nOFFSET = 0\n",
      "a.rdf");
  EXPECT_THAT(elsewhere.notes, Contains(HasSubstr("[model] mu is not used")));
  EXPECT_EQ(elsewhere.notes.size(), 1U);
  // numbers without a key
  std::string mesh = mesh_road();
  EXPECT_TRUE(parse_rdf(mesh, "m.rdf").notes.empty());
  mesh.replace(mesh.find("X = 10"), 6, "10 0 0.5");
  EXPECT_THAT(parse_rdf(mesh, "m.rdf").notes,
              Contains(HasSubstr("[offset] holds rows of numbers, which are not used")));
}

struct Broken {
  const char* name;
  std::string text;
  std::string words;
};

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

std::vector<Broken> broken_files() {
  const std::string plank = plane_road("plank", "HEIGHT = 20\nSTART = 3000\nLENGTH = 400\n");
  const std::string mesh = mesh_road();
  return {
      {"empty", "", "bad.rdf: element 'rdf': has no section [MODEL]"},
      {"no section", "hello\n", "bad.rdf:1: element 'hello': stands before all sections"},
      {"endless line", std::string(5000, 'x'), "a line is too long"},
      {"section not closed", replaced(plank, "[MODEL]", "[MODEL"), "is no section"},
      {"section twice", plank + "[MODEL]\n", "stands a second time"},
      {"key twice", replaced(plank, "HEIGHT = 20\n", "HEIGHT = 20\nHeight = 30\n"),
       "element 'Height': stands a second time in its section"},
      {"no units", replaced(plank, "LENGTH = 'mm'", ""), "has no length"},
      {"unknown unit", replaced(plank, "'mm'", "'furlong'"),
       "bad.rdf:3: element 'length': is 'furlong', which is no known unit"},
      {"unknown type", replaced(plank, "'plank'", "'stochastic_uneven'"),
       "bad.rdf:7: element 'ROAD_TYPE': is 'stochastic_uneven', which is not read"},
      {"unknown method", replaced(plank, "'2D'", "'3D_SPLINE'"),
       "which is not read, expected '2D'"},
      {"missing height", replaced(plank, "HEIGHT = 20\n", ""), "element 'height': is missing"},
      {"word for a number", replaced(plank, "= 20", "= high"), "is 'high', which is no number"},
      {"nan", replaced(plank, "= 20", "= nan"), "is 'nan', which is no number"},
      {"absurd", replaced(plank, "= 20", "= 1e30"), "is out of range"},
      {"length of zero", replaced(plank, "= 400", "= 0"), "is not above zero"},
      {"bevel too long", plank + "BEVEL_EDGE_LENGTH = 300\n", "longer than half of LENGTH"},
      {"rounded edges", plank + "BEVEL_EDGE_LENGTH = -5\n", "asks for rounded edges"},
      {"no table", plane_road("poly_line", "MU = 1\n"), "element 'XZ_DATA': is missing"},
      {"descending", plane_road("poly_line", "(XZ_DATA)\n1 0 0\n0 0 0\n"), "descends"},
      {"one row", plane_road("poly_line", "(XZ_DATA)\n1 0 0\n"), "has fewer than two rows"},
      {"letters in a table", plane_road("poly_line", "(XZ_DATA)\n1 a 0\n"), "holds 'a'"},
      {"wrong count", replaced(mesh, "NODES = 4", "NODES = 4000000000"),
       "announces '4000000000' rows and holds 4"},
      {"dangling node", replaced(mesh, "1 3 7 0.9", "1 3 8 0.9"),
       "refers to node 8, which does not exist"},
      {"node twice", replaced(mesh, "7 0 4 0", "3 0 4 0"), "a second time"},
      {"node number with a fraction", replaced(mesh, "7 0 4 0", "7.5 0 4 0"),
       "expected a whole one"},
      {"node far away", replaced(mesh, "7 0 4 0", "7 0 1e300 0"), "lies out of range"},
      {"no elements", mesh.substr(0, mesh.find("[ELEMENTS]")), "is missing, expected it in a road"},
      {"upright triangles", replaced(replaced(mesh, "1 2 3 0.5", "1 2 2 0.5"), "1 3 7", "1 3 3"),
       "has no triangle"},
      {"reference system", mesh + "[REFSYS]\nX = 1\n", "element 'REFSYS': is not read"},
  };
}

TEST(RdfBroken, EachFileGivesOneLine) {
  for (const Broken& broken : broken_files()) {
    try {
      parse_rdf(broken.text, "bad.rdf");
      ADD_FAILURE() << broken.name << " was read";
    } catch (const ModelError& error) {
      EXPECT_THAT(error.what(), HasSubstr(broken.words)) << broken.name;
      EXPECT_THAT(error.what(), HasSubstr("bad.rdf")) << broken.name;
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << broken.name;
    }
  }
}

TEST(RdfBroken, AnyCutOfAFileIsReadOrRefused) {
  for (const std::string& text :
       {mesh_road(), plane_road("poly_line", "(XZ_DATA)\n0 0 0\n1000 100 0\n2000 100 50\n")})
    for (std::size_t size = 0; size < text.size(); ++size) {
      try {
        EXPECT_TRUE(std::isfinite(z_of(parse_rdf(text.substr(0, size), "cut.rdf"), 1.0)));
      } catch (const ModelError& error) {
        EXPECT_THAT(error.what(), HasSubstr("cut.rdf"));
      }
    }
}

}  // namespace
}  // namespace semirec
