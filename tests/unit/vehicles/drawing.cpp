// What a vehicle looks like: shapes made from its description.

#include "vehicles/drawing/drawing.hpp"

#include <cmath>
#include <filesystem>
#include <map>

#include <gtest/gtest.h>

#include "vehicles/drawing/hull_edges.hpp"
#include "vehicles/files/xml/reader.hpp"

namespace semirec {
namespace {

using Eigen::Vector3d;

// sums and products of a few numbers of the size of a car
constexpr double kRounding = 1e-12;

const std::string kModels = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/";

Vehicle shipped(const std::string& file) { return read_vehicle(kModels + file); }

Drawing drawing_of(const std::string& content, const char* root = "mechanism") {
  const std::string tag(root);
  return make_drawing(read_vehicle_text(
      "<" + tag + " name='m' version='1'>" + content + "</" + tag + ">", "drawing.xml"));
}

template <typename Form>
std::vector<const Form*> all_of(const Drawing& drawing) {
  std::vector<const Form*> found;
  for (const Shape& shape : drawing.shapes)
    if (const Form* form = std::get_if<Form>(&shape.form)) found.push_back(form);
  return found;
}

template <typename Form>
const Form* find(const Drawing& drawing, const std::string& of) {
  for (const Shape& shape : drawing.shapes)
    if (const Form* form = std::get_if<Form>(&shape.form); form != nullptr && shape.of == of)
      return form;
  return nullptr;
}

Vector3d in_world(const Vehicle& vehicle, BodyIndex body, const Vector3d& point) {
  if (body == kGround) return point;
  const Frame& X_WB = vehicle.mechanism.bodies[static_cast<std::size_t>(body)].X_WB;
  return X_WB.p + X_WB.A * point;
}

void expect_point(const Vector3d& actual, const Vector3d& expected, const std::string& what) {
  EXPECT_NEAR((actual - expected).norm(), 0.0, kRounding) << what << ": " << actual.transpose();
}

// Hardpoints as the file writes them: cranks from (k, 0, 0) to (k, 0, 1), couplers between the
// tips.
TEST(Drawing, LinksOfAFourBarEndAtItsHardpoints) {
  const Vehicle vehicle = shipped("double_four_bar.xml");
  const Drawing drawing = make_drawing(vehicle);
  const std::map<std::string, std::array<Vector3d, 2>> ends{
      {"crank_0", {Vector3d(0, 0, 0), Vector3d(0, 0, 1)}},
      {"crank_1", {Vector3d(1, 0, 0), Vector3d(1, 0, 1)}},
      {"crank_2", {Vector3d(2, 0, 0), Vector3d(2, 0, 1)}},
      {"coupler_0", {Vector3d(0, 0, 1), Vector3d(1, 0, 1)}},
      {"coupler_1", {Vector3d(1, 0, 1), Vector3d(2, 0, 1)}}};
  EXPECT_EQ(all_of<LinkShape>(drawing).size(), 5U);
  for (const auto& [name, points] : ends) {
    const LinkShape* link = find<LinkShape>(drawing, name);
    ASSERT_NE(link, nullptr) << name;
    const Vector3d a = in_world(vehicle, link->body, link->a);
    const Vector3d b = in_world(vehicle, link->body, link->b);
    const bool turned = (a - points[0]).norm() > 0.5;
    expect_point(turned ? b : a, points[0], name);
    expect_point(turned ? a : b, points[1], name);
    // the extent is 2 m, the length 1 m
    EXPECT_DOUBLE_EQ(link->radius, 0.012 * 2.0);
  }
  // seven pins, two of which close the loops
  const auto joints = all_of<JointShape>(drawing);
  EXPECT_EQ(joints.size(), 7U);
  EXPECT_EQ(std::count_if(joints.begin(), joints.end(), [](const auto* j) { return j->cut; }), 2);
  EXPECT_TRUE(all_of<OutlineShape>(drawing).empty());
  EXPECT_TRUE(all_of<WheelShape>(drawing).empty());
}

TEST(Drawing, AQuarterCarIsAWireACoilATubeAndAWheel) {
  const std::string car = R"(
      <body name='chassis' chassis='yes' mass='300' com='0 0 0.8' inertia='10 10 10'/>
      <body name='axle' mass='30' com='0 0 0.3' inertia='1 1 1'/>
      <joint name='up' type='prismatic' a='ground' b='chassis' point='0 0 0.8' axis='0 0 1'/>
      <joint name='down' type='prismatic' a='chassis' b='axle' point='0 0 0.3' axis='0 0 1'/>
      <spring name='strut' a='chassis' b='axle' point_a='0 0 0.8' point_b='0 0 0.3'>
        <stiffness k='20000' preload='0'/><damping c='1000'/></spring>
      <wheel name='wheel' body='axle' centre='0 0 0.3' axis='0 1 0' radius='0.3' stiffness='200000'/>)";
  const Drawing drawing = drawing_of(car, "vehicle");
  const auto between = all_of<BetweenShape>(drawing);
  ASSERT_EQ(between.size(), 2U);
  EXPECT_EQ(between[0]->role, BetweenRole::spring);
  EXPECT_EQ(between[1]->role, BetweenRole::damper);
  for (const BetweenShape* shape : between) {
    EXPECT_EQ(shape->a.body, 0);
    EXPECT_EQ(shape->b.body, 1);
    // body frames sit at the centres of mass
    expect_point(shape->a.point, Vector3d::Zero(), "upper end");
    expect_point(shape->b.point, Vector3d::Zero(), "lower end");
  }
  const auto wheels = all_of<WheelShape>(drawing);
  ASSERT_EQ(wheels.size(), 1U);
  EXPECT_EQ(wheels[0]->body, 1);
  expect_point(wheels[0]->axis, Vector3d::UnitY(), "axle");
  EXPECT_DOUBLE_EQ(wheels[0]->radius, 0.3);
  EXPECT_DOUBLE_EQ(wheels[0]->width, 0.6 * 0.3);
  // from the chassis' mounts at its centre of mass and, of the lower joint, 0.5 m below
  const OutlineShape* outline = find<OutlineShape>(drawing, "chassis");
  ASSERT_NE(outline, nullptr);
  ASSERT_EQ(outline->lines.size(), 2U);
  EXPECT_NEAR((outline->lines[0] - outline->lines[1]).norm(), 0.5, kRounding);
  EXPECT_EQ(all_of<CentreShape>(drawing).size(), 1U);
}

TEST(Drawing, ADamperAloneIsATubeAndASpringAloneACoil) {
  const std::string bobs = R"(
      <body name='bob' mass='1' com='0 0 1' inertia='1 1 1'/>
      <joint name='free' type='free' a='ground' b='bob'/>)";
  const auto between = [&](const std::string& content) {
    const Drawing drawing = drawing_of(bobs + content);
    std::vector<BetweenRole> roles;
    for (const BetweenShape* shape : all_of<BetweenShape>(drawing)) roles.push_back(shape->role);
    return roles;
  };
  const std::string strut = "<spring name='s' a='ground' b='bob' point_a='0 0 0' point_b='0 0 1'>";
  EXPECT_EQ(between(strut + "<damping c='1'/></spring>"), std::vector{BetweenRole::damper});
  EXPECT_EQ(between(strut + "<stiffness k='9' preload='0'/></spring>"),
            std::vector{BetweenRole::spring});
  EXPECT_EQ(between(strut + "<stiffness k='8e6' preload='0'/><damping c='1'/></spring>"),
            std::vector{BetweenRole::rod});
  EXPECT_EQ(between("<rod name='r' a='ground' b='bob' point_a='0 0 0' point_b='0 0 1'/>"),
            std::vector{BetweenRole::rod});
}

