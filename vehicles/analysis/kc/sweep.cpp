#include "vehicles/analysis/kc/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "topology/indices.hpp"
#include "topology/largest_magnitude.hpp"

namespace semirec {

namespace {

constexpr int kHalvings = 6;
constexpr double kMostSteer = 1.5;  // rad: a wheel that stands across has no toe or camber

/// Whether Newton went to another way of assembling the linkage, far more than a step should move.
bool jumped(const Reading& before, const Reading& after, double step_of_height) {
  for (std::size_t w = 0; w < before.wheels.size(); ++w) {
    const WheelReading& a = before.wheels[w];
    const WheelReading& b = after.wheels[w];
    if ((a.centre - b.centre).norm() > 0.05 + 3.0 * step_of_height) return true;
    if (std::abs(std::remainder(a.steer - b.steer, 2.0 * std::acos(-1.0))) > 0.4) return true;
    if (std::abs(a.inclination - b.inclination) > 0.3) return true;
  }
  return false;
}

bool stands_across(const Reading& reading) {
  return std::any_of(reading.wheels.begin(), reading.wheels.end(),
                     [](const WheelReading& wheel) { return std::abs(wheel.steer) > kMostSteer; });
}

enum class Move { done, locked, across };

/// Moves to a value of the variable, if an equilibrium is near and no wheel stands across there.
Move go(const Rig& rig, const Sweep& sweep, double value, SweepPoint& point, RigTangent& tangent,
        Workspace& ws) {
  RigCommand command = moved(make_command(rig), value, sweep.direction);
  command.constant_load = sweep.direction.constant_load;
  RigState state = point.state;
  if (!find_rig_equilibrium(rig, command, state, tangent, ws)) return Move::locked;
  const double height =
      std::abs(value - point.variable) * largest_magnitude(sweep.direction.height);
  const Reading reading = read_rig(rig, state, ws);
  if (jumped(read_rig(rig, point.state, ws), reading, height)) return Move::locked;
  if (stands_across(reading)) return Move::across;
  point = {value, command, std::move(state)};
  return Move::done;
}

void run_half(const Rig& rig, const Sweep& sweep, double sign, SweepPoint point, Workspace& ws,
              std::vector<SweepPoint>& points, std::vector<std::string>& notes) {
  RigTangent tangent;
  const int steps = (sweep.points - 1) / 2;
  for (int k = 1; k <= steps; ++k) {
    const double target = sign * sweep.reach * k / steps;
    double part = target - point.variable;
    int halved = 0;
    Move move = Move::done;
    while (point.variable != target) {
      const double rest = target - point.variable;
      const bool last = std::abs(part) >= std::abs(rest) * (1.0 - 1e-12);
      move = go(rig, sweep, last ? target : point.variable + part, point, tangent, ws);
      if (move == Move::done) continue;
      tangent.scale = 0.0;
      if (++halved > kHalvings) break;
      part *= 0.5;
    }
    const bool there = point.variable == target;
    // the middle is put there by who calls
    const bool moved = point.variable != (points.empty() ? 0.0 : points.back().variable);
    if (there || moved) points.push_back(point);
    if (there) continue;
    std::ostringstream text;
    text << sweep.test << ": ends at " << point.variable << " " << sweep.variable.unit
         << " instead of " << sign * sweep.reach
         << (move == Move::across
                 ? ": beyond, a wheel stands across and has no toe or camber"
                 : ": no equilibrium is found beyond, the linkage locks or gives way");
    notes.push_back(text.str());
    return;
  }
}

}  // namespace

std::vector<SweepPoint> run_sweep(const Rig& rig, const RigState& design, const Sweep& sweep,
                                  Workspace& ws, std::vector<std::string>& notes) {
  RigCommand command = make_command(rig);
  command.constant_load = sweep.direction.constant_load;
  const SweepPoint middle{0.0, command, design};
  std::vector<SweepPoint> points;
  run_half(rig, sweep, -1.0, middle, ws, points, notes);
  std::reverse(points.begin(), points.end());
  points.push_back(middle);
  run_half(rig, sweep, 1.0, middle, ws, points, notes);
  return points;
}

Table sweep_table(const std::string& name, const Rig& rig, const Axle& axle, const Sweep& sweep,
                  const std::vector<SweepPoint>& points, const Reading& design, Workspace& ws) {
  Table table;
  table.name = name;
  table.columns.push_back(sweep.variable);
  for (const char* side : {"_left", "_right"}) {
    for (const auto& [what, unit] : {std::pair{"load", "N"},
                                     {"toe", "rad"},
                                     {"camber", "rad"},
                                     {"steer", "rad"},
                                     {"contact_dx", "m"},
                                     {"contact_dy", "m"},
                                     {"contact_dz", "m"},
                                     {"centre_dx", "m"},
                                     {"centre_dy", "m"},
                                     {"centre_dz", "m"}})
      table.columns.push_back({std::string(what) + side, unit});
  }
  for (const SweepPoint& point : points) {
    const Reading reading = read_rig(rig, point.state, ws);
    std::vector<double> row{point.variable};
    for (const double side : {1.0, -1.0}) {
      const std::size_t w = at(side > 0.0 ? axle.left : axle.right);
      const WheelReading& wheel = reading.wheels[w];
      for (const double value :
           {wheel.load, toe_of(wheel, side), camber_of(wheel, side), wheel.steer})
        row.push_back(value);
      const Eigen::Vector3d contact = wheel.contact - design.wheels[w].contact;
      const Eigen::Vector3d centre = wheel.centre - design.wheels[w].centre;
      row.insert(row.end(), contact.data(), contact.data() + 3);
      row.insert(row.end(), centre.data(), centre.data() + 3);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

int find_column(const Table& table, const std::string& name) {
  for (std::size_t k = 0; k < table.columns.size(); ++k)
    if (table.columns[k].name == name) return static_cast<int>(k);
  return -1;
}

}  // namespace semirec
