// The suspension templates of vehicles/models/templates against kinematics of their own: the
// carrier's six unknowns by Newton on lengths between hardpoints, written here in points alone, and
// against a published multilink suspension.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "integrator/statics/equilibrium.hpp"
#include "integrator/statics/initial_conditions.hpp"
#include "tests/support/eigen_system.hpp"
#include "tests/support/expect_close.hpp"
#include "tests/support/motion.hpp"
#include "tests/support/random_mechanism.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec::test {
namespace {

using V = Eigen::Vector3d;
using Eigen::Matrix3d;
using Eigen::VectorXd;

const std::string kTemplates = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/templates/";

// independent kinematics

/// Where a body has gone from the design position: x becomes p + A x.
struct Displacement {
  V p = V::Zero();
  Matrix3d A = Matrix3d::Identity();
  V operator()(const V& x) const { return p + A * x; }
};

using Rows = std::function<VectorXd(const Displacement&)>;

Displacement moved(const Displacement& from, const VectorXd& d) {
  const V turn = d.tail<3>();
  Displacement to = from;
  to.p += d.head<3>();
  if (turn.norm() > 0.0)
    to.A = Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix() * to.A;
  return to;
}

/// Newton with a Jacobian by differences, to the rounding of the rows.
Displacement solve(const Rows& rows, Displacement x) {
  for (int iteration = 0; iteration < 30; ++iteration) {
    const VectorXd r = rows(x);
    if (r.cwiseAbs().maxCoeff() < 1e-15) break;
    Eigen::MatrixXd J(r.size(), 6);
    constexpr double kStep = 1e-6;
    for (int k = 0; k < 6; ++k) {
      const VectorXd d = kStep * VectorXd::Unit(6, k);
      J.col(k) = (rows(moved(x, d)) - rows(moved(x, -d))) / (2.0 * kStep);
    }
    x = moved(x, -solve_fully_pivoted(J, r));
  }
  EXPECT_LT(rows(x).cwiseAbs().maxCoeff(), 1e-13);
  return x;
}

/// Change of the distance between a fixed point and one that moves.
double stretch(const V& fixed, const V& moving, const Displacement& x, const V& slide = V::Zero()) {
  return (x(moving) - fixed - slide).norm() - (moving - fixed).norm();
}

// the same in the engine

struct Attitude {
  V centre;
  V axle;
};

const std::string kChassis = R"(
  <body name="chassis" mass="1000" com="0 0 0.5" inertia="300 900 1000"/>
  <joint name="chassis_joint" type="fixed" a="ground" b="chassis" point="0 0 0.5"/>)";

std::string include(const std::string& file) {
  return "<include file=\"" + kTemplates + file + ".xml\"/>";
}

/// One or two corners held at a height of the wheel's centre.
std::string rig(const std::string& file, const std::string& use) {
  return include(file) + include("rack_and_pinion") + kChassis +
         R"(<use template="rack_and_pinion"/>
  <parameter name="form" value="ideal"/>
  <parameter name="links" value="rod"/>
  <input name="lift" value="0"/>
  <template name="corner">
    <use template="wheel_end"/>)" +
         use + R"(
    <point_in_plane name="jack" a="ground" b="carrier" point="0 0.775 0.31" axis="0 0 1" offset_input="lift"/>
  </template>
  <use template="corner" name="l"/>)";
}

Mechanism read(const std::string& text, const std::vector<Override>& overrides = {}) {
  const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
  std::string name = std::string(test.test_suite_name()) + test.name();
  for (char& c : name)
    if (c == '/') c = '_';
  const auto path = std::filesystem::path(testing::TempDir()) / (name + ".xml");
  std::ofstream(path) << "<mechanism name=\"rig\" version=\"1\">" << text << "</mechanism>";
  return read_vehicle(path.string(), overrides).mechanism;
}

std::string word(double value) {
  std::ostringstream text;
  text.precision(17);
  text << value;
  return text.str();
}

Override set(const std::string& name, const std::string& value) {
  return {name, "value", value, {}};
}

Attitude wheel_of(Simulation& run, const std::string& body, const V& centre,
                  const V& axle = V::UnitY()) {
  const Frame X = run.body(body).X;
  const Frame& X_design =
      run.model.mechanism.bodies[static_cast<std::size_t>(find_body(run.model.mechanism, body))]
          .X_WB;
  const Matrix3d turn = X.A * X_design.A.transpose();
  return {X.p + turn * (centre - X_design.p), turn * axle};
}

// the cases; hardpoints are the templates' defaults

