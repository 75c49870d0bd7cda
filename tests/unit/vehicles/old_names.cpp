// Names of the last release are read, each with one note that says where it stands and what it is
// called now.

#include "vehicles/files/old_names.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "vehicles/files/xml/reader.hpp"
#include "vehicles/manoeuvre/manoeuvre.hpp"

namespace semirec {
namespace {

std::string door(const std::string& element) {
  return "<mechanism name='door' version='1'>\n"
         "<body name='leaf' mass='20' com='0.4 0 0' inertia='1 1 2'/>\n"
         "<joint name='hinge' type='revolute' a='ground' b='leaf' point='0 0 0' axis='0 0 1'/>\n"
         "<input name='angle' value='0.3'/>\n<" +
         element + " name='push' joint='hinge' coordinate='angle' input='angle'/>\n</mechanism>";
}

TEST(OldNames, OfAnElementAreReadWithANote) {
  const Vehicle now = read_vehicle_text(door("motion"), "door.xml");
  const Vehicle then = read_vehicle_text(door("driver"), "door.xml");
  EXPECT_EQ(now.mechanism.motions.size(), 1U);
  ASSERT_EQ(then.mechanism.motions.size(), 1U);
  EXPECT_EQ(then.mechanism.motions[0].name, "push");
  EXPECT_TRUE(now.notes.empty());
  EXPECT_EQ(then.notes,
            std::vector<std::string>{"door.xml:5: 'driver' is now called 'motion'; the old name is "
                                     "read until the next release"});
}

std::string circle(const std::string& method, const std::string& value,
                   const std::string& number = "0.4") {
  return "<manoeuvre name='mine' version='1' method='" + method + "'>\n<value name='" + value +
         "' value='" + number + "'/>\n</manoeuvre>";
}

TEST(OldNames, OfMethodsAndValuesAreReadWithANoteEach) {
  const Manoeuvre now =
      read_manoeuvre_text(circle("steady_circle_steering_wheel", "steering_wheel"), "m.xml");
  const Manoeuvre then =
      read_manoeuvre_text(circle("steady_circle_hand_wheel", "hand_wheel"), "m.xml");
  EXPECT_TRUE(now.notes.empty());
  EXPECT_EQ(then.method, now.method);
  EXPECT_EQ(then.value("steering_wheel"), 0.4);
  ASSERT_EQ(then.notes.size(), 2U);
  EXPECT_EQ(then.notes[0].find("m.xml:1: 'steady_circle_hand_wheel' is now called "), 0U);
  EXPECT_EQ(then.notes[1].find("m.xml:2: 'hand_wheel' is now called 'steering_wheel'"), 0U);
}

TEST(OldNames, OfValuesAreReadFromTheCommandLine) {
  for (const char* written : {"hand_wheel", "steering_wheel"}) {
    const Manoeuvre manoeuvre = read_manoeuvre_text(circle("steady_circle_steering_wheel", written),
                                                    "m.xml", {{"hand_wheel", "0.7"}});
    EXPECT_EQ(manoeuvre.value("steering_wheel"), 0.7) << written;
  }
  // the method's default is replaced, too
  EXPECT_EQ(read_manoeuvre_text(circle("steady_circle_steering_wheel", "radius", "50"), "m.xml",
                                {{"hand_wheel", "0.7"}})
                .value("steering_wheel"),
            0.7);
}

TEST(OldNames, OfQuantitiesHaveNewOnes) {
  EXPECT_EQ(current_name("largest_hand_wheel"), "largest_steering_wheel");
  EXPECT_EQ(current_name("driver.hand_wheel*"), "driver.steering_wheel*");
  EXPECT_EQ(current_name("time_of_way"), "time_over_distance");
  EXPECT_EQ(current_name("yaw_rate.gain"), "yaw_rate.gain");
}

TEST(OldNames, ThatNobodyEverUsedAreRefused) {
  EXPECT_THROW(read_vehicle_text(door("drivers"), "door.xml"), ModelError);
  EXPECT_THROW(read_manoeuvre_text(circle("steady_circle_speed", "hand_wheel"), "m.xml"),
               ModelError);
}

}  // namespace
}  // namespace semirec
