// The suspension rig against geometry and mechanics written here without the engine: instant
// centres and steering axes by hand, rigid linkages by lengths between their hardpoints, the bump
// steer table of the Iltis, static equilibria of whole cars, a body on one bushing.

#include "vehicles/analysis/kc/kc.hpp"

#include <array>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "integrator/statics/equilibrium.hpp"
#include "tests/support/eigen_system.hpp"
#include "tests/support/expect_close.hpp"
#include "vehicles/analysis/kc/axles.hpp"
#include "vehicles/analysis/kc/compliance.hpp"
#include "vehicles/analysis/kc/point.hpp"
#include "vehicles/analysis/steady_state.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/session/drive.hpp"

namespace semirec::test {
namespace {

using V = Eigen::Vector3d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::VectorXd;

const std::string kModels = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/";

Vehicle shipped(const std::string& file, const std::vector<std::string>& overrides = {}) {
  std::vector<Override> parsed;
  for (const std::string& text : overrides) parsed.push_back(parse_override(text));
  return read_vehicle(kModels + file, parsed);
}

/// A car of one axle; `corner` is its left half.
Vehicle car(const std::string& files, const std::string& corner, const std::string& both = {}) {
  std::string includes;
  std::istringstream names(files);
  for (std::string name; names >> name;) includes += "<include file=\"" + name + ".xml\"/>";
  return read_vehicle_text("<vehicle name=\"car\" version=\"1\">" + includes + R"(
  <body name="chassis" chassis="yes" mass="1000" com="-1 0 0.5" inertia="300 900 1000"/>
  <joint name="chassis_joint" type="free" a="ground" b="chassis"/>
  <template name="corner">)" + corner +
                               R"(</template>
  <use template="corner" name="l"/>
  <use template="corner" name="r" mirror="yes"/>)" +
                               both + "</vehicle>",
                           kModels + "templates/car.xml");
}

std::string with(const std::string& name, const std::string& value) {
  return "<with name=\"" + name + "\" value=\"" + value + "\"/>";
}

/// A rigid tyre of 0.31 m: the disc's radius is that of the unloaded tyre to 1e-11 m.
std::string wheel_end(const std::string& more = {}) {
  return "<use template=\"wheel_end\">" + with("radius", "0.31") + with("tyre_stiffness", "1e15") +
         more + "</use>";
}

std::string spring(const std::string& part, const std::string& top, const std::string& bottom) {
  return "<use template=\"spring_unit\">" + with("part", part) + with("top", top) +
         with("bottom", bottom) + "</use>";
}

double value(const Answer& answer, const std::string& name) {
  const int k = find_quantity(answer, name);
  EXPECT_GE(k, 0) << name;
  return k < 0 ? std::nan("") : answer.quantities[static_cast<std::size_t>(k)].value;
}

Answer ask(const Vehicle& vehicle, const std::vector<std::string>& tests) {
  KcOptions options;
  options.tests = tests;
  return find_kinematics_and_compliance(vehicle, options);
}

// Wishbones whose hinges lie along x: every motion over travel is a plane one.

struct Wishbones {
  Vector2d lower_hinge, lower_ball, upper_hinge, upper_ball;  // y, z
  double upper_x = 0.0;                                       // of the upper ball, m
};

std::string word(double x) {
  std::ostringstream text;
  text.precision(17);
  text << x;
  return text.str();
}

std::string point(double x, const Vector2d& yz) {
  return word(x) + " " + word(yz.x()) + " " + word(yz.y());
}

const Vector2d kSpringTop(0.50, 0.64), kSpringBottom(0.59, 0.195);

Vehicle wishbone_car(const Wishbones& w) {
  return car("double_wishbone rack_and_pinion",
             wheel_end() + "<use template=\"double_wishbone\">" + with("steer", "rack") +
                 with("lower_front", point(0.15, w.lower_hinge)) +
                 with("lower_rear", point(-0.15, w.lower_hinge)) +
                 with("lower_ball", point(0.0, w.lower_ball)) +
                 with("upper_front", point(0.15, w.upper_hinge)) +
                 with("upper_rear", point(-0.15, w.upper_hinge)) +
                 with("upper_ball", point(w.upper_x, w.upper_ball)) +
                 // beside the lower arm: it does not steer over travel
                 with("tie_inner", point(0.12, w.lower_hinge)) +
                 with("tie_outer", point(0.12, w.lower_ball)) + "</use>" +
                 spring("lower_arm", point(0.0, kSpringTop), point(0.0, kSpringBottom)),
             "<use template=\"rack_and_pinion\"/>");
}

/// Where two lines through points of the plane meet.
Vector2d meet(const Vector2d& a, const Vector2d& b, const Vector2d& c, const Vector2d& d) {
  Eigen::Matrix2d m;
  m << b - a, c - d;
  return a + m.inverse()(0, 0) * (c - a).x() * (b - a) + m.inverse()(0, 1) * (c - a).y() * (b - a);
}

const Vector2d kContact(0.775, 0.0);  // wheel centre at 0.31 m, disc of 0.31 m

/// Velocity of a point that turns about a centre with angular velocity w about x.
Vector2d turning(const Vector2d& centre, double w, const Vector2d& at) {
  return {-w * (at - centre).y(), w * (at - centre).x()};
}

void expect_steering_axis(const Answer& answer, const Wishbones& w) {
  const V lower(0.0, w.lower_ball.x(), w.lower_ball.y());
  const V upper(w.upper_x, w.upper_ball.x(), w.upper_ball.y());
  const V k = upper - lower;
  const auto at_height = [&](double z) { return V(lower + (z - lower.z()) / k.z() * k); };
  const V ground = at_height(0.0);
  const V middle = at_height(0.31);
  // 1e-8: linearization by differences of 1e-5
  constexpr double kTolerance = 1e-8;
  EXPECT_NEAR(value(answer, "front.kingpin_inclination"), std::atan2(-k.y(), k.z()), kTolerance);
  EXPECT_NEAR(value(answer, "front.caster"), std::atan2(-k.x(), k.z()), kTolerance);
  EXPECT_NEAR(value(answer, "front.scrub_radius"), 0.775 - ground.y(), kTolerance);
  EXPECT_NEAR(value(answer, "front.mechanical_trail"), ground.x(), kTolerance);
  EXPECT_NEAR(value(answer, "front.kingpin_offset"), 0.775 - middle.y(), kTolerance);
  EXPECT_NEAR(value(answer, "front.caster_offset"), middle.x(), kTolerance);
}