struct Case {
  std::string name;
  std::string file;
  std::string use;
  bool steered;
  int coordinates;  ///< z without the fixed chassis, the rim's spin included
  int rows;         ///< closure rows without the jack
  Rows lengths;
  int body_coordinates = 0;  ///< with links as bodies
  int body_rows = 0;
  std::string spring;                  ///< between the frame and a part
  std::vector<std::string> stiffness;  ///< arguments that stiffen its bushings
};

std::string spring_unit(const std::string& part, const std::string& top,
                        const std::string& bottom) {
  return "<use template=\"spring_unit\"><with name=\"part\" value=\"" + part +
         "\"/><with name=\"top\" value=\"" + top + "\"/><with name=\"bottom\" value=\"" + bottom +
         "\"/></use>";
}

double g_rack = 0.0;  ///< of the case at hand, m to the left

Case double_wishbone() {
  const V lf(0.19, 0.37, 0.205), lr(-0.17, 0.37, 0.210), lb(0.006, 0.715, 0.190);
  const V uf(0.11, 0.46, 0.500), ur(-0.13, 0.46, 0.490), ub(-0.018, 0.670, 0.515);
  const V ti(0.125, 0.345, 0.245), to(0.130, 0.705, 0.235);
  return {"DoubleWishbone",
          "double_wishbone",
          R"(<use template="double_wishbone"><with name="steer" value="rack"/>
             <with name="form" value="{form}"/><with name="links" value="{links}"/></use>)",
          true,
          5,
          3,
          [=](const Displacement& x) -> VectorXd {
            VectorXd r(5);
            r << stretch(lf, lb, x), stretch(lr, lb, x), stretch(uf, ub, x), stretch(ur, ub, x),
                stretch(ti, to, x, V(0, g_rack, 0));
            return r;
          },
          6,
          4,
          spring_unit("lower_arm", "0 0.50 0.64", "0.005 0.59 0.20"),
          {"radial_l", "axial_l", "link_stiffness_l"}};
}

Case macpherson() {
  const V lf(0.04, 0.36, 0.200), lr(-0.28, 0.37, 0.215), lb(0.004, 0.725, 0.185);
  const V top(-0.035, 0.575, 0.860), seat(-0.012, 0.630, 0.430);
  const V ti(-0.135, 0.350, 0.260), to(-0.140, 0.700, 0.250);
  const V along = (top - seat).normalized();
  const V e1 = along.cross(V::UnitX()).normalized();
  const V e2 = along.cross(e1);
  return {"MacPherson",
          "macpherson",
          R"(<use template="macpherson"><with name="steer" value="rack"/>
             <with name="form" value="{form}"/><with name="links" value="{links}"/></use>)",
          true,
          5,
          3,
          [=](const Displacement& x) -> VectorXd {
            // the top mount as the carrier sees it stays on the tube's axis
            const V seen = x.A.transpose() * (top - x.p) - seat;
            VectorXd r(5);
            r << stretch(lf, lb, x), stretch(lr, lb, x), e1.dot(seen), e2.dot(seen),
                stretch(ti, to, x, V(0, g_rack, 0));
            return r;
          },
          6,
          4,
          spring_unit("carrier", "-0.035 0.575 0.860", "-0.012 0.630 0.430"),
          {"radial_l", "axial_l", "mount_radial_l", "mount_axial_l"}};
}

Case five_link() {
  const std::array<V, 5> inner{V(0.16, 0.42, 0.455), V(-0.11, 0.41, 0.450), V(0.28, 0.43, 0.215),
                               V(-0.06, 0.25, 0.205), V(-0.22, 0.29, 0.245)};
  const std::array<V, 5> outer{V(0.035, 0.690, 0.475), V(-0.045, 0.695, 0.470),
                               V(0.050, 0.710, 0.190), V(-0.020, 0.705, 0.180),
                               V(-0.165, 0.700, 0.235)};
  return {"FiveLink",
          "five_link",
          R"(<use template="five_link"><with name="form" value="{form}"/>
             <with name="links" value="{links}"/></use>)",
          false,
          7,
          5,
          [=](const Displacement& x) -> VectorXd {
            VectorXd r(5);
            for (std::size_t k = 0; k < 5; ++k)
              r[static_cast<int>(k)] = stretch(inner[k], outer[k], x);
            return r;
          },
          17,
          15,
          spring_unit("carrier", "0 0.60 0.70", "0 0.68 0.20"),
          {"link_stiffness_l"}};
}

