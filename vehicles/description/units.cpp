#include "vehicles/description/units.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "topology/indices.hpp"

namespace semirec {

namespace {

constexpr double kSameAxle = 0.2;         // m
constexpr double kLeastUpright = 0.9063;  // cosine of 25 degrees
constexpr int kNowhere = -1;

Frame design_pose(const Mechanism& mechanism, const Marker& marker) {
  return marker.body == kGround ? marker.X_BF
                                : mechanism.bodies[at(marker.body)].X_WB * marker.X_BF;
}

/// Bodies and what holds them together; the ground is none of them.
struct Bonds {
  struct Bond {
    int to;
    JointIndex joint;  ///< -1: an element
  };
  std::vector<std::vector<Bond>> of;  ///< [body]

  void add(const Marker& a, const Marker& b, JointIndex joint) {
    if (a.body == kGround || b.body == kGround) return;
    of[at(a.body)].push_back({b.body, joint});
    of[at(b.body)].push_back({a.body, joint});
  }
};

Bonds find_bonds(const Mechanism& mechanism) {
  Bonds bonds;
  bonds.of.resize(mechanism.bodies.size());
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j)
    bonds.add(mechanism.joints[j].a, mechanism.joints[j].b, static_cast<JointIndex>(j));
  for (const Constraint& constraint : mechanism.constraints)
    bonds.add(constraint.a, constraint.b, -1);
  for (const Bushing& bushing : mechanism.bushings)
    if (!bushing.stiffness.isZero()) bonds.add(bushing.a, bushing.b, -1);
  for (const SpringDamper& spring : mechanism.springs)
    if (!spring.spring.is_zero()) bonds.add(spring.a, spring.b, -1);
  return bonds;
}

/// Bodies that are reached from one of them, not by the joints that are left out.
std::vector<char> reach(const Bonds& bonds, int from, const std::vector<char>& left_out) {
  std::vector<char> reached(bonds.of.size(), 0);
  std::vector<int> front{from};
  reached[at(from)] = 1;
  while (!front.empty()) {
    const int body = front.back();
    front.pop_back();
    for (const Bonds::Bond& bond : bonds.of[at(body)]) {
      if (reached[at(bond.to)] || (bond.joint >= 0 && left_out[at(bond.joint)])) continue;
      reached[at(bond.to)] = 1;
      front.push_back(bond.to);
    }
  }
  return reached;
}

/// Whether the yaw angle of b against a is free by the joint's type, and nobody turns it.
bool yaws_freely(const Mechanism& mechanism, JointIndex index) {
  const Joint& joint = mechanism.joints[at(index)];
  if (joint.a.body == kGround || joint.b.body == kGround) return false;
  const Eigen::Vector3d z = design_pose(mechanism, joint.a).A.col(2);
  if (joint.type == JointType::revolute) {
    if (std::abs(z.z()) < kLeastUpright) return false;
  } else if (joint.type == JointType::universal) {
    const Eigen::Vector3d fixed = z.cross(design_pose(mechanism, joint.b).A.col(0));
    if (fixed.z() * fixed.z() > 1.0 - kLeastUpright * kLeastUpright) return false;
  } else if (joint.type != JointType::spherical) {
    return false;
  }
  return std::none_of(mechanism.motions.begin(), mechanism.motions.end(),
                      [&](const PrescribedMotion& motion) { return motion.joint == index; }) &&
         std::none_of(mechanism.coordinate_forces.begin(), mechanism.coordinate_forces.end(),
                      [&](const CoordinateForce& force) {
                        return force.joint == index && force.applied != kNoInput;
                      });
}

Eigen::Vector3d centre_of(const Vehicle& vehicle, int wheel) {
  return design_pose(vehicle.mechanism, vehicle.wheels[at(wheel)].centre).p;
}

/// Hitches by the rule, [joint].
std::vector<char> find_hitches(const Vehicle& vehicle, const Bonds& bonds) {
  const Mechanism& mechanism = vehicle.mechanism;
  std::vector<char> hitches(mechanism.joints.size(), 0);
  std::vector<char> without(mechanism.joints.size(), 0);
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    if (!yaws_freely(mechanism, static_cast<JointIndex>(j))) continue;
    const Joint& joint = mechanism.joints[j];
    without[j] = 1;
    const std::vector<char> near = reach(bonds, vehicle.chassis, without);
    const bool a_near = near[at(joint.a.body)] != 0;
    if (a_near != (near[at(joint.b.body)] != 0)) {
      const std::vector<char> far = reach(bonds, a_near ? joint.b.body : joint.a.body, without);
      const double middle = design_pose(mechanism, joint.a).p.y();
      bool left = false;
      bool right = false;
      for (std::size_t w = 0; w < vehicle.wheels.size(); ++w)
        if (far[at(vehicle.wheels[w].centre.body)])
          (centre_of(vehicle, static_cast<int>(w)).y() > middle ? left : right) = true;
      if (left && right) hitches[j] = 1;
    }
    without[j] = 0;
  }
  return hitches;
}