TEST(KcDoubleWishbone, WithConvergingArmsTurnsAboutTheirIntersection) {
  const Wishbones w{{0.35, 0.20}, {0.72, 0.18}, {0.42, 0.47}, {0.68, 0.52}, -0.03};
  const Answer answer = ask(wishbone_car(w), {"design"});
  // arms meet in the instant centre; the line from there to the contact in the roll centre
  const Vector2d centre = meet(w.lower_hinge, w.lower_ball, w.upper_hinge, w.upper_ball);
  const double roll_centre = centre.y() * kContact.x() / (kContact.x() - centre.x());
  const double turn = 1.0 / (kContact.x() - centre.x());  // about x, for 1 m/s of the contact
  constexpr double kTolerance = 1e-8;
  EXPECT_NEAR(value(answer, "front.front_view_arm"), kContact.x() - centre.x(), 1e-7);
  EXPECT_NEAR(value(answer, "front.front_view_centre_height"), centre.y(), kTolerance);
  EXPECT_NEAR(value(answer, "front.roll_centre_height"), roll_centre, kTolerance);
  EXPECT_NEAR(value(answer, "front.roll_centre_height_force"), roll_centre, kTolerance);
  EXPECT_NEAR(value(answer, "front.bump_camber"), -turn, kTolerance);
  EXPECT_NEAR(value(answer, "front.bump_steer"), 0.0, kTolerance);
  EXPECT_NEAR(value(answer, "front.track_change"), 2.0 * turning(centre, turn, kContact).x(),
              kTolerance);
  EXPECT_NEAR(value(answer, "front.contact_path"), 0.0, kTolerance);
  // the lower arm's ball turns about its hinge and about the instant centre
  const double arm = turn * (w.lower_ball - centre).x() / (w.lower_ball - w.lower_hinge).x();
  const Vector2d along = (kSpringBottom - kSpringTop).normalized();
  EXPECT_NEAR(value(answer, "front.motion_ratio.spring_l"),
              along.dot(turning(w.lower_hinge, arm, kSpringBottom)), kTolerance);
  expect_steering_axis(answer, w);
}

TEST(KcDoubleWishbone, WithParallelArmsOfEqualLengthLeansWithTheChassis) {
  const Wishbones w{{0.35, 0.20}, {0.72, 0.18}, {0.30, 0.50}, {0.67, 0.48}, 0.02};
  const Answer answer = ask(wishbone_car(w), {"design"});
  constexpr double kTolerance = 1e-8;
  EXPECT_NEAR(value(answer, "front.bump_camber"), 0.0, kTolerance);
  EXPECT_NEAR(value(answer, "front.roll_camber"), 1.0, kTolerance);
  // the wheel goes across the arms: 0.37 m along y, 0.02 m down
  EXPECT_NEAR(value(answer, "front.roll_centre_height"), 0.775 * 0.02 / 0.37, kTolerance);
  EXPECT_EQ(find_quantity(answer, "front.front_view_arm"), -1);  // there is no instant centre
  expect_steering_axis(answer, w);
}

// A rigid body held by lengths between hardpoints.

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

/// Newton with differences, to the rounding of the rows.
Displacement solve(const Rows& rows) {
  Displacement x;
  for (int iteration = 0; iteration < 30; ++iteration) {
    const VectorXd r = rows(x);
    if (r.cwiseAbs().maxCoeff() < 1e-15) break;
    Eigen::MatrixXd J(r.size(), 6);
    for (int k = 0; k < 6; ++k) {
      const VectorXd d = 1e-6 * VectorXd::Unit(6, k);
      J.col(k) = (rows(moved(x, d)) - rows(moved(x, -d))) / 2e-6;
    }
    x = moved(x, -solve_fully_pivoted(J, r));
  }
  EXPECT_LT(rows(x).cwiseAbs().maxCoeff(), 1e-13);
  return x;
}

double stretch(const V& fixed, const V& moving, const Displacement& x, const V& slide = V::Zero()) {
  return (x(moving) - fixed - slide).norm() - (moving - fixed).norm();
}

/// Lowest point of a disc.
V lowest(const V& centre, const V& axle, double radius) {
  const V up = V::UnitZ() - axle.z() * axle;
  return centre - radius * up.normalized();
}

