#include "tests/support/standing_roads.hpp"

#include <cmath>
#include <map>
#include <sstream>

#include <Eigen/Dense>

#include "integrator/formulation/evaluate.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/road/crg_file.hpp"
#include "vehicles/road/crg_surface.hpp"
#include "vehicles/road/layered_surface.hpp"
#include "vehicles/road/obstacles.hpp"
#include "vehicles/road/profile_surface.hpp"
#include "vehicles/road/random_road.hpp"
#include "vehicles/road/rdf_file.hpp"

namespace semirec::test {

namespace {

const std::string kVehicles = std::string(SEMIREC_SOURCE_DIR) + "/vehicles/";

/// The road moved so that its own place (x, y, heading) lies at the origin, along x.
std::shared_ptr<const RoadSurface> from_place(std::shared_ptr<const RoadSurface> road, double x,
                                              double y, double heading) {
  const double c = std::cos(heading);
  const double s = std::sin(heading);
  return std::make_shared<PlacedSurface>(std::move(road), -(c * x + s * y), -(c * y - s * x), 0.0,
                                         -heading);
}

void add_planes(std::vector<StandingRoad>& roads) {
  const auto add = [&](const std::string& name, double z, double angle, double bank) {
    roads.push_back({name, std::make_shared<InclinedPlane>(z, std::tan(angle), std::tan(bank)),
                     ContactMethod::point, true});
  };
  const double angles[] = {-0.2, -0.1, -0.05, -0.02, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2};
  for (const double angle : angles) {
    std::ostringstream name;
    name << angle;
    add("slope " + name.str(), 0.0, angle, 0.0);
    add("bank " + name.str(), 0.0, 0.0, angle);
    add("slope and bank " + name.str(), 0.1, angle, -0.7 * angle);
  }
  const double heights[] = {0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.03, 0.02, 0.019, 0.01};
  for (const double height : heights)
    for (const double sign : {1.0, -1.0}) {
      std::ostringstream name;
      name << "flat " << sign * height;
      add(name.str(), sign * height, 0.0, 0.0);
    }
}

void add_random(std::vector<StandingRoad>& roads) {
  const ContactMethod methods[] = {ContactMethod::point, ContactMethod::disc, ContactMethod::cams};
  const char* const names[] = {" point", " disc", " cams"};
  for (const char letter : {'A', 'B', 'C', 'D', 'E'})
    for (int seed = 1; seed <= 20; ++seed) {
      RandomRoadSettings settings;
      settings.road_class = letter;
      settings.seed = static_cast<std::uint64_t>(seed);
      settings.length = 100.0;
      roads.push_back(
          {std::string("iso8608 ") + letter + " " + std::to_string(seed) + names[seed % 3],
           std::make_shared<RandomRoad>(settings), methods[seed % 3], false});
    }
}

/// Ten places along the reference line of the bend, 4.5 m apart.
void add_bend(std::vector<StandingRoad>& roads) {
  const auto bend = std::make_shared<CrgSurface>(read_crg(kVehicles + "scenarios/roads/bend.crg"));
  Eigen::Vector2d place(0.0, 0.0);
  double heading = 0.0;
  constexpr double kPace = 0.05;
  for (int k = 0; k < 10; ++k) {
    roads.push_back({"bend.crg " + std::to_string(k),
                     from_place(bend, place.x(), place.y(), heading), ContactMethod::point, false});
    for (double s = 0.0; s < 4.5 - 0.5 * kPace; s += kPace) {
      const Eigen::Vector2d last = place;
      place += kPace * Eigen::Vector2d(std::cos(heading), std::sin(heading));
      place -= bend->locate(place.x(), place.y()).v *
               Eigen::Vector2d(-std::sin(heading), std::cos(heading));
      heading = std::atan2(place.y() - last.y(), place.x() - last.x());
    }
  }
}

void add_along(std::vector<StandingRoad>& roads, const std::string& name,
               const std::shared_ptr<const RoadSurface>& surface, double from, double pace) {
  for (int k = 0; k < 10; ++k)
    roads.push_back({name + " " + std::to_string(k), from_place(surface, from + pace * k, 0.0, 0.0),
                     ContactMethod::disc, false});
}

/// z = a + b x + c y by least squares, and the largest distance from it.
struct Plane {
  double a = 0.0, b = 0.0, c = 0.0, off = 0.0;
};

Plane fit_plane(const std::vector<Eigen::Vector3d>& points) {
  Eigen::MatrixXd A(static_cast<Eigen::Index>(points.size()), 3);
  Eigen::VectorXd z(A.rows());
  for (Eigen::Index k = 0; k < A.rows(); ++k) {
    const Eigen::Vector3d& p = points[static_cast<std::size_t>(k)];
    A.row(k) << 1.0, p.x(), p.y();
    z[k] = p.z();
  }
  const Eigen::Vector3d fit = A.colPivHouseholderQr().solve(z);
  return {fit[0], fit[1], fit[2], (A * fit - z).cwiseAbs().maxCoeff()};
}

// what a suspension yields under the load that a slope of 0.2 shifts, rad
constexpr double kLean = 0.04;
// of wheels, what one may stand beside the plane without losing its load, m
constexpr double kReach = 0.02;

}  // namespace

std::vector<StandingRoad> make_standing_roads() {
  std::vector<StandingRoad> roads;
  add_planes(roads);
  add_random(roads);
  add_bend(roads);
  const auto profile = [&](const std::string& file) {
    const Scenario scenario = read_scenario(kVehicles + "scenarios/" + file);
    return std::make_shared<ProfileSurface>(scenario.road.left, scenario.road.right);
  };
  add_along(roads, "plank.rdf", read_rdf(kVehicles + "scenarios/roads/plank.rdf").surface, -2.0,
            1.7);
  add_along(roads, "bump_5.xml", profile("bump_5.xml"), -1.0, 0.9);
  add_along(roads, "bump_10.xml", profile("bump_10.xml"), -0.6, 0.9);
  add_along(roads, "ramp_and_stairs.xml", profile("ramp_and_stairs.xml"), 0.0, 2.8);
  return roads;
}

std::vector<CarToStart> make_standing_cars() {
  return {{"sedan", read_vehicle(kVehicles + "models/sedan.xml")},
          {"sedan on bushings",
           read_vehicle(kVehicles + "models/sedan.xml", {parse_override("form.value=bushing")})},
          {"iltis", read_vehicle(kVehicles + "models/iltis.xml")}};
}

CarToStart make_standing_trailer() {
  return {"trailer", read_vehicle(kVehicles + "models/trailer.xml"), 1e-5};
}

StandingStart start_on(const CarToStart& car, const StandingRoad& road, double speed) {
  StandingStart result;
  Scenario scenario;
  scenario.start = StartMode::equilibrium;
  scenario.speed = speed;
  scenario.contact = ContactLaw::normal;
  scenario.contact_method = road.method;
  scenario.surface = road.surface;
  const Drive drive = make_drive(car.vehicle, scenario);
  Workspace ws(drive.model);
  StartReport report;
  State state;
  try {
    state = start_drive(drive, ws, report);
  } catch (const ModelError& error) {
    result.refused = true;
    result.message = error.what();
    return result;
  }
  result.notes = report.notes;
  for (const std::string& note : report.notes)
    result.unsteady = result.unsteady || note.find("no steady motion") == 0;

  const Recorder recorder(drive.model, drive.recorder);
  std::vector<double> values;
  recorder.record(drive.model, state, ws, values);
  std::map<std::string, double> now;
  for (std::size_t k = 0; k < values.size(); ++k) now[recorder.channels()[k].name] = values[k];

  const auto circle = [&](double x, double y, double radius) {
    double highest = -1e300;
    for (int k = -92; k <= 92; ++k) {
      const double s = 0.01 * k * radius;
      highest = std::max(
          highest, road.surface->evaluate(x + s, y).z + radius * std::cos(std::asin(0.01 * k)));
    }
    return highest - radius;
  };
  // the road as a wheel feels it: at a point, or as a pair of circles, R/8 apart, that lie on it,
  // their flanks beyond 0.92 R too steep to carry (theory 25)
  const auto felt = [&](double x, double y, double radius) {
    if (road.method == ContactMethod::point) return road.surface->evaluate(x, y).z;
    return 0.5 * (circle(x - radius / 16.0, y, radius) + circle(x + radius / 16.0, y, radius));
  };
  std::ostringstream wrong;
  std::vector<Eigen::Vector3d> under;
  double steepest = 0.0;
  for (const Wheel& wheel : drive.wheels) {
    const double x = now.at(wheel.name + ".x");
    const double y = now.at(wheel.name + ".y");
    const double r = wheel.radius;
    under.emplace_back(x, y, felt(x, y, r));
    const RoadPoint point = road.surface->evaluate(x, y);
    const double along = (felt(x + 0.1 * r, y, r) - felt(x - 0.1 * r, y, r)) / (0.2 * r);
    const double across = (felt(x, y + 0.3 * r, r) - felt(x, y - 0.3 * r, r)) / (0.6 * r);
    steepest = std::max({steepest, std::hypot(point.z_x, point.z_y), std::hypot(along, across)});
  }
  const Plane plane = fit_plane(under);
  const double roll = std::atan(plane.c);
  const double pitch = -std::atan(plane.b);
  result.roll = now.at("chassis.roll") - roll;
  result.pitch = now.at("chassis.pitch") - pitch;
  // a wheel off the plane by so much tilts an axle over half a track of 0.6 m or more
  const double lean = kLean + plane.off / 0.6;
  if (!(std::abs(result.roll) < lean) || !(std::abs(result.pitch) < lean))
    wrong << "roll " << result.roll << ", pitch " << result.pitch << " against the road\n";
  if (!(std::hypot(now.at("chassis.x") - car.vehicle.mechanism.bodies[0].com.x(),
                   now.at("chassis.y")) < 0.3))
    wrong << "moved to " << now.at("chassis.x") << ", " << now.at("chassis.y") << "\n";
  if (!(std::abs(now.at("chassis.yaw")) < 1e-3 + 0.3 * std::abs(roll * pitch)))
    wrong << "turned to yaw " << now.at("chassis.yaw") << "\n";
  for (const Wheel& wheel : drive.wheels)
    if (!(now.at(wheel.name + ".Fz") > 0.0) && plane.off < kReach)
      wrong << wheel.name << " carries nothing\n";

  // motion: straight on, the chassis' own x laid into the plane, as its wheels roll
  const Eigen::Vector3d normal = Eigen::Vector3d(-plane.b, -plane.c, 1.0).normalized();
  const double turned = now.at("chassis.yaw");
  const double tilted = now.at("chassis.pitch");
  const Eigen::Vector3d ahead(std::cos(turned) * std::cos(tilted),
                              std::sin(turned) * std::cos(tilted), -std::sin(tilted));
  const Eigen::Vector3d velocity(now.at("chassis.vx"), now.at("chassis.vy"), now.at("chassis.vz"));
  const Eigen::Vector3d expected = speed * (ahead - ahead.dot(normal) * normal).normalized();
  const double blur = road.flat ? car.off_heading : 0.05;  // rad: which plane is meant, off a plane
  if (!((velocity - expected).norm() < 1e-9 + blur * speed))
    wrong << "velocity " << velocity.transpose() << ", expected " << expected.transpose() << "\n";
  const Eigen::Vector3d acceleration(now.at("chassis.ax"), now.at("chassis.ay"),
                                     now.at("chassis.az"));
  if (!result.unsteady &&
      !(std::abs(acceleration.dot(normal)) < std::max(0.3, blur * acceleration.norm())))
    wrong << "accelerates by " << acceleration.dot(normal) << " m/s^2 off the road\n";
  if (!result.unsteady && !(acceleration.norm() < 9.81 * steepest + 0.5))
    wrong << "accelerates by " << acceleration.norm() << " m/s^2\n";
  result.wrong = wrong.str();
  return result;
}

}  // namespace semirec::test
