// The manoeuvre of docs/how_to/add_a_manoeuvre.md, driven by the sedan.

#include "pages/add_a_manoeuvre.cpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "vehicles/files/xml/reader.hpp"

namespace semirec::test {
namespace {

/// Radius of the circle through three points of the ground plane, positive where it turns left:
/// the product of the sides over four times the signed area.
double radius_through(const std::array<Eigen::Vector2d, 3>& p) {
  const Eigen::Vector2d u = p[1] - p[0];
  const Eigen::Vector2d v = p[2] - p[0];
  const double area = 0.5 * (u.x() * v.y() - u.y() * v.x());
  return u.norm() * v.norm() * (p[2] - p[1]).norm() / (4.0 * area);
}

TEST(AddAManoeuvrePage, RadiusIsThatOfTheCircleThroughThreePlacesOfTheCar) {
  const Method method = page_add_a_manoeuvre::held_turn_method();
  Manoeuvre manoeuvre;
  manoeuvre.name = manoeuvre.method = method.name;
  for (const ValueRule& rule : method.values)
    manoeuvre.values.push_back({rule.name, rule.fallback, rule.unit, rule.about, {}});
  const Vehicle sedan = read_vehicle(SEMIREC_SOURCE_DIR "/vehicles/models/sedan.xml");
  const Answer answer = method.answer(sedan, manoeuvre, {});

  const Table& table = *std::find_if(answer.tables.begin(), answer.tables.end(),
                                     [](const Table& t) { return t.name == "history"; });
  const auto column = [&](const std::string& name) {
    const auto at = std::find_if(table.columns.begin(), table.columns.end(),
                                 [&](const Channel& c) { return c.name == name; });
    return static_cast<std::size_t>(at - table.columns.begin());
  };
  const std::size_t x = column("chassis.x"), y = column("chassis.y");
  std::array<Eigen::Vector2d, 3> places;  // the last second
  for (std::size_t k = 0; k < 3; ++k) {
    const auto& row = table.rows.at(table.rows.size() - 1 - 50 * (2 - k));
    places[k] = {row.at(x), row.at(y)};
  }
  const double radius = answer.quantities.at(0).value;
  EXPECT_GT(radius, 0.0);  // a positive angle turns to the left
  // the car coasts and loses a little speed in that second, with it some sideslip
  EXPECT_NEAR(radius, radius_through(places), 2e-3 * radius);
}

}  // namespace
}  // namespace semirec::test