// The homogeneous box of 2 x 3 x 4 m and 12 kg has the moments m/12 (y^2 + z^2), ...: 25, 20, 13.
TEST(Drawing, ABodyThatNothingHoldsIsTheBoxOfItsInertia) {
  const Drawing drawing = drawing_of(R"(
      <body name='bob' mass='12' com='1 2 3' inertia='25 20 13'/>
      <joint name='free' type='free' a='ground' b='bob'/>)");
  ASSERT_EQ(drawing.shapes.size(), 1U);
  const BoxShape* box = find<BoxShape>(drawing, "bob");
  ASSERT_NE(box, nullptr);
  const Vector3d sides = (box->frame.A * box->size).cwiseAbs();
  // 0.6 of the extent, which is that of a body of trace 58: sqrt(6 * 58 / 12) = 5.4 m
  const double most = 0.6 * std::sqrt(29.0);
  EXPECT_NEAR(sides.x(), 2.0, kRounding);
  EXPECT_NEAR(sides.y(), 3.0, kRounding);
  EXPECT_NEAR(sides.z(), most, kRounding);
}

TEST(Drawing, APendulumIsARodWithABall) {
  const Drawing drawing = drawing_of(R"(
      <body name='bob' mass='1' com='0 0 -2' inertia='0 0 0'/>
      <joint name='pin' type='revolute' a='ground' b='bob' point='0 0 0' axis='0 1 0'/>)");
  const LinkShape* link = find<LinkShape>(drawing, "bob");
  ASSERT_NE(link, nullptr);
  expect_point(link->a, Vector3d(0, 0, 2), "pin");
  expect_point(link->b, Vector3d::Zero(), "bob");
  EXPECT_NE(find<SphereShape>(drawing, "bob"), nullptr);
}

