#include "vehicles/analysis/modes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include "integrator/formulation/evaluate.hpp"
#include "topology/indices.hpp"
#include "topology/nearest.hpp"
#include "vehicles/analysis/held_differentials.hpp"
#include "vehicles/analysis/mode_following.hpp"
#include "vehicles/analysis/moving_states.hpp"
#include "vehicles/session/standing_pose.hpp"

namespace semirec {

namespace {

using Eigen::Index;

/// The deviations' rates of eigenvalues below this count as none, 1/s.
constexpr double kStandsStill = 1e-5;
/// Participation of a direction of the chassis by which a mode is named, at least.
constexpr double kLeastWay = 0.2;
/// A swing of which the wheels have less of the energy beside the chassis is not theirs.
constexpr double kLeastOfWheels = 0.1;
/// Share of a trailer's turning about its hitch in the kinetic energy of its sway, at least.
constexpr double kLeastSway = 0.1;
// what of A may change with the angles of shafts that the wheels turn
constexpr double kMostOfShafts = 1e-2;
/// Modes are named by what moves in them at this speed, m/s, and followed from it to others over a
/// chain of speeds, each by a factor above or below the one before; none is below kSlowestNamed/2.
constexpr double kNamedAt = 20.0;
constexpr double kFaster = 1.5;
constexpr double kSlower = 0.5;
constexpr double kSlowestNamed = 1.0;
/// Rounding of an eigenvalue beyond this reaches into what a car does, 1/s.
constexpr double kFastestMode = 1e12;
constexpr const char* kFreeMode = "free";

std::vector<std::string> default_outputs(const SteadyCar& car) {
  std::vector<std::string> names;
  if (car.chassis() == kGround) return names;
  for (const char* name :
       {"cg.vx_body", "cg.vy_body", "cg.vz_body", "cg.ax_body", "cg.ay_body", "cg.az_body", "cg.wx",
        "cg.wy", "cg.wz", "chassis.z", "chassis.roll", "chassis.pitch"})
    names.push_back(name);
  for (const Wheel& wheel : car.drive().wheels) names.push_back(wheel.name + ".Fz");
  return names;
}

std::vector<InputIndex> look_up_inputs(const Model& model, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const Input& input : model.mechanism.inputs) known.push_back(input.name);
  std::vector<InputIndex> inputs;
  for (const std::string& name : names) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end())
      throw ModelError("input '" + name + "': the vehicle has none of this name" +
                       nearest_hint(name, known) + ", expected one that it declares");
    inputs.push_back(static_cast<InputIndex>(found - known.begin()));
  }
  return inputs;
}

void check_outputs(const Recorder& recorder, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const Channel& channel : recorder.channels()) known.push_back(channel.name);
  for (const std::string& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw ModelError("output '" + name + "': there is no such channel" +
                       nearest_hint(name, known) + ", expected a column of the results");
}

/// Tree indices of bodies, their masses and places for what is asked of shapes; in level axes, the
/// first of which is along the heading of the chassis.
struct Anatomy {
  struct Part {
    TreeIndex tree = 0;
    double mass = 0.0;
    Eigen::Vector3d centre;    ///< of mass, from O
    Eigen::Matrix3d inertia;   ///< about it
    std::vector<int> columns;  ///< coordinates between the body and the ground
    bool wheel = false, front = false;
    std::size_t unit = 0;  ///< in Drive::units
  };
  std::vector<Part> parts;  ///< [body]
  /// From the world's axes to the level ones.
  Eigen::Matrix3d level = Eigen::Matrix3d::Identity();
  int chassis = -1;
  bool has_ends = false;  ///< front and rear axles
};

Anatomy make_anatomy(SteadyCar& car, const SteadyTurn& turn) {
  const Model& model = car.drive().model;
  Workspace& ws = car.workspace();
  evaluate_state(model, turn.state, ws);
  Anatomy anatomy;
  anatomy.chassis = car.drive().chassis;
  if (anatomy.chassis >= 0)
    anatomy.level =
        Eigen::AngleAxisd(-find_heading(model, car.drive().chassis, ws), Eigen::Vector3d::UnitZ())
            .toRotationMatrix();
  const std::vector<Unit>& units = car.drive().units;
  std::vector<double> x;  // of the axles of the first unit
  for (const UnitAxle& axle : units.front().axles) {
    x.push_back(0.0);
    for (const std::vector<int>* side : {&axle.left, &axle.right})
      for (const int wheel : *side)
        x.back() += anatomy.level.row(0).dot(ws.tree.position_of(
                        model.tree.attach(car.drive().wheels[at(wheel)].centre))) /
                    axle.wheels();
  }
  const AxleGroups groups = group_axles(x);
  const double middle = 0.5 * (groups.front + groups.rear);
  anatomy.has_ends = groups.wheelbase() > 0.0;
  for (std::size_t b = 0; b < model.mechanism.bodies.size(); ++b) {
    Anatomy::Part part;
    part.tree = model.tree.tree.tree_index(static_cast<BodyIndex>(b));
    const TreeBody& body = model.tree.bodies[at(part.tree)];
    const Eigen::Matrix3d A = anatomy.level * ws.tree.A_WC[at(part.tree)];
    part.mass = body.mass;
    part.centre = anatomy.level * ws.tree.p[at(part.tree)] + A * body.com;
    part.inertia = A * body.inertia * A.transpose();
    part.front = part.centre.x() > middle;
    for (TreeIndex t = part.tree; t != 0; t = model.tree.bodies[at(t)].parent)
      for (int k = 0; k < model.tree.bodies[at(t)].degrees_of_freedom; ++k)
        part.columns.push_back(model.tree.bodies[at(t)].z + k);
    for (const Wheel& wheel : car.drive().wheels)
      if (wheel.rim == static_cast<BodyIndex>(b) || wheel.centre.body == static_cast<BodyIndex>(b))
        part.wheel = true;
    anatomy.parts.push_back(part);
  }
  for (std::size_t u = 1; u < units.size(); ++u)
    for (const int body : units[u].bodies) {
      anatomy.parts[at(body)].unit = u;
      anatomy.parts[at(body)].front = false;
    }
  return anatomy;
}

using Twist = Eigen::Matrix<std::complex<double>, 6, 1>;

