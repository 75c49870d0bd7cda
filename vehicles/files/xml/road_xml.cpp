#include "vehicles/files/xml/road_xml.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "vehicles/files/xml/functions.hpp"
#include "vehicles/road/crg_file.hpp"
#include "vehicles/road/crg_surface.hpp"
#include "vehicles/road/layered_surface.hpp"
#include "vehicles/road/obstacles.hpp"
#include "vehicles/road/profile_surface.hpp"
#include "vehicles/road/random_road.hpp"
#include "vehicles/road/rdf_file.hpp"

namespace semirec {

namespace {

/// Every question to the road asks each layer.
constexpr std::size_t kMostLayers = 200;

bool is_profile(const Element& part) {
  static const std::vector<std::string> kinds{"flat", "table", "cosine_bump", "left", "right"};
  return std::find(kinds.begin(), kinds.end(), part.kind) != kinds.end();
}

void read_profiles(const Element& road, Scenario& scenario) {
  const Element* left = road.child("left");
  const Element* right = road.child("right");
  if (left == nullptr && right == nullptr) {
    scenario.road.left = scenario.road.right = read_road_profile(road);
    return;
  }
  if (left == nullptr || right == nullptr || road.children.size() > 2)
    road.fail("<road> has one side beside something else, expected <left> and <right> only");
  scenario.road.left = read_road_profile(*left);
  scenario.road.right = read_road_profile(*right);
}

void read_range(const Element& part, const char* from, const char* to, double& low, double& high) {
  low = part.number(from, low);
  high = part.number(to, high);
  if (low >= high) part.fail(to, "is not above '" + std::string(from) + "', expected more");
}

Lane read_lane(const Element& part) {
  Lane lane;
  read_range(part, "y_from", "y_to", lane.y_from, lane.y_to);
  return lane;
}

std::shared_ptr<const RoadSurface> read_plank(const Element& part) {
  const double length = part.number("length");
  const double bevel = part.number("bevel");
  if (2.0 * bevel > length)
    part.fail("bevel", "is longer than half of 'length', expected two flanks within the plank");
  return std::make_shared<Plank>(part.number("start"), length, part.number("height"), bevel,
                                 read_lane(part));
}

std::shared_ptr<const RoadSurface> read_inclination(const Element& part) {
  const double slope = std::tan(part.number("angle"));
  const double bank = std::tan(part.number("bank"));
  if (!part.has("angle") && !part.has("bank"))
    part.fail("angle", "is missing, expected it or 'bank'");
  if (!part.has("start") && !part.has("end")) {
    if (part.has("y_from") || part.has("y_to"))
      part.fail("<slope> has a lane without 'start', expected both or none");
    return std::make_shared<InclinedPlane>(0.0, slope, bank);
  }
  if (part.has("bank")) part.fail("bank", "stands beside 'start' or 'end', expected it alone");
  const double start = part.number("start");
  const double end = part.number("end", 1e6);
  if (end <= start) part.fail("end", "is not above 'start', expected more");
  return std::make_shared<Ramp>(start, end, slope, read_lane(part));
}

std::shared_ptr<const RoadSurface> read_sine_road(const Element& part) {
  double start = 0.0;
  double end = 1e300;
  read_range(part, "start", "end", start, end);
  return std::make_shared<SineRoad>(part.number("amplitude"), part.number("wavelength"), start, end,
                                    read_lane(part));
}

std::shared_ptr<const RoadSurface> read_random_road(const Element& part) {
  RandomRoadSettings settings;
  settings.road_class = static_cast<char>('A' + part.choice("class"));
  settings.seed = static_cast<std::uint64_t>(part.number("seed"));
  settings.length = part.number("length");
  settings.coherence = part.number("coherence");
  settings.track = part.number("track");
  settings.width = part.number("width");
  if (!(count_heights(settings) <= kMostHeights))
    part.fail("width",
              "makes too many tracks for this length, expected at most 2^24 heights in all, 20 to "
              "41 on each metre of each track");
  return std::make_shared<RandomRoad>(settings);
}

FrictionPatch read_friction(const Element& part) {
  FrictionPatch patch;
  patch.friction = part.number("mu");
  read_range(part, "x_from", "x_to", patch.x_from, patch.x_to);
  read_range(part, "y_from", "y_to", patch.y_from, patch.y_to);
  return patch;
}

std::string beside(const Element& part) {
  return (std::filesystem::path(part.source.file).parent_path() / part.text("file")).string();
}

/// A file's own complaint names the file; one that cannot be opened is the scenario's fault.
std::shared_ptr<const RoadSurface> read_file(const Element& part, Scenario& scenario) {
  const std::string path = beside(part);
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    part.fail("file", "is '" + part.text("file") + "', but '" + path +
                          "' is no file, expected a road file, its path relative to this one");
  std::shared_ptr<const RoadSurface> surface;
  std::vector<std::string> notes;
  if (part.kind == "crg") {
    const CrgFile file = read_crg(path);
    surface = std::make_shared<CrgSurface>(file, &notes);
  } else {
    RdfRoad road = read_rdf(path);
    surface = std::move(road.surface);
    notes = std::move(road.notes);
  }
  scenario.road_notes.insert(scenario.road_notes.end(), notes.begin(), notes.end());
  const double x = part.number("x");
  const double y = part.number("y");
  const double z = part.number("offset");
  const double heading = part.number("heading");
  if (x == 0.0 && y == 0.0 && z == 0.0 && heading == 0.0) return surface;
  return std::make_shared<PlacedSurface>(std::move(surface), x, y, z, heading);
}

std::shared_ptr<const RoadSurface> read_layer(const Element& part, Scenario& scenario) {
  if (part.kind == "crg" || part.kind == "rdf") return read_file(part, scenario);
  if (part.kind == "plank") return read_plank(part);
  if (part.kind == "slope") return read_inclination(part);
  if (part.kind == "sine_road") return read_sine_road(part);
  if (part.kind == "half_round")
    return std::make_shared<HalfRound>(part.number("x"), part.number("radius"), read_lane(part));
  return read_random_road(part);
}

}  // namespace

void read_road(const Element& road, Scenario& scenario) {
  Element profiles = road;
  profiles.children.clear();
  for (const Element& part : road.children)
    if (is_profile(part)) profiles.children.push_back(part);
  const std::size_t layers = road.children.size() - profiles.children.size();
  if (layers == 0) {
    read_profiles(road, scenario);
    return;
  }
  if (layers > kMostLayers)
    road.fail("<road> has " + std::to_string(layers) + " layers, expected at most " +
              std::to_string(kMostLayers));

  std::vector<std::shared_ptr<const RoadSurface>> surfaces;
  std::vector<FrictionPatch> patches;
  if (!profiles.children.empty()) {
    read_profiles(profiles, scenario);
    surfaces.push_back(std::make_shared<ProfileSurface>(scenario.road.left, scenario.road.right));
  }
  for (const Element& part : road.children) {
    if (is_profile(part)) continue;
    if (part.kind == "friction")
      patches.push_back(read_friction(part));
    else
      surfaces.push_back(read_layer(part, scenario));
  }
  scenario.surface = surfaces.size() == 1 && patches.empty()
                         ? surfaces.front()
                         : std::make_shared<LayeredSurface>(surfaces, patches);
}

}  // namespace semirec
