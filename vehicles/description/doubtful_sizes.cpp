#include "vehicles/description/doubtful_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace semirec {

namespace {

using Eigen::Vector3d;

constexpr double kLongestVehicle = 100.0;  ///< m, between wheels: road trains have half of it
constexpr double kMostInertia = 100.0;     ///< of the vehicle's mass at that distance
constexpr double kMostAway =
    30.0;  ///< of that distance, from the wheels: a boom, not a mistake of 1000
constexpr double kHighestFoot = 0.5;  ///< of a wheel's radius, from the others
constexpr double kSamePlace = 1e-3;   ///< m

Vector3d place_of(const Mechanism& mechanism, const Marker& marker) {
  if (marker.body == kGround) return marker.X_BF.p;
  return (mechanism.bodies[static_cast<std::size_t>(marker.body)].X_WB * marker.X_BF).p;
}

/// Where the wheels stand as drawn.
struct WheelStand {
  Vector3d middle = Vector3d::Zero();
  double size = 0.0;  ///< largest distance between two wheels, m
};

WheelStand find_stand(const Vehicle& vehicle) {
  WheelStand stand;
  std::vector<Vector3d> centres;
  for (const Wheel& wheel : vehicle.wheels)
    centres.push_back(place_of(vehicle.mechanism, wheel.centre));
  for (const Vector3d& centre : centres) {
    stand.middle += centre / static_cast<double>(centres.size());
    for (const Vector3d& other : centres)
      stand.size = std::max(stand.size, (centre - other).norm());
  }
  return stand;
}

class Doubts {
 public:
  explicit Doubts(const Vehicle& vehicle)
      : vehicle_(vehicle), mechanism_(vehicle.mechanism), stand_(find_stand(vehicle)) {}

  std::vector<std::string> find() {
    if (!(stand_.size > 0.0)) return {};
    if (stand_.size > kLongestVehicle) {
      std::ostringstream text;
      text << "stands on wheels up to " << stand_.size << " m apart: are its places in mm?";
      lines_.push_back("vehicle '" + mechanism_.name + "' " + text.str());
    }
    look_for_places();
    look_for_inertias();
    look_for_heights();
    look_for_same_places();
    return std::move(lines_);
  }

 private:
  void add(const Source& source, const std::string& name, const std::string& words) {
    lines_.emplace_back(ModelError(source, name, words).what());
  }

  void look_for_places() {
    const auto look = [&](const auto& elements) {
      for (const auto& element : elements) {
        for (const Marker* marker : {&element.a, &element.b}) look_at(element, *marker);
      }
    };
    look(mechanism_.joints);
    look(mechanism_.constraints);
    look(mechanism_.springs);
    look(mechanism_.rotational_springs);
    look(mechanism_.bushings);
    for (const AppliedLoad& load : mechanism_.loads) look_at(load, load.at);
    for (const Sensor& sensor : vehicle_.sensors) look_at(sensor, sensor.at);
    for (const Aero& aero : vehicle_.aeros)
      for (const Marker* marker : {&aero.point, &aero.lift_point[0], &aero.lift_point[1]})
        look_at(aero, *marker);
    for (const Body& body : mechanism_.bodies)
      look_at(body, Vector3d(body.X_WB.p + body.X_WB.A * body.com));
    if (far_ == 0) return;
    std::ostringstream text;
    text << "lies " << farthest_ << " m from the middle of the wheels, which are at most "
         << stand_.size << " m apart";
    if (far_ > 1) text << ", and " << far_ - 1 << " more like it";
    text << ": is a place in mm?";
    add(far_source_, far_name_, text.str());
  }
  template <typename Element>
  void look_at(const Element& element, const Marker& marker) {
    if (marker.body != kGround) look_at(element, place_of(mechanism_, marker));
  }
  /// Keeps the farthest, and counts the elements.
  template <typename Element>
  void look_at(const Element& element, const Vector3d& place) {
    const double distance = (place - stand_.middle).norm();
    if (!(distance > kMostAway * stand_.size)) return;
    if (last_ != element.name) ++far_;
    last_ = element.name;
    if (distance <= farthest_) return;
    farthest_ = distance;
    far_name_ = element.name;
    far_source_ = element.source;
  }

  void look_for_inertias() {
    double mass = 0.0;
    for (const Body& body : mechanism_.bodies) mass += body.mass;
    const double most = kMostInertia * mass * stand_.size * stand_.size;
    for (const Body& body : mechanism_.bodies) {
      const double largest = body.inertia.diagonal().maxCoeff();
      if (!(largest > most)) continue;
      std::ostringstream text;
      text << "has a moment of inertia of " << largest << " kg m^2, of a vehicle of " << mass
           << " kg whose wheels are at most " << stand_.size << " m apart: is it in kg mm^2?";
      add(body.source, body.name, text.str());
    }
  }

  void look_for_heights() {
    std::vector<double> feet;
    for (const Wheel& wheel : vehicle_.wheels)
      feet.push_back(place_of(mechanism_, wheel.centre).z() - wheel.radius);
    for (std::size_t w = 0; w < feet.size(); ++w) {
      std::vector<double> others = feet;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(w));
      std::nth_element(others.begin(),
                       others.begin() + static_cast<std::ptrdiff_t>(others.size() / 2),
                       others.end());
      const double higher = feet[w] - others[others.size() / 2];
      const Wheel& wheel = vehicle_.wheels[w];
      if (!(std::abs(higher) > kHighestFoot * wheel.radius)) continue;
      std::ostringstream text;
      text << "is drawn " << std::abs(higher) << " m " << (higher > 0.0 ? "higher" : "lower")
           << " over the road than the others; its radius is " << wheel.radius << " m";
      add(wheel.source, wheel.name, text.str());
    }
  }

  /// Twin wheels stand side by side.
  void look_for_same_places() {
    const std::vector<Wheel>& wheels = vehicle_.wheels;
    for (std::size_t w = 0; w < wheels.size(); ++w)
      for (std::size_t other = 0; other < w; ++other) {
        const double apart =
            (place_of(mechanism_, wheels[w].centre) - place_of(mechanism_, wheels[other].centre))
                .norm();
        if (!(apart < kSamePlace)) continue;
        add(wheels[w].source, wheels[w].name,
            "stands where '" + wheels[other].name + "' stands: is mirror=\"yes\" missing?");
        break;
      }
  }

  const Vehicle& vehicle_;
  const Mechanism& mechanism_;
  WheelStand stand_;
  std::vector<std::string> lines_;
  int far_ = 0;
  double farthest_ = 0.0;
  std::string last_, far_name_;
  Source far_source_;
};

}  // namespace

std::vector<std::string> find_doubtful_sizes(const Vehicle& vehicle) {
  return Doubts(vehicle).find();
}

}  // namespace semirec