/// Motion of a body's point that is at O, and its rotation, for deviations of the coordinates.
Twist motion_at_origin(const Anatomy& anatomy, const Anatomy::Part& part, const Workspace& ws,
                       const Eigen::VectorXcd& z) {
  Twist world = Twist::Zero();
  for (const int k : part.columns) world += z[k] * ws.tree.H[at(k)];
  Twist result;
  result << anatomy.level * world.head<3>(), anatomy.level * world.tail<3>();
  return result;
}

/// Motion of a body's centre of mass and its rotation for deviations of the coordinates.
Twist motion_of(const Anatomy& anatomy, const Anatomy::Part& part, const Workspace& ws,
                const Eigen::VectorXcd& z) {
  Twist result = motion_at_origin(anatomy, part, ws, z);
  result.head<3>() += tilde(part.centre).transpose() * result.tail<3>();
  return result;
}

/// A motion in level axes in the world's.
Twist in_world(const Anatomy& anatomy, const Twist& motion) {
  Twist world;
  world << anatomy.level.transpose() * motion.head<3>(),
      anatomy.level.transpose() * motion.tail<3>();
  return world;
}

/// Kinetic energies of a mode, all twice what they are; of the first unit but for `body`, `total`.
struct Energies {
  std::vector<double> body;  ///< [body] share of the total
  double total = 0.0;
  double carried = 0.0;            ///< of all parts as if they moved rigidly with the chassis
  double carried_along[5] = {};    ///< of that: surge, lateral and yaw, bounce, roll, pitch
  double front = 0.0, rear = 0.0;  ///< of the parts' motion relative to the chassis, no rotation
  double along[3] = {0, 0, 0};     ///< of the same, by axis
  double of_wheels = 0.0;          ///< of the same, of rims and what holds wheel centres
  int mover = -1;                  ///< the body of most relative energy, its rotation with it
  double mover_along[6] = {};      ///< of that, by axis: along three, about three
  double turning = 0.0;            ///< of that, about its own axes, where it is none of the wheels
  double relative() const { return front + rear; }
};

Energies find_energies(const Anatomy& anatomy, const Workspace& ws, const Eigen::VectorXcd& rates) {
  Energies energies;
  Twist chassis = Twist::Zero();  // of the point that is at O
  if (anatomy.chassis >= 0)
    chassis = motion_at_origin(anatomy, anatomy.parts[at(anatomy.chassis)], ws, rates);
  double most = 0.0;
  for (std::size_t b = 0; b < anatomy.parts.size(); ++b) {
    const Anatomy::Part& part = anatomy.parts[b];
    const Twist v = motion_of(anatomy, part, ws, rates);
    const Eigen::Vector3cd spin = part.inertia.cast<std::complex<double>>() * v.tail<3>();
    const double sum = part.mass * v.head<3>().squaredNorm() + v.tail<3>().dot(spin).real();
    energies.body.push_back(sum);
    energies.total += sum;
    if (part.unit > 0) continue;
    Twist carried = chassis;
    carried.head<3>() += tilde(part.centre).transpose() * chassis.tail<3>();
    for (int k = 0; k < 3; ++k) {
      energies.carried_along[k] += part.mass * std::norm(carried[k]);
      energies.carried_along[k == 2 ? 1 : 3 + k] += part.inertia(k, k) * std::norm(carried[3 + k]);
      const double beside = part.mass * std::norm(v[k] - carried[k]);
      energies.along[k] += beside;
      (part.front ? energies.front : energies.rear) += beside;
      if (part.wheel) energies.of_wheels += beside;
    }
    double ways[6];
    double all = 0.0;
    for (int k = 0; k < 6; ++k) {
      const double inertia = k < 3 ? part.mass : part.inertia(k - 3, k - 3);
      ways[k] = inertia * std::norm(v[k] - carried[k]);
      all += ways[k];
    }
    if (all <= most) continue;
    most = all;
    energies.mover = static_cast<int>(b);
    std::copy(std::begin(ways), std::end(ways), std::begin(energies.mover_along));
    energies.turning = part.wheel ? 0.0 : ways[3] + ways[4] + ways[5];
  }
  for (const double e : energies.carried_along) energies.carried += e;
  if (energies.total > 0.0)
    for (double& e : energies.body) e /= energies.total;
  return energies;
}

/// Subsystem of each state.
std::vector<Subsystem> find_subsystems(const SteadyCar& car, const Anatomy& anatomy,
                                       const LinearSystem& system) {
  const Model& model = car.drive().model;
  const std::vector<int> spins = car.wheel_spins();
  // coordinates
  std::map<std::string, Subsystem> of_name;
  for (std::size_t t = 1; t < model.tree.bodies.size(); ++t) {
    const TreeBranch& branch = model.tree.tree.branches[t];
    const TreeBody& body = model.tree.bodies[t];
    Subsystem subsystem = anatomy.parts[at(branch.body)].front ? Subsystem::front : Subsystem::rear;
    if (branch.body == anatomy.chassis) subsystem = Subsystem::chassis;
    if (anatomy.parts[at(branch.body)].unit > 0) subsystem = Subsystem::trailer;
    if (std::find(spins.begin(), spins.end(), body.z) != spins.end()) subsystem = Subsystem::spin;
    of_name[model.mechanism.joints[at(branch.joint)].name] = subsystem;
  }
  for (const Wheel& wheel : car.drive().wheels) of_name[wheel.name] = Subsystem::tyres;
  for (const Driveline& driveline : car.drive().drivelines)
    of_name[driveline.name] = Subsystem::driveline;
  std::vector<Subsystem> result;
  for (const Channel& state : system.states) {
    const auto found = of_name.find(state.name.substr(0, state.name.rfind('.')));
    result.push_back(found == of_name.end() ? Subsystem::other : found->second);
  }
  return result;
}

/// ` front` or ` rear` where one of them has most; nothing of a car with an only axle.
std::string end_of(const Anatomy& anatomy, double front, double rear) {
  if (!anatomy.has_ends) return "";
  if (front > 3.0 * rear) return " front";
  if (rear > 3.0 * front) return " rear";
  return "";
}