// The template's own hardpoints, in space: toe, camber and path of the contact point over travel.
TEST(KcDoubleWishbone, InSpaceMovesAsItsHardpointsSay) {
  const V lf(0.19, 0.37, 0.205), lr(-0.17, 0.37, 0.210), lb(0.006, 0.715, 0.190);
  const V uf(0.11, 0.46, 0.500), ur(-0.13, 0.46, 0.490), ub(-0.018, 0.670, 0.515);
  const V ti(0.125, 0.345, 0.245), to(0.130, 0.705, 0.235);
  const V centre(0.0, 0.775, 0.31);
  const auto at = [&](double lift) {
    return solve([&](const Displacement& x) {
      VectorXd r(6);
      r << stretch(lf, lb, x), stretch(lr, lb, x), stretch(uf, ub, x), stretch(ur, ub, x),
          stretch(ti, to, x), lowest(x(centre), x.A.col(1), 0.31).z() - lift;
      return r;
    });
  };
  const Vehicle vehicle =
      car("double_wishbone rack_and_pinion",
          wheel_end() + "<use template=\"double_wishbone\">" + with("steer", "rack") + "</use>" +
              spring("lower_arm", "0 0.50 0.64", "0.005 0.59 0.20"),
          "<use template=\"rack_and_pinion\"/>");
  KcOptions options;
  options.tests = {"design", "parallel"};
  options.points = 9;
  const Answer answer = find_kinematics_and_compliance(vehicle, options);
  ASSERT_EQ(answer.tables.size(), 1U);
  const Table& table = answer.tables[0];
  ASSERT_EQ(table.rows.size(), 9U);
  const auto column = [&](const std::string& name) {
    std::size_t k = 0;
    while (k < table.columns.size() && table.columns[k].name != name) ++k;
    EXPECT_LT(k, table.columns.size()) << name;
    return k;
  };
  for (const std::vector<double>& row : table.rows) {
    const Displacement x = at(row[0]);
    const V axle = x.A.col(1);
    const V contact = lowest(x(centre), axle, 0.31);
    // 1e-9: loops are closed to 1e-11 m on lengths of 0.2 m
    EXPECT_NEAR(row[column("toe_left")], std::atan2(axle.x(), axle.y()), 1e-9) << row[0];
    EXPECT_NEAR(row[column("toe_right")], std::atan2(axle.x(), axle.y()), 1e-9) << row[0];
    EXPECT_NEAR(row[column("camber_left")], -std::asin(axle.z()), 1e-9) << row[0];
    EXPECT_NEAR(row[column("contact_dx_left")], contact.x(), 1e-9) << row[0];
    EXPECT_NEAR(row[column("contact_dy_left")], contact.y() - 0.775, 1e-9) << row[0];
    EXPECT_NEAR(row[column("centre_dz_left")], x(centre).z() - 0.31, 1e-9) << row[0];
  }
  const auto slope = [&](const std::function<double(const Displacement&)>& of) {
    return (of(at(1e-4)) - of(at(-1e-4))) / 2e-4;
  };
  // 1e-6: third derivatives over the difference of 1e-4 m
  EXPECT_NEAR(value(answer, "front.bump_steer"),
              slope([](const Displacement& x) { return std::atan2(x.A(0, 1), x.A(1, 1)); }), 1e-6);
  EXPECT_NEAR(value(answer, "front.bump_camber"),
              slope([](const Displacement& x) { return -std::asin(x.A(2, 1)); }), 1e-6);
  // of the point of the carrier that touches in the design position
  EXPECT_NEAR(value(answer, "front.contact_path"),
              slope([](const Displacement& x) { return x(V(0.0, 0.775, 0.0)).x(); }), 1e-6);
  EXPECT_NEAR(value(answer, "front.centre_path"),
              slope([&](const Displacement& x) { return x(centre).x(); }), 1e-6);
}

// A five-link carrier has no hinge: its steering axis is where it turns when a link is moved and
// the spring keeps its length.
TEST(KcFiveLink, HasAVirtualSteeringAxis) {
  const std::array<V, 5> inner{V(0.16, 0.42, 0.455), V(-0.11, 0.41, 0.450), V(0.28, 0.43, 0.215),
                               V(-0.06, 0.25, 0.205), V(-0.22, 0.29, 0.245)};
  const std::array<V, 5> outer{V(0.035, 0.690, 0.475), V(-0.045, 0.695, 0.470),
                               V(0.050, 0.710, 0.190), V(-0.020, 0.705, 0.180),
                               V(-0.165, 0.700, 0.235)};
  const V top(0.0, 0.60, 0.70), bottom(0.0, 0.68, 0.20);
  const auto at = [&](double slide) {
    return solve([&](const Displacement& x) {
      VectorXd r(6);
      for (std::size_t k = 0; k < 5; ++k)
        r[static_cast<int>(k)] =
            stretch(inner[k], outer[k], x, k == 4 ? V(0.0, slide, 0.0) : V::Zero());
      r[5] = stretch(top, bottom, x);
      return r;
    });
  };
  Vehicle vehicle = car("five_link",
                        wheel_end() + R"(<use template="five_link"/>)" +
                            spring("carrier", "0 0.60 0.70", "0 0.68 0.20"),
                        R"(<input name="steering"/>)");
  // the toe links' inner ends follow the input to the left
  int links = 0;
  for (Constraint& rod : vehicle.mechanism.constraints) {
    if (rod.name.find("toe") == std::string::npos) continue;
    rod.slide_axis = V::UnitY();
    rod.slide_input = 0;
    ++links;
  }
  ASSERT_EQ(links, 2);
  ASSERT_EQ(vehicle.mechanism.inputs[0].name, "steering");
  vehicle.controls.steering = "steering";
  const Answer answer = ask(vehicle, {"design"});
  constexpr double kSlide = 1e-5;
  const Displacement ahead = at(kSlide);
  const Displacement behind = at(-kSlide);
  const Eigen::AngleAxisd turn(ahead.A * behind.A.transpose());
  const V w = turn.angle() * turn.axis() / (2.0 * kSlide);
  const V v0 = (ahead(V::Zero()) - behind(V::Zero())) / (2.0 * kSlide);  // of the world's origin
  const V nearest = w.cross(v0) / w.squaredNorm();
  const V ground = nearest - nearest.z() / w.z() * w;
  const V k = w.z() > 0.0 ? V(w) : V(-w);
  // 1e-6: differences of 1e-5 m with rounding of 1e-13
  EXPECT_NEAR(value(answer, "front.caster"), std::atan2(-k.x(), k.z()), 1e-6);
  EXPECT_NEAR(value(answer, "front.kingpin_inclination"), std::atan2(-k.y(), k.z()), 1e-6);
  EXPECT_NEAR(value(answer, "front.scrub_radius"), 0.775 - ground.y(), 1e-6);
  EXPECT_NEAR(value(answer, "front.mechanical_trail"), ground.x(), 1e-6);
}

