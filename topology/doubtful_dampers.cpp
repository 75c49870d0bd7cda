#include "topology/doubtful_dampers.hpp"

#include <sstream>

namespace semirec {

namespace {

/// The first of some rates at which the damper gives power; 0: at none of them.
double find_driving_rate(const Curve& damper) {
  for (const double size : {0.01, 0.03, 0.1, 0.3, 1.0})
    for (const double rate : {size, -size})
      if (damper.value(rate) * rate < 0.0) return rate;
  return 0.0;
}

void add_line(const auto& element, const char* unit, std::vector<std::string>& lines) {
  const double rate = find_driving_rate(element.damper);
  if (rate == 0.0) return;
  std::ostringstream text;
  text << "has a damper that pushes along with the motion at " << rate << ' ' << unit
       << " and gives it energy; it is taken as written";
  lines.emplace_back(ModelError(element.source, element.name, text.str()).what());
}

}  // namespace

std::vector<std::string> find_doubtful_dampers(const Mechanism& mechanism) {
  std::vector<std::string> lines;
  for (const SpringDamper& spring : mechanism.springs) add_line(spring, "m/s", lines);
  for (const RotationalSpringDamper& spring : mechanism.rotational_springs)
    add_line(spring, "rad/s", lines);
  return lines;
}

}  // namespace semirec