Case multilink() {
  const V af(0.20, 0.34, 0.215), ar(-0.09, 0.26, 0.210), ab(0.000, 0.710, 0.185);
  const V li(-0.06, 0.41, 0.450), lo(-0.030, 0.690, 0.475);
  const V tri(0.26, 0.52, 0.440), tro(0.045, 0.690, 0.450);
  const V ti(-0.21, 0.30, 0.250), to(-0.165, 0.700, 0.240);
  return {"Multilink",
          "multilink",
          R"(<use template="multilink"><with name="form" value="{form}"/>
             <with name="links" value="{links}"/></use>)",
          false,
          5,
          3,
          [=](const Displacement& x) -> VectorXd {
            VectorXd r(5);
            r << stretch(af, ab, x), stretch(ar, ab, x), stretch(li, lo, x), stretch(tri, tro, x),
                stretch(ti, to, x);
            return r;
          },
          9,
          7,
          spring_unit("arm", "0.01 0.50 0.59", "0.005 0.575 0.195"),
          {"radial_l", "axial_l", "link_stiffness_l"}};
}

Case semi_trailing_arm() {
  const V outer(0.46, 0.640, 0.300), inner(0.32, 0.180, 0.285);
  const V along = (outer - inner).normalized();
  const V e1 = along.cross(V::UnitX()).normalized();
  const V e2 = along.cross(e1);
  return {"SemiTrailingArm",
          "semi_trailing_arm",
          R"(<use template="semi_trailing_arm"><with name="form" value="{form}"/></use>)",
          false,
          2,
          0,
          [=](const Displacement& x) -> VectorXd {
            VectorXd r(5);
            r << x(outer) - outer, e1.dot(x(inner) - inner), e2.dot(x(inner) - inner);
            return r;
          },
          2,
          0,
          spring_unit("carrier", "0 0.60 0.70", "0.05 0.62 0.25"),
          {"radial_l", "axial_l"}};
}

class Suspension : public testing::TestWithParam<Case> {};

const V kCentre(0.0, 0.775, 0.31);

/// The wheel by the lengths alone, at a lift and way of the rack.
Displacement expected(const Case& the, double lift, double rack) {
  g_rack = 0.0;
  Displacement x;
  constexpr int kSteps = 8;
  for (int k = 1; k <= kSteps; ++k) {
    const double part = static_cast<double>(k) / kSteps;
    g_rack = part * rack;
    x = solve(
        [&](const Displacement& y) -> VectorXd {
          VectorXd r(6);
          r << the.lengths(y), y(kCentre).z() - kCentre.z() - part * lift;
          return r;
        },
        x);
  }
  return x;
}

// Wheel centre and axle (its components are camber and toe) over the whole travel. 1e-9: loops are
// closed to 1e-12 m on lengths of 0.2 m and more.
TEST_P(Suspension, MovesItsWheelAsItsHardpointsSay) {
  const Case& the = GetParam();
  constexpr double kPinion = 0.0078;
  const std::vector<double> wheel_angles =
      the.steered ? std::vector<double>{0.0, 4.0, -5.0} : std::vector<double>{0.0};
  for (const std::string links : {"rod", "body"}) {
    for (const double steering : wheel_angles) {
      for (int mm = -80; mm <= 80; mm += 20) {
        const double lift = 1e-3 * mm;
        Simulation run(read(rig(the.file, the.use), {set("lift", word(lift)), set("links", links),
                                                     set("steering", word(steering))}),
                       1e-3);
        const Attitude got = wheel_of(run, "carrier_l", kCentre);
        const Displacement x = expected(the, lift, kPinion * steering);
        const std::string where =
            links + " " + std::to_string(mm) + " mm, " + std::to_string(steering) + " rad";
        EXPECT_LT((got.centre - x(kCentre)).norm(), 1e-9) << where;
        EXPECT_LT((got.axle - x.A.col(1)).norm(), 1e-9) << where;
      }
    }
  }
}

TEST_P(Suspension, HasTheCountsOfItsForm) {
  const Case& the = GetParam();
  const auto check = [&](const std::string& links, int coordinates, int rows) {
    Simulation run(read(rig(the.file, the.use), {set("links", links)}), 1e-3);
    EXPECT_EQ(run.model.n(), coordinates) << links;
    EXPECT_EQ(run.model.m(), rows + 1) << links;  // and the jack
    const ClosureRank rank = find_closure_rank(run.model, run.state, run.ws);
    EXPECT_EQ(rank.rank, rank.rows) << links;
    EXPECT_EQ(run.model.n() - rank.rank, 1) << links;  // the rim's spin is left
  };
  check("rod", the.coordinates, the.rows);
  check("body", the.body_coordinates, the.body_rows);
}