/// Left and right wheels in the same direction, or opposed; of one unit, or of all (-1).
std::string side_of(const Anatomy& anatomy, const Workspace& ws, const Eigen::VectorXcd& rates,
                    int axis, std::ptrdiff_t unit = -1) {
  constexpr double kMiddle = 0.1;    // of the way to the outermost wheel
  constexpr double kNoTrack = 1e-3;  // m
  double outermost = 0.0;
  for (const Anatomy::Part& part : anatomy.parts)
    if (part.wheel) outermost = std::max(outermost, std::abs(part.centre.y()));
  if (outermost < kNoTrack) return "";
  std::complex<double> left = 0.0;
  std::complex<double> right = 0.0;
  for (const Anatomy::Part& part : anatomy.parts) {
    if (!part.wheel || (unit >= 0 && part.unit != at(unit))) continue;
    const Twist motion = motion_of(anatomy, part, ws, rates);
    if (std::abs(part.centre.y()) > kMiddle * outermost) {
      (part.centre.y() > 0.0 ? left : right) += motion[axis];
      continue;
    }
    // the body of an axle: its ends, as far out as that
    const Eigen::Vector3cd turned(-outermost * motion[5], 0.0, outermost * motion[3]);
    const std::complex<double> by_turning = axis < 3 ? turned[axis] : 0.0;
    left += motion[axis] + by_turning;
    right += motion[axis] - by_turning;
  }
  const double same = std::norm(left + right);
  const double opposed = std::norm(left - right);
  if (same > 4.0 * opposed) return ", in phase";
  if (opposed > 4.0 * same) return ", opposed";
  return "";
}

/// Where a unit hangs on the one in front of it, in the axes of the anatomy: its hitch, or, where
/// it has no such joint, the middle of the bushings between the two; nothing without these.
std::optional<Eigen::Vector3d> find_pivot(const SteadyCar& car, const Anatomy& anatomy,
                                          const Unit& own, const Unit& leader,
                                          const Workspace& ws) {
  const Model& model = car.drive().model;
  const auto place = [&](const Marker& marker) {
    return Eigen::Vector3d(anatomy.level * ws.tree.position_of(model.tree.attach(marker)));
  };
  if (own.hitch >= 0) return place(model.mechanism.joints[at(own.hitch)].a);
  const auto carries = [](const Unit& unit, BodyIndex body) {
    return std::find(unit.bodies.begin(), unit.bodies.end(), body) != unit.bodies.end();
  };
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  int count = 0;
  for (const Bushing& bushing : model.mechanism.bushings)
    // one that only resists turning does so wherever it is drawn
    if (bushing.stiffness.head<3>().maxCoeff() > 0.0 &&
        ((carries(own, bushing.a.body) && carries(leader, bushing.b.body)) ||
         (carries(own, bushing.b.body) && carries(leader, bushing.a.body)))) {
      sum += place(bushing.a);
      ++count;
    }
  if (count == 0) return std::nullopt;
  return Eigen::Vector3d(sum / count);
}

/// Twice the kinetic energy of a unit's turning about its hitch: of what turns it beside the unit
/// in front of it, and by itself, the less. Where that unit alone yaws, the trailer does not sway;
/// nor where it turns about another point than the hitch, which gives way.
double swaying(const SteadyCar& car, const Anatomy& anatomy, std::size_t unit, const Workspace& ws,
               const Eigen::VectorXcd& rates) {
  constexpr double kGivesWay = 0.3;  // of what the unit's centre moves by its turning
  const Unit& own = car.drive().units[unit];
  const Unit& leader = car.drive().units[at(std::max(own.leader, 0))];
  const Anatomy::Part& frame = anatomy.parts[at(own.frame)];
  const Eigen::Vector3d pivot = find_pivot(car, anatomy, own, leader, ws).value_or(frame.centre);
  double inertia = 0.0;
  for (const int body : own.bodies) {
    const Anatomy::Part& part = anatomy.parts[at(body)];
    inertia += part.inertia(2, 2) + part.mass * (part.centre - pivot).head<2>().squaredNorm();
  }
  const Anatomy::Part& ahead = anatomy.parts[at(leader.frame)];
  const Twist moves = motion_of(anatomy, frame, ws, rates);
  const Twist leads = motion_of(anatomy, ahead, ws, rates);
  const std::complex<double> turns = moves[5];
  const std::complex<double> beside = turns - leads[5];
  const auto across = [&](const Twist& motion, const Anatomy::Part& part) {
    const Eigen::Vector3d arm = pivot - part.centre;
    return motion[1] + motion[5] * arm.x() - motion[3] * arm.z();
  };
  const double way = (pivot - frame.centre).head<2>().norm();
  if (std::abs(across(moves, frame) - across(leads, ahead)) > kGivesWay * way * std::abs(beside))
    return 0.0;
  return inertia * std::min(std::norm(turns), std::norm(beside));
}

/// Name of a mode in which trailers take part most: their wheels, or how their frames move.
std::string find_trailer_name(const SteadyCar& car, const Anatomy& anatomy, const Workspace& ws,
                              const Eigen::VectorXcd& rates) {
  const std::vector<Unit>& units = car.drive().units;
  double most = -1.0;
  std::string name;
  for (std::size_t u = 1; u < units.size(); ++u) {
    double along[3] = {0, 0, 0};  // of what is not the frame
    double parts = 0.0;
    double frame[5] = {0, 0, 0, 0, 0};  // surge, lateral and yaw, bounce, roll, pitch
    for (const int body : units[u].bodies) {
      const Anatomy::Part& part = anatomy.parts[at(body)];
      const Twist v = motion_of(anatomy, part, ws, rates);
      for (int k = 0; k < 3; ++k) {
        const double moves = part.mass * std::norm(v[k]);
        const double turns = part.inertia(k, k) * std::norm(v[3 + k]);
        if (body != units[u].frame) {
          along[k] += moves;
          parts += moves + turns;
          continue;
        }
        frame[k] += moves;
        frame[k == 2 ? 1 : 3 + k] += turns;
      }
    }
    const double sum = parts + frame[0] + frame[1] + frame[2] + frame[3] + frame[4];
    if (sum <= most) continue;
    most = sum;
    const char* const kinds[] = {"wheel fore and aft ", "wheel lateral ", "wheel hop "};
    const char* const ways[] = {" surge", " yaw", " bounce", " roll", " pitch"};
    if (parts > 0.5 * sum)
      name = kinds[std::max_element(along, along + 3) - along] + units[u].name +
             side_of(anatomy, ws, rates,
                     static_cast<int>(std::max_element(along, along + 3) - along), u);
    else
      name = units[u].name + ways[std::max_element(frame, frame + 5) - frame];
  }
  return name;
}

