#include "tests/bench/scale_models.hpp"

#include <array>
#include <stdexcept>

#include "tests/bench/steps.hpp"
#include "tests/support/mechanisms.hpp"
#include "tests/support/random_mechanism.hpp"
#include "vehicles/files/xml/reader.hpp"
#include "vehicles/tyre/road_tyre.hpp"

namespace semirec::timing {

namespace {

using V = Eigen::Vector3d;

constexpr double kSpacing = 5.0;  // m
constexpr double kSpeed = 10.0;   // m/s

void check_copied_elements(const Mechanism& m) {
  if (!m.motions.empty() || !m.inputs.empty() || !m.rotational_springs.empty() ||
      !m.bushings.empty() || !m.loads.empty() || !m.coordinate_forces.empty())
    throw std::invalid_argument("the car of the train has elements that are not copied");
}

/// Adds a car, its names ending in `suffix`, its bodies counted from `first`; without free joints
/// when something else carries it.
void append(Mechanism& train, Mechanism car, const std::string& suffix, BodyIndex first,
            bool carried) {
  const auto place = [&](Marker& marker) {
    if (marker.body != kGround) marker.body += first;
    if (!marker.name.empty()) marker.name += suffix;
  };
  const auto add = [&](auto& elements, auto& own) {
    for (auto& element : own) {
      element.name += suffix;
      place(element.a);
      place(element.b);
      elements.push_back(element);
    }
  };
  for (Body& body : car.bodies) {
    body.name += suffix;
    train.bodies.push_back(body);
  }
  if (carried) std::erase_if(car.joints, [](const Joint& j) { return j.type == JointType::free; });
  add(train.joints, car.joints);
  add(train.constraints, car.constraints);
  add(train.springs, car.springs);
}

}  // namespace

ScaleModel make_train(int count, Links links) {
  Vehicle car = read_vehicle(kVehicles + "models/car26.xml");
  const Scenario scenario = read_scenario(kVehicles + "scenarios/shaker.xml");
  const RoadContact contact{scenario.contact, scenario.lateral, scenario.road, scenario.surface,
                            scenario.contact_method};
  check_copied_elements(car.mechanism);
  for (Joint& joint : car.mechanism.joints) {
    if (joint.type != JointType::free) continue;
    joint.position.resize(6, 0.0);
    joint.velocity = {kSpeed, 0.0, 0.0, 0.0, 0.0, 0.0};
  }
  ScaleModel train;
  Mechanism& m = train.mechanism;
  m.name = "train";
  m.gravity = car.mechanism.gravity;
  BodyIndex ahead = kGround;
  for (int k = 0; k < count; ++k) {
    const std::string suffix = "_" + std::to_string(k);
    const auto first = static_cast<BodyIndex>(m.bodies.size());
    Frame X;
    X.p.x() = -kSpacing * k;
    const bool carried = k > 0 && links == Links::tree;
    append(m, test::move_world(car.mechanism, X), suffix, first, carried);
    const BodyIndex chassis = first + car.chassis;
    if (k > 0) {
      Frame link;
      link.p = V(X.p.x() + 0.5 * kSpacing, 0.0, 0.5);
      test::add_joint(m, "link" + suffix, JointType::spherical, ahead, chassis, link,
                      carried ? Placement::tree : Placement::cut);
    }
    ahead = chassis;
    for (const Wheel& wheel : car.wheels) {
      RoadMotion motion;
      for (const Excitation& excitation : scenario.excitations)
        if (excitation.wheel == wheel.name)
          motion.lift = test::add_input(m, "under_" + wheel.name + suffix, excitation.curve);
      Wheel own = wheel;
      own.name += suffix;
      own.centre.body += first;
      train.tyres.push_back(std::make_unique<RoadTyre>(own, contact, motion));
    }
  }
  return train;
}

namespace {

/// A rod from the chassis to the upright of the left side, seen from the axle's middle, m.
struct RodPlace {
  const char* name;
  V chassis, upright;
};
const std::array<RodPlace, 5> kRods{{
    {"upper_front", {0.18, 0.42, 0.45}, {0.02, 0.70, 0.43}},
    {"upper_rear", {-0.18, 0.42, 0.44}, {-0.03, 0.70, 0.42}},
    {"lower_front", {0.22, 0.36, 0.20}, {0.03, 0.72, 0.18}},
    {"lower_rear", {-0.20, 0.37, 0.21}, {-0.04, 0.72, 0.18}},
    {"toe", {-0.14, 0.38, 0.25}, {-0.15, 0.70, 0.24}},
}};

void add_bushing(Mechanism& m, const std::string& name, BodyIndex a, BodyIndex b, const Frame& X) {
  Bushing bushing;
  bushing.name = name;
  bushing.a = test::marker_at(m, a, X);
  bushing.b = test::marker_at(m, b, X);
  bushing.stiffness << 8e6, 8e6, 5e6, 200.0, 200.0, 50.0;
  bushing.damping << 2e3, 2e3, 2e3, 1.0, 1.0, 0.5;
  m.bushings.push_back(bushing);
}

/// The upright's way to the ground: a tyre that also holds the truck in its place.
void add_ground_spring(Mechanism& m, const std::string& name, BodyIndex upright, const V& point) {
  Bushing spring;
  spring.name = name;
  spring.a = test::marker_at(m, kGround, point);
  spring.b = test::marker_at(m, upright, point);
  spring.stiffness << 1e4, 1e4, 2e5, 0.0, 0.0, 0.0;
  spring.damping << 300.0, 300.0, 300.0, 0.0, 0.0, 0.0;
  m.bushings.push_back(spring);
}

void add_suspension_rod(Mechanism& m, const std::string& name, BodyIndex chassis, BodyIndex upright,
                        const V& from, const V& to, Ends ends) {
  if (ends == Ends::rods) {
    test::add_massless_rod(m, name, chassis, upright, from, to);
    return;
  }
  const BodyIndex rod = test::add_rod(m, name, 1.0, from, to);
  m.bodies.back().inertia(0, 0) = 1e-4;
  // z along the rod for the bushings, y along it for the universal joint
  const Frame along = make_frame(from, to - from);
  if (ends == Ends::bushings) {
    test::add_joint(m, name + "_flight", JointType::free, kGround, rod, test::pose_of(m, rod));
    add_bushing(m, name + "_inner", chassis, rod, along);
    add_bushing(m, name + "_outer", rod, upright, make_frame(to, to - from));
    return;
  }
  Frame across;
  across.p = from;
  across.A << along.A.col(1), along.A.col(2), along.A.col(0);
  test::add_joint(m, name + "_inner", JointType::universal, chassis, rod, across);
  Frame outer;
  outer.p = to;
  test::add_joint(m, name + "_outer", JointType::spherical, rod, upright, outer);
}

}  // namespace

ScaleModel make_truck(int axles, Ends ends) {
  ScaleModel truck;
  Mechanism& m = truck.mechanism;
  m.name = "truck";
  const double middle = 0.5 * (axles - 1);
  Frame centre;
  centre.p = V(0.0, 0.0, 0.6);
  const double mass = 600.0 * axles;
  const BodyIndex chassis = test::add_body(
      m, "chassis", mass, centre,
      V(0.4 * mass, (1.0 + middle * middle) * mass, (1.0 + middle * middle) * mass).asDiagonal());
  test::add_joint(m, "chassis_flight", JointType::free, kGround, chassis, centre);
  for (int axle = 0; axle < axles; ++axle)
    for (const double side : {1.0, -1.0}) {
      const std::string corner = std::to_string(axle) + (side > 0.0 ? "l" : "r");
      const auto place = [&](const V& p) { return V(middle - axle + p.x(), side * p.y(), p.z()); };
      Frame X;
      X.p = place(V(0.0, 0.74, 0.30));
      const BodyIndex upright =
          test::add_body(m, "upright_" + corner, 34.0, X, V(0.8, 1.2, 0.8).asDiagonal());
      // ideal joints: the rods carry it
      if (ends != Ends::joints)
        test::add_joint(m, "upright_flight_" + corner, JointType::free, kGround, upright, X);
      for (const RodPlace& rod : kRods)
        add_suspension_rod(m, rod.name + ("_" + corner), chassis, upright, place(rod.chassis),
                           place(rod.upright), ends);
      test::add_spring(m, "spring_" + corner, chassis, upright, place(V(0.0, 0.45, 0.65)),
                       place(V(0.0, 0.66, 0.20)), 6e4, 0.55, 3500.0);
      add_ground_spring(m, "tyre_" + corner, upright, X.p);
    }
  return truck;
}

}  // namespace semirec::timing