// Axle beam on two lower links, an upper one and a Panhard rod, at different heights left and
// right.
TEST(KcSolidAxle, SteersAsItsLinksSay) {
  const V across(1.0, -1.0, 1.0);
  const V li(0.55, 0.46, 0.285), lo(0.02, 0.50, 0.225), ui(0.38, 0, 0.500), uo(0.03, 0, 0.480);
  const V pi(-0.16, 0.48, 0.350), po(-0.13, -0.46, 0.345);
  const V left(0.0, 0.775, 0.31), right(0.0, -0.775, 0.31);
  const auto at = [&](double lift_left, double lift_right) {
    return solve([&](const Displacement& x) {
      VectorXd r(6);
      r << stretch(li, lo, x), stretch(across.cwiseProduct(li), across.cwiseProduct(lo), x),
          stretch(ui, uo, x), stretch(pi, po, x), lowest(x(left), x.A.col(1), 0.31).z() - lift_left,
          lowest(x(right), x.A.col(1), 0.31).z() - lift_right;
      return r;
    });
  };
  const std::string rim = with("radius", "0.31") + with("tyre_stiffness", "1e15");
  const Vehicle vehicle = car("solid_axle",
                              "<use template=\"rim\">" + with("carrier", "axle") + rim + "</use>" +
                                  spring("axle", "0 0.50 0.62", "0 0.50 0.24"),
                              R"(<use template="solid_axle"/>)");
  const Answer answer = ask(vehicle, {"design"});
  constexpr double kLift = 1e-4;
  const auto steer = [](const Displacement& x) { return std::atan2(-x.A(0, 1), x.A(1, 1)); };
  // a bump of both wheels turns the beam by its Panhard rod alone; toe is the same steer of
  // opposite sign on both sides
  const double bump = (steer(at(kLift, kLift)) - steer(at(-kLift, -kLift))) / (2.0 * kLift);
  EXPECT_NEAR(value(answer, "front.left.bump_steer"), -bump, 1e-6);
  EXPECT_NEAR(value(answer, "front.right.bump_steer"), bump, 1e-6);
  EXPECT_NEAR(value(answer, "front.bump_camber"), 0.0, 1e-7);
  const Displacement tilted = at(kLift, -kLift);
  const Displacement back = at(-kLift, kLift);
  const auto contacts = [&](const Displacement& x) {
    return 0.5 * (lowest(x(left), x.A.col(1), 0.31).y() + lowest(x(right), x.A.col(1), 0.31).y());
  };
  // the beam leans by lift over half the track; the pole is where the chassis does not go sideways
  EXPECT_NEAR(value(answer, "front.roll_centre_height"),
              0.775 * (contacts(tilted) - contacts(back)) / (2.0 * kLift), 1e-6);
  // chassis to the right is pads up on the right; the pads stay level, so the beam does
  const double roll_steer = -(steer(tilted) - steer(back)) / (2.0 * kLift) * 0.775;
  EXPECT_NEAR(value(answer, "front.roll_steer"), roll_steer, 1e-6);
  EXPECT_NEAR(value(answer, "front.roll_camber"), 0.0, 1e-7);
}

// The same car, its wheels on hubs of a gram that are welded to the housing: which body takes the
// torque counts, not whether it is the one that holds the wheel.
TEST(KcSolidAxle, TakesItsTorqueWhateverHoldsTheWheels) {
  const std::string home = std::string(SEMIREC_SOURCE_DIR) + "/tests/data/live_axle.xml";
  std::ifstream file(home);
  const std::string plain((std::istreambuf_iterator<char>(file)), {});
  std::string hubs = plain;
  for (const char* side : {"l", "r"}) {
    const std::string y = side[0] == 'l' ? "0.77" : "-0.77";
    const std::string id = std::string("_r") + side;
    const auto put = [&](const std::string& from, const std::string& to) {
      const std::size_t at = hubs.find(from);
      ASSERT_NE(at, std::string::npos) << from;
      hubs.replace(at, from.size(), to);
    };
    put("<joint name=\"spin" + id + "\" type=\"revolute\" a=\"rax\"",
        "<body name=\"hub" + id + "\" mass=\"0.001\" com=\"-1.3 " + y +
            " 0.37\" inertia=\"1e-4 1e-4 1e-4\"/><joint name=\"weld" + id +
            "\" type=\"fixed\" a=\"rax\" b=\"hub" + id + "\" point=\"-1.3 " + y +
            " 0.37\"/><joint name=\"spin" + id + "\" type=\"revolute\" a=\"hub" + id + "\"");
    put("<wheel name=\"w" + id + "\" body=\"rax\"",
        "<wheel name=\"w" + id + "\" body=\"hub" + id + "\"");
  }
  const auto design = [&](const std::string& text) {
    return ask(read_vehicle_text(text, home), {"design"});
  };
  const Answer carried = design(plain);
  const Answer welded = design(hubs);
  // 1e-5: two grams more
  for (const char* name : {"rear.anti_squat", "rear.anti_lift", "rear.contact_path"})
    EXPECT_NEAR(value(welded, name), value(carried, name), 1e-5 * std::abs(value(carried, name)))
        << name;
  // a rear axle that drives all of the car's force: contact_path L/h, by half shafts centre_path
  std::string shafts = plain;
  const std::string body = " body=\"rax\"";
  const std::size_t driven = shafts.find(body, shafts.find("<driveline"));
  ASSERT_NE(driven, std::string::npos);
  shafts.erase(driven, body.size());
  const Answer by_shafts = design(shafts);
  EXPECT_NEAR(value(by_shafts, "rear.anti_squat") / value(carried, "rear.anti_squat"),
              value(carried, "rear.centre_path") / value(carried, "rear.contact_path"), 1e-6);
}