TEST(Drawing, ElementsWithoutLengthHaveARadius) {
  const Drawing drawing = drawing_of(R"(
      <body name='bob' mass='1' com='0 0 1' inertia='1 1 1'/>
      <joint name='free' type='free' a='ground' b='bob'/>
      <spring name='s' a='ground' b='bob' point_a='0 0 1' point_b='0 0 1'>
        <stiffness k='9' free_length='0.1'/></spring>)");
  const BetweenShape* coil = find<BetweenShape>(drawing, "s");
  ASSERT_NE(coil, nullptr);
  EXPECT_GT(coil->radius, 0.0);
}

TEST(Drawing, OfAThousandBodiesInAChainEachIsALinkAsThinAsItIsShort) {
  std::string text;
  std::string before = "ground";
  for (int k = 0; k < 1000; ++k) {
    const std::string i = std::to_string(k);
    text += "<body name='b" + i + "' mass='1' com='" + i + ".5 0 0' inertia='1 1 1'/>";
    text += "<joint name='j" + i + "' type='revolute' a='" + before + "' b='b" + i + "' point='" +
            i + " 0 0' axis='0 1 0'/>";
    before = "b" + i;
  }
  const Drawing drawing = drawing_of(text);
  const auto links = all_of<LinkShape>(drawing);
  ASSERT_EQ(links.size(), 1000U);
  // 0.08 of a metre; the last one reaches from its pin to its centre of mass
  for (std::size_t k = 0; k + 1 < links.size(); ++k) EXPECT_NEAR(links[k]->radius, 0.08, 1e-9);
}

// Templates are used once as written and once mirrored in the plane y = 0.
TEST(Drawing, TheSedansCornersMirrorEachOther) {
  const Vehicle vehicle = shipped("sedan.xml");
  const Drawing drawing = make_drawing(vehicle);
  const Vector3d mirror(1.0, -1.0, 1.0);
  int pairs = 0;
  const auto partner = [](const std::string& name) {
    const std::string end = name.size() > 3 ? name.substr(name.size() - 3) : "";
    if (end == "_fl") return name.substr(0, name.size() - 3) + "_fr";
    if (end == "_rl") return name.substr(0, name.size() - 3) + "_rr";
    return std::string();
  };
  for (const Shape& shape : drawing.shapes) {
    const std::string other = partner(shape.of);
    if (other.empty()) continue;
    const auto expect_mirrored = [&](const BodyPoint& a, const BodyPoint& b) {
      expect_point(in_world(vehicle, b.body, b.point),
                   mirror.cwiseProduct(in_world(vehicle, a.body, a.point)), shape.of);
      ++pairs;
    };
    if (const auto* left = std::get_if<BetweenShape>(&shape.form)) {
      const auto* right = find<BetweenShape>(drawing, other);
      ASSERT_NE(right, nullptr) << other;
      expect_mirrored(left->a, right->a);
      expect_mirrored(left->b, right->b);
    } else if (const auto* left_hull = std::get_if<HullShape>(&shape.form)) {
      const auto* right = find<HullShape>(drawing, other);
      ASSERT_NE(right, nullptr) << other;
      ASSERT_EQ(left_hull->points.size(), right->points.size()) << other;
      for (std::size_t k = 0; k < right->points.size(); ++k)
        expect_mirrored({left_hull->body, left_hull->points[k]}, {right->body, right->points[k]});
    } else if (const auto* left_wheel = std::get_if<WheelShape>(&shape.form)) {
      const auto* right = find<WheelShape>(drawing, other);
      ASSERT_NE(right, nullptr) << other;
      expect_mirrored({left_wheel->body, left_wheel->centre}, {right->body, right->centre});
    }
  }
  // an axle has three rods a side at least, a coil and a tube, two hulls and a wheel
  EXPECT_GE(pairs, 2 * (3 * 2 + 2 * 2 + 2 * 3 + 1));
}

