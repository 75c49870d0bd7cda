// The table of elements and attributes agrees with itself: whatever reader, schema and page take
// from it is there, in range, and said once.

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "vehicles/files/xml/numbers.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/files/xml/row_words.hpp"
#include "vehicles/files/xml/table.hpp"

namespace semirec {
namespace {

template <typename Visit>
void for_each_attribute(Visit visit) {
  for (const ElementRow& element : all_rows())
    for (const AttributeRow& attribute : element.attributes)
      visit(attribute, element.name + "." + attribute.name);
}

TEST(XmlTable, SaysEachNameOnce) {
  std::set<std::string> elements;
  for (const ElementRow& element : all_rows()) {
    EXPECT_TRUE(elements.insert(element.name).second) << element.name;
    std::set<std::string> attributes;
    for (const AttributeRow& attribute : element.attributes) {
      EXPECT_TRUE(attributes.insert(attribute.name).second) << element.name << attribute.name;
      for (const std::string& old_name : attribute.formerly)
        EXPECT_TRUE(attributes.insert(old_name).second) << element.name << old_name;
    }
  }
}

TEST(XmlTable, DescribesEachElementAndAttributeInASentence) {
  for (const ElementRow& element : all_rows()) {
    ASSERT_FALSE(element.about.empty()) << element.name;
    EXPECT_EQ(element.about.back(), '.') << element.name;
  }
  for_each_attribute([](const AttributeRow& attribute, const std::string& name) {
    ASSERT_FALSE(attribute.about.empty()) << name;
    EXPECT_EQ(attribute.about.back(), '.') << name;
  });
}

TEST(XmlTable, HasDefaultsThatTheReaderTakes) {
  for_each_attribute([](const AttributeRow& attribute, const std::string& name) {
    EXPECT_TRUE(!attribute.required || default_words(attribute).empty()) << name;
    if (attribute.fallback.empty()) return;
    if (attribute.kind == Kind::number) {
      EXPECT_EQ(attribute.refusal(parse_number(attribute.fallback, Scope())), "") << name;
    }
    if (attribute.kind == Kind::vector) {
      EXPECT_EQ(parse_numbers(attribute.fallback, Scope()).size(), 3U) << name;
    }
    if (attribute.kind == Kind::choice || attribute.kind == Kind::flag) {
      EXPECT_EQ(std::count(attribute.choices.begin(), attribute.choices.end(), attribute.fallback),
                1)
          << name;
    }
  });
}

TEST(XmlTable, RefersToElementsThatThereAre) {
  for_each_attribute([](const AttributeRow& attribute, const std::string& name) {
    EXPECT_EQ(attribute.is_reference(), !attribute.refers_to.empty()) << name;
    if (attribute.is_reference()) {
      EXPECT_NE(find_row(attribute.refers_to), nullptr) << name;
    }
  });
  for (const ElementRow& element : all_rows())
    for (const std::string& kind : element.child_kinds())
      EXPECT_NE(element.child(kind), nullptr) << element.name << " " << kind;
}

TEST(XmlTable, SaysWhatIsWrongWithANumber) {
  const AttributeRow positive = number("x", "m", "X.").above(0.0);
  EXPECT_EQ(positive.refusal(1.0), "");
  EXPECT_EQ(positive.refusal(0.0), "is 0, expected a number above zero");
  const AttributeRow share = number("x", "1", "X.").at_least(0.0).at_most(1.0);
  EXPECT_EQ(share.refusal(1.0), "");
  EXPECT_EQ(share.refusal(-0.5), "is -0.5, expected a number from 0 to 1");
  EXPECT_EQ(share.refusal(2.0), "is 2, which is above 1, expected a number from 0 to 1");
  const AttributeRow count = number("x", "1", "X.").whole().at_least(1.0).at_most(1e6);
  EXPECT_EQ(count.refusal(2.5), "is 2.5, expected a whole number from 1 to 1000000");
  const AttributeRow ratio = number("x", "1", "X.").not_zero("is 0, expected a ratio");
  EXPECT_EQ(ratio.refusal(0.0), "is 0, expected a ratio");
  EXPECT_EQ(ratio.refusal(-3.0), "");
}

// The inputs that a driver holds are names like all others: one inside a template is that of the
// use.
TEST(XmlTable, GivesControlsTheSuffixOfTheirTemplate) {
  const Vehicle vehicle = read_vehicle_text(
      "<vehicle name='car' version='1'>"
      "<body name='b' chassis='yes' mass='1' com='0 0 0' inertia='1 1 1'/>"
      "<joint name='j' type='free' a='ground' b='b'/><template name='t'><input name='steer'/>"
      "<input name='pedal'/><controls steering='steer' brake='pedal'/></template>"
      "<use template='t' name='own'/></vehicle>",
      "car.xml");
  EXPECT_EQ(vehicle.controls.steering, "steer_own");
  EXPECT_EQ(vehicle.controls.brake, "pedal_own");
}

// As elements.md has it: what is not written is the input of that name.
TEST(XmlTable, ControlsThatAreNotWrittenAreTheInputsOfTheirNames) {
  const Vehicle vehicle = read_vehicle_text(
      "<vehicle name='car' version='1'>"
      "<body name='b' chassis='yes' mass='1' com='0 0 0' inertia='1 1 1'/>"
      "<joint name='j' type='free' a='ground' b='b'/><input name='steer'/><input name='brake'/>"
      "<input name='throttle'/><controls steering='steer'/></vehicle>",
      "car.xml");
  EXPECT_EQ(vehicle.controls.steering, "steer");
  EXPECT_EQ(vehicle.controls.brake, "brake");
  EXPECT_EQ(vehicle.controls.throttle, "throttle");
  EXPECT_EQ(vehicle.controls.gear, "");
}

}  // namespace
}  // namespace semirec