/// A unit of every body, from the chassis on; hitches lead to the next. Bodies that nothing joins
/// to the chassis: a unit for each lump of them.
struct Split {
  std::vector<int> unit;  ///< [body]
  std::vector<Unit> units;
};

void flood(const Bonds& bonds, const std::vector<char>& hitches, int from, int unit, Split& split) {
  std::vector<int> front{from};
  split.unit[at(from)] = unit;
  while (!front.empty()) {
    const int body = front.back();
    front.pop_back();
    for (const Bonds::Bond& bond : bonds.of[at(body)]) {
      if (split.unit[at(bond.to)] != kNowhere || (bond.joint >= 0 && hitches[at(bond.joint)]))
        continue;
      split.unit[at(bond.to)] = unit;
      front.push_back(bond.to);
    }
  }
}

Split split_at(const Vehicle& vehicle, const Bonds& bonds, const std::vector<char>& hitches) {
  const Mechanism& mechanism = vehicle.mechanism;
  Split split;
  split.unit.assign(mechanism.bodies.size(), kNowhere);
  split.units.emplace_back();
  flood(bonds, hitches, vehicle.chassis, 0, split);
  // a hitch between a unit that is known and one that is not
  for (bool more = true; more;) {
    more = false;
    for (std::size_t j = 0; j < hitches.size(); ++j) {
      if (!hitches[j]) continue;
      int near = mechanism.joints[j].a.body;
      int far = mechanism.joints[j].b.body;
      if (split.unit[at(near)] == kNowhere) std::swap(near, far);
      if (split.unit[at(near)] == kNowhere || split.unit[at(far)] != kNowhere) continue;
      split.units.emplace_back();
      flood(bonds, hitches, far, static_cast<int>(split.units.size()) - 1, split);
      more = true;
    }
  }
  for (std::size_t b = 0; b < split.unit.size(); ++b) {
    if (split.unit[b] != kNowhere) continue;
    split.units.emplace_back();
    flood(bonds, hitches, static_cast<int>(b), static_cast<int>(split.units.size()) - 1, split);
  }
  return split;
}

/// Bodies of one unit go to the frame that is fewer bonds away; `frames`: the unit's own first.
void divide(const Bonds& bonds, int unit, const std::vector<int>& frames, Split& split) {
  std::vector<int> owner(split.unit.size(), kNowhere);
  std::vector<int> front = frames;
  for (std::size_t k = 0; k < frames.size(); ++k) owner[at(frames[k])] = static_cast<int>(k);
  for (std::size_t k = 0; k < front.size(); ++k)
    for (const Bonds::Bond& bond : bonds.of[at(front[k])]) {
      if (split.unit[at(bond.to)] != unit || owner[at(bond.to)] != kNowhere) continue;
      owner[at(bond.to)] = owner[at(front[k])];
      front.push_back(bond.to);
    }
  std::vector<int> own{unit};
  for (std::size_t k = 1; k < frames.size(); ++k) {
    Unit further;
    further.frame = frames[k];
    own.push_back(static_cast<int>(split.units.size()));
    split.units.push_back(further);
  }
  for (std::size_t b = 0; b < owner.size(); ++b)
    if (owner[b] > 0) split.unit[b] = own[at(owner[b])];
}

double mass_of(const Mechanism& mechanism, int body) { return mechanism.bodies[at(body)].mass; }