TEST_P(Suspension, IsItsOwnMirrorImage) {
  const Case& the = GetParam();
  Simulation run(
      read(rig(the.file, the.use) + "<use template=\"corner\" name=\"r\" mirror=\"yes\"/>",
           {set("lift", "0.05")}),
      1e-3);
  const V across(1.0, -1.0, 1.0);
  const Attitude left = wheel_of(run, "carrier_l", kCentre);
  const Attitude right = wheel_of(run, "carrier_r", across.cwiseProduct(kCentre), -V::UnitY());
  // two assemblies to 1e-12 m
  EXPECT_LT((right.centre - across.cwiseProduct(left.centre)).norm(), 1e-11);
  EXPECT_LT((right.axle - across.cwiseProduct(left.axle)).norm(), 1e-11);
}

Attitude rest(const std::string& text, const std::vector<Override>& overrides,
              const std::string& body = "carrier_l") {
  Simulation run(read(text, overrides), 1e-3);
  const EquilibriumReport report = find_equilibrium(run.model, run.settings, run.state, run.ws);
  EXPECT_TRUE(report.found) << report.residual;
  return wheel_of(run, body, kCentre);
}

// The wheel jacked up and down against its spring: what bushings give falls with their stiffness.
TEST_P(Suspension, OnStiffBushingsHoldsItsWheelAsIdealJointsDo) {
  const Case& the = GetParam();
  const std::string text = rig(the.file, the.use + the.spring);
  for (const std::string links : {"rod", "body"}) {
    if (links == "body" && the.body_rows == 0) continue;
    for (const char* lift : {"-0.05", "0.05"}) {
      std::vector<Override> overrides{set("links", links), set("lift", lift)};
      const Attitude ideal = rest(text, overrides);
      overrides.push_back(set("form", "bushing"));
      if (the.name != "FiveLink")
        for (const char* soft : {"tilt_l", "twist_l"}) overrides.push_back(set(soft, "0"));
      const auto off = [&](const std::string& k) {
        std::vector<Override> stiff = overrides;
        for (const std::string& argument : the.stiffness) stiff.push_back(set(argument, k));
        const Attitude soft = rest(text, stiff);
        return (soft.centre - ideal.centre).norm() + (soft.axle - ideal.axle).norm();
      };
      const double at_1e8 = off("1e8");
      const double at_1e9 = off("1e9");
      EXPECT_LT(at_1e8, 1e-3) << links << lift;
      // next term: the square of the first one's angles over lengths of 0.1 m
      EXPECT_NEAR(at_1e8 / at_1e9, 10.0, 0.2) << links << lift;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Templates, Suspension,
                         testing::Values(double_wishbone(), macpherson(), five_link(), multilink(),
                                         semi_trailing_arm()),
                         [](const auto& test) { return test.param.name; });

// A solid axle lifted on both sides and on one: four lengths and two heights.
TEST(SolidAxle, MovesAsItsHardpointsSay) {
  const std::string text = include("solid_axle") + kChassis + R"(
    <parameter name="links" value="rod"/>
    <use template="solid_axle"><with name="links" value="{links}"/></use>
    <use template="rim" name="l"><with name="carrier" value="axle"/></use>
    <use template="rim" name="r" mirror="yes"><with name="carrier" value="axle"/></use>
    <input name="lift_l" value="0"/>
    <input name="lift_r" value="0"/>
    <point_in_plane name="jack_l" a="ground" b="axle" point="0 0.775 0.31" axis="0 0 1" offset_input="lift_l"/>
    <point_in_plane name="jack_r" a="ground" b="axle" point="0 -0.775 0.31" axis="0 0 1" offset_input="lift_r"/>)";
  const V across(1.0, -1.0, 1.0);
  const V li(0.55, 0.46, 0.285), lo(0.02, 0.50, 0.225), ui(0.38, 0, 0.500), uo(0.03, 0, 0.480);
  const V pi(-0.16, 0.48, 0.350), po(-0.13, -0.46, 0.345);
  const V right = across.cwiseProduct(kCentre);
  for (const std::string links : {"rod", "body"}) {
    for (const auto& [lift_l, lift_r] : {std::pair{0.08, 0.08}, {-0.08, -0.08}, {0.06, -0.06}}) {
      Displacement x;
      for (int k = 1; k <= 4; ++k)
        x = solve(
            [&](const Displacement& y) -> VectorXd {
              VectorXd r(6);
              r << stretch(li, lo, y), stretch(across.cwiseProduct(li), across.cwiseProduct(lo), y),
                  stretch(ui, uo, y), stretch(pi, po, y),
                  y(kCentre).z() - kCentre.z() - 0.25 * k * lift_l,
                  y(right).z() - right.z() - 0.25 * k * lift_r;
              return r;
            },
            x);
      Simulation run(read(text, {set("lift_l", word(lift_l)), set("lift_r", word(lift_r)),
                                 set("links", links)}),
                     1e-3);
      const Attitude got = wheel_of(run, "axle", kCentre);
      EXPECT_LT((got.centre - x(kCentre)).norm(), 1e-9) << links << " " << lift_l << " " << lift_r;
      EXPECT_LT((got.axle - x.A.col(1)).norm(), 1e-9) << links << " " << lift_l << " " << lift_r;
    }
  }
}

// The parallelogram of pitman arm, relay and idler: the relay moves on the arm's circle and does
// not turn.
TEST(PitmanArm, MovesItsRelayOnTheArmsCircle) {
  const std::string text = include("pitman_arm") + kChassis + R"(
    <parameter name="links" value="rod"/>
    <use template="pitman_arm"><with name="links" value="{links}"/></use>)";
  for (const std::string links : {"rod", "body"}) {
    Simulation run(read(text, {set("steering", "6.4"), set("links", links)}), 1e-3);
    // ratio -16 and an arm of 0.15 m that points backwards
    const double angle = -6.4 / 16.0;
    const Frame relay = run.body("relay").X;
    EXPECT_NEAR(relay.p.x(), 0.28 - 0.15 * std::cos(angle), 1e-9) << links;
    EXPECT_NEAR(relay.p.y(), -0.15 * std::sin(angle), 1e-9) << links;
    expect_close(relay.A, Matrix3d::Identity(), 0.0, 1e-9);
    EXPECT_GT(relay.p.y(), 0.0);  // to the left
  }
}

