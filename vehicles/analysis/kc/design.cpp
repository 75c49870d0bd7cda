#include "vehicles/analysis/kc/design.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "topology/indices.hpp"
#include "topology/quoted_names.hpp"
#include "vehicles/analysis/answer.hpp"
#include "vehicles/analysis/kc/compliance.hpp"
#include "vehicles/analysis/kc/kingpin.hpp"

namespace semirec {

namespace {

constexpr double kDesignStep = 1e-5;   // m, rad
constexpr double kMotionRatio = 1e-3;  // what moves less with the wheel is no spring of it
constexpr double kRounding = 1e-15;    // of angles, lengths, compliances: what is smaller is zero
constexpr double kLongArm = 1e4;       // m: beyond it an instant centre is nowhere
constexpr double kPulled = 1e-6;       // N: what is less is rounding

/// Quantities under the name of their axle.
struct Collector {
  std::string axle;
  std::vector<Quantity> quantities;

  void add(const std::string& name, double value, const std::string& unit,
           const std::string& about) {
    quantities.push_back(
        {axle + "." + name, std::abs(value) < kRounding ? 0.0 : value, unit, std::nan(""), about});
  }
  /// Mean of both sides, and each side behind it; tell_apart() drops the sides where they agree.
  void add(const std::string& name, double left, double right, const std::string& unit,
           const std::string& about) {
    add(name, 0.5 * (left + right), unit, about);
    add("left." + name, left, unit, {});
    add("right." + name, right, unit, {});
  }
};

/// Uncertainties from a second computation with half the step; none where no step has a part in it.
void compare(std::vector<Quantity>& quantities, const std::vector<Quantity>& finer) {
  for (Quantity& quantity : quantities)
    for (const Quantity& other : finer)
      if (other.name == quantity.name && other.value != quantity.value)
        quantity.uncertainty = std::abs(other.value - quantity.value);
}

/// Drops `left` and `right` of quantities whose sides agree.
void tell_apart(std::vector<Quantity>& quantities) {
  std::vector<Quantity> kept;
  for (std::size_t k = 0; k < quantities.size(); ++k) {
    kept.push_back(quantities[k]);
    if (k + 2 >= quantities.size() || quantities[k + 1].name.find(".left.") == std::string::npos)
      continue;
    const double left = quantities[k + 1].value;
    const double right = quantities[k + 2].value;
    const double most = std::max(std::abs(left), std::abs(right));
    if (std::abs(left - right) > 1e-6 * most + 1e-9) {
      kept.push_back(quantities[k + 1]);
      kept.push_back(quantities[k + 2]);
    }
    k += 2;
  }
  quantities = std::move(kept);
}

/// Drops what the linkage cannot do, and says so.
void leave_out_impossible(const Axle& axle, std::vector<Quantity>& quantities,
                          std::vector<std::string>& notes) {
  std::string left_out;
  std::vector<Quantity> possible;
  for (Quantity& quantity : quantities) {
    if (!std::isnan(quantity.value)) {
      possible.push_back(std::move(quantity));
      continue;
    }
    const std::string name = quantity.name.substr(axle.name.size() + 1);
    if (name.starts_with("left.") || name.starts_with("right.")) continue;
    left_out += (left_out.empty() ? "" : ", ") + name;
  }
  if (!left_out.empty())
    notes.push_back(axle.name +
                    " axle: its wheels, or those of another axle, cannot follow the pads where "
                    "these are asked for; left out: " +
                    left_out);
  quantities = std::move(possible);
}

/// Both wheels of an axle in a reading.
struct Pair {
  const WheelReading &left, &right;
};
Pair pair_of(const Reading& reading, const Axle& axle) {
  return {reading.wheels[at(axle.left)], reading.wheels[at(axle.right)]};
}

/// dx/dz of the carrier's point at the contact over parallel travel: the wheel is locked, while a
/// wheel that rolls has its contact always under its centre.
struct Sides {
  double left = 0.0, right = 0.0;
};
Sides find_contact_path(const RigPoint& point, const Axle& axle, Workspace& ws) {
  const RigResponse up = response_of(point, lift(*point.rig, axle, 1.0, 1.0), ws);
  const auto slope = [&](int wheel) {
    const Eigen::Vector3d v = velocity_at(find_twist(*point.rig, point.state, up, wheel, ws),
                                          point.reading.wheels[at(wheel)].contact);
    return v.x() / v.z();
  };
  return {slope(axle.left), slope(axle.right)};
}

double in_series(double a, double b) { return a + b != 0.0 ? a * b / (a + b) : 0.0; }

/// `carries`: loads of pads say something, the wheels have travel.
void add_position(const RigPoint& point, const Axle& axle, bool carries, Collector& out) {
  const Rig& rig = *point.rig;
  const auto [left, right] = pair_of(point.reading, axle);
  if (carries)
    out.add("wheel_load", left.load, right.load, "N", "vertical, of a pad, in the design position");
  if (!rig.travel.empty())
    out.add("travel", rig.travel[at(axle.left)], rig.travel[at(axle.right)], "m",
            "of the wheel centre, from where it is drawn to where the car rests");
  out.add("loaded_radius", rig.radius[at(axle.left)], rig.radius[at(axle.right)], "m",
          carries ? "of the disc: tyre under that load" : "of the disc: tyre without load");
  out.add("track", left.contact.y() - right.contact.y(), "m", "between the contact points");
  out.add("toe", toe_of(left, 1.0), toe_of(right, -1.0), "rad", "of a wheel, + toe-in");
  out.add("camber", camber_of(left, 1.0), camber_of(right, -1.0), "rad", "+ top outward");
}

void add_travel(const RigPoint& point, const Axle& axle, Workspace& ws, Collector& out) {
  const Rig& rig = *point.rig;
  const Reading parallel = rate_of(point, lift(rig, axle, 1.0, 1.0), ws);
  const Reading opposite = rate_of(point, lift(rig, axle, 1.0, -1.0), ws);
  const auto [left, right] = pair_of(parallel, axle);
  const auto [left_up, right_down] = pair_of(opposite, axle);
  out.add("wheel_rate", left.load, right.load, "N/m",
          "of a wheel at the contact point, both wheels moving alike");
  out.add("wheel_rate_single", 0.5 * (left.load + left_up.load),
          0.5 * (right.load - right_down.load), "N/m", "the other wheel stays");
  const double tyre_left = rig.tyre_stiffness[at(axle.left)];
  const double tyre_right = rig.tyre_stiffness[at(axle.right)];
  if (tyre_left > 0.0 && tyre_right > 0.0)
    out.add("ride_rate", in_series(left.load, tyre_left), in_series(right.load, tyre_right), "N/m",
            "wheel rate in series with the tyre");
  out.add("bump_steer", toe_of(left, 1.0), toe_of(right, -1.0), "rad/m",
          "toe over travel, + toe-in in bump");
  out.add("bump_camber", camber_of(left, 1.0), camber_of(right, -1.0), "rad/m",
          "camber over travel, both wheels moving alike");
  out.add("track_change", left.contact.y() - right.contact.y(), "m/m", "track over travel");
  const Sides path = find_contact_path(point, axle, ws);
  out.add("contact_path", path.left, path.right, "m/m",
          "dx/dz of the carrier's point at the contact, + forward in bump");
  out.add("centre_path", left.centre.x() / left.centre.z(), right.centre.x() / right.centre.z(),
          "m/m", "dx/dz of the wheel centre");
  std::vector<double> told;
  for (std::size_t k = 0; k < rig.lengths.size(); ++k) {
    const MeasuredLength& length = rig.lengths[k];
    const double rate = length.turns ? opposite.lengths[k] : parallel.lengths[k];
    const auto same = [&](double other) { return std::abs(other - rate) < 1e-8; };
    if (std::abs(rate) < kMotionRatio || std::any_of(told.begin(), told.end(), same)) continue;
    told.push_back(rate);
    out.add("motion_ratio." + length.name, rate, length.turns ? "rad/m" : "m/m",
            length.turns ? "angle over travel of the wheels against one another"
                         : "length over travel of both wheels");
  }
}

/// Instant centres of the carriers in front and side view, from their contact points.
void add_instant_centres(const RigPoint& point, const Axle& axle, Workspace& ws, Collector& out) {
  const RigResponse up = response_of(point, lift(*point.rig, axle, 1.0, 1.0), ws);
  struct View {
    double arm = 0.0, height = 0.0;
  };
  const auto views = [&](int wheel, double side) {
    const Vector6 twist = find_twist(*point.rig, point.state, up, wheel, ws);
    const Eigen::Vector3d v = velocity_at(twist, point.reading.wheels[at(wheel)].contact);
    const Eigen::Vector3d w = twist.tail<3>();
    return std::array<View, 2>{View{side * v.z() / w.x(), v.y() / w.x()},
                               View{-v.z() / w.y(), -v.x() / w.y()}};
  };
  const auto left = views(axle.left, 1.0);
  const auto right = views(axle.right, -1.0);
  const auto add = [&](std::size_t view, const std::string& name, const std::string& about) {
    const View& l = left.at(view);
    const View& r = right.at(view);
    if (!(std::abs(l.arm) < kLongArm && std::abs(r.arm) < kLongArm)) return;
    out.add(name + "_arm", l.arm, r.arm, "m", about);
    out.add(name + "_centre_height", l.height, r.height, "m", "of that instant centre");
  };
  add(0, "front_view", "contact point to instant centre in front view, + inward");
  add(1, "side_view", "contact point to instant centre in side view, + to the rear");
}

/// Slope of the moment of the pads about the middle of the track, N m/rad: the loads change, and so
/// does the track under loads that differ.
double find_roll_stiffness(const RigPoint& rolling, const Reading& rate, const Axle& axle) {
  const auto [left, right] = pair_of(rolling.reading, axle);
  const auto [rise, fall] = pair_of(rate, axle);
  const double track = left.contact.y() - right.contact.y();
  const double track_change = rise.contact.y() - fall.contact.y();
  return 0.5 * track * (fall.load - rise.load) + 0.5 * track_change * (right.load - left.load);
}

void add_roll(const RigPoint& point, const Axle& axle, Workspace& ws, Collector& out) {
  const Rig& rig = *point.rig;
  out.add("roll_centre_height", find_roll_centre(point, axle, ws), "m",
          "above the contact points, by the motion of the contact points");
  const auto [left, right] = pair_of(point.reading, axle);
  const double track = left.contact.y() - right.contact.y();
  RigCommand sideways = make_command(rig);
  sideways.contact[at(axle.left)][1] = sideways.contact[at(axle.right)][1] = 0.5;
  const auto jacking = response_of(point, sideways, ws);
  // wheels that cannot move apart share a lateral force as they please
  const double apart = rate_of(point, lift(rig, axle, 1.0, -1.0), ws).wheels[at(axle.left)].load;
  const double shift = jacking.loads[axle.left] - jacking.loads[axle.right];
  out.add("roll_centre_height_force", std::isnan(apart) ? std::nan("") : -0.5 * track * shift, "m",
          "by the load transfer of lateral forces of equal size, travel held");
  if (rig.roll == kNoInput) return;
  RigCommand level = point.command;
  level.constant_load = true;
  const RigPoint rolling = make_point(rig, level, point.state, point.step, ws);
  const Reading roll = rate_of(rolling, roll_rate(rig), ws);
  const auto [rise, fall] = pair_of(roll, axle);
  const double stiffness = find_roll_stiffness(rolling, roll, axle);
  out.add("roll_stiffness", stiffness, "N m/rad",
          "moment of the pads over roll of the chassis, stiff tyres");
  out.add("wheel_rate_roll", 2.0 * stiffness / (track * track), "N/m",
          "roll stiffness over track^2/2");
  const double tyres =
      in_series(rig.tyre_stiffness[at(axle.left)], rig.tyre_stiffness[at(axle.right)]);
  if (tyres > 0.0)
    out.add("roll_stiffness_with_tyre", in_series(stiffness, tyres * track * track), "N m/rad",
            "in series with the tyres");
  out.add("roll_steer", 0.5 * (rise.steer + fall.steer), "rad/rad",
          "mean steer over roll, + to the left when the chassis leans to the right");
  out.add("roll_camber", 0.5 * (rise.inclination + fall.inclination), "rad/rad",
          "mean inclination to the road over roll, + as the chassis leans");
}

void add_kingpins(const RigPoint& point, const Axle& axle, Workspace& ws, Collector& out,
                  std::vector<std::string>& notes) {
  const auto kingpins = find_kingpins(point, axle, ws);
  if (!kingpins) {
    notes.push_back(axle.name + " axle: " +
                    (point.rig->steering == kNoInput
                         ? "the vehicle names no steering input (<controls>), so there is no"
                         : "not steered, so there is no") +
                    " steering axis, caster or scrub radius");
    return;
  }
  const auto& [left, right] = *kingpins;
  if (!left.spring_locked)
    notes.push_back(axle.name +
                    " axle: no two springs tell the travels of its wheels apart; the steering axis "
                    "is that at a constant height of the pads");
  out.add("caster", left.caster, right.caster, "rad", "steering axis, + top to the rear");
  out.add("kingpin_inclination", left.inclination, right.inclination, "rad", "+ top inward");
  out.add("scrub_radius", left.scrub_radius, right.scrub_radius, "m",
          "at the ground, + contact point outside of the axis");
  out.add("mechanical_trail", left.trail, right.trail, "m",
          "at the ground, + contact point behind the axis");
  out.add("caster_offset", left.caster_offset, right.caster_offset, "m",
          "at the wheel centre, + centre behind the axis");
  out.add("kingpin_offset", left.offset_at_centre, right.offset_at_centre, "m",
          "at the wheel centre, + centre outside of the axis");
  const Reading steered = rate_of(point, steering_rate(*point.rig), ws);
  const auto [l, r] = pair_of(steered, axle);
  // what rounding leaves of the mean of wheels that turn opposite ways is none
  const double both = l.steer + r.steer;
  const bool opposite = std::abs(both) <= 1e-9 * (std::abs(l.steer) + std::abs(r.steer));
  out.add("steering_ratio", opposite ? std::numeric_limits<double>::infinity() : 2.0 / both,
          "rad/rad", "steering wheel over mean of the road wheels, straight ahead");
  if (opposite)
    notes.push_back(axle.name +
                    " axle: its wheels turn opposite ways by the same angle, so there is no "
                    "steering ratio");
}

/// Sum over the driven wheels of their shares and dx/dz of the point that moves as the wheel's
/// centre does and turns with the body that takes the reaction, at the contact. By virtual work:
/// the force at the contact, and the torque between rim and that body. On the chassis this is the
/// path of the centre, on the carrier that of the contact point.
double find_driving_path(const RigPoint& point, const ForceShare& share, const Axle& axle,
                         Workspace& ws) {
  // over the travel, which is that of the contact point: with camber the centre's differs a little
  const RigCommand up = lift(*point.rig, axle, 1.0, 1.0);
  const RigResponse response = response_of(point, up, ws);
  const Reading rate = rate_of(point, up, ws);
  double path = 0.0;
  for (const DrivenWheel& driven : share.driven) {
    const WheelReading& wheel = point.reading.wheels[at(driven.wheel)];
    const Eigen::Vector3d turning =
        find_body_twist(*point.rig, point.state, response, driven.reaction, ws).tail<3>();
    path +=
        driven.share *
        (rate.wheels[at(driven.wheel)].centre + turning.cross(wheel.contact - wheel.centre)).x();
  }
  return path;
}

/// Which bodies take the reactions, in words.
std::string describe_reactions(const Vehicle& vehicle, const ForceShare& share) {
  std::string names;
  bool on_carriers = true;
  bool by_shafts = true;
  for (const DrivenWheel& driven : share.driven) {
    on_carriers = on_carriers && driven.reaction == vehicle.wheels[at(driven.wheel)].centre.body;
    by_shafts = by_shafts && driven.reaction == vehicle.chassis;
    const std::string name =
        driven.reaction == kGround ? "ground" : vehicle.mechanism.bodies[at(driven.reaction)].name;
    if (names.find("'" + name + "'") == std::string::npos) add_quoted(names, name);
  }
  return by_shafts ? "by half shafts" : on_carriers ? "on the carrier" : "on " + names;
}

/// Part of the load transfer that the links take.
void add_anti(const Vehicle& vehicle, const RigPoint& point, std::size_t a, Workspace& ws,
              Collector& out, std::vector<std::string>& notes) {
  const Rig& rig = *point.rig;
  if (rig.axles.size() < 2) {
    if (a == 0)
      notes.push_back("one axle has no wheelbase, so there is no anti-dive or anti-squat");
    return;
  }
  if (rig.axles.size() > 2) {
    if (a == 0)
      notes.push_back(
          "the load transfer over more than two axles is not given by their forces alone, so there "
          "is no anti-dive or anti-squat: contact_path and centre_path say what the links do");
    return;
  }
  std::string unknown;
  const std::vector<ForceShare> shares = find_force_shares(vehicle, rig.axles, rig.radius, unknown);
  if (a == 0 && !unknown.empty()) notes.push_back(unknown);
  const auto mean_contact = [&](const Axle& axle) -> Eigen::Vector3d {
    const auto [left, right] = pair_of(point.reading, axle);
    return 0.5 * (left.contact + right.contact);
  };
  const Eigen::Vector3d front = mean_contact(rig.axles.front());
  const Eigen::Vector3d rear = mean_contact(rig.axles.back());
  const double height = find_centre_of_mass(vehicle.mechanism).z() - 0.5 * (front.z() + rear.z());
  const auto none = [&](auto force_of) {
    return std::all_of(shares.begin(), shares.end(),
                       [&](const ForceShare& share) { return force_of(share) <= 0.0; });
  };
  if (a == 0 && none([](const ForceShare& share) { return share.braking; }))
    notes.push_back(std::string(vehicle.brakes.empty() ? "the vehicle has no brakes"
                                                       : "the brake pedal moves no brake") +
                    ", so there is no anti-dive: contact_path says what the links do");
  if (a == 0 && none([](const ForceShare& share) { return share.driving(); }))
    notes.push_back(
        "the vehicle has no driveline, so there is no anti-squat: centre_path says what "
        "the links do");
  const bool is_front = a == 0;
  if (!is_front && a + 1 != rig.axles.size()) return;
  const Sides path = find_contact_path(point, rig.axles[a], ws);
  const double contact = 0.5 * (path.left + path.right);
  const double lever = 100.0 * (front.x() - rear.x()) / height;
  const ForceShare& share = shares[a];
  if (share.braking > 0.0) {
    const double anti = share.braking * contact * lever;
    if (is_front)
      out.add("anti_dive", anti, "%", "braking, outboard, by the balance of the brakes");
    else
      out.add("anti_lift", -anti, "%", "braking, outboard, by the balance of the brakes");
  }
  if (share.driving() > 0.0) {
    const double anti = find_driving_path(point, share, rig.axles[a], ws) * lever;
    const std::string about = "driving, torque " + describe_reactions(vehicle, share);
    if (is_front)
      out.add("anti_lift", anti, "%", about);
    else
      out.add("anti_squat", -anti, "%", about);
  }
}

std::vector<Quantity> design_quantities(const Vehicle& vehicle, const Rig& rig, std::size_t a,
                                        double step, Workspace& ws,
                                        std::vector<std::string>& notes) {
  const Axle& axle = rig.axles[a];
  const RigPoint point = make_point(rig, make_command(rig), rig.design, step, ws);
  Collector out{axle.name, {}};
  // pads that rise by a metre a second carry the wheels of a suspension along
  const Reading lifted = rate_of(point, lift(rig, axle, 1.0, 1.0), ws);
  const auto [lifted_left, lifted_right] = pair_of(lifted, axle);
  const double least = std::min(lifted_left.contact.z(), lifted_right.contact.z());
  add_position(point, axle, least > 0.5, out);
  if (!(least > 0.5)) {
    notes.push_back(axle.name +
                    (std::isnan(least)
                         ? " axle: its wheels, or those of another axle, cannot both follow pads "
                           "that rise alike"
                         : " axle: its wheels have no travel against the chassis, as without a "
                           "suspension") +
                    ", so nothing about their loads and their travel is said");
    add_kingpins(point, axle, ws, out, notes);
    return std::move(out.quantities);
  }
  add_travel(point, axle, ws, out);
  add_instant_centres(point, axle, ws, out);
  add_roll(point, axle, ws, out);
  add_kingpins(point, axle, ws, out, notes);
  add_anti(vehicle, point, a, ws, out, notes);
  for (const int wheel : {axle.left, axle.right})
    if (rig.design_load[at(wheel)] < -kPulled)
      notes.push_back("wheel '" + vehicle.wheels[at(wheel)].name + "' is pulled down by " +
                      to_text(-rig.design_load[at(wheel)], 4) +
                      " N to stand in the design position: the car rides lower than it is drawn, "
                      "and all numbers are about the drawn position; --position rest is about "
                      "that of rest");
  return std::move(out.quantities);
}

/// Mean response of the wheels to the same load on both.
double both(const ComplianceMatrix& C, int response, int load) {
  return 0.5 * (C(response, load) + C(response, load + 6) + C(response + 6, load) +
                C(response + 6, load + 6));
}

/// What both wheels do over a load on each of them: the same component, 1 N or 1 N m.
Reading rate_of_load(const RigPoint& point, const Axle& axle, LoadPoint at_point, int component,
                     Workspace& ws) {
  RigCommand rate = make_command(*point.rig);
  auto& loads = at_point == LoadPoint::contact ? rate.contact : rate.centre;
  loads[at(axle.left)][component] = loads[at(axle.right)][component] = 1.0;
  return rate_of(point, rate, ws);
}

std::vector<Quantity> compliance_quantities(const Rig& rig, const Axle& axle, double step,
                                            Workspace& ws, std::vector<Table>& tables) {
  enum { x, y, turn_z = 5 };
  const RigPoint point = make_point(rig, make_command(rig), rig.design, step, ws);
  const ComplianceMatrix contact = find_compliance(point, axle, LoadPoint::contact, ws);
  const ComplianceMatrix centre = find_compliance(point, axle, LoadPoint::centre, ws);
  tables.push_back(compliance_table(axle.name + "_compliance_contact", contact));
  tables.push_back(compliance_table(axle.name + "_compliance_centre", centre));
  // headings are those of the wheel's plane, as in the tables of the load tests: a carrier that
  // turns about y turns the heading of an axle with camber, too
  const auto rate = [&](LoadPoint at_point, int component) {
    return rate_of_load(point, axle, at_point, component, ws);
  };
  const auto steer = [&](const Reading& reading) {
    const auto [left, right] = pair_of(reading, axle);
    return 0.5 * (left.steer + right.steer);
  };
  const auto toe = [&](const Reading& reading) {
    const auto [left, right] = pair_of(reading, axle);
    return 0.5 * (toe_of(left, 1.0) + toe_of(right, -1.0));
  };
  const Reading sideways = rate(LoadPoint::contact, y);
  const auto [left, right] = pair_of(sideways, axle);
  Collector out{axle.name, {}};
  out.add("lateral_compliance", both(contact, y, y), "m/N",
          "at the contact point, the same force on both wheels");
  out.add("lateral_compliance_steer", steer(sideways), "rad/N",
          "steer to the left by forces to the left on both wheels");
  out.add("lateral_compliance_camber", 0.5 * (left.inclination + right.inclination), "rad/N",
          "inclination, + left end of the axle up, by forces to the left on both wheels");
  out.add("brake_compliance", both(contact, x, x), "m/N",
          "along, at the contact point, wheels locked");
  out.add("brake_compliance_toe", toe(rate(LoadPoint::contact, x)), "rad/N",
          "toe-in by forward forces on both wheels, at the contact point");
  out.add("drive_compliance", both(centre, x, x), "m/N", "along, at the wheel centre");
  out.add("drive_compliance_toe", toe(rate(LoadPoint::centre, x)), "rad/N",
          "toe-in by forward forces on both wheels, at the wheel centre");
  out.add("aligning_compliance_steer", steer(rate(LoadPoint::contact, turn_z)), "rad/(N m)",
          "steer by the same moment about z on both wheels");
  out.add("compliance_asymmetry", std::max(asymmetry(contact), asymmetry(centre)), "1",
          "largest |C_ij - C_ji| over sqrt(C_ii C_jj)");
  return std::move(out.quantities);
}

}  // namespace

std::vector<Quantity> find_design_quantities(const Vehicle& vehicle, const Rig& rig,
                                             std::size_t axle, Workspace& ws,
                                             std::vector<std::string>& notes) {
  std::vector<std::string> again;
  std::vector<Quantity> quantities = design_quantities(vehicle, rig, axle, kDesignStep, ws, notes);
  compare(quantities, design_quantities(vehicle, rig, axle, 0.5 * kDesignStep, ws, again));
  tell_apart(quantities);
  leave_out_impossible(rig.axles[axle], quantities, notes);
  return quantities;
}

std::vector<Quantity> find_compliance_quantities(const Rig& rig, std::size_t axle, Workspace& ws,
                                                 std::vector<Table>& tables) {
  std::vector<Table> again;
  std::vector<Quantity> quantities =
      compliance_quantities(rig, rig.axles[axle], kDesignStep, ws, tables);
  compare(quantities, compliance_quantities(rig, rig.axles[axle], 0.5 * kDesignStep, ws, again));
  return quantities;
}

}  // namespace semirec