/// The heaviest body of a unit; -1 without bodies.
int heaviest_of(const Mechanism& mechanism, const Split& split, int unit) {
  int best = -1;
  for (std::size_t b = 0; b < split.unit.size(); ++b) {
    const int body = static_cast<int>(b);
    if (split.unit[b] == unit && (best < 0 || mass_of(mechanism, body) > mass_of(mechanism, best)))
      best = body;
  }
  return best;
}

/// What a unit moves as, where the file does not say: its heaviest body that is no rim, which
/// spins.
int frame_of(const Vehicle& vehicle, const Split& split, int unit) {
  int best = -1;
  for (std::size_t b = 0; b < split.unit.size(); ++b) {
    const int body = static_cast<int>(b);
    const bool spins = std::any_of(vehicle.wheels.begin(), vehicle.wheels.end(),
                                   [&](const Wheel& wheel) { return wheel.rim == body; });
    if (split.unit[b] == unit && !spins &&
        (best < 0 || mass_of(vehicle.mechanism, body) > mass_of(vehicle.mechanism, best)))
      best = body;
  }
  return best >= 0 ? best : heaviest_of(vehicle.mechanism, split, unit);
}

/// Hitch and leader of all units from the first one on: over joints, over elements where no joint
/// leads there.
void link_units(const Bonds& bonds, Split& split) {
  std::vector<char> linked(split.units.size(), 0);
  linked[0] = 1;
  for (Unit& unit : split.units) {
    unit.leader = -1;
    unit.hitch = -1;
  }
  const auto link = [&](bool by_joints) {
    for (std::size_t b = 0; b < split.unit.size(); ++b) {
      const int own = split.unit[b];
      if (!linked[at(own)]) continue;
      for (const Bonds::Bond& bond : bonds.of[b]) {
        const int other = split.unit[at(bond.to)];
        if (linked[at(other)] || (by_joints && bond.joint < 0)) continue;
        split.units[at(other)].leader = own;
        split.units[at(other)].hitch = bond.joint;
        linked[at(other)] = 1;
        return true;
      }
    }
    return false;
  };
  while (link(true) || link(false)) {
  }
}

void merge(Split& split, int from, int into) {
  for (int& unit : split.unit)
    if (unit == from) unit = into;
}

std::vector<UnitAxle> find_unit_axles(const Vehicle& vehicle, std::vector<int> wheels) {
  const auto centre = [&](int wheel) { return centre_of(vehicle, wheel); };
  std::stable_sort(wheels.begin(), wheels.end(),
                   [&](int a, int b) { return centre(a).x() > centre(b).x(); });
  std::vector<UnitAxle> axles;
  for (std::size_t k = 0; k < wheels.size();) {
    UnitAxle axle;
    const double first = centre(wheels[k]).x();
    std::size_t end = k;
    for (; end < wheels.size() && first - centre(wheels[end]).x() <= kSameAxle; ++end) {
      const Eigen::Vector3d p = centre(wheels[end]);
      (p.y() > 0.0 ? axle.left : axle.right).push_back(wheels[end]);
      axle.x += p.x();
    }
    axle.x /= static_cast<double>(end - k);
    const auto measure = [&](std::vector<int>& side, double& mean, double& outer) {
      if (side.empty()) return;
      std::stable_sort(side.begin(), side.end(), [&](int a, int b) {
        return std::abs(centre(a).y()) > std::abs(centre(b).y());
      });
      for (const int wheel : side) mean += centre(wheel).y() / static_cast<double>(side.size());
      outer = centre(side.front()).y();
    };
    measure(axle.left, axle.y_left, axle.outer_left);
    measure(axle.right, axle.y_right, axle.outer_right);
    axle.name = "axle_" + std::to_string(axles.size() + 1);
    axles.push_back(axle);
    k = end;
  }
  return axles;
}

void name_axles(const Mechanism& mechanism, Unit& unit) {
  if (unit.axles.empty()) return;
  if (unit.axles.size() == 1) {
    const bool ahead = unit.axles[0].x >= find_unit_centre(mechanism, unit).x();
    unit.axles[0].name = ahead ? "front" : "rear";
    return;
  }
  unit.axles.front().name = "front";
  unit.axles.back().name = "rear";
}