/// Participation of the chassis' coordinates and their rates, by direction, among those of the car.
struct ChassisShares {
  double surge = 0.0, lateral = 0.0, bounce = 0.0, roll = 0.0, pitch = 0.0;
  double sum() const { return surge + lateral + bounce + roll + pitch; }
};

ChassisShares find_chassis_shares(const SteadyCar& car, const Anatomy& anatomy,
                                  const LinearSystem& system,
                                  const std::vector<Subsystem>& subsystems, const Mode& mode) {
  ChassisShares shares;
  if (anatomy.chassis < 0) return shares;
  const Model& model = car.drive().model;
  const TreeIndex t = model.tree.tree.tree_index(anatomy.chassis);
  const TreeBody& body = model.tree.bodies[at(t)];
  // coordinates of other joints are no directions of the chassis
  if (!body.floats) return shares;
  const std::string joint = model.mechanism.joints[at(model.tree.tree.branches[at(t)].joint)].name;
  // components of shape and left vector: of place and attitude, and of their rates
  struct Vectors {
    Eigen::Vector3cd shape = Eigen::Vector3cd::Zero();
    Eigen::Vector3cd left = Eigen::Vector3cd::Zero();
  };
  std::array<std::array<Vectors, 2>, 2> vectors;
  double sum = 0.0;
  for (std::size_t k = 0; k < system.states.size(); ++k) {
    const auto i = static_cast<Index>(k);
    const std::string& name = system.states[k].name;
    bool is_own = false;
    for (int c = 0; c < 6; ++c) {
      const std::string place = "[" + std::to_string(c) + "]";
      const bool is_rate = name == joint + ".zd" + place;
      if (!is_rate && name != joint + ".z" + place) continue;
      Vectors& own = vectors[is_rate ? 1 : 0][c < 3 ? 0 : 1];
      own.shape[c % 3] = mode.eigen.shape[i];
      own.left[c % 3] = mode.eigen.left[i];
      is_own = true;
    }
    if (!is_own && subsystems[k] != Subsystem::trailer)
      sum += std::abs(mode.eigen.left[i] * mode.eigen.shape[i]);
  }
  // the joint's axes are turned to the level ones, whatever the heading
  double* const by_axis[] = {&shares.surge, &shares.lateral, &shares.bounce,
                             &shares.roll,  &shares.pitch,   &shares.lateral};
  const Eigen::Matrix3d turn = anatomy.level * body.X_PJ.A;
  for (const auto& rows : vectors)
    for (std::size_t kind = 0; kind < 2; ++kind) {
      const Eigen::Vector3cd shape = turn * rows[kind].shape;
      const Eigen::Vector3cd left = turn * rows[kind].left;
      for (int axis = 0; axis < 3; ++axis) {
        const double share = std::abs(left[axis] * shape[axis]);
        *by_axis[axis + (kind == 0 ? 0 : 3)] += share;
        sum += share;
      }
    }
  for (double* share :
       {&shares.surge, &shares.lateral, &shares.bounce, &shares.roll, &shares.pitch})
    *share /= sum;
  return shares;
}

/// By the states of a tyre: deflection along, across, twist.
std::string name_by_tyres(const Mode& mode, const LinearSystem& system,
                          const std::vector<Subsystem>& subsystems) {
  std::array<double, 3> along{};
  for (std::size_t k = 0; k < subsystems.size(); ++k) {
    if (subsystems[k] != Subsystem::tyres) continue;
    const auto is = [&](const char* index) {
      return system.states[k].name.find(index) != std::string::npos;
    };
    const auto i = static_cast<Index>(k);
    along[is("[2]") ? 2 : is("[1]") ? 1 : 0] += std::abs(mode.eigen.left[i] * mode.eigen.shape[i]);
  }
  if (along[2] > std::max(along[0], along[1])) return "tyre twist";
  return along[1] > along[0] ? "tyre lateral" : "tyre longitudinal";
}

/// By the state of an equation or of a creeping bushing that moves most.
std::string name_by_state(const Mode& mode, const LinearSystem& system,
                          const std::vector<Subsystem>& subsystems) {
  double most = 0.0;
  std::string name;
  for (std::size_t k = 0; k < subsystems.size(); ++k) {
    const auto i = static_cast<Index>(k);
    const double share = std::abs(mode.eigen.left[i] * mode.eigen.shape[i]);
    if (subsystems[k] != Subsystem::other || share <= most) continue;
    most = share;
    name = system.states[k].name;
  }
  return name;
}

/// Whether trailers have most of the kinetic energy, and clearly more for their mass than the car:
/// how they share the coordinates depends on where the tree is cut, and where all move alike it is
/// the car's motion.
bool trailers_move_most(const Anatomy& anatomy, const std::vector<double>& energy) {
  constexpr double kClearly = 1.1;
  double energies[2] = {0.0, 0.0};
  double masses[2] = {0.0, 0.0};
  for (std::size_t body = 0; body < energy.size(); ++body) {
    const int which = anatomy.parts[body].unit > 0 ? 1 : 0;
    energies[which] += energy[body];
    masses[which] += anatomy.parts[body].mass;
  }
  return energies[1] > energies[0] && energies[1] * masses[0] > kClearly * energies[0] * masses[1];
}