/// What carries the wheels of a solid axle, with a load up on each and a jack on neither.
const std::string kRims = R"(
  <use template="rim" name="l"><with name="carrier" value="axle"/></use>
  <use template="rim" name="r" mirror="yes"><with name="carrier" value="axle"/></use>
  <input name="up" value="3000"/>
  <force name="up_l" body="axle" point="0 0.775 0.31" direction="0 0 1" input="up"/>
  <force name="up_r" body="axle" point="0 -0.775 0.31" direction="0 0 1" input="up"/>)";

// Without other loads the locating links carry nothing and the leaves carry all.
TEST(LeafAxle, RisesByItsLeavesAlone) {
  for (const std::string form : {"ideal", "bushing"}) {
    const Attitude got =
        rest(include("solid_axle") + kChassis + kRims +
                 "<use template=\"leaf_axle\"><with name=\"form\" value=\"" + form + "\"/></use>",
             {}, "axle");
    // loads less beam of 75 kg and rims of 20 kg, against 3300 N and 28000 N/m of each leaf
    const double load = 3000.0 - 0.5 * (75.0 + 2.0 * 20.0) * 9.81;
    EXPECT_NEAR(got.centre.z() - kCentre.z(), (load - 3300.0) / 28000.0, 1e-6) << form;
    EXPECT_NEAR(got.centre.y(), kCentre.y(), 1e-6) << form;
  }
}

TEST(Subframe, SagsOnItsMounts) {
  const std::string text = include("subframe") + kChassis + R"(
    <parameter name="form" value="bushing"/>
    <body name="probe" mass="1" com="2 0 0" inertia="1 1 1"/>
    <joint name="probe_joint" type="prismatic" a="ground" b="probe" point="2 0 0" axis="1 0 0"/>
    <use template="subframe"><with name="form" value="{form}"/><with name="rear" value="-0.35 0.45 0.3"/>
      <with name="com" value="0 0 0.3"/></use>)";
  Simulation run(read(text), 1e-3);
  const EquilibriumReport report = find_equilibrium(run.model, run.settings, run.state, run.ws);
  EXPECT_TRUE(report.found);
  // 22 kg on four mounts of 1.5e6 N/m
  EXPECT_NEAR(run.com("subframe").X.p.z(), 0.3 - 22.0 * 9.81 / 6e6, 1e-9);
  Simulation fixed(read(text, {set("form", "ideal")}), 1e-3);
  EXPECT_EQ(fixed.model.n(), 1);  // the probe's, since a model has at least one coordinate
}

