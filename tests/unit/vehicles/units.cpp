// Which wheels belong to which unit and axle.

#include "vehicles/description/units.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "vehicles/files/xml/reader.hpp"
#include "vehicles/manoeuvre/car.hpp"
#include "vehicles/manoeuvre/gates.hpp"

namespace semirec {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Vehicle shipped(const std::string& file, const std::vector<std::string>& overrides = {}) {
  std::vector<Override> parsed;
  for (const std::string& text : overrides) parsed.push_back(parse_override(text));
  return read_vehicle(std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/" + file, parsed);
}

std::string wheel(double x, double y, const std::string& body, const std::string& name) {
  const auto text = [](double value) { return std::to_string(value); };
  return "<wheel name='" + name + "' body='" + body + "' centre='" + text(x) + " " + text(y) +
         " 0.3' axis='0 1 0' radius='0.3' stiffness='200000'/>";
}

std::string body(double x, const std::string& name, const std::string& more = "") {
  return "<body name='" + name + "' mass='100' com='" + std::to_string(x) +
         " 0 0.5' inertia='10 10 10' " + more + "/>";
}

std::string joint(const std::string& type, double x, const std::string& a, const std::string& b) {
  return "<joint name='" + a + "_" + b + "' type='" + type + "' a='" + a + "' b='" + b +
         "' point='" + std::to_string(x) + " 0 0.4'" + (type == "revolute" ? " axis='0 0 1'" : "") +
         "/>";
}

/// A car of two axles on its chassis, and what else there is.
Vehicle car_with(const std::string& more) {
  const std::string text =
      "<vehicle name='test' version='1'>" + body(0, "chassis", "chassis='yes'") +
      "<joint name='free' type='free' a='ground' b='chassis'/>" + wheel(1, 0.7, "chassis", "fl") +
      wheel(1, -0.7, "chassis", "fr") + wheel(-1, 0.7, "chassis", "rl") +
      wheel(-1, -0.7, "chassis", "rr") + more + "</vehicle>";
  return read_vehicle_text(text, "test.xml");
}

const std::string kTrailer =
    body(-5, "van") + wheel(-5, 0.7, "van", "vl") + wheel(-5, -0.7, "van", "vr");

TEST(Units, ACarIsOne) {
  for (const char* model :
       {"sedan.xml", "iltis.xml", "iltis_spinning.xml", "car26.xml", "car21.xml", "truck.xml"}) {
    const std::vector<Unit> units = find_units(shipped(model));
    ASSERT_EQ(units.size(), 1U) << model;
    EXPECT_EQ(units[0].name, "chassis") << model;
  }
  EXPECT_EQ(find_units(shipped("sedan.xml", {"form.value=bushing"})).size(), 1U);
  EXPECT_EQ(find_units(shipped("sedan.xml", {"links.value=body"})).size(), 1U);
  // without chassis, without wheels
  EXPECT_EQ(find_units(shipped("iltis_suspension.xml")).size(), 1U);
  EXPECT_EQ(find_units(shipped("puma.xml")).size(), 1U);
  EXPECT_EQ(describe_units(find_units(shipped("sedan.xml"))), "");
}

TEST(Units, ATrailerIsAnother) {
  const Vehicle vehicle = shipped("trailer.xml");
  const std::vector<Unit> units = find_units(vehicle);
  ASSERT_EQ(units.size(), 2U);
  EXPECT_EQ(units[1].name, "trailer");
  EXPECT_EQ(units[1].leader, 0);
  EXPECT_EQ(vehicle.mechanism.joints.at(static_cast<std::size_t>(units[1].hitch)).name, "hitch");
  EXPECT_EQ(units[0].wheels.size(), 4U);
  EXPECT_EQ(units[1].wheels.size(), 2U);
  EXPECT_EQ(units[1].bodies.size(), 5U);  // frame, two carriers, two rims
  EXPECT_EQ(describe_units(units),
            "counted: 4 wheels of 'chassis', 2 axles; 'trailer': 2 wheels, 1 axle");
}

TEST(Units, ATruckHasThreeAxlesAndTwins) {
  const std::vector<Unit> units = find_units(shipped("truck.xml"));
  ASSERT_EQ(units[0].axles.size(), 3U);
  EXPECT_EQ(units[0].axles[0].name, "front");
  EXPECT_EQ(units[0].axles[1].name, "axle_2");
  EXPECT_EQ(units[0].axles[2].name, "rear");
  EXPECT_EQ(units[0].axles[1].left.size(), 2U);
  EXPECT_EQ(units[0].axles[1].right.size(), 2U);
  // between the middles of the twins: 2 (1.085 + 0.755)/2
  EXPECT_NEAR(units[0].axles[1].track(), 1.840, 1e-12);
  // 3.3 - (-1.0 - 2.35)/2
  EXPECT_NEAR(group_axles(units[0]).wheelbase(), 4.975, 1e-12);
  EXPECT_EQ(describe_units(units), "counted: 8 wheels of 'chassis', 3 axles");
}

TEST(Units, HangOnJointsThatYaw) {
  for (const char* type : {"spherical", "revolute"})
    EXPECT_EQ(find_units(car_with(kTrailer + joint(type, -2, "chassis", "van"))).size(), 2U)
        << type;
  EXPECT_EQ(
      find_units(car_with(kTrailer + "<joint name='hitch' type='universal' a='chassis' b='van' "
                                     "point='-2 0 0.4' axis='0 0 1' axis_b='0 1 0'/>"))
          .size(),
      2U);
  // a walking beam rocks, a rigid axle does not move
  EXPECT_EQ(
      find_units(car_with(kTrailer + "<joint name='hitch' type='revolute' a='chassis' b='van' "
                                     "point='-2 0 0.4' axis='0 1 0'/>"))
          .size(),
      1U);
  EXPECT_EQ(
      find_units(car_with(kTrailer + "<joint name='hitch' type='universal' a='chassis' b='van' "
                                     "point='-2 0 0.4' axis='1 0 0' axis_b='0 1 0'/>"))
          .size(),
      1U);
}

TEST(Units, AreNotWhatIsHeldOrSteered) {
  const std::string hitch = joint("revolute", -2, "chassis", "van");
  // a rod holds it
  EXPECT_EQ(find_units(car_with(kTrailer + hitch +
                                "<rod name='rod' a='chassis' b='van' point_a='-1 0.5 0.4' "
                                "point_b='-4 0.5 0.4'/>"))
                .size(),
            1U);
  // springs hold it, a damper does not
  const std::string element =
      "<spring name='s' a='chassis' b='van' point_a='-1 0.5 0.4' "
      "point_b='-4 0.5 0.4'>";
  EXPECT_EQ(
      find_units(car_with(kTrailer + hitch + element + "<stiffness k='1e4' preload='0'/></spring>"))
          .size(),
      1U);
  EXPECT_EQ(find_units(car_with(kTrailer + hitch + element + "<damping c='500'/></spring>")).size(),
            2U);
  // a driver turns it
  EXPECT_EQ(find_units(car_with(kTrailer + hitch +
                                "<input name='i'/><motion name='d' joint='chassis_van' "
                                "coordinate='angle' input='i'/>"))
                .size(),
            1U);
  // wheels on one side: a knuckle that turns freely
  EXPECT_EQ(find_units(car_with(body(-5, "knuckle") + wheel(-5, 0.7, "knuckle", "vl") +
                                joint("revolute", -5, "chassis", "knuckle")))
                .size(),
            1U);
}

TEST(Units, AreWhatTheFileSays) {
  const std::string springs =
      "<spring name='s' a='chassis' b='van' point_a='-1 0.5 0.4' point_b='-4 0.5 0.4'>"
      "<stiffness k='1e4' preload='0'/></spring>" +
      joint("spherical", -2, "chassis", "van");
  const std::string wheels = wheel(-5, 0.7, "van", "vl") + wheel(-5, -0.7, "van", "vr");
  const std::vector<Unit> yes =
      find_units(car_with(body(-5, "van", "unit='yes'") + wheels + springs));
  ASSERT_EQ(yes.size(), 2U);
  EXPECT_EQ(yes[1].name, "van");
  EXPECT_THAT(yes[1].wheels, ElementsAre(4, 5));
  EXPECT_GE(yes[1].hitch, 0);
  EXPECT_EQ(find_units(car_with(body(-5, "van", "unit='no'") + wheels +
                                joint("spherical", -2, "chassis", "van")))
                .size(),
            1U);
}

TEST(Units, RefuseWordsThatMakeNoSense) {
  const auto complaint = [](const std::string& more) -> std::string {
    try {
      car_with(more);
    } catch (const ModelError& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_THAT(complaint(body(-5, "box", "unit='yes'") + joint("spherical", -2, "chassis", "box")),
              HasSubstr("element 'box': 'unit' is 'yes' on a body that carries no wheels"));
  EXPECT_THAT(complaint(kTrailer + body(-9, "second", "unit='maybe'") +
                        joint("spherical", -2, "chassis", "van")),
              HasSubstr("'unit'"));
}

TEST(Units, RefuseTheWordOnTheChassis) {
  const std::string text = "<vehicle name='test' version='1'>" +
                           body(0, "chassis", "chassis='yes' unit='yes'") +
                           "<joint name='free' type='free' a='ground' b='chassis'/></vehicle>";
  try {
    read_vehicle_text(text, "test.xml");
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("'unit' stands on the chassis"));
  }
}

// Dolly and semitrailer: the dolly is a unit, its drawbar without wheels belongs to it.
TEST(Units, FollowOneAnother) {
  const std::string road_train = body(-3, "drawbar") +
                                 joint("spherical", -2, "chassis", "drawbar") +
                                 joint("spherical", -4, "drawbar", "dolly") + body(-5, "dolly") +
                                 wheel(-5, 0.7, "dolly", "dl") + wheel(-5, -0.7, "dolly", "dr") +
                                 body(-8, "semi") + joint("revolute", -5, "dolly", "semi") +
                                 wheel(-9, 0.7, "semi", "sl") + wheel(-9, -0.7, "semi", "sr") +
                                 wheel(-10, 0.7, "semi", "tl") + wheel(-10, -0.7, "semi", "tr");
  const std::vector<Unit> units = find_units(car_with(road_train));
  ASSERT_EQ(units.size(), 3U);
  EXPECT_EQ(units[1].bodies.size(), 2U);
  EXPECT_THAT(units[1].wheels, ElementsAre(4, 5));
  EXPECT_EQ(units[1].leader, 0);
  EXPECT_EQ(units[2].name, "semi");
  EXPECT_EQ(units[2].leader, 1);
  EXPECT_EQ(units[2].axles.size(), 2U);
}

// The driver's car and the outline that the lanes judge are the sedan's, whatever hangs on it.
TEST(Units, LeaveTheCarAsItIs) {
  const CarMeasures alone = measure_car(shipped("sedan.xml"));
  const CarMeasures towing = measure_car(shipped("trailer.xml"));
  EXPECT_EQ(towing.wheelbase, alone.wheelbase);
  EXPECT_EQ(towing.front, alone.front);
  EXPECT_EQ(towing.rear, alone.rear);
  EXPECT_EQ(towing.track_rear, alone.track_rear);
  EXPECT_EQ(towing.length, alone.length);
  EXPECT_EQ(towing.width, alone.width);
  EXPECT_EQ(towing.own_mass, alone.mass);
  // 890 + 2 (35 + 20) kg
  EXPECT_NEAR(towing.mass, alone.mass + 1000.0, 1e-9);
  const Outline outline = make_outline(towing, towing.width, towing.length);
  EXPECT_NEAR(outline.front + outline.rear, 2.75 + 1.85, 1e-12);
}

}  // namespace
}  // namespace semirec