// Sizes as touring_225.tir has them; what holds the chassis' bodies as sedan.xml and its templates
// write it: arms with two springs' ends, hinge, ball joint and drop link; halves of two bars.
TEST(Drawing, TheSedanHasWheelsOfItsTyreBarsAndABody) {
  const Drawing drawing = make_drawing(shipped("sedan.xml"));
  const auto wheels = all_of<WheelShape>(drawing);
  ASSERT_EQ(wheels.size(), 4U);
  for (const WheelShape* wheel : wheels) {
    EXPECT_DOUBLE_EQ(wheel->width, 0.225);
    EXPECT_DOUBLE_EQ(wheel->rim_radius, 0.2159);
  }
  const auto count = [&](BetweenRole role) {
    const auto shapes = all_of<BetweenShape>(drawing);
    return std::count_if(shapes.begin(), shapes.end(),
                         [&](const BetweenShape* shape) { return shape->role == role; });
  };
  EXPECT_EQ(count(BetweenRole::spring), 4);
  EXPECT_EQ(count(BetweenRole::damper), 4);
  EXPECT_EQ(count(BetweenRole::bar), 2);
  int bars = 0;
  for (const LinkShape* link : all_of<LinkShape>(drawing)) bars += link->role == LinkRole::bar;
  EXPECT_EQ(bars, 4);
  for (const char* carrier : {"carrier_fl", "carrier_fr", "carrier_rl", "carrier_rr"}) {
    const HullShape* knuckle = find<HullShape>(drawing, carrier);
    ASSERT_NE(knuckle, nullptr) << carrier;
    EXPECT_TRUE(knuckle->knuckle) << carrier;
  }
  const auto boxes = all_of<BoxShape>(drawing);
  EXPECT_EQ(std::count_if(boxes.begin(), boxes.end(), [](const auto* box) { return box->solid; }),
            4);
}

bool is_finite(const ShapeForm& form) {
  return std::visit(
      [](const auto& shape) {
        using Form = std::decay_t<decltype(shape)>;
        if constexpr (std::is_same_v<Form, LinkShape>)
          return shape.a.allFinite() && shape.b.allFinite() && shape.radius > 0.0;
        else if constexpr (std::is_same_v<Form, BetweenShape>)
          return shape.a.point.allFinite() && shape.b.point.allFinite() && shape.radius > 0.0;
        else if constexpr (std::is_same_v<Form, HullShape>)
          return shape.points.size() > 2 &&
                 std::all_of(shape.points.begin(), shape.points.end(),
                             [](const Vector3d& point) { return point.allFinite(); });
        else if constexpr (std::is_same_v<Form, WheelShape>)
          return shape.centre.allFinite() && shape.radius > shape.rim_radius &&
                 shape.rim_radius > 0.0 && shape.width > 0.0;
        else if constexpr (std::is_same_v<Form, OutlineShape>)
          return !shape.lines.empty() && shape.lines.size() % 2 == 0 &&
                 std::all_of(shape.lines.begin(), shape.lines.end(),
                             [](const Vector3d& point) { return point.allFinite(); });
        else if constexpr (std::is_same_v<Form, BoxShape>)
          return shape.frame.p.allFinite() && shape.size.minCoeff() > 0.0;
        else if constexpr (std::is_same_v<Form, SphereShape>)
          return shape.centre.allFinite() && shape.radius > 0.0;
        else if constexpr (std::is_same_v<Form, MeshShape>)
          return shape.frame.p.allFinite() && !shape.mesh->indices.empty();
        else
          return shape.point.allFinite();
      },
      form);
}

TEST(Drawing, OfEveryShippedModelIsFiniteAndTheSameTwice) {
  int models = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kModels)) {
    if (entry.path().extension() != ".xml") continue;
    Vehicle vehicle;
    try {
      vehicle = read_vehicle(entry.path().string());
    } catch (const ModelError&) {
      continue;  // parts of others
    }
    ++models;
    const Drawing drawing = make_drawing(vehicle);
    const Drawing again = make_drawing(vehicle);
    EXPECT_FALSE(drawing.shapes.empty()) << entry.path();
    EXPECT_GT(drawing.extent, 0.0);
    ASSERT_EQ(drawing.shapes.size(), again.shapes.size());
    for (std::size_t k = 0; k < drawing.shapes.size(); ++k) {
      const Shape& shape = drawing.shapes[k];
      EXPECT_TRUE(is_finite(shape.form)) << entry.path() << ' ' << shape.of;
      EXPECT_EQ(shape.of, again.shapes[k].of);
      EXPECT_EQ(shape.form.index(), again.shapes[k].form.index());
      EXPECT_FALSE(shape.of.empty()) << entry.path();
      EXPECT_GT(shape.source.line, 0) << entry.path() << ' ' << shape.of;
    }
  }
  EXPECT_GT(models, 15);
}