// The wheel rate of a trailing arm: k (dL/dz)^2 from the spring's stiffness, and what the turning
// directions of its force and of the weights give.
TEST(KcTrailingArm, HasTheWheelRateOfVirtualWork) {
  const double k = 50000.0, tension = -5000.0, g = 9.81;
  const Vector2d hinge(0.46, 0.30), centre(0.0, 0.31), top(0.10, 0.70), bottom(0.05, 0.25);  // x, z
  struct Turn {  // position from the hinge and its derivatives over the angle that lifts the wheel
    Vector2d r, d, dd;
  };
  const auto turn = [&](const Vector2d& p) {
    const Vector2d r = p - hinge;
    return Turn{r, Vector2d(r.y(), -r.x()), -r};
  };
  const Turn wheel = turn(centre);
  const Turn spring_end = turn(bottom);
  const Vector2d line = bottom - top;
  const double length = line.norm();
  const double L_d = line.dot(spring_end.d) / length;
  const double L_dd = (spring_end.d.squaredNorm() + line.dot(spring_end.dd) - L_d * L_d) / length;
  // carrier of 15 kg and rim of 20 kg with their centres of mass in the wheel's centre (seen
  // across)
  const double weight = 35.0 * g;
  const double E_d = tension * L_d + weight * wheel.d.y();
  const double E_dd = k * L_d * L_d + tension * L_dd + weight * wheel.dd.y();
  const double z_d = wheel.d.y(), z_dd = wheel.dd.y();
  const double ratio = L_d / z_d;
  const double geometric = (E_dd - k * L_d * L_d) / (z_d * z_d) - E_d * z_dd / (z_d * z_d * z_d);
  const Vehicle vehicle =
      car("semi_trailing_arm", wheel_end() + "<use template=\"semi_trailing_arm\">" +
                                   with("outer", "0.46 0.640 0.300") +
                                   with("inner", "0.46 0.180 0.300") + "</use>" +
                                   spring("carrier", "0.10 0.60 0.70", "0.05 0.60 0.25"));
  const Answer answer = ask(vehicle, {"design"});
  EXPECT_NEAR(value(answer, "front.motion_ratio.spring_l"), ratio, 1e-9);
  EXPECT_NEAR(value(answer, "front.wheel_load"), E_d / z_d, 1e-6);
  EXPECT_NEAR(value(answer, "front.wheel_rate"), k * ratio * ratio + geometric, 1e-4);
  EXPECT_NEAR(value(answer, "front.wheel_rate_single"), k * ratio * ratio + geometric, 1e-4);
  // contact and wheel centre go across their lines to the hinge
  EXPECT_NEAR(value(answer, "front.contact_path"), -0.30 / 0.46, 1e-9);
  EXPECT_NEAR(value(answer, "front.centre_path"), 0.01 / 0.46, 1e-9);
  EXPECT_NEAR(value(answer, "front.side_view_arm"), -0.46, 1e-9);
  EXPECT_NEAR(value(answer, "front.side_view_centre_height"), 0.30, 1e-9);
}

// Kinematics table of the Iltis (computed apart from any engine, see the file's head): front left
// wheel over the angle of its arm.
TEST(KcIltis, StandsOnTheRigAsItsKinematicsTableSays) {
  const Vehicle vehicle = shipped("iltis.xml");
  const Rig rig = make_rig(vehicle, {}, {0.0, 0.0, 0.0, 0.0});  // pads under the wheel centres
  Workspace ws(rig.model);
  const RigState& design = rig.design;
  const Axle& front = rig.axles.front();
  const auto l = static_cast<std::size_t>(front.left);
  const WheelReading start = read_rig(rig, design, ws).wheels[l];
  std::size_t shock = 0;
  std::size_t leaf = 0;
  for (std::size_t k = 0; k < rig.lengths.size(); ++k) {
    if (rig.lengths[k].name == "shock_fl") shock = k;
    if (rig.lengths[k].name == "leaf_spring_fl") leaf = k;
  }
  ASSERT_NE(shock, leaf);
  std::ifstream file(std::string(SEMIREC_SOURCE_DIR) + "/tests/data/iltis_kinematics.csv");
  std::vector<std::array<double, 8>> table;
  for (std::string text; std::getline(file, text);) {
    for (char& c : text)
      if (c == ',') c = ' ';
    std::istringstream numbers(text);
    std::array<double, 8> row{};
    std::size_t k = 0;
    while (k < row.size() && numbers >> row.at(k)) ++k;
    if (k == row.size()) table.push_back(row);
  }
  ASSERT_EQ(table.size(), 25U);
  // from the design position outwards
  for (const double side : {-1.0, 1.0}) {
    RigState state = design;
    RigTangent tangent;
    for (int k = 1; k <= 12; ++k) {
      const auto& [phi, dx, y, dz, yaw, tilt, shock_length, leaf_length] =
          table[static_cast<std::size_t>(12 + static_cast<int>(side) * k)];
      RigCommand command = make_command(rig);
      command.height[front.left] = command.height[front.right] = dz;
      ASSERT_TRUE(find_rig_equilibrium(rig, command, state, tangent, ws)) << phi;
      const Reading reading = read_rig(rig, state, ws);
      const WheelReading& wheel = reading.wheels[l];
      // half of the table's last digit, and half of that of dz, 5e-7 m, times the largest slopes at
      // the ends: 0.1 m/m of dx, 0.8 of y and of the lengths, 75 and 27 degrees/m of the angles
      constexpr double kDegree = M_PI / 180.0;
      EXPECT_NEAR(wheel.centre.x() - start.centre.x(), dx, 6e-8) << phi;
      EXPECT_NEAR(wheel.centre.y(), y, 1e-6) << phi;
      EXPECT_NEAR(wheel.steer / kDegree, yaw, 4.5e-5) << phi;
      EXPECT_NEAR(wheel.inclination / kDegree, tilt, 2e-5) << phi;
      EXPECT_NEAR(reading.lengths[shock], shock_length, 1e-6) << phi;
      EXPECT_NEAR(reading.lengths[leaf], leaf_length, 1e-6) << phi;
    }
  }
}

// Rates of a whole car that stands still with its chassis held, on stiff wheels under which the
// road is lifted or level; find_equilibrium() knows no rig.

struct Standing {
  double load_left = 0.0, load_right = 0.0, z_left = 0.0, z_right = 0.0;
};

std::vector<std::string> standing_sedan(const std::string& form) {
  return {"form.value=" + form, "tyre.value=none", "wheel_*.radius=0.31", "wheel_*.stiffness=1e9"};
}