/// Names a mode by what participates most, wheels against chassis by the energy of their relative
/// motion; empty where nothing has enough.
std::string find_name(const SteadyCar& car, const Mode& mode, const Energies& e,
                      const Anatomy& anatomy, const LinearSystem& system,
                      const std::vector<Subsystem>& subsystems, const Workspace& ws,
                      const Eigen::VectorXcd& rates) {
  const auto part = [&](Subsystem s) { return mode.participation[static_cast<std::size_t>(s)]; };
  if (part(Subsystem::spin) > 0.3) {
    double front = 0.0;
    double rear = 0.0;
    std::vector<double> behind(car.drive().units.size(), 0.0);
    for (const Anatomy::Part& p : anatomy.parts) {
      if (!p.wheel) continue;
      const double spinning = std::norm(motion_of(anatomy, p, ws, rates)[4]);
      (p.unit > 0 ? behind[p.unit] : p.front ? front : rear) += spinning;
    }
    for (std::size_t u = 1; u < behind.size(); ++u)
      if (behind[u] > 3.0 * (front + rear))
        return "wheel spin " + car.drive().units[u].name +
               side_of(anatomy, ws, rates, 4, static_cast<std::ptrdiff_t>(u));
    return "wheel spin" + end_of(anatomy, front, rear) + side_of(anatomy, ws, rates, 4);
  }
  if (part(Subsystem::tyres) > 0.5) return name_by_tyres(mode, system, subsystems);
  if (part(Subsystem::driveline) > 0.5) return "driveline";
  if (part(Subsystem::other) > 0.5) return name_by_state(mode, system, subsystems);
  if (trailers_move_most(anatomy, mode.energy)) return find_trailer_name(car, anatomy, ws, rates);
  if (!car.drive().wheels.empty() && e.relative() + e.turning > e.carried) {
    // what follows tyres or rubber is no swing of the wheels
    const double suspensions = part(Subsystem::front) + part(Subsystem::rear);
    const bool is_of_tyres = part(Subsystem::tyres) >= part(Subsystem::other);
    if (std::max(part(Subsystem::tyres), part(Subsystem::other)) > suspensions)
      return is_of_tyres ? name_by_tyres(mode, system, subsystems)
                         : name_by_state(mode, system, subsystems);
    // an engine, a seat or a load on springs of its own
    if (e.of_wheels < kLeastOfWheels * (e.relative() + e.turning)) {
      const char* const ways[] = {" surge", " lateral", " bounce", " roll", " pitch", " yaw"};
      return car.drive().model.mechanism.bodies[at(e.mover)].name +
             ways[std::max_element(e.mover_along, e.mover_along + 6) - e.mover_along];
    }
    const int axis = static_cast<int>(std::max_element(e.along, e.along + 3) - e.along);
    const char* const kinds[] = {"wheel fore and aft", "wheel lateral", "wheel hop"};
    return kinds[axis] + end_of(anatomy, e.front, e.rear) + side_of(anatomy, ws, rates, axis);
  }
  const ChassisShares shares = find_chassis_shares(car, anatomy, system, subsystems, mode);
  const std::pair<double, const char*> ways[] = {{shares.surge, "surge"},
                                                 {shares.lateral, "yaw and sideslip"},
                                                 {shares.bounce, "bounce"},
                                                 {shares.roll, "roll"},
                                                 {shares.pitch, "pitch"}};
  const auto& largest = *std::max_element(std::begin(ways), std::end(ways));
  if (largest.first > kLeastWay) return largest.second;
  // a chassis that does not float has no such coordinates
  if (shares.sum() == 0.0 && e.carried > 0.0)
    return ways[std::max_element(e.carried_along, e.carried_along + 5) - e.carried_along].second;
  return {};
}

}  // namespace

const char* name_of(Subsystem subsystem) {
  const char* const names[] = {"chassis", "front",     "rear",    "wheel_spin",
                               "tyres",   "driveline", "trailer", "other"};
  return names[static_cast<int>(subsystem)];
}

