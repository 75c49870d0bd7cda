#include "apps/report/model_section.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "apps/report/suspects.hpp"
#include "vehicles/description/units.hpp"
#include "vehicles/equations/equation_notes.hpp"

namespace semirec::report {

namespace {

using Eigen::Vector3d;

std::string text_of(const Vector3d& v) {
  return fmt::format("{:.6g} {:.6g} {:.6g}", v.x(), v.y(), v.z());
}

/// An equation as the file has it.
std::string text_of(const Equation& equation) {
  const std::string formula = "=" + equation.formula.text;
  const std::string unit = equation.unit.empty() ? "" : ", " + equation.unit;
  switch (equation.kind) {
    case Equation::Kind::state:
      return "rate " + formula + unit;
    case Equation::Kind::hold:
      return fmt::format("{}, {:.6g} times a second{}", formula, equation.rate, unit);
    case Equation::Kind::logic:
      return fmt::format("on {}, off ={}", formula, equation.off.text);
    case Equation::Kind::delay:
      return fmt::format("{}, {:.6g} s ago{}", formula, equation.delay, unit);
    default:
      return formula + unit;
  }
}

class Lister {
 public:
  explicit Lister(const Vehicle& vehicle) : vehicle_(vehicle), mechanism_(vehicle.mechanism) {}

  std::vector<ListedElement> list() {
    for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b) {
      const Body& body = mechanism_.bodies[b];
      const Vector3d moments = body.inertia.diagonal();
      add("body", body, fmt::format("{:.6g} kg, {} kg m^2", body.mass, text_of(moments)),
          {static_cast<BodyIndex>(b), {Eigen::Matrix3d::Identity(), body.com}, {}, {}});
    }
    for (const Joint& joint : mechanism_.joints)
      add("joint", joint,
          fmt::format("{} of {} and {}", semirec::name_of(joint.type), name_of(joint.a.body),
                      name_of(joint.b.body)),
          joint.a);
    for (const Constraint& constraint : mechanism_.constraints) {
      const bool rod = constraint.type == ConstraintType::rod;
      add_pair("closure", constraint,
               rod ? fmt::format("rod of {:.6g} m", constraint.length)
               : constraint.type == ConstraintType::point_on_line
                   ? std::string("point on a line")
                   : fmt::format("point in a plane, {:.6g} m off", constraint.length));
    }
    for (const SpringDamper& spring : mechanism_.springs)
      add_pair("spring", spring,
               std::string(spring.along_axis ? "along an axis" : "between points"));
    for (const RotationalSpringDamper& spring : mechanism_.rotational_springs)
      add("spring", spring,
          fmt::format("torsion between {} and {}", name_of(spring.a.body), name_of(spring.b.body)),
          spring.a);
    for (const Bushing& bushing : mechanism_.bushings) {
      const auto& k = bushing.stiffness;
      add("bushing", bushing,
          fmt::format("{} to {}, {:.4g} {:.4g} {:.4g} N/m, {:.4g} {:.4g} {:.4g} N m/rad",
                      name_of(bushing.a.body), name_of(bushing.b.body), k[0], k[1], k[2], k[3],
                      k[4], k[5]),
          bushing.a);
    }
    for (const AppliedLoad& load : mechanism_.loads)
      add("load", load,
          fmt::format("{} along {}", load.torque ? "torque" : "force", text_of(load.direction)),
          load.at);
    for (const CoordinateForce& force : mechanism_.coordinate_forces)
      add("joint force", force,
          fmt::format("in joint {}", mechanism_.joints[at(force.joint)].name));
    for (const PrescribedMotion& motion : mechanism_.motions)
      add("motion", motion, fmt::format("of joint {}", mechanism_.joints[at(motion.joint)].name));
    for (std::size_t k = 0; k < mechanism_.inputs.size(); ++k) {
      if (is_computed(static_cast<InputIndex>(k))) continue;
      const Input& input = mechanism_.inputs[k];
      add("input", input,
          input.of == kNoInput
              ? std::string("signal over time")
              : fmt::format("{:.6g} times {}", input.factor, mechanism_.inputs[at(input.of)].name));
    }
    for (const Equation& equation : vehicle_.equations)
      add(word_of(equation.kind), equation, text_of(equation));
    for (const Marker& marker : mechanism_.markers)
      add("marker", marker, "on " + name_of(marker.body), marker);
    for (const Wheel& wheel : vehicle_.wheels)
      add("wheel", wheel,
          fmt::format("radius {:.4g} m, {:.6g} N/m, {}", wheel.radius, wheel.stiffness,
                      wheel.law ? "rolling tyre" : "tyre without longitudinal force"),
          wheel.centre);
    for (const Driveline& driveline : vehicle_.drivelines)
      add("driveline", driveline, fmt::format("{} gears", driveline.gearbox.gears.size()));
    for (const Brake& brake : vehicle_.brakes)
      add("brake", brake, fmt::format("{:.6g} N m", brake.torque * brake.balance));
    for (const HubTorque& torque : vehicle_.hub_torques)
      add("hub torque", torque, "on " + vehicle_.wheels[at(torque.wheel)].name);
    for (const Aero& aero : vehicle_.aeros)
      add("aero", aero, fmt::format("{:.4g} m^2, drag {:.4g}", aero.area, aero.drag), aero.point);
    for (const Sensor& sensor : vehicle_.sensors)
      add("sensor", sensor, "on " + name_of(sensor.at.body), sensor.at);
    for (const SolidShape& shape : vehicle_.shapes)
      add("shape", shape, "on " + name_of(shape.at.body), shape.at);
    return std::move(elements_);
  }