Standing stand(Vehicle vehicle, double roll, double left, double right) {
  for (Joint& joint : vehicle.mechanism.joints) {
    if (joint.name != "chassis_joint") continue;
    const Frame hinge = make_frame(V::Zero(), V::UnitX());
    const Frame& chassis = vehicle.mechanism.bodies[static_cast<std::size_t>(vehicle.chassis)].X_WB;
    joint.type = JointType::revolute;
    joint.a = {kGround, hinge, {}, {}};
    joint.b = {vehicle.chassis, inverse(chassis) * hinge, {}, {}};
    joint.placement = Placement::tree;
    joint.position = {roll};
    vehicle.mechanism.inputs.push_back({"roll", Curve::constant(roll), {}});
    vehicle.mechanism.motions.push_back(
        {"roll_driver",
         static_cast<JointIndex>(&joint - vehicle.mechanism.joints.data()),
         0,
         static_cast<InputIndex>(vehicle.mechanism.inputs.size()) - 1,
         {}});
  }
  Scenario scenario;
  scenario.contact = ContactLaw::vertical;  // through the wheel centres
  scenario.excitations = {{"wheel_fl", Curve::constant(left), {}},
                          {"wheel_fr", Curve::constant(right), {}}};
  const Drive drive = make_drive(vehicle, scenario);
  const Recorder recorder(drive.model, drive.recorder);
  Workspace ws(drive.model);
  State state = make_initial_state(drive.model);
  EXPECT_TRUE(find_equilibrium(drive.model, drive.settings.step, state, ws).found);
  std::vector<double> values;
  recorder.record(drive.model, state, ws, values);
  const auto channel = [&](const std::string& name) {
    for (std::size_t k = 0; k < values.size(); ++k)
      if (recorder.channels()[k].name == name) return values[k];
    ADD_FAILURE() << name;
    return std::nan("");
  };
  return {channel("wheel_fl.Fz"), channel("wheel_fr.Fz"), channel("wheel_fl.z"),
          channel("wheel_fr.z")};
}

/// Rates of the front axle with pads under the wheel centres, where `tyre="none"` pushes.
struct Rates {
  double parallel = 0.0, opposite = 0.0, roll = 0.0;
};

Rates rates_on_the_rig(const Vehicle& vehicle) {
  const Rig rig = make_rig(vehicle, {}, std::vector<double>(vehicle.wheels.size(), 0.0));
  Workspace ws(rig.model);
  const RigState& design = rig.design;
  const Axle& front = rig.axles.front();
  const auto l = static_cast<std::size_t>(front.left);
  const auto r = static_cast<std::size_t>(front.right);
  RigCommand command = make_command(rig);
  const RigPoint held = make_point(rig, command, design, 1e-5, ws);
  command.constant_load = true;
  const RigPoint rolling = make_point(rig, command, design, 1e-5, ws);
  const Reading roll = rate_of(rolling, roll_rate(rig), ws);
  const double track = held.reading.wheels[l].contact.y() - held.reading.wheels[r].contact.y();
  return {rate_of(held, lift(rig, front, 1.0, 1.0), ws).wheels[l].load,
          rate_of(held, lift(rig, front, 1.0, -1.0), ws).wheels[l].load,
          0.5 * track * (roll.wheels[r].load - roll.wheels[l].load)};
}

TEST(KcSedan, HasTheRatesOfStaticEquilibrium) {
  for (const std::string form : {"ideal", "bushing"}) {
    const Vehicle vehicle = shipped("sedan.xml", standing_sedan(form));
    const Rates rates = rates_on_the_rig(vehicle);
    constexpr double kLift = 1e-3;
    const Standing up = stand(vehicle, 0.0, kLift, kLift);
    const Standing down = stand(vehicle, 0.0, -kLift, -kLift);
    // 1e-4: third derivatives over 1 mm, and 4 um by which the stiff wheel gives way
    EXPECT_NEAR((up.load_left - down.load_left) / (up.z_left - down.z_left) / rates.parallel, 1.0,
                1e-4)
        << form;
    const Standing tilted = stand(vehicle, 0.0, kLift, -kLift);
    const Standing back = stand(vehicle, 0.0, -kLift, kLift);
    EXPECT_NEAR(
        (tilted.load_left - back.load_left) / (tilted.z_left - back.z_left) / rates.opposite, 1.0,
        1e-4)
        << form;
    constexpr double kRoll = 1e-3;
    const Standing right = stand(vehicle, kRoll, 0.0, 0.0);
    const Standing left = stand(vehicle, -kRoll, 0.0, 0.0);
    const double moment =
        0.775 * (right.load_right - right.load_left) - 0.775 * (left.load_right - left.load_left);
    EXPECT_NEAR(moment / (2.0 * kRoll) / rates.roll, 1.0, 3e-4) << form;
  }
}

// Loads of the pads about the position of rest: those of the whole car in static equilibrium on its
// tyres, which knows no rig. Its pitch of some mrad is not on the rig.
TEST(KcSedan, StandsAtRestOnTheLoadsOfItsEquilibrium) {
  for (const char* form : {"ideal", "bushing"}) {
    const Vehicle laden =
        shipped("sedan.xml", {"chassis.mass=1700", std::string("form.value=") + form});
    KcOptions options;
    options.tests = {"design"};
    const Answer drawn = find_kinematics_and_compliance(laden, options);
    options.position = KcPosition::rest;
    const Answer rest = find_kinematics_and_compliance(laden, options);
    const SteadyTurn standing = SteadyCar(laden, {}).rest();
    EXPECT_NEAR(value(rest, "front.wheel_load") / standing.wheels[0].load, 1.0, 2e-4) << form;
    EXPECT_NEAR(value(rest, "rear.wheel_load") / standing.wheels[2].load, 1.0, 2e-4) << form;
    EXPECT_LT(value(drawn, "front.wheel_load"), 0.9 * standing.wheels[0].load) << form;
    // the springs give way by the load that came, over a rate that hardly changes on the way
    const double more = value(rest, "front.wheel_load") - value(drawn, "front.wheel_load");
    EXPECT_NEAR(value(rest, "front.travel") * value(rest, "front.wheel_rate") / more, 1.0, 5e-3)
        << form;
  }
}

