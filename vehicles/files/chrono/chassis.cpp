#include "vehicles/files/chrono/parts.hpp"

namespace semirec::chrono {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

struct Component {
  double mass;  ///< negative: a void
  Vector3d com;
  Matrix3d inertia;
};

Component read_component(const Json& item) {
  const Json frame = item.at("Centroidal Frame");
  const auto hole = item.find("Void");
  const double sign = hole && hole->flag() ? -1.0 : 1.0;
  Component component;
  component.mass = sign * item.at("Mass").positive();
  component.com = frame.at("Location").vector();
  component.inertia = sign * inertia_of(item, frame.at("Orientation").rotation());
  return component;
}

}  // namespace

Vector3d add_chassis(Car& car, const Json& file) {
  const Json name = file.at("Template");
  if (name.text() != "RigidChassis")
    name.fail("is '" + printable(name.text()) + "', which is not covered, expected RigidChassis");
  const Json list = file.at("Components");
  std::vector<Component> components;
  double mass = 0.0;
  Vector3d moment = Vector3d::Zero();
  for (const Json& item : list.items(1000)) {
    components.push_back(read_component(item));
    mass += components.back().mass;
    moment += components.back().mass * components.back().com;
  }
  if (!(mass > 0.0)) list.fail("have no mass in sum, expected a body that has");
  Vector3d com = moment / mass;
  Matrix3d J = Matrix3d::Zero();
  for (const Component& part : components) {
    const Vector3d r = part.com - com;
    J += part.inertia + part.mass * (r.squaredNorm() * Matrix3d::Identity() - r * r.transpose());
  }
  add_body(car, "chassis", mass, com, J, true);
  return com;
}

void add_antirollbar(Car& car, const Json& file, const Vector3d& location, const Axle& axle,
                     const std::string& suffix) {
  const Json name = file.at("Template");
  if (name.text() != "AntirollBarRSD")
    name.fail("is '" + printable(name.text()) + "', which is not covered, expected AntirollBarRSD");
  const Json arm = file.at("Arm");
  const double length = arm.at("Length").positive();
  const double width = arm.at("Width").number();
  const double height = file.at("Droplink").at("Height").number();
  const std::array<std::string, 2> arms{join("antiroll_arm", axle[0].suffix),
                                        join("antiroll_arm", axle[1].suffix)};
  for (std::size_t s = 0; s < 2; ++s) {
    const double sign = s == 0 ? 1.0 : -1.0;
    add_part(car, arm, arms[s], location + Vector3d(0.0, sign * 0.5 * length, 0.0));
    const Vector3d top = location + Vector3d(width, sign * length, 0.0);
    const Vector3d foot = top + Vector3d(0.0, 0.0, height);
    add_rod(car, file.at("Droplink"), join("droplink", axle[s].suffix), arms[s],
            axle[s].antiroll_body, top, foot);
  }
  add_revolute(car, join("antiroll_joint", axle[0].suffix), "chassis", arms[0],
               location + Vector3d(0.0, 0.5 * length, 0.0), Vector3d::UnitY());
  add_revolute(car, join("antiroll_joint", axle[1].suffix), arms[0], arms[1], location,
               Vector3d::UnitY());
  const Json spring = file.at("RSD");
  XmlNode bar = element("rotational_spring");
  bar.set("name", join("antiroll_bar", suffix)).set("a", arms[0]).set("b", arms[1]);
  bar.set("point", Vector3d(car.origin + location)).set("axis", Vector3d(Vector3d::UnitY()));
  bar.set("stiffness", spring.at("Spring Coefficient").not_negative());
  bar.set("damping", spring.at("Damping Coefficient").not_negative());
  car.elements.push_back(std::move(bar));
}

}  // namespace semirec::chrono
