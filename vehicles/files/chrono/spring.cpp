#include <algorithm>
#include <cmath>

#include "vehicles/files/chrono/car.hpp"

// Chrono counts forces of springs positive when they push and lengths of springs from their free
// length; a vehicle file counts tension positive and full lengths.

namespace semirec::chrono {

namespace {

using Eigen::Vector3d;
using TablePoints = std::vector<std::pair<double, double>>;

/// Force of Chrono's stops over the way into them: the curve that is built into it.
const TablePoints kStop{{0.0, 0.0},      {2e-3, 200.0},    {4e-3, 400.0},   {6e-3, 600.0},
                        {8e-3, 800.0},   {10e-3, 1000.0},  {20e-3, 2500.0}, {30e-3, 4500.0},
                        {40e-3, 7500.0}, {50e-3, 12500.0}, {60e-3, 125e3}};
/// Degressive dampers become tables up to this rate, m/s, with this many points on each side.
constexpr double kFastestTravel = 6.0;
constexpr int kDegressivePoints = 60;

XmlNode table(const TablePoints& points) {
  XmlNode node = element("table");
  for (const auto& [x, f] : points) {
    XmlNode point = element("point");
    point.set("x", x).set("f", f);
    node.add(std::move(point));
  }
  return node;
}

XmlNode holding(const std::string& tag, XmlNode child) {
  XmlNode node = element(tag);
  node.add(std::move(child));
  return node;
}

XmlNode between(const Car& car, const std::string& name, const std::string& a, const std::string& b,
                const Vector3d& point_a, const Vector3d& point_b) {
  XmlNode node = element("spring");
  node.set("name", name).set("a", a).set("b", b);
  node.set("point_a", Vector3d(car.origin + point_a));
  node.set("point_b", Vector3d(car.origin + point_b));
  return node;
}

double free_length(const Json& part) { return part.at("Free Length").not_negative(); }

/// Over the length, in tension, from over the extension beyond the free length; less the preload.
TablePoints over_length(const Json& part, TablePoints points, double preload) {
  const double free = free_length(part);
  for (auto& [x, f] : points) {
    x += free;
    f -= preload;
  }
  return points;
}

XmlNode degressive_damper(const Json& part) {
  const double c = part.at("Damping Coefficient").not_negative();
  const double in = part.at("Degressivity Compression").not_negative();
  const double out = part.at("Degressivity Expansion").not_negative();
  TablePoints points;
  for (int k = -kDegressivePoints; k <= kDegressivePoints; ++k) {
    const double s = static_cast<double>(k) / kDegressivePoints;
    const double rate = kFastestTravel * s * std::abs(s);
    points.emplace_back(rate, c * rate / (1.0 + (rate < 0.0 ? in : out) * std::abs(rate)));
  }
  return holding("damper", table(points));
}

/// A map of force over extension and rate becomes a spring and a damper if it is their sum.
void add_map(const Json& part, double preload, XmlNode& spring) {
  const Json map = part.at("Map Data");
  std::vector<double> extensions;
  for (const Json& value : part.at("Deformation").items(1000)) extensions.push_back(value.number());
  std::vector<double> rates;
  std::vector<std::vector<double>> forces;
  double largest = 0.0;
  for (const Json& row : map.items(1000)) {
    const std::vector<Json> values = row.items(1001);
    if (values.size() != extensions.size() + 1)
      row.fail("has " + std::to_string(values.size()) + " entries, expected " +
               std::to_string(extensions.size() + 1) + ", a rate and a force a deformation");
    rates.push_back(values[0].number());
    std::vector<double>& line = forces.emplace_back();
    for (std::size_t j = 1; j < values.size(); ++j) {
      line.push_back(values[j].number());
      largest = std::max(largest, std::abs(line.back()));
    }
  }
  if (extensions.size() < 2 || rates.size() < 2)
    map.fail("is smaller than two by two, expected a map");
  // the row nearest to rest is the spring
  std::size_t rest = 0;
  for (std::size_t i = 0; i < rates.size(); ++i)
    if (std::abs(rates[i]) < std::abs(rates[rest])) rest = i;
  TablePoints law, damper;
  for (std::size_t j = 0; j < extensions.size(); ++j) {
    if (j > 0 && extensions[j] <= extensions[j - 1])
      part.at("Deformation").fail("does not ascend, expected more at each point");
    law.emplace_back(extensions[j], forces[rest][j]);
  }
  for (std::size_t i = 0; i < rates.size(); ++i) {
    if (i > 0 && rates[i] <= rates[i - 1])
      map.fail("has rates that do not ascend, expected more in each row");
    const double more = forces[i][0] - forces[rest][0];
    for (std::size_t j = 0; j < extensions.size(); ++j)
      if (std::abs(forces[i][j] - forces[rest][j] - more) > 1e-6 * largest)
        map.fail("is not the sum of a spring and a damper, expected one that is");
    damper.emplace_back(rates[i], more);
  }
  // Chrono's map holds tension: it enters the force with a minus
  spring.add(holding("law", table(over_length(part, law, preload))));
  spring.add(holding("damper", table(damper)));
}

/// Keys that are there and that Chrono, and so this spring, does without beside the others.
void note_idle_keys(Car& car, const Json& part, const XmlNode& spring) {
  const auto holds = [&](const char* tag) {
    return std::any_of(spring.children.begin(), spring.children.end(),
                       [&](const XmlNode& child) { return child.tag == tag; });
  };
  std::string idle;
  const auto look = [&](const char* key, bool used) {
    if (!part.has(key) || used) return;
    idle += (idle.empty() ? "'" : ", '") + std::string(key) + "'";
  };
  const bool map = part.has("Map Data");
  look("Spring Coefficient", holds("stiffness"));
  look("Spring Curve Data", holds("law") && !map);
  look("Damping Coefficient",
       holds("damping") || (holds("damper") && !map && !part.has("Damping Curve Data")));
  look("Damping Curve Data", holds("damper") && !map);
  const bool degressive = holds("damper") && !map && part.has("Damping Coefficient");
  look("Degressivity Compression", degressive);
  look("Degressivity Expansion", degressive);
  if (part.has("Minimum Length") != part.has("Maximum Length")) {
    look("Minimum Length", false);
    look("Maximum Length", false);
  }
  if (!idle.empty())
    car.notes.push_back(
        part.note(part.path() + ": not used beside the others, as in Chrono: " + idle));
}

void add_stops(Car& car, const Json& part, const std::string& name, const std::string& a,
               const std::string& b, const Vector3d& point_a, const Vector3d& point_b) {
  const auto least = part.find("Minimum Length");
  const auto most = part.find("Maximum Length");
  if (!least || !most) return;
  const double shortest = least->not_negative();
  const double longest = most->not_negative();
  if (shortest > longest)
    car.important.push_back(
        part.note(part.path() +
                  ": Minimum Length is above Maximum Length; both stops press at once, as they "
                  "do in Chrono"));
  TablePoints bump, rebound;
  for (auto stop = kStop.rbegin(); stop != kStop.rend(); ++stop)
    bump.emplace_back(shortest - stop->first, -stop->second);
  for (const auto& [way, force] : kStop) rebound.emplace_back(longest + way, force);
  XmlNode below = between(car, name + "_bump", a, b, point_a, point_b);
  car.elements.push_back(below.add(holding("law", table(bump))));
  XmlNode above = between(car, name + "_rebound", a, b, point_a, point_b);
  car.elements.push_back(above.add(holding("law", table(rebound))));
}

}  // namespace

void add_spring(Car& car, const Json& part, const std::string& name, const std::string& a,
                const std::string& b, const Vector3d& point_a, const Vector3d& point_b) {
  (void)direction(part, point_a, point_b);
  XmlNode spring = between(car, name, a, b, point_a, point_b);
  const auto given = part.find("Preload");
  const double preload = given ? given->number() : 0.0;
  const auto stiffness = part.find("Spring Coefficient");
  // files before Chrono 8 have one key for both curves
  auto curve = part.find("Spring Curve Data");
  auto damper = part.find("Damping Curve Data");
  if (const auto old = part.find("Curve Data")) {
    if (part.has("Free Length") && !curve)
      curve = old;
    else if (!damper)
      damper = old;
  }
  const auto damping = part.find("Damping Coefficient");
  if ((curve && damping) || (stiffness && damper))
    part.fail(
        "mixes a coefficient with a curve, of which Chrono takes the curve alone, expected two of "
        "a kind");
  bool elastic = true;
  if (part.has("Map Data")) {
    add_map(part, preload, spring);
  } else if (curve) {
    spring.add(holding("law", table(over_length(part, curve->curve(), preload))));
  } else if (stiffness) {
    const double k = stiffness->positive();
    XmlNode linear = element("stiffness");
    linear.set("k", k).set("free_length", free_length(part) + preload / k);
    spring.add(std::move(linear));
  } else {
    elastic = false;
  }
  if (part.has("Map Data")) {
    // both are in the map
  } else if (damper) {
    spring.add(holding("damper", table(damper->curve())));
  } else if (damping && !stiffness && part.has("Degressivity Compression") &&
             part.has("Degressivity Expansion")) {
    spring.add(degressive_damper(part));
    car.notes.push_back(damping->note(part.path() + ": degressive damper, as a table up to 6 m/s"));
  } else if (damping) {
    spring.add(element("damping").set("c", damping->not_negative()));
  }
  note_idle_keys(car, part, spring);
  if (spring.children.empty())
    part.fail(
        "has no force, expected 'Spring Coefficient', 'Spring Curve Data', 'Damping Coefficient', "
        "'Damping Curve Data' or 'Map Data'");
  car.elements.push_back(std::move(spring));
  if (elastic) add_stops(car, part, name, a, b, point_a, point_b);
}

void add_spring_and_shock(Car& car, const Json& suspension, const Side& side,
                          const std::string& body, const char* end) {
  for (const auto& [key, name] : {std::pair("Spring", "spring"), std::pair("Shock", "shock")}) {
    const Json part = suspension.at(key);
    add_spring(car, part, join(name, side.suffix), "chassis", body,
               side.point(part.at("Location Chassis").vector()), side.point(part.at(end).vector()));
  }
}

}  // namespace semirec::chrono