// The rig holds the steering wheel: where the file's input has turned it does not matter.
TEST(KcSedan, StandsStraightWhereverTheFileSteers) {
  for (const KcPosition position : {KcPosition::drawn, KcPosition::rest}) {
    KcOptions options;
    options.tests = {"design"};
    options.position = position;
    const Answer straight = find_kinematics_and_compliance(shipped("sedan.xml"), options);
    const Answer turned =
        find_kinematics_and_compliance(shipped("sedan.xml", {"steering.value=1"}), options);
    for (const char* name : {"front.wheel_load", "front.toe", "front.camber", "front.wheel_rate"})
      EXPECT_NEAR(value(turned, name), value(straight, name),
                  1e-9 * std::abs(value(straight, name)))
          << name;
  }
}

TEST(Kc, AMechanismThatStandsOnTheGroundDoesNotComeToRest) {
  KcOptions options;
  options.position = KcPosition::rest;
  Vehicle held = shipped("sedan.xml");
  held.chassis = kGround;
  EXPECT_THROW(find_kinematics_and_compliance(held, options), ModelError);
}

/// A link from the frame to the carrier, m from the middle of the axle.
using CarrierLink = std::pair<V, V>;

/// How far a point of a carrier on five links of one length moves forward for one metre of
/// `contact` upwards, chassis held: rates v + w x r with (Q - P).(v + w x Q) = 0 for each link.
double find_forward_rate(const std::vector<CarrierLink>& links, const V& contact, const V& place) {
  Matrix6 rows = Matrix6::Zero();
  for (int k = 0; k < 5; ++k) {
    const auto& [inner, outer] = links[static_cast<std::size_t>(k)];
    const V along = (outer - inner).normalized();
    rows.row(k) << outer.cross(along).transpose(), along.transpose();
  }
  rows.row(5) << contact.cross(V::UnitZ()).transpose(), 0.0, 0.0, 1.0;
  const Vector6 twist = rows.fullPivLu().solve(Vector6::Unit(5));
  return (twist.tail<3>() + twist.head<3>().cross(place))(0);
}

// What braking or driving shifts in the wheels' loads at a held travel, by virtual work: the force
// times the way forward of the point that it acts at, brakes on the carrier at the contact point,
// half shafts at the wheel's centre. Hardpoints of sedan.xml and its templates, arms as two links.
TEST(KcSedan, BearsBrakingAsItsHardpointsSay) {
  const std::vector<CarrierLink> front{{{0.19, 0.37, 0.205}, {0.006, 0.715, 0.190}},
                                       {{-0.17, 0.37, 0.210}, {0.006, 0.715, 0.190}},
                                       {{0.11, 0.46, 0.500}, {-0.018, 0.670, 0.515}},
                                       {{-0.13, 0.46, 0.490}, {-0.018, 0.670, 0.515}},
                                       {{0.125, 0.345, 0.245}, {0.130, 0.725, 0.229}}};
  const std::vector<CarrierLink> rear{{{0.20, 0.34, 0.215}, {0.0, 0.710, 0.185}},
                                      {{-0.09, 0.26, 0.210}, {0.0, 0.710, 0.185}},
                                      {{-0.06, 0.41, 0.450}, {-0.030, 0.690, 0.475}},
                                      {{0.26, 0.52, 0.440}, {0.045, 0.690, 0.450}},
                                      {{-0.21, 0.30, 0.250}, {-0.165, 0.700, 0.2325}}};
  const Vehicle vehicle = shipped("sedan.xml");
  const Answer answer = ask(vehicle, {"design"});
  const V hub(0.0, 0.775, 0.310);
  const Rig rig = make_rig(vehicle);
  Workspace ws(rig.model);
  const RigPoint design = make_point(rig, make_command(rig), rig.design, 1e-5, ws);
  const auto contact = [&](std::size_t a) {
    V place = design.reading.wheels[static_cast<std::size_t>(rig.axles[a].left)].contact;
    place.x() -= a == 0 ? 1.2375 : -1.5125;
    return place;
  };
  const V in_front = contact(0);
  const V behind = contact(1);
  // the load that one newton of braking or driving shifts
  const double height =
      find_centre_of_mass(vehicle.mechanism).z() - 0.5 * (in_front.z() + behind.z());
  const double transfer = height / 2.75;
  // brakes of 2600 and 1300 N m on wheels of their loaded radii
  const double front_force = 2600.0 / (hub - in_front).norm();
  const double rear_force = 1300.0 / (hub - behind).norm();
  const double share = front_force / (front_force + rear_force);
  EXPECT_NEAR(value(answer, "front.anti_dive"),
              100.0 * share * find_forward_rate(front, in_front, in_front) / transfer, 0.01);
  EXPECT_NEAR(value(answer, "rear.anti_lift"),
              -100.0 * (1.0 - share) * find_forward_rate(rear, behind, behind) / transfer, 0.01);
  EXPECT_NEAR(value(answer, "front.anti_lift"),
              100.0 * find_forward_rate(front, in_front, hub) / transfer, 0.01);
}