namespace {

/// A body rolls in one mode; what else rolls as the car turns and slides is named by that.
void name_one_roll(const SteadyCar& car, const Anatomy& anatomy,
                   const std::vector<Subsystem>& subsystems, CarModes& modes) {
  Mode* most = nullptr;
  double largest = 0.0;
  std::vector<std::pair<Mode*, double>> rolling;  // with their share of yaw and sideslip
  for (Mode& mode : modes.modes) {
    if (mode.name != "roll") continue;
    const ChassisShares shares = find_chassis_shares(car, anatomy, modes.system, subsystems, mode);
    rolling.emplace_back(&mode, shares.lateral);
    if (shares.roll <= largest) continue;
    largest = shares.roll;
    most = &mode;
  }
  for (const auto& [mode, lateral] : rolling)
    if (mode != most && lateral > kLeastWay) mode->name = "yaw and sideslip";
}

/// What is linearized about a steady state; without inputs and outputs.
LinearizationSettings make_settings(SteadyCar& car, const SteadyTurn& turn,
                                    const std::vector<int>& independent = {}) {
  const Model& model = car.drive().model;
  LinearizationSettings settings;
  settings.travel = car.travel_of(turn);
  settings.ignorable = car.turning();
  settings.recorder = car.drive().recorder;
  // pedals that are not pressed
  for (const std::string& pedal : {car.controls().throttle, car.controls().brake})
    for (std::size_t k = 0; k < model.mechanism.inputs.size(); ++k)
      if (model.mechanism.inputs[k].name == pedal && k < turn.state.live.size() &&
          turn.state.live[k].value.f <= 0.0)
        settings.rising.push_back(static_cast<InputIndex>(k));
  // one choice of states for all speeds and turns
  settings.independent = independent;
  if (independent.empty())
    settings.independent = find_independent(model, car.standing(), settings, car.workspace());
  return settings;
}

/// Place and heading are states only where something depends on them: `settings` has it then.
LinearSystem linearize_car(SteadyCar& car, const SteadyTurn& turn,
                           LinearizationSettings& settings) {
  const Model& model = car.drive().model;
  Workspace& ws = car.workspace();
  const bool straight = turn.yaw_rate == 0.0;
  // shafts whose joints do not keep the speed constant change a little as they turn (find_modes()
  // says so)
  settings.most_ignored = turn.followers.empty() ? kMostIgnored : kMostOfShafts;
  LinearSystem system;
  bool depends = false;
  try {
    system = linearize(model, turn.state, settings, ws);
    depends = system.ignored > settings.most_ignored;
  } catch (const ModelError&) {
    // in wind an output sees the heading before A does
    if (!straight || !car.is_pushed()) throw;
    depends = true;
  }
  if (depends && straight) {
    // a driver, a road or wind holds it across its way: place and heading are states
    settings.place = PlaceLeftOut::along;
    system = linearize(model, turn.state, settings, ws);
    if (system.ignored > settings.most_ignored && turn.speed == 0.0) {
      // what is tied to the ground at rest has its whole place as states
      settings.travel.body = kGround;
      system = linearize(model, turn.state, settings, ws);
    }
  }
  if (!system.A.allFinite())
    throw AnalysisError("the linear system has no eigenvalues: a number is not finite");
  if (system.ignored > settings.most_ignored)
    throw AnalysisError(
        "the car depends on its place, its heading or the angles of its wheels: there is no linear "
        "system that does not change with time, expected level ground and wheels in balance");
  return system;
}

/// Finds the modes of the system and names each by what moves in it. `check`: those of differences
/// of half the width, if there are such.
void name_by_motion(SteadyCar& car, const std::vector<Eigenmode>& check, CarModes& result) {
  Workspace& ws = car.workspace();
  const Anatomy anatomy = make_anatomy(car, result.turn);
  const std::vector<Subsystem> subsystems = find_subsystems(car, anatomy, result.system);
  // the sway of a unit: the oscillation with most energy in its turning about the hitch and most of
  // trailers in its coordinates, the less the more it is damped
  const std::vector<Unit>& units = car.drive().units;
  std::vector<double> most(units.size(), 0.0);
  std::vector<std::size_t> sways(units.size(), 0);
  for (Eigenmode& eigen : find_eigenmodes(result.system.A)) {
    if (!std::isfinite(eigen.value.real()) || !std::isfinite(eigen.value.imag()))
      throw AnalysisError("the linear system has no eigenvalues: a number is not finite");
    Mode mode;
    mode.eigen = eigen;
    mode.uncertainty = check.empty() ? std::nan("") : 1e300;
    for (const Eigenmode& other : check)
      mode.uncertainty = std::min(mode.uncertainty, std::abs(other.value - eigen.value));
    mode.participation.assign(kSubsystems, 0.0);
    double sum = 0.0;
    for (std::size_t k = 0; k < subsystems.size(); ++k) {
      const auto i = static_cast<Index>(k);
      const double share = std::abs(eigen.left[i] * eigen.shape[i]);
      mode.participation[static_cast<std::size_t>(subsystems[k])] += share;
      sum += share;
    }
    for (double& share : mode.participation) share /= sum;
    const Eigen::VectorXcd rates = result.system.zd.cast<std::complex<double>>() * eigen.shape;
    const Energies energies = find_energies(anatomy, ws, rates);
    mode.energy = energies.body;
    mode.name = find_name(car, mode, energies, anatomy, result.system, subsystems, ws, rates);
    for (std::size_t u = 1; u < units.size(); ++u) {
      const double share = swaying(car, anatomy, u, ws, rates) / energies.total;
      const double sway = std::min(share, 1.0) *
                          mode.participation[at(static_cast<int>(Subsystem::trailer))] *
                          (1.0 - eigen.damping_ratio());
      if (!(share > kLeastSway && eigen.oscillates() && sway > most[u])) continue;
      most[u] = sway;
      sways[u] = result.modes.size();
    }
    result.modes.push_back(mode);
  }
  name_one_roll(car, anatomy, subsystems, result);
  for (std::size_t u = 1; u < units.size(); ++u)
    if (most[u] > 0.0) result.modes[sways[u]].name = units[u].name + " sway";
}

/// Refuses a system in which the rounding of the fastest mode hides the others.
void expect_modes_apart(const CarModes& modes) {
  if (modes.modes.empty()) return;
  const Eigenmode& fastest = modes.modes.back().eigen;
  if (std::abs(fastest.value) < kFastestMode) return;
  Index most = 0;
  fastest.left.cwiseProduct(fastest.shape).cwiseAbs().maxCoeff(&most);
  throw AnalysisError("the linear system has an eigenvalue of " + to_text(fastest.value.real(), 3) +
                      " 1/s, in '" + modes.system.states[at(most)].name +
                      "': its rounding hides all others, expected magnitudes below " +
                      to_text(kFastestMode) +
                      " 1/s (a spring, a damper or a mass is out of scale)");
}

/// A name that nobody has: with the lowest number behind it that is free.
std::string numbered(const std::string& name, const std::set<std::string>& taken) {
  std::string result = name;
  for (int k = 2; taken.count(result) != 0; ++k) result = name + " " + std::to_string(k);
  return result;
}

/// Numbers names that are the same. `given`: names that are carried, by mode, empty where a mode
/// keeps the one by what moves in it; `avoided`: names that are not given anew.
void finish_names(const std::vector<std::string>& given, const std::vector<std::string>& avoided,
                  CarModes& result) {
  std::set<std::string> taken(avoided.begin(), avoided.end());
  taken.insert(given.begin(), given.end());
  const auto finish = [&](std::size_t k) {
    Mode& mode = result.modes[k];
    std::string name = k < given.size() ? given[k] : std::string();
    if (name.empty()) {
      name = mode.name;
      if (std::abs(mode.eigen.value) < kStandsStill)
        name = name.empty() ? kFreeMode : kFreeMode + (" " + name);
      if (name.empty()) name = "mode " + std::to_string(k + 1);
      name = numbered(name, taken);
      taken.insert(name);
    }
    mode.name = name;
  };
  // of the same name those that swing come first: they go on where others fade ever faster
  for (const bool swings : {true, false})
    for (std::size_t k = 0; k < result.modes.size(); ++k)
      if (result.modes[k].eigen.oscillates() == swings) finish(k);
}

bool have_same_states(const LinearSystem& a, const LinearSystem& b) {
  return std::equal(a.states.begin(), a.states.end(), b.states.begin(), b.states.end(),
                    [](const Channel& x, const Channel& y) { return x.name == y.name; });
}

std::vector<std::string> names_in(const CarModes& modes) {
  std::vector<std::string> names;
  for (const Mode& mode : modes.modes) names.push_back(mode.name);
  return names;
}

std::string place_of(const SteadyTurn& turn) {
  std::string text = "at " + to_text(turn.speed) + " m/s";
  if (turn.lateral_acceleration != 0.0)
    text += " and " + to_text(turn.lateral_acceleration) + " m/s^2";
  return text;
}

/// The names of one system for the modes of another; empty where there is none.
std::vector<std::string> carry_names(const CarModes& from, const CarModes& to) {
  if (!have_same_states(from.system, to.system))
    throw AnalysisError("the linear system has other states " + place_of(to.turn) + " than " +
                        place_of(from.turn));
  return hand_on_names(follow_modes(from.system.A, to.system.A), names_in(from));
}

/// Each speed of the chain over the one before.
double ratio_towards(double speed) { return speed > kNamedAt ? kFaster : kSlower; }

/// The speed of the chain before this one, nearer to where the names are given.
double inner_speed(double speed) {
  const double ratio = ratio_towards(speed);
  double inner = kNamedAt;
  while (inner > kSlowestNamed && (ratio > 1.0 ? ratio * inner < speed : ratio * inner > speed))
    inner *= ratio;
  return inner;
}

/// The one behind it; the speed itself where it is one of the chain.
double outer_speed(double speed) {
  const double inner = inner_speed(speed);
  return inner > kSlowestNamed ? ratio_towards(speed) * inner : speed;
}

/// Names that begin between two speeds of the chain are those at its end.
void take_names_from(const CarModes& outer, const CarModes& modes,
                     std::vector<std::string>& names) {
  const ModeOrigins origins = follow_modes(modes.system.A, outer.system.A);
  for (std::size_t u = 0; u < origins.size(); ++u) {
    const std::string& name = outer.modes[u].name;
    for (const int k : origins[u])
      if (names[at(k)].empty() && std::find(names.begin(), names.end(), name) == names.end())
        names[at(k)] = name;
  }
}

}  // namespace