// Both arms follow their drop links; the torsion spring has the difference of their angles.
TEST(AntiRollBar, IsTwistedByRollAndNotByHeave) {
  const std::string text = include("anti_roll_bar") + kChassis + R"(
    <template name="part">
      <body name="part" mass="10" com="0 0.6 0.2" inertia="1 1 1"/>
      <joint name="slide" type="prismatic" a="chassis" b="part" point="0 0.6 0.2" axis="0 0 1"/>
      <input name="lift" value="0"/>
      <motion name="jack" joint="slide" coordinate="displacement" input="lift"/>
    </template>
    <use template="part" name="l"/>
    <use template="part" name="r" mirror="yes"/>
    <use template="anti_roll_bar" name="f">
      <with name="part_left" value="part_l"/>
      <with name="part_right" value="part_r"/>
      <with name="hinge" value="-0.25 0.30 0.30"/>
      <with name="end" value="0 0.60 0.30"/>
      <with name="link" value="0 0.60 0.20"/>
    </use>)";
  const auto angle_at = [](double lift) {
    // upright link of 0.1 m between the arm's end, 0.25 m from the hinge, and the part
    double a = -lift / 0.25;
    for (int k = 0; k < 50; ++k) {
      const auto gap = [&](double x) {
        const double ex = -0.25 + 0.25 * std::cos(x);
        const double ez = 0.30 - 0.25 * std::sin(x);
        return std::hypot(ex, ez - 0.20 - lift) - 0.1;
      };
      a -= gap(a) / ((gap(a + 1e-6) - gap(a - 1e-6)) / 2e-6);
    }
    return a;
  };
  Simulation run(read(text, {set("lift_l", "0.02"), set("lift_r", "-0.02")}), 1e-3);
  EXPECT_NEAR(run.z("hinge_left_f"), angle_at(0.02), 1e-9);
  EXPECT_NEAR(run.z("hinge_right_f"), angle_at(-0.02), 1e-9);
  // both up: no torsion
  Simulation both(read(text, {set("lift_l", "0.02"), set("lift_r", "0.02")}), 1e-3);
  EXPECT_NEAR(both.z("hinge_left_f") - both.z("hinge_right_f"), 0.0, 1e-11);
}

// bushings and ideal joints, rods and slender bodies

/// A corner on its spring, its wheel's centre pushed up by 4000 N, back by 1500 N, in by 1000 N.
std::string loaded(const std::string& use, const std::string& spring) {
  std::string text = rig("double_wishbone", use + spring);
  text.erase(text.find("<point_in_plane"),
             text.find("/>", text.find("<point_in_plane")) + 2 - text.find("<point_in_plane"));
  return text + R"(
    <input name="up" value="4000"/><input name="back" value="-1500"/><input name="in" value="-1000"/>
    <force name="up_force" body="carrier_l" point="0 0.775 0.31" direction="0 0 1" input="up"/>
    <force name="back_force" body="carrier_l" point="0 0.775 0.31" direction="1 0 0" input="back"/>
    <force name="in_force" body="carrier_l" point="0 0.775 0.31" direction="0 1 0" input="in"/>)";
}

const std::string kWishbonesOnBushings = R"(
  <parameter name="k" value="1e9"/>
  <use template="double_wishbone"><with name="form" value="{form}"/><with name="links" value="{links}"/>
    <with name="radial" value="{k}"/><with name="axial" value="{k}"/><with name="tilt" value="0"/>
    <with name="twist" value="0"/><with name="link_stiffness" value="{k}"/></use>)";
const std::string kSpring = spring_unit("lower_arm", "0 0.50 0.64", "0.005 0.59 0.20");

TEST(Bushings, ComeDownToIdealJointsAsTheirStiffnessRises) {
  const std::string text = loaded(kWishbonesOnBushings, kSpring);
  for (const std::string links : {"rod", "body"}) {
    const Attitude ideal = rest(text, {set("links", links)});
    std::array<double, 3> off{};
    const std::array<const char*, 3> stiffness{"1e7", "1e8", "1e9"};
    for (std::size_t i = 0; i < 3; ++i) {
      const Attitude soft =
          rest(text, {set("links", links), set("form", "bushing"), set("k_l", stiffness.at(i))});
      off.at(i) = (soft.centre - ideal.centre).norm() + (soft.axle - ideal.axle).norm();
    }
    // load over stiffness: kN / 1e7 N/m is some 1e-3 m, and ten times less with each step
    EXPECT_LT(off[0], 1e-2) << links;
    EXPECT_GT(off[0], 1e-4) << links;
    EXPECT_NEAR(off[0] / off[1], 10.0, 0.5) << links;
    EXPECT_NEAR(off[1] / off[2], 10.0, 0.1) << links;
  }
}

