#include "topology/doubtful_dampers.hpp"

#include <cmath>
#include <sstream>

#include "topology/indices.hpp"
#include "topology/joint_type.hpp"

namespace semirec {

namespace {

/// The first of some rates at which the damper gives power; 0: at none of them.
double find_driving_rate(const Curve& damper) {
  for (const double size : {0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0})
    for (const double rate : {size, -size})
      if (damper.value(rate) * rate < 0.0) return rate;
  for (const double rate : damper.breakpoints())
    if (damper.value(rate) * rate < 0.0) return rate;
  return 0.0;
}

void add_line(const auto& element, const char* unit, std::vector<std::string>& lines) {
  const auto add = [&](const std::string& text) {
    lines.emplace_back(ModelError(element.source, element.name, text).what());
  };
  if (const double rate = find_driving_rate(element.damper); rate != 0.0) {
    std::ostringstream text;
    text << "has a damper that pushes along with the motion at " << rate << ' ' << unit
         << " and gives it energy; it is taken as written";
    add(text.str());
  }
  const double below = element.damper.evaluate(0.0, /*from_left=*/true).f;
  const double above = element.damper.value(0.0);
  // corners of tables are off by rounding
  constexpr double kRounding = 1e-9;
  const double size = std::abs(element.damper.value(1.0)) + std::abs(element.damper.value(-1.0));
  if (std::abs(above - below) > kRounding * size) {
    std::ostringstream text;
    text << "has a damper that jumps from " << below << " to " << above
         << " at rest: it holds nothing there, and what stands counts as moving to one side; "
            "expected a steep slope through zero";
    add(text.str());
  }
}

}  // namespace

std::vector<std::string> find_doubtful_dampers(const Mechanism& mechanism) {
  std::vector<std::string> lines;
  for (const SpringDamper& spring : mechanism.springs) add_line(spring, "m/s", lines);
  for (const RotationalSpringDamper& spring : mechanism.rotational_springs)
    add_line(spring, "rad/s", lines);
  for (const CoordinateForce& force : mechanism.coordinate_forces) {
    const JointType type = mechanism.joints[at(force.joint)].type;
    add_line(force, coordinate_turns(type, force.coordinate) ? "rad/s" : "m/s", lines);
  }
  return lines;
}

}  // namespace semirec