// The steering axis is that with the suspension held, whatever holds it: a third spring that moves
// more than any other, springs in the arms' joints or torsion bars instead of coils.
TEST(KcSedan, HasOneSteeringAxisWhateverSpringsItHas) {
  const auto with_springs = [](const std::string& more, const std::string& change,
                               const std::string& before = "</vehicle>") {
    std::ifstream file(kModels + "sedan.xml");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    text.insert(text.rfind(before), more);
    std::vector<Override> overrides;
    if (!change.empty()) overrides.push_back(parse_override(change));
    return ask(read_vehicle_text(text, kModels + "sedan.xml", overrides), {"design"});
  };
  const Answer plain = ask(shipped("sedan.xml"), {"design"});
  const std::string third =
      "<spring name=\"third\" a=\"lower_arm_fl\" b=\"lower_arm_fr\" point_a=\"1.2375 0.6 1.2\" "
      "point_b=\"1.2375 -0.6 1.2\"><stiffness k=\"100\" preload=\"0\"/></spring>";
  std::string in_joints;
  for (const std::string side : {"l", "r"})
    in_joints += "<joint_force name=\"bar_" + side + "\" joint=\"hinge_lower_f" + side +
                 "\" coordinate=\"0\" stiffness=\"9000\"/>";
  // two more on the carriers, before or behind the coils in the file
  const auto helper = [](const std::string& side, const std::string& y) {
    return "<spring name=\"helper_f" + side + "\" a=\"chassis\" b=\"carrier_f" + side +
           "\" point_a=\"1.2 " + y + " 0.9\" point_b=\"1.2 " + y +
           " 0.3\"><stiffness k=\"1\" preload=\"0\"/></spring>";
  };
  const std::string helpers = helper("l", "0.7") + helper("r", "-0.7");
  const std::string corners = "<use template=\"front_corner\" name=\"fl\"/>";
  EXPECT_NEAR(value(with_springs(helpers, "", corners), "front.caster"),
              value(with_springs(helpers, ""), "front.caster"), 1e-9);
  const std::string no_coils = "spring_f*.active=no";
  for (const auto& [more, change] :
       {std::pair(third, std::string()), std::pair(in_joints, no_coils),
        std::pair(third + in_joints, no_coils)}) {
    const Answer other = with_springs(more, change);
    // at the height of the wheel's centre: without coils pads carry less, and tyres give way less
    for (const char* name : {"front.caster", "front.kingpin_inclination", "front.caster_offset",
                             "front.kingpin_offset"})
      EXPECT_NEAR(value(other, name), value(plain, name), 1e-9) << name << more;
  }
}

TEST(KcSedan, TwistsItsAntiRollBarInRollAndNotInHeave) {
  const Answer with_bar = ask(shipped("sedan.xml"), {"design"});
  const Answer without = ask(shipped("sedan.xml", {"torsion_front.stiffness=0"}), {"design"});
  const double heave = value(with_bar, "front.wheel_rate");
  EXPECT_NEAR(value(without, "front.wheel_rate"), heave, 1e-6 * heave);
  // torsion spring on the angle between the arms: half the rate of the angle is the share of one
  // wheel
  const double ratio = value(with_bar, "front.motion_ratio.torsion_front");
  const double added =
      value(with_bar, "front.wheel_rate_single") - value(without, "front.wheel_rate_single");
  EXPECT_NEAR(added, 900.0 * 0.25 * ratio * ratio, 1e-3);
  EXPECT_GT(value(with_bar, "front.roll_stiffness"), value(without, "front.roll_stiffness"));
}

// Compliance

TEST(KcCompliance, IsSymmetricOnBushingsAndNothingWithIdealJoints) {
  for (const std::string axle : {"front", "rear"}) {
    const Answer soft = ask(shipped("sedan.xml", {"form.value=bushing"}), {"compliance"});
    EXPECT_LT(value(soft, axle + ".compliance_asymmetry"), 1e-6);
    EXPECT_GT(value(soft, axle + ".brake_compliance"), 1e-8);
    const Answer rigid = ask(shipped("sedan.xml"), {"compliance"});
    ASSERT_EQ(rigid.tables.size(), 4U);
    for (const Table& table : rigid.tables)
      for (const std::vector<double>& row : table.rows)
        for (std::size_t k = 1; k < row.size(); ++k)
          // rounding of a matrix of condition 1e6 or so
          EXPECT_NEAR(row[k], 0.0, 1e-14) << table.name;
  }
}

// A carrier on one bushing: C = J K^-1 J^T for its contact point, and the pad takes the freedom of
// its height: C - c c^T / c_z with c the column of the vertical force.
TEST(KcCompliance, OfABodyOnOneBushingIsThatOfTheBushing) {
  const V seat(0.03, 0.55, 0.40);
  Vector6 k;
  k << 2e6, 1e6, 3e5, 4000, 6000, 5000;
  const Vehicle vehicle =
      car("parts", wheel_end(with("carrier_mass", "0.001") + with("rim_mass", "0.001") +
                             with("carrier_inertia", "1e-6 1e-6 1e-6") +
                             with("rim_inertia", "1e-6 1e-6 1e-6")) +
                       R"(
    <joint name="carrier_joint" type="free" a="ground" b="carrier"/>
    <bushing name="seat" a="chassis" b="carrier" point="0.03 0.55 0.40" axis="0 0 1" axis_x="1 0 0"
             stiffness="2e6 1e6 3e5 4000 6000 5000" damping="0 0 0 0 0 0"/>)");
  const Rig rig = make_rig(vehicle);
  Workspace ws(rig.model);
  const RigPoint design = make_point(rig, make_command(rig), rig.design, 1e-5, ws);
  for (const LoadPoint where : {LoadPoint::contact, LoadPoint::centre}) {
    const auto at = [&](const V& place) {
      Matrix6 J = Matrix6::Identity();  // motion of the place by motion of the seat
      J.topRightCorner<3, 3>() = -tilde(place - seat);
      return J;
    };
    const V contact(0.0, 0.775, 0.0);
    const V place = where == LoadPoint::contact ? contact : V(0.0, 0.775, 0.31);
    const Matrix6 flexible = k.cwiseInverse().asDiagonal();
    const Matrix6 J = at(place);
    const Matrix6 J_c = at(contact);
    const Vector6 c = J * flexible * J_c.row(2).transpose();
    const double c_z = J_c.row(2) * flexible * J_c.row(2).transpose();
    const Matrix6 expected = J * flexible * J.transpose() - c * c.transpose() / c_z;
    const ComplianceMatrix got = find_compliance(design, rig.axles[0], where, ws);
    const Matrix6 block = got.topLeftCorner<6, 6>();
    // 1e-6 of the largest: weights of 0.02 N turn the bushing a little
    expect_close(block, expected, 1e-6, 1e-6 * expected.cwiseAbs().maxCoeff());
    const Matrix6 other = got.bottomLeftCorner<6, 6>();
    expect_close(other, Matrix6(Matrix6::Zero()), 0.0, 1e-15);
  }
}

}  // namespace
}  // namespace semirec::test