TEST(Links, OfVanishingMassMoveAsMasslessRods) {
  std::string use = multilink().use;
  use.insert(use.find("</use>"),
             R"(<with name="lateral_mass" value="{m}"/><with name="trailing_mass" value="{m}"/>)");
  std::string spring = kSpring;
  spring.replace(spring.find("lower_arm"), 9, "arm");
  std::string text = loaded("<parameter name=\"m\" value=\"1\"/>" + use, spring);
  text.replace(text.find("double_wishbone"), 15, "multilink");
  const auto fly = [&](const std::string& links, const std::string& mass) {
    Simulation run(read(text, {set("links", links), set("m_l", mass)}), 1e-3);
    run.run_to(0.1);
    return wheel_of(run, "carrier_l", kCentre);
  };
  const Attitude rods = fly("rod", "1");
  const auto off = [&](const std::string& mass) {
    const Attitude bodies = fly("body", mass);
    return (bodies.centre - rods.centre).norm() + (bodies.axle - rods.axle).norm();
  };
  const double heavy = off("0.1");
  const double light = off("0.01");
  EXPECT_LT(heavy, 1e-3);
  EXPECT_NEAR(heavy / light, 10.0, 0.5);
}

// The multilink suspension of tests/oracle/multilink.cpp, written with the templates.

const std::string kMultilink = include("multilink") + R"(
  <point name="wheel" value="0 0.95 0"/>
  <point name="chassis_axis" value="-0.272 0.962 0"/>
  <body name="carrier" mass="3.201" com="0 0.91 0" inertia="0.025 0.00653 0.0284"/>
  <body name="spindle" mass="1.103" com="{wheel}" inertia="0.0833 0.166 0.0833"/>
  <joint name="hub" type="revolute" a="carrier" b="spindle" point="{wheel}" axis="0 1 0"/>
  <body name="arm" mass="4.744" com="-0.014 0.64 0.098" inertia="0.0237 0.0294 0.00612"/>
  <use template="hinge">
    <with name="frame" value="ground"/>
    <with name="arm" value="arm"/>
    <with name="front" value="0.060 0.547 0.082"/>
    <with name="rear" value="-0.157 0.508 0.062"/>
  </use>
  <joint name="ball" type="spherical" a="arm" b="carrier" point="0.056 0.864 0.151" placement="tree"/>
  <use template="link" name="lateral">
    <with name="a" value="ground"/>
    <with name="b" value="carrier"/>
    <with name="from" value="0.036 0.338 -0.133"/>
    <with name="to" value="0.029 0.842 -0.093"/>
    <with name="links" value="body"/>
    <with name="mass" value="1.910"/>
    <with name="com" value="0.033 0.59 -0.113"/>
    <with name="inertia" value="0.0543 0.0541 0.000279"/>
    <with name="products" value="0 0 0"/>
    <with name="axis" value="-0.02199 -0.105472 0.994179"/>
    <with name="axis_b" value="-0.97895 0.204099 0"/>
  </use>
  <use template="link" name="trailing">
    <with name="a" value="ground"/>
    <with name="b" value="carrier"/>
    <with name="from" value="0.723 0.599 -0.072"/>
    <with name="to" value="0 0.864 -0.156"/>
    <with name="links" value="body"/>
    <with name="mass" value="15.204"/>
    <with name="com" value="0.279 0.693 -0.132"/>
    <with name="inertia" value="0.0762 0.527 0.567"/>
    <with name="products" value="0 0 0"/>
    <with name="axis" value="{unit(chassis_axis)}"/>
    <with name="axis_b" value="0 0 1"/>
  </use>
  <use template="link" name="tie">
    <with name="a" value="ground"/>
    <with name="b" value="carrier"/>
    <with name="from" value="-0.257 0.320 -0.116"/>
    <with name="to" value="-0.144 0.862 -0.056"/>
  </use>
  <point name="spring_low" value="0.181 0.669 -0.164"/>
  <point name="shock_low" value="0.181 0.669 -0.162"/>
  <marker name="spring_end" body="link_trailing" point="{spring_low}"/>
  <marker name="shock_end" body="link_trailing" point="{shock_low}"/>)";

/// One row: wheel centre, spin axis, lengths of spring and shock absorber.
struct Row {
  double lift;
  V centre, axle;
  double spring, shock;
};

