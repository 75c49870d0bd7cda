#include "vehicles/session/end_notes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <utility>

#include "integrator/formulation/evaluate.hpp"
#include "integrator/outputs/drawn_axes.hpp"
#include "integrator/same_time.hpp"
#include "topology/indices.hpp"
#include "topology/quoted_names.hpp"
#include "vehicles/road/crg_surface.hpp"
#include "vehicles/road/layered_surface.hpp"
#include "vehicles/road/mesh_surface.hpp"
#include "vehicles/road/random_road.hpp"

namespace semirec {

namespace {

bool has_rolled_over(const Drive& drive, BodyIndex body, const Workspace& ws) {
  return find_drawn_axes(drive.model, body, ws.tree)(2, 2) < std::cos(kRolledOver);
}

/// Of the units behind the first one.
std::string describe_rolled_over(const Drive& drive, const Workspace& ws) {
  std::string names;
  for (std::size_t u = 1; u < drive.units.size(); ++u)
    if (has_rolled_over(drive, drive.units[u].frame, ws)) add_quoted(names, drive.units[u].name);
  if (names.empty()) return {};
  return "rolled over: " + names +
         "; nothing but wheels touches the road, so what follows that is no motion of a trailer";
}

/// Of the random roads in it the nearest distance from the middle to its last tracks, m.
double find_half_width(const RoadSurface& road) {
  if (const auto* random = dynamic_cast<const RandomRoad*>(&road)) return random->half_width();
  double half_width = std::numeric_limits<double>::infinity();
  if (const auto* layered = dynamic_cast<const LayeredSurface*>(&road))
    for (const auto& layer : layered->layers())
      half_width = std::min(half_width, find_half_width(*layer));
  return half_width;
}

/// Whether all wheels are beside the tracks of a random road, on one side of it.
bool has_left_tracks(const Drive& drive, const RoadSurface& road, const Workspace& ws) {
  const double half_width = find_half_width(road);
  double nearest = std::numeric_limits<double>::infinity();
  double farthest = -nearest;
  for (const Wheel& wheel : drive.wheels) {
    const double y =
        (ws.tree.origin + ws.tree.position_of(drive.model.tree.attach(wheel.centre))).y();
    nearest = std::min(nearest, y);
    farthest = std::max(farthest, y);
  }
  return nearest > half_width || farthest < -half_width;
}

/// Whether a place lies beside the triangles or the grid of a road that is nothing else: a Mesh.
/// (On another layer they are an obstacle.)
template <typename Mesh>
bool is_beside(const RoadSurface& road, double x, double y) {
  if (const auto* mesh = dynamic_cast<const Mesh*>(&road)) return !mesh->covers(x, y);
  if (const auto* placed = dynamic_cast<const PlacedSurface*>(&road)) {
    const Eigen::Vector2d own = placed->in_road(x, y);
    return is_beside<Mesh>(placed->road(), own.x(), own.y());
  }
  const auto* layered = dynamic_cast<const LayeredSurface*>(&road);
  return layered != nullptr && !layered->layers().empty() &&
         std::all_of(layered->layers().begin(), layered->layers().end(),
                     [&](const auto& layer) { return is_beside<Mesh>(*layer, x, y); });
}

template <typename Mesh>
std::string name_wheels_beside(const Drive& drive, const RoadSurface& road, const Workspace& ws) {
  std::string names;
  for (const Wheel& wheel : drive.wheels) {
    const Eigen::Vector3d centre =
        ws.tree.origin + ws.tree.position_of(drive.model.tree.attach(wheel.centre));
    if (is_beside<Mesh>(road, centre.x(), centre.y())) add_quoted(names, wheel.name);
  }
  return names;
}

/// A line about wheels that end where a road of triangles or a grid has none; empty where there are
/// none.
std::string describe_beside(const Drive& drive, const RoadSurface& road, const Workspace& ws) {
  if (const std::string names = name_wheels_beside<MeshSurface>(drive, road, ws); !names.empty())
    return "at the end no triangle of the road's mesh is under these wheels, where it lies at the "
           "height of its lowest node: " +
           names;
  if (const std::string names = name_wheels_beside<CrgSurface>(drive, road, ws); !names.empty())
    return "at the end these wheels are beside the road's crg grid, before or behind it, where its "
           "border modes hold: " +
           names;
  return {};
}

/// The bushing with unequal or relaxing stiffnesses about its axes that has turned farthest, where
/// that is far.
std::string describe_turned_bushing(const Model& model, const RunReport& report) {
  constexpr double kFar = 0.3;     // rad
  constexpr double kAlike = 1e-3;  // of the largest
  const FarthestTurn* farthest = nullptr;
  bool relaxes = false;
  for (const Bushing& bushing : model.mechanism.bushings) {
    const Eigen::Vector3d k = bushing.stiffness.tail<3>();
    const bool relaxing = bushing.relaxing_stiffness.tail<3>().any();
    if (!relaxing && k.maxCoeff() - k.minCoeff() <= kAlike * k.maxCoeff()) continue;
    for (const FarthestTurn& turn : report.farthest_turns) {
      if (turn.element != bushing.name || turn.angle < kFar) continue;
      if (farthest != nullptr && turn.angle <= farthest->angle) continue;
      farthest = &turn;
      relaxes = relaxing;
    }
  }
  if (farthest == nullptr) return {};
  std::ostringstream text;
  text.precision(2);
  text << "bushing '" << farthest->element << "' was turned by " << farthest->angle
       << " rad at t = ";
  text.precision(4);
  text << farthest->t << " s, with " << (relaxes ? "relaxing" : "unequal")
       << " stiffnesses about its axes: so far its moment is the "
          "gradient of no energy, and the balance is off by that, too, however short the step";
  return text.str();
}

/// A line about events whose time a run that has come to its end has not reached; empty where there
/// are none.
std::string describe_late_events(const RunSettings& settings, const RunReport& report) {
  std::ostringstream late;
  late.precision(12);
  for (const Event& event : settings.events)
    if (event.is_timed() && !has_come(event.time, report.end_time, settings.step.h))
      late << (late.tellp() > 0 ? ", '" : "'") << event.name << "' at " << event.time << " s";
  if (late.tellp() <= 0 || report.status != RunStatus::finished) return {};
  std::ostringstream text;
  text.precision(12);
  text << "events lie behind the end of the run at " << report.end_time
       << " s and have not happened: " << late.str();
  return text.str();
}

/// A line about events that a run has waited for in vain.
std::string describe_missed_events(const RunSettings& settings, const RunReport& report) {
  std::string names;
  if (report.status != RunStatus::finished) return names;
  for (const Event& event : settings.events) {
    const bool happened =
        std::any_of(report.events.begin(), report.events.end(),
                    [&](const RunReport::Happened& one) { return one.event == event.name; });
    if (!event.is_timed() && !happened) add_quoted(names, event.name);
  }
  return names.empty()
             ? names
             : "events whose channel has not crossed their level have not happened: " + names;
}

}  // namespace

std::vector<std::string> find_end_notes(const Drive& drive, const RoadSurface* road,
                                        const RunReport& report, const State& end, Workspace& ws) {
  std::vector<std::string> notes;
  for (std::string line : {describe_late_events(drive.settings, report),
                           describe_missed_events(drive.settings, report)})
    if (!line.empty()) notes.push_back(std::move(line));
  if (!end.z.allFinite()) return notes;
  evaluate_state(drive.model, end, ws);
  if (is_balance_broken(report))
    if (std::string line = describe_turned_bushing(drive.model, report); !line.empty())
      notes.push_back(std::move(line));
  if (drive.chassis == kGround || drive.wheels.empty()) return notes;
  if (std::string line = describe_rolled_over(drive, ws); !line.empty())
    notes.push_back(std::move(line));
  if (has_rolled_over(drive, drive.chassis, ws))
    notes.emplace_back(
        "the car has rolled over: nothing but wheels touches the road, so what follows the "
        "roll-over "
        "is no motion of a car");
  else if (std::string line = road != nullptr ? describe_beside(drive, *road, ws) : "";
           !line.empty())
    notes.push_back(std::move(line));
  else if (road != nullptr && has_left_tracks(drive, *road, ws))
    notes.emplace_back(
        "the wheels end beside the tracks of the random road, where its heights do not change "
        "across: left and right they drive over the same; its 'width' gives it more tracks");
  return notes;
}

}  // namespace semirec