const CarModes& ModeNames::at_speed(SteadyCar& car, double speed) {
  if (const auto found = chain_.find(speed); found != chain_.end()) return found->second;
  CarModes modes;
  modes.turn = speed == 0.0 ? car.rest() : car.turn(speed, 0.0);
  LinearizationSettings settings = make_settings(car, modes.turn, independent());
  modes.system = linearize_car(car, modes.turn, settings);
  name_by_motion(car, {}, modes);
  name_straight(car, modes);
  return chain_.emplace(speed, std::move(modes)).first->second;
}

void ModeNames::learn(SteadyCar& car, const std::vector<double>& speeds) {
  independent_ = make_settings(car, car.rest()).independent;
  for (const double speed : speeds) {
    try {
      static_cast<void>(at_speed(car, speed));
    } catch (const std::runtime_error&) {
      // those that get there name their modes by themselves
    }
  }
}

/// Names them as the other car does at this speed. False where it does not know it.
bool ModeNames::name_like(CarModes& modes) const {
  if (like_ == nullptr) return false;
  const auto found = like_->chain_.find(modes.turn.speed);
  if (found == like_->chain_.end()) return false;
  const CarModes& other = found->second;
  try {
    finish_names(carry_names(other, modes), names_in(other), modes);
    return true;
  } catch (const std::runtime_error& error) {
    modes.notes.push_back(
        std::string("modes are named by what moves in them in this car alone, so a name may be "
                    "another's in other cars: ") +
        error.what());
    return false;
  }
}

void ModeNames::name_straight(SteadyCar& car, CarModes& modes) {
  const double speed = modes.turn.speed;
  if (name_like(modes)) return;
  if (speed == 0.0 || speed == kNamedAt) return finish_names({}, {}, modes);
  const CarModes& inner = at_speed(car, inner_speed(speed));
  std::vector<std::string> names = carry_names(inner, modes);
  const double end = outer_speed(speed);
  if (end != speed && std::find(names.begin(), names.end(), "") != names.end()) {
    const CarModes* outer = nullptr;
    try {
      outer = &at_speed(car, end);
    } catch (const AnalysisError&) {
      // a speed that nobody has asked for may be out of reach
    }
    if (outer != nullptr && have_same_states(modes.system, outer->system))
      take_names_from(*outer, modes, names);
  }
  finish_names(names, names_in(inner), modes);
}

void ModeNames::name(SteadyCar& car, CarModes& modes) {
  if (modes.turn.speed == 0.0) return name_straight(car, modes);
  try {
    if (modes.turn.lateral_acceleration == 0.0) return name_straight(car, modes);
    const CarModes& straight = at_speed(car, modes.turn.speed);
    finish_names(carry_names(straight, modes), names_in(straight), modes);
  } catch (const std::runtime_error& error) {
    modes.notes.push_back(
        std::string("modes are named by what moves in them at this speed alone, so a name may be "
                    "another's at other speeds: ") +
        error.what());
    finish_names({}, {}, modes);
  }
}

namespace {

/// Whether the chassis as a whole moves so.
bool is_of_chassis(const std::string& name) {
  static constexpr std::array kWays{"surge", "yaw and sideslip", "bounce", "roll", "pitch"};
  return std::find(kWays.begin(), kWays.end(), name) != kWays.end();
}

/// Without the number that tells modes of one name apart.
std::string without_number(const std::string& name) {
  const std::size_t end = name.find_last_not_of("0123456789");
  return end + 1 < name.size() && end > 0 && name[end] == ' ' ? name.substr(0, end) : name;
}

/// Lines about branches that no longer do what they are named after. `moving`: names by what moves
/// most here, by mode. `origin`: where the names are from.
void note_changed_branches(const std::vector<std::string>& moving, const std::string& origin,
                           CarModes& modes) {
  for (std::size_t k = 0; k < moving.size(); ++k) {
    const std::string name = without_number(modes.modes[k].name);
    if (!is_of_chassis(name) || !is_of_chassis(moving[k]) || name == moving[k]) continue;
    // the same line at each speed of several
    modes.notes.push_back("'" + modes.modes[k].name + "' is named after its motion " + origin +
                          "; where it was asked for, most of it is " + moving[k]);
  }
}

}  // namespace

CarModes find_modes(SteadyCar& car, const SteadyTurn& turn, const ModesOptions& options) {
  ModeNames names(options.like);
  return find_modes(car, turn, options, names);
}

CarModes find_modes(SteadyCar& car, const SteadyTurn& turn, const ModesOptions& options,
                    ModeNames& names) {
  LinearizationSettings settings = make_settings(car, turn, names.independent());
  settings.inputs = look_up_inputs(car.drive().model, options.inputs);
  settings.outputs = options.outputs.empty() ? default_outputs(car) : options.outputs;
  check_outputs(car.recorder(), settings.outputs);
  CarModes result;
  result.turn = turn;
  result.system = linearize_car(car, turn, settings);
  if (turn.speed == 0.0)
    if (std::string line = describe_running_states(car.drive().model, turn.state, car.workspace());
        !line.empty())
      result.notes.push_back(std::move(line));
  if (turn.speed > 0.0)
    for (const std::string& line :
         {describe_moving_states(car.drive().model, turn.state, car.workspace()),
          describe_running_states(car.drive().model, turn.state, car.workspace()),
          describe_open_rates(car.drive().model, turn.state, car.workspace()),
          describe_stuck_differentials(car.drive(), turn.state)})
      if (!line.empty()) result.notes.push_back(line);
  if (result.system.ignored > kMostIgnored)
    result.notes.push_back(
        "what the wheels turn does not turn evenly, so that no linear system holds all the time: "
        "this is the one of the moment at which the wheels stand as drawn; with their angles it "
        "changes by " +
        to_text(result.system.ignored, 2) + " of the largest entry of A");
  constexpr double kAdditive = 0.01;
  if (result.system.not_additive > kAdditive)
    result.notes.push_back(
        "forces do not add up here: of several motions at once they are off by " +
        to_text(result.system.not_additive, 2) +
        " from the sum of what each does, as where a damper is switched by the sign of a product "
        "or a law is infinitely steep; no linear system holds, and this one is an accident of the "
        "file's coordinates");
  settings.scale = 0.5;
  const LinearSystem finer = linearize(car.drive().model, turn.state, settings, car.workspace());
  std::vector<Eigenmode> check;
  if (finer.A.rows() == result.system.A.rows()) check = find_eigenmodes(finer.A);
  name_by_motion(car, check, result);
  expect_modes_apart(result);
  const std::vector<std::string> moving = names_in(result);
  names.name(car, result);
  note_changed_branches(moving,
                        names.follows_another() ? "in the car without these changes"
                                                : "at " + to_text(kNamedAt) + " m/s",
                        result);
  return result;
}