// A cube has twelve edges, and its diagonals lie within faces; its middle is no corner.
TEST(HullEdges, OfACubeAreTwelve) {
  std::vector<Vector3d> points{{0.5, 0.5, 0.5}};
  for (int k = 0; k < 8; ++k) points.emplace_back(k & 1, k >> 1 & 1, k >> 2 & 1);
  const std::vector<Vector3d> lines = find_hull_edges(points, 1e-6);
  ASSERT_EQ(lines.size(), 24U);
  for (std::size_t k = 0; k < lines.size(); k += 2)
    EXPECT_DOUBLE_EQ((lines[k] - lines[k + 1]).norm(), 1.0);
}

TEST(HullEdges, OfPlaneStraightAndSinglePointsAreTheirBorder) {
  const std::vector<Vector3d> square{{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}, {0.5, 0.5, 1}};
  EXPECT_EQ(find_hull_edges(square, 1e-6).size(), 8U);
  const std::vector<Vector3d> line{{0, 0, 0}, {1, 0, 0}, {3, 0, 0}};
  EXPECT_EQ(find_hull_edges(line, 1e-6).size(), 2U);
  EXPECT_TRUE(find_hull_edges({{1, 2, 3}, {1, 2, 3}}, 1e-6).empty());
  EXPECT_TRUE(find_hull_edges({}, 1e-6).empty());
}

TEST(Drawing, SolidsOfTheFileAreMirroredWithTheirTemplate) {
  const std::string text = R"(<vehicle name='m' version='1'>
      <body name='bob' mass='1' com='0 0 1' inertia='1 1 1'/>
      <joint name='free' type='free' a='ground' b='bob'/>
      <template name='side'>
        <shape name='door' body='bob' type='box' point='1 2 3' size='4 5 6' rotation='0 0 0.25'/>
        <shape name='horn' body='bob' type='cylinder' from='0 1 0' to='1 2 0' radius='0.5'/>
        <shape name='lamp' body='bob' type='sphere' point='0 3 1' radius='0.2'/>
      </template>
      <use template='side' name='l'/><use template='side' name='r' mirror='yes'/></vehicle>)";
  const Vehicle vehicle = read_vehicle_text(text, "solids.xml");
  ASSERT_EQ(vehicle.shapes.size(), 6U);
  const Drawing drawing = make_drawing(vehicle);
  const BoxShape* door = find<BoxShape>(drawing, "door_r");
  ASSERT_NE(door, nullptr);
  EXPECT_TRUE(door->solid);
  expect_point(in_world(vehicle, 0, door->frame.p), Vector3d(1, -2, 3), "door");
  EXPECT_EQ(door->size, Vector3d(4, 5, 6));
  // yaw changes its sign in the mirror
  expect_point(door->frame.A.col(0), Vector3d(std::cos(0.25), -std::sin(0.25), 0.0), "door's x");
  const LinkShape* horn = find<LinkShape>(drawing, "horn_r");
  ASSERT_NE(horn, nullptr);
  EXPECT_EQ(horn->role, LinkRole::solid);
  expect_point(in_world(vehicle, 0, horn->a), Vector3d(0, -1, 0), "horn");
  expect_point(in_world(vehicle, 0, horn->b), Vector3d(1, -2, 0), "horn");
  const SphereShape* lamp = find<SphereShape>(drawing, "lamp_r");
  ASSERT_NE(lamp, nullptr);
  expect_point(in_world(vehicle, 0, lamp->centre), Vector3d(0, -3, 1), "lamp");
}

TEST(Drawing, ASolidThatIsNotWhollyWrittenIsRefused) {
  const auto refusal = [](const std::string& attributes) -> std::string {
    try {
      drawing_of(
          "<body name='bob' mass='1' com='0 0 1' inertia='1 1 1'/>"
          "<joint name='free' type='free' a='ground' b='bob'/>"
          "<shape name='s' body='bob' " +
          attributes + "/>");
    } catch (const ModelError& error) {
      return error.what();
    }
    return "read";
  };
  const std::string at = "drawing.xml:1: element 's': ";
  EXPECT_EQ(refusal("type='box' point='0 0 0'"),
            at + "attribute 'size' is missing, expected it on a box");
  EXPECT_EQ(refusal("type='box' point='0 0 0' size='1 0 1'"),
            at + "attribute 'size' has a length that is not above zero, expected three above zero");
  EXPECT_EQ(refusal("type='sphere' point='0 0 0' radius='1' size='1 1 1'"),
            at + "attribute 'size' stands on a sphere, expected a type that has it");
  EXPECT_EQ(refusal("type='cylinder' from='0 0 0' to='0 0 0' radius='1'"),
            at + "attribute 'to' is the point 'from', expected the cylinder's other end");
}

}  // namespace
}  // namespace semirec
