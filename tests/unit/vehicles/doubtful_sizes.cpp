// What is mistaken for another unit stands out against the distance between the wheels.

#include "vehicles/description/doubtful_sizes.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "vehicles/files/xml/reader.hpp"

namespace semirec {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kSedan = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models/sedan.xml";

Vehicle sedan() { return read_vehicle(kSedan, {}); }

TEST(DoubtfulSizes, OfShippedVehiclesAreNone) {
  int vehicles = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(SEMIREC_SOURCE_DIR) + "/vehicles/models")) {
    if (entry.path().extension() != ".xml") continue;
    Vehicle vehicle;
    try {
      vehicle = read_vehicle(entry.path().string(), {});
    } catch (const ModelError&) {
      continue;  // parts of others
    }
    EXPECT_THAT(find_doubtful_sizes(vehicle), IsEmpty()) << entry.path();
    vehicles += vehicle.wheels.size() > 1 ? 1 : 0;
  }
  EXPECT_GE(vehicles, 8);
}

TEST(DoubtfulSizes, NameAPlaceInMillimetres) {
  Vehicle car = sedan();
  Joint& joint = car.mechanism.joints.at(5);
  joint.b.X_BF.p.x() = 1250.0;
  EXPECT_THAT(find_doubtful_sizes(car),
              ElementsAre(HasSubstr("element '" + joint.name + "': lies 125")));
  EXPECT_THAT(find_doubtful_sizes(car), ElementsAre(HasSubstr("is a place in mm?")));
}

TEST(DoubtfulSizes, NameAPlaceOfASensorOrOfTheAirInMillimetres) {
  for (const char* change : {"imu.point=0 0 560", "aero.point=100 0 620"}) {
    EXPECT_THAT(read_vehicle(kSedan, {parse_override(change)}).notes,
                Contains(HasSubstr("is a place in mm?")))
        << change;
  }
}

// mirror="yes" forgotten: both wheels of an axle on one side, on carriers of their own
TEST(DoubtfulSizes, NameAWheelThatStandsWhereAnotherDoes) {
  Vehicle car = sedan();
  car.wheels.at(1).centre.X_BF.p = car.wheels.at(0).centre.X_BF.p;
  car.wheels.at(1).centre.body = car.wheels.at(0).centre.body;
  EXPECT_THAT(find_doubtful_sizes(car),
              ElementsAre(HasSubstr("element '" + car.wheels[1].name + "': stands where '" +
                                    car.wheels[0].name + "' stands: is mirror=\"yes\" missing?")));
}

// A trailer of 30 t whose kingpin lies six distances between its wheels ahead, as one is built.
TEST(DoubtfulSizes, AreNoneOfALongSemitrailer) {
  Vehicle trailer;
  trailer.mechanism.name = "trailer";
  Body frame;
  frame.name = "frame";
  frame.mass = 30e3;
  frame.inertia = Eigen::Vector3d(30e3, 462e3, 462e3).asDiagonal();
  trailer.mechanism.bodies = {frame};
  Joint kingpin;
  kingpin.name = "kingpin";
  kingpin.b.body = 0;
  kingpin.b.X_BF.p = {8.1, 0.0, 1.1};
  trailer.mechanism.joints = {kingpin};
  for (const double x : {0.65, -0.65}) {
    Wheel wheel;
    wheel.centre.body = 0;
    wheel.centre.X_BF.p = {x, 0.0, 0.5};
    wheel.radius = 0.5;
    trailer.wheels.push_back(wheel);
  }
  EXPECT_THAT(find_doubtful_sizes(trailer), IsEmpty());
}

TEST(DoubtfulSizes, NameAnInertiaInKilogramsTimesSquareMillimetres) {
  Vehicle car = sedan();
  car.mechanism.bodies.at(static_cast<std::size_t>(car.chassis)).inertia *= 1e6;
  EXPECT_THAT(find_doubtful_sizes(car), ElementsAre(HasSubstr("is it in kg mm^2?")));
}

TEST(DoubtfulSizes, NameAWheelThatIsDrawnUnderTheRoad) {
  Vehicle car = sedan();
  car.wheels.at(2).centre.X_BF.p.z() -= 0.3;
  EXPECT_THAT(find_doubtful_sizes(car),
              ElementsAre(HasSubstr("is drawn 0.3 m lower over the road than the others")));
}

TEST(DoubtfulSizes, NameAWholeCarInMillimetres) {
  Vehicle car = sedan();
  for (Body& body : car.mechanism.bodies) body.X_WB.p *= 1000.0;
  for (Wheel& wheel : car.wheels) wheel.centre.X_BF.p *= 1000.0;
  const std::vector<std::string> lines = find_doubtful_sizes(car);
  ASSERT_FALSE(lines.empty());
  EXPECT_THAT(lines.front(), HasSubstr("m apart: are its places in mm?"));
}

}  // namespace
}  // namespace semirec