/// Largest difference of a row.
double difference(const Row& row) {
  Simulation run(read(kMultilink + "<input name=\"lift\" value=\"" + word(row.lift) + R"("/>
    <point_in_plane name="jack" a="ground" b="carrier" point="{wheel}" axis="0 0 1" offset_input="lift"/>)"),
                 1e-3);
  const Attitude got = wheel_of(run, "carrier", V(0, 0.95, 0));
  const auto& markers = run.model.mechanism.markers;
  const double spring = (run.motion(markers[0]).X.p - V(0.181, 0.641, 0.110)).norm();
  const double shock = (run.motion(markers[1]).X.p - V(0.171, 0.628, 0.315)).norm();
  return std::max({(got.centre - row.centre).cwiseAbs().maxCoeff(),
                   (got.axle - row.axle).cwiseAbs().maxCoeff(), std::abs(spring - row.spring),
                   std::abs(shock - row.shock)});
}

// Every row of an independent solution in 13 digits; the table says whose.
TEST(MultilinkFile, MovesAsTheReferenceDoes) {
  std::ifstream table(std::string(SEMIREC_SOURCE_DIR) + "/tests/data/multilink_kinematics.csv");
  std::string line;
  int rows = 0;
  while (std::getline(table, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream words(line);
    std::array<double, 9> x{};
    std::size_t count = 0;
    while (count < x.size() && words >> x.at(count)) ++count;
    if (count < x.size()) continue;  // names and units
    ++rows;
    EXPECT_LT(difference({x[0], V(x[1], x[2], x[3]), V(x[4], x[5], x[6]), x[7], x[8]}), 1e-9)
        << line;
  }
  EXPECT_EQ(rows, 17);
}

// The same rows from the template itself, links massless.
TEST(MultilinkFile, IsOneUseOfTheTemplate) {
  const std::string text = include("multilink") + R"(
    <input name="lift" value="-0.06"/>
    <body name="carrier" mass="3.201" com="0 0.91 0" inertia="0.025 0.00653 0.0284"/>
    <use template="multilink">
      <with name="frame" value="ground"/>
      <with name="arm_front" value="0.060 0.547 0.082"/>
      <with name="arm_rear" value="-0.157 0.508 0.062"/>
      <with name="arm_ball" value="0.056 0.864 0.151"/>
      <with name="lateral_inner" value="0.036 0.338 -0.133"/>
      <with name="lateral_outer" value="0.029 0.842 -0.093"/>
      <with name="trailing_inner" value="0.723 0.599 -0.072"/>
      <with name="trailing_outer" value="0 0.864 -0.156"/>
      <with name="toe_inner" value="-0.257 0.320 -0.116"/>
      <with name="toe_outer" value="-0.144 0.862 -0.056"/>
    </use>
    <point_in_plane name="jack" a="ground" b="carrier" point="0 0.95 0" axis="0 0 1" offset_input="lift"/>)";
  Simulation run(read(text), 1e-3);
  EXPECT_EQ(run.model.n(), 4);
  const Attitude got = wheel_of(run, "carrier", V(0, 0.95, 0));
  // row of -0.06 m of tests/data/multilink_kinematics.csv
  expect_close(got.centre, V(0.0062356227364084, 0.953448532355583, -0.06), 0.0, 1e-9);
  expect_close(got.axle, V(-0.00248818841423137, 0.999712511982093, -0.0238474800527899), 0.0,
               1e-9);
}

// 4000 N up on the spindle: place at t = 0.2 s of the reference of tests/oracle/multilink.cpp.
TEST(MultilinkFile, RisesUnderItsLoadAsTheReferenceDoes) {
  Simulation run(read(kMultilink + R"(
    <spring name="coil" a="ground" b="link_trailing" point_a="0.181 0.641 0.110" point_b="{spring_low}">
      <stiffness k="120000" free_length="0.339"/>
    </spring>
    <spring name="shock" a="ground" b="link_trailing" point_a="0.171 0.628 0.315" point_b="{shock_low}">
      <damping c="12000"/>
    </spring>
    <input name="size" value="4000"/>
    <force name="load" body="spindle" point="{wheel}" direction="0 0 1" input="size"/>)"),
                 1e-3);
  run.run_to(0.2);
  expect_close(run.com("spindle").X.p, V(0.00228989079002452, 0.9523940874995, -0.0248266520730788),
               0.0, 1e-6);
}

}  // namespace
}  // namespace semirec::test