 private:
  /// Whether an equation gives the input.
  bool is_computed(InputIndex input) const {
    return std::any_of(vehicle_.equations.begin(), vehicle_.equations.end(),
                       [&](const Equation& equation) { return equation.input == input; });
  }
  std::string name_of(BodyIndex body) const {
    return body == kGround ? "ground" : mechanism_.bodies[at(body)].name;
  }
  Vector3d in_world(const Marker& marker) const {
    const Vector3d& point = marker.X_BF.p;
    return marker.body == kGround ? point
                                  : (mechanism_.bodies[at(marker.body)].X_WB * marker.X_BF).p;
  }
  template <typename Element>
  ListedElement& add(const char* kind, const Element& element, std::string text) {
    elements_.push_back({element.name, kind, element.source, std::move(text)});
    return elements_.back();
  }
  template <typename Element>
  void add(const char* kind, const Element& element, std::string text, const Marker& marker) {
    ListedElement& entry = add(kind, element, std::move(text));
    entry.body = marker.body + 1;
    entry.has_point = true;
    entry.point = marker.X_BF.p;
  }
  /// An element between two bodies, and its two ends.
  template <typename Element>
  void add_pair(const char* kind, const Element& element, const std::string& text) {
    add(kind, element,
        fmt::format("{}, {} to {}", text, name_of(element.a.body), name_of(element.b.body)),
        element.a);
    for (const Marker* end : {&element.a, &element.b}) {
      add("hardpoint", element,
          fmt::format("{} on {}", text_of(in_world(*end)), name_of(end->body)), *end);
      elements_.back().name += end == &element.a ? " a" : " b";
    }
  }

  const Vehicle& vehicle_;
  const Mechanism& mechanism_;
  std::vector<ListedElement> elements_;
};

}  // namespace

std::vector<ListedElement> list_elements(const Vehicle& vehicle) { return Lister(vehicle).list(); }

std::vector<Fact> find_model_facts(const Vehicle& vehicle) {
  const Mechanism& mechanism = vehicle.mechanism;
  double mass = 0.0;
  Vector3d centre = Vector3d::Zero();
  for (const Body& body : mechanism.bodies) {
    mass += body.mass;
    centre += body.mass * (body.X_WB.p + body.X_WB.A * body.com);
  }
  centre /= mass;
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  for (const Body& body : mechanism.bodies) {
    const Vector3d r = body.X_WB.p + body.X_WB.A * body.com - centre;
    inertia += body.X_WB.A * body.inertia * body.X_WB.A.transpose() +
               body.mass * (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose());
  }
  std::vector<Fact> facts{{"mass", mass, "kg"},
                          {"centre of mass, x", centre.x(), "m"},
                          {"centre of mass, y", centre.y(), "m"},
                          {"centre of mass, z", centre.z(), "m"},
                          {"inertia Ixx about the centre of mass", inertia(0, 0), "kg m^2"},
                          {"inertia Iyy", inertia(1, 1), "kg m^2"},
                          {"inertia Izz", inertia(2, 2), "kg m^2"},
                          {"inertia Ixz", inertia(0, 2), "kg m^2"}};
  if (!vehicle.wheels.empty()) {
    const std::vector<Unit> units = find_units(vehicle);
    for (const Unit& unit : units) {
      const std::string of = &unit == &units.front() ? "" : " of " + unit.name;
      if (unit.axles.size() > 1)
        facts.push_back({"wheelbase" + of, unit.axles.front().x - unit.axles.back().x, "m"});
      for (const UnitAxle& axle : unit.axles)
        if (axle.paired()) facts.push_back({"track, " + axle.name + of, axle.track(), "m"});
    }
  }
  const auto count = [&](const char* name, std::size_t number) {
    if (number > 0) facts.push_back({name, static_cast<double>(number), "1"});
  };
  count("bodies", mechanism.bodies.size());
  count("joints", mechanism.joints.size());
  count("closures written", mechanism.constraints.size());
  count("springs and dampers", mechanism.springs.size() + mechanism.rotational_springs.size());
  count("bushings", mechanism.bushings.size());
  count("wheels", vehicle.wheels.size());
  return facts;
}

ModelSection make_model_section(const Vehicle& vehicle, const std::string& file) {
  return {vehicle.mechanism.name,   file,
          vehicle.mechanism.bodies, make_drawing(vehicle),
          list_elements(vehicle),   find_suspects(vehicle)};
}

Report begin_report(const std::string& kind, const Vehicle& vehicle, const std::string& file) {
  Report page;
  page.kind = kind;
  page.subtitle = file;
  page.model = make_model_section(vehicle, file);
  page.facts = find_model_facts(vehicle);
  for (const Suspect& suspect : page.model.suspects)
    page.warnings.push_back("looks wrong: " + suspect.text);
  return page;
}

}  // namespace semirec::report