std::vector<BodyLines> make_body_lines(SteadyCar& car, const SteadyTurn& turn) {
  const Model& model = car.drive().model;
  const Mechanism& mechanism = model.mechanism;
  Workspace& ws = car.workspace();
  evaluate_state(model, turn.state, ws);
  std::vector<BodyLines> bodies(mechanism.bodies.size());
  const auto add_point = [&](const Marker& marker) {
    if (marker.body == kGround) return;
    BodyLines& body = bodies[at(marker.body)];
    const Eigen::Vector3d end =
        ws.tree.origin + ws.tree.position_of(model.tree.attach(marker)) - body.place;
    if (end.norm() < 1e-6) return;
    body.lines.push_back(Eigen::Vector3d::Zero());
    body.lines.push_back(end);
  };
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    bodies[b].name = mechanism.bodies[b].name;
    bodies[b].place = ws.tree.origin + centre_of_mass(model, static_cast<BodyIndex>(b), ws);
  }
  for (const Joint& joint : mechanism.joints) {
    if (joint.type == JointType::free) continue;
    add_point(joint.a);
    add_point(joint.b);
  }
  for (const Constraint& constraint : mechanism.constraints) {
    add_point(constraint.a);
    add_point(constraint.b);
  }
  for (const SpringDamper& spring : mechanism.springs) {
    add_point(spring.a);
    add_point(spring.b);
  }
  for (const Bushing& bushing : mechanism.bushings) {
    add_point(bushing.a);
    add_point(bushing.b);
  }
  for (const Wheel& wheel : car.drive().wheels) {
    BodyLines& body = bodies[at(wheel.rim != kGround ? wheel.rim : wheel.centre.body)];
    const Attachment centre = model.tree.attach(wheel.centre);
    const Eigen::Matrix3d A = ws.tree.A_WC[at(centre.body)] * centre.X_CF.A;
    const Eigen::Vector3d middle = ws.tree.origin + ws.tree.position_of(centre) - body.place;
    constexpr int kSides = 24;
    const auto rim = [&](int k) -> Eigen::Vector3d {
      const double angle = 2.0 * M_PI * k / kSides;
      return middle + wheel.radius * (std::cos(angle) * A.col(0) + std::sin(angle) * A.col(2));
    };
    for (int k = 0; k < kSides; ++k) {
      body.lines.push_back(rim(k));
      body.lines.push_back(rim(k + 1));
    }
    body.lines.push_back(middle);
    body.lines.push_back(rim(0));
  }
  return bodies;
}

std::vector<ModeShape> find_mode_shapes(SteadyCar& car, const CarModes& modes) {
  const Model& model = car.drive().model;
  Workspace& ws = car.workspace();
  const Anatomy anatomy = make_anatomy(car, modes.turn);
  const std::vector<int> spins = car.turning();
  std::vector<ModeShape> shapes;
  for (const Mode& mode : modes.modes) {
    Eigen::VectorXcd z = modes.system.z.cast<std::complex<double>>() * mode.eigen.shape;
    const Eigen::VectorXcd zd = modes.system.zd.cast<std::complex<double>>() * mode.eigen.shape;
    const std::complex<double> value = mode.eigen.value;
    if (std::abs(value) > kStandsStill) {
      for (const int k : spins) z[k] = zd[k] / value;
      if (modes.system.place == PlaceLeftOut::along) {
        const Twist v =
            in_world(anatomy, motion_of(anatomy, anatomy.parts[at(car.chassis())], ws, zd));
        z += plane_directions(model, centre_of_mass(model, car.chassis(), ws), ws).col(0) *
             (v[0] / value);
      } else if (modes.system.place == PlaceLeftOut::all) {
        // where the velocities lead, in the frame of the steady travel (theory 31)
        const Twist v =
            in_world(anatomy, motion_of(anatomy, anatomy.parts[at(car.chassis())], ws, zd));
        const double w = modes.turn.yaw_rate;
        const double Vx = modes.turn.speed * std::cos(modes.turn.heading + modes.turn.sideslip);
        const double Vy = modes.turn.speed * std::sin(modes.turn.heading + modes.turn.sideslip);
        const std::complex<double> heading = v[5] / value;
        const std::complex<double> ahead = v[0] - heading * Vy;
        const std::complex<double> aside = v[1] + heading * Vx;
        const std::complex<double> size = value * value + w * w;
        const std::complex<double> x = (value * ahead + w * aside) / size;
        const std::complex<double> y = (value * aside - w * ahead) / size;
        const Eigen::MatrixXd G =
            plane_directions(model, centre_of_mass(model, car.chassis(), ws), ws);
        z += G.col(0) * x + G.col(1) * y + G.col(2) * heading;
      }
    } else {
      z = zd;
    }
    ModeShape shape;
    double largest = 0.0;
    for (const Anatomy::Part& part : anatomy.parts) {
      shape.push_back(in_world(anatomy, motion_of(anatomy, part, ws, z)));
      // a turn counts by the way of a point half a metre off
      largest = std::max(largest, std::max(shape.back().head<3>().cwiseAbs().maxCoeff(),
                                           0.5 * shape.back().tail<3>().cwiseAbs().maxCoeff()));
    }
    if (largest > 0.0)
      for (auto& twist : shape) twist /= largest;
    shapes.push_back(shape);
  }
  return shapes;
}

}  // namespace semirec