std::vector<Unit> make_only_unit(const Vehicle& vehicle) {
  Unit unit;
  unit.name = vehicle.chassis == kGround ? vehicle.mechanism.name
                                         : vehicle.mechanism.bodies[at(vehicle.chassis)].name;
  unit.frame = vehicle.chassis;
  unit.bodies.resize(vehicle.mechanism.bodies.size());
  std::iota(unit.bodies.begin(), unit.bodies.end(), 0);
  unit.wheels.resize(vehicle.wheels.size());
  std::iota(unit.wheels.begin(), unit.wheels.end(), 0);
  return {unit};
}

/// Joins the units that the file refuses to the one in front, those without wheels to the one
/// behind them, or in front where there is none.
void drop_idle(const Vehicle& vehicle, const Bonds& bonds, const std::vector<char>& refused,
               Split& split) {
  for (bool more = true; more;) {
    more = false;
    link_units(bonds, split);
    std::vector<int> wheels(split.units.size(), 0);
    std::vector<int> bodies(split.units.size(), 0);
    std::vector<char> said_no(split.units.size(), 0);
    for (std::size_t b = 0; b < split.unit.size(); ++b) {
      ++bodies[at(split.unit[b])];
      if (refused[b]) said_no[at(split.unit[b])] = 1;
    }
    for (const Wheel& wheel : vehicle.wheels) ++wheels[at(split.unit[at(wheel.centre.body)])];
    for (std::size_t u = 1; u < split.units.size() && !more; ++u) {
      if (bodies[u] == 0) continue;
      const int own = static_cast<int>(u);
      const int leader = std::max(split.units[u].leader, 0);
      if (said_no[u]) {
        merge(split, own, leader);
        more = true;
      } else if (wheels[u] == 0) {
        // a drawbar of its own goes with what hangs on it
        int behind = leader;
        for (std::size_t k = 1; k < split.units.size(); ++k)
          if (split.units[k].leader == own && bodies[k] > 0) behind = static_cast<int>(k);
        merge(split, own, behind);
        more = true;
      }
    }
  }
}

}  // namespace

bool has_wheel(const Unit& unit, int wheel) {
  return std::find(unit.wheels.begin(), unit.wheels.end(), wheel) != unit.wheels.end();
}

bool has_solid_axle(const UnitAxle& axle, const std::vector<Wheel>& wheels) {
  const auto rim = [&](int wheel) { return wheels[static_cast<std::size_t>(wheel)].rim; };
  return std::any_of(axle.left.begin(), axle.left.end(), [&](int left) {
    return rim(left) != kGround && std::any_of(axle.right.begin(), axle.right.end(),
                                               [&](int right) { return rim(right) == rim(left); });
  });
}

double find_unit_mass(const Mechanism& mechanism, const Unit& unit) {
  double mass = 0.0;
  for (const int body : unit.bodies) mass += mass_of(mechanism, body);
  return mass;
}

Eigen::Vector3d find_unit_centre(const Mechanism& mechanism, const Unit& unit) {
  double mass = 0.0;
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
  for (const int index : unit.bodies) {
    const Body& body = mechanism.bodies[at(index)];
    mass += body.mass;
    moment += body.mass * (body.X_WB.p + body.X_WB.A * body.com);
  }
  return mass > 0.0 ? Eigen::Vector3d(moment / mass) : moment;
}

std::vector<Unit> find_units(const Vehicle& vehicle) {
  const Mechanism& mechanism = vehicle.mechanism;
  std::vector<Unit> units;
  const bool on_ground = std::any_of(vehicle.wheels.begin(), vehicle.wheels.end(),
                                     [](const Wheel& w) { return w.centre.body == kGround; });
  if (vehicle.chassis == kGround || vehicle.wheels.empty() || on_ground) {
    units = make_only_unit(vehicle);
  } else {
    const Bonds bonds = find_bonds(mechanism);
    Split split = split_at(vehicle, bonds, find_hitches(vehicle, bonds));
    split.units[0].frame = vehicle.chassis;
    // what the file says
    std::vector<char> refused(mechanism.bodies.size(), 0);
    std::vector<std::vector<int>> frames(split.units.size());
    frames[0].push_back(vehicle.chassis);
    for (const UnitMark& mark : vehicle.unit_marks) {
      if (mark.body == vehicle.chassis) continue;
      if (!mark.own)
        refused[at(mark.body)] = 1;
      else
        frames[at(split.unit[at(mark.body)])].push_back(mark.body);
    }
    for (std::size_t u = 0; u < frames.size(); ++u) {
      if (frames[u].empty()) continue;
      split.units[u].frame = frames[u].front();
      if (frames[u].size() > 1) divide(bonds, static_cast<int>(u), frames[u], split);
    }
    drop_idle(vehicle, bonds, refused, split);
    // those that are left, in the order from front to back
    std::vector<int> number(split.units.size(), kNowhere);
    for (std::size_t pass = 0; pass < split.units.size(); ++pass)
      for (std::size_t u = 0; u < split.units.size(); ++u) {
        const int leader = split.units[u].leader;
        const bool empty = heaviest_of(mechanism, split, static_cast<int>(u)) < 0;
        if (number[u] != kNowhere || empty || (leader >= 0 && number[at(leader)] == kNowhere))
          continue;
        number[u] = static_cast<int>(units.size());
        Unit unit = split.units[u];
        if (leader >= 0) unit.leader = number[at(leader)];
        if (unit.frame == kGround) unit.frame = frame_of(vehicle, split, static_cast<int>(u));
        units.push_back(unit);
      }
    for (std::size_t b = 0; b < split.unit.size(); ++b)
      units[at(number[at(split.unit[b])])].bodies.push_back(static_cast<int>(b));
    for (std::size_t w = 0; w < vehicle.wheels.size(); ++w)
      units[at(number[at(split.unit[at(vehicle.wheels[w].centre.body)])])].wheels.push_back(
          static_cast<int>(w));
    for (Unit& unit : units) unit.name = mechanism.bodies[at(unit.frame)].name;
  }
  for (Unit& unit : units) {
    unit.axles = find_unit_axles(vehicle, unit.wheels);
    name_axles(mechanism, unit);
  }
  return units;
}

AxleGroups group_axles(const std::vector<double>& x) {
  AxleGroups groups;
  if (x.empty()) return groups;
  double widest = 0.0;
  std::size_t split = 0;
  for (std::size_t k = 1; k < x.size(); ++k)
    if (x[k - 1] - x[k] > widest) {
      widest = x[k - 1] - x[k];
      split = k;
    }
  const auto mean = [&](std::size_t from, std::size_t to) {
    return std::accumulate(x.begin() + static_cast<std::ptrdiff_t>(from),
                           x.begin() + static_cast<std::ptrdiff_t>(to), 0.0) /
           static_cast<double>(to - from);
  };
  groups.gap = split == 0 ? x[0] - 1.0 : 0.5 * (x[split - 1] + x[split]);
  groups.front = mean(0, split == 0 ? x.size() : split);
  groups.rear = mean(split, x.size());
  return groups;
}

AxleGroups group_axles(const Unit& unit) {
  std::vector<double> x;
  for (const UnitAxle& axle : unit.axles) x.push_back(axle.x);
  return group_axles(x);
}

std::string describe_units(const std::vector<Unit>& units) {
  bool plain = units.size() == 1 && units[0].axles.size() <= 2;
  if (plain)
    for (const UnitAxle& axle : units[0].axles) plain = plain && axle.wheels() <= 2;
  if (units.empty() || plain) return {};
  const auto count = [](std::size_t n, const char* what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
  };
  std::string text = "counted: ";
  for (std::size_t u = 0; u < units.size(); ++u) {
    const Unit& unit = units[u];
    const std::string numbers = count(unit.wheels.size(), "wheel") +
                                (u == 0 ? " of '" + unit.name + "', " : ", ") +
                                count(unit.axles.size(), "axle");
    text += u == 0 ? numbers : "; '" + unit.name + "': " + numbers;
  }
  return text;
}

bool has_scrubbing_axles(const std::vector<Unit>& units) {
  for (std::size_t u = 0; u < units.size(); ++u)
    if (units[u].axles.size() > (u == 0 ? 2U : 1U)) return true;
  return false;
}

}  // namespace semirec
