#include "vehicles/analysis/kc/kc.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

#include "integrator/formulation/evaluate.hpp"
#include "recursive/body_frame.hpp"
#include "recursive/kinematics.hpp"
#include "topology/indices.hpp"
#include "topology/nearest.hpp"
#include "vehicles/analysis/kc/design.hpp"
#include "vehicles/analysis/kc/kingpin.hpp"
#include "vehicles/analysis/kc/rest_travel.hpp"
#include "vehicles/analysis/kc/rig_vehicle.hpp"
#include "vehicles/analysis/kc/sweep.hpp"

namespace semirec {

namespace {

constexpr double kMomentArm = 0.05;  // m: of --load, for moments
constexpr double kStep = 1e-5;       // of linearizations, m, rad

/// All that the tests share.
struct Bench {
  const Vehicle& vehicle;
  const KcOptions& options;
  const Rig& rig;
  Workspace& ws;
  const RigState& design;
  Reading reading;
  Answer& answer;
  std::vector<KcMotion>* motions;
};

[[noreturn]] void fail(const std::string& option, double value, const std::string& expected) {
  std::ostringstream text;
  text << "option '" << option << "': is " << value << ", expected " << expected;
  throw ModelError(text.str());
}

void check(const KcOptions& options) {
  const auto range = [](const std::string& name, double value, double most, const char* unit) {
    if (value > 0.0 && value <= most) return;
    std::ostringstream text;
    text << "a number above 0, at most " << most << " " << unit;
    fail(name, value, text.str());
  };
  range("travel", options.travel, 1.0, "m");
  range("steering", options.steering, 100.0, "rad");
  range("load", options.load, 1e6, "N");
  if (options.points < 3 || options.points > 1001 || options.points % 2 == 0)
    fail("points", options.points, "an odd number from 3 to 1001: the middle is the design");
  for (const std::string& test : options.tests)
    if (std::find(kc_tests().begin(), kc_tests().end(), test) == kc_tests().end())
      throw ModelError("option 'test': there is no test '" + test + "'" +
                       nearest_hint(test, kc_tests()));
}

void add_chart(Answer& answer, const Axle& axle, const std::string& title, const Table& table,
               const std::vector<std::string>& columns, const std::string& label) {
  // one panel for all axles
  auto chart = std::find_if(answer.charts.begin(), answer.charts.end(),
                            [&](const Chart& c) { return c.title == title; });
  if (chart == answer.charts.end()) {
    answer.charts.push_back(
        {title, table.columns[0].name + ", " + table.columns[0].unit, label, false, false, {}});
    chart = answer.charts.end() - 1;
  }
  for (const std::string& name : columns) {
    const int k = find_column(table, name);
    if (k < 0) continue;
    Series series;
    series.name = axle.name + " " + name;
    // sides that agree are one line
    const std::size_t before = chart->series.size();
    for (const std::vector<double>& row : table.rows) {
      series.x.push_back(row[0]);
      series.y.push_back(row[at(k)]);
    }
    const auto same = [&](const Series& other) {
      for (std::size_t i = 0; i < series.y.size(); ++i)
        if (!(std::abs(series.y[i] - other.y[i]) <= 1e-6 * std::abs(series.y[i]) + 1e-9))
          return false;
      return true;
    };
    if (name != columns.front() && before > 0 && same(chart->series.back())) continue;
    chart->series.push_back(std::move(series));
  }
}

/// Appends a column to a table of a sweep.
void add_column(Table& table, const Channel& channel, const std::vector<double>& values) {
  table.columns.push_back(channel);
  for (std::size_t k = 0; k < table.rows.size(); ++k) table.rows[k].push_back(values[k]);
}

/// Lengths and angles that change along a curve.
void add_lengths(const Bench& bench, const std::vector<SweepPoint>& points, Table& table) {
  std::vector<std::vector<double>> lengths(bench.rig.lengths.size());
  for (const SweepPoint& point : points) {
    const Reading reading = read_rig(bench.rig, point.state, bench.ws);
    for (std::size_t k = 0; k < lengths.size(); ++k) lengths[k].push_back(reading.lengths[k]);
  }
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    const auto [least, most] = std::minmax_element(lengths[k].begin(), lengths[k].end());
    if (*most - *least < 1e-4) continue;
    const MeasuredLength& length = bench.rig.lengths[k];
    add_column(table,
               {length.name + (length.turns ? ".angle" : ".length"), length.turns ? "rad" : "m"},
               lengths[k]);
  }
}

/// Rates at each point of a curve, under the names given.
using Rates = std::function<std::vector<double>(const RigPoint&)>;
void add_rates(const Bench& bench, const std::vector<SweepPoint>& points,
               const std::vector<Channel>& channels, const Rates& rates, Table& table) {
  table.columns.insert(table.columns.end(), channels.begin(), channels.end());
  for (std::size_t k = 0; k < points.size(); ++k) {
    const RigPoint point =
        make_point(bench.rig, points[k].command, points[k].state, kStep, bench.ws);
    const std::vector<double> values = rates(point);
    table.rows[k].insert(table.rows[k].end(), values.begin(), values.end());
  }
}

/// The steering axis over the travel, where there is one.
void add_steering_axis(const Bench& bench, const Axle& axle, const std::vector<SweepPoint>& points,
                       Table& table) {
  const RigPoint design =
      make_point(bench.rig, make_command(bench.rig), bench.design, kStep, bench.ws);
  if (!find_kingpins(design, axle, bench.ws)) return;
  std::vector<Channel> channels;
  for (const std::string side : {"_left", "_right"})
    for (const auto& [name, unit] : {std::pair{"caster", "rad"},
                                     {"kingpin_inclination", "rad"},
                                     {"scrub_radius", "m"},
                                     {"mechanical_trail", "m"}})
      channels.push_back({name + side, unit});
  add_rates(
      bench, points, channels,
      [&](const RigPoint& point) {
        const auto kingpins = find_kingpins(point, axle, bench.ws);
        std::vector<double> values(8, std::nan(""));
        if (!kingpins) return values;
        const auto& [l, r] = *kingpins;
        return std::vector<double>{l.caster, l.inclination, l.scrub_radius, l.trail,
                                   r.caster, r.inclination, r.scrub_radius, r.trail};
      },
      table);
}

/// The poses of all bodies at the points of a curve.
KcMotion motion_of(const Bench& bench, const Sweep& sweep, const std::vector<SweepPoint>& points,
                   const std::string& charts) {
  const Model& model = bench.rig.model;
  KcMotion motion{sweep.test, sweep.variable, charts, {}, {}, {}};
  for (const Body& body : model.mechanism.bodies) motion.bodies.push_back(body.name);
  for (const SweepPoint& point : points) {
    begin_evaluation(model, point.state.state, point.state.state.t, bench.ws);
    compute_positions(model.tree, point.state.state.z.data(), bench.ws.tree);
    motion.values.push_back(point.variable);
    std::vector<Frame> frames;
    for (std::size_t b = 0; b < motion.bodies.size(); ++b)
      frames.push_back(find_body_frame(model.tree, bench.ws.tree, static_cast<BodyIndex>(b)));
    motion.frames.push_back(std::move(frames));
  }
  return motion;
}

/// `charts`: what the titles of its charts begin with.
std::vector<SweepPoint> run(const Bench& bench, const Sweep& sweep, const std::string& charts) {
  std::vector<SweepPoint> points =
      run_sweep(bench.rig, bench.design, sweep, bench.ws, bench.answer.notes);
  if (bench.motions != nullptr) bench.motions->push_back(motion_of(bench, sweep, points, charts));
  return points;
}

void test_parallel(const Bench& bench, const Axle& axle) {
  const Rig& rig = bench.rig;
  const Sweep sweep{axle.name + " parallel",
                    {"travel", "m"},
                    bench.options.travel,
                    lift(rig, axle, 1.0, 1.0),
                    bench.options.points};
  const std::vector<SweepPoint> points = run(bench, sweep, "parallel travel");
  Table table =
      sweep_table(axle.name + "_parallel", rig, axle, sweep, points, bench.reading, bench.ws);
  add_rates(
      bench, points,
      {{"wheel_rate_left", "N/m"},
       {"wheel_rate_right", "N/m"},
       {"bump_steer_left", "rad/m"},
       {"bump_steer_right", "rad/m"},
       {"bump_camber_left", "rad/m"},
       {"bump_camber_right", "rad/m"},
       {"roll_centre_height", "m"}},
      [&](const RigPoint& point) {
        const Reading rate = rate_of(point, sweep.direction, bench.ws);
        const WheelReading& l = rate.wheels[at(axle.left)];
        const WheelReading& r = rate.wheels[at(axle.right)];
        return std::vector<double>{l.load,
                                   r.load,
                                   toe_of(l, 1.0),
                                   toe_of(r, -1.0),
                                   camber_of(l, 1.0),
                                   camber_of(r, -1.0),
                                   find_roll_centre(point, axle, bench.ws)};
      },
      table);
  add_steering_axis(bench, axle, points, table);
  add_lengths(bench, points, table);
  add_chart(bench.answer, axle, "parallel travel: toe", table, {"toe_left", "toe_right"},
            "toe-in, rad");
  add_chart(bench.answer, axle, "parallel travel: camber", table, {"camber_left", "camber_right"},
            "camber, rad");
  add_chart(bench.answer, axle, "parallel travel: load of a wheel", table,
            {"load_left", "load_right"}, "load, N");
  add_chart(bench.answer, axle, "parallel travel: roll centre", table, {"roll_centre_height"},
            "height, m");
  bench.answer.tables.push_back(std::move(table));
}

void test_opposite(const Bench& bench, const Axle& axle) {
  const Rig& rig = bench.rig;
  const Sweep sweep{axle.name + " opposite",
                    {"travel", "m"},
                    bench.options.travel,
                    lift(rig, axle, 1.0, -1.0),
                    bench.options.points};
  const std::vector<SweepPoint> points = run(bench, sweep, "opposite travel");
  Table table =
      sweep_table(axle.name + "_opposite", rig, axle, sweep, points, bench.reading, bench.ws);
  add_rates(
      bench, points, {{"wheel_rate_left", "N/m"}, {"wheel_rate_right", "N/m"}},
      [&](const RigPoint& point) {
        const Reading rate = rate_of(point, sweep.direction, bench.ws);
        return std::vector<double>{rate.wheels[at(axle.left)].load,
                                   -rate.wheels[at(axle.right)].load};
      },
      table);
  add_lengths(bench, points, table);
  add_chart(bench.answer, axle, "opposite travel: steer", table, {"steer_left", "steer_right"},
            "steer, rad");
  bench.answer.tables.push_back(std::move(table));
}

double track_of(const Reading& reading, const Axle& axle) {
  return reading.wheels[at(axle.left)].contact.y() - reading.wheels[at(axle.right)].contact.y();
}

/// The chassis rolls with all axles at once.
void test_roll(const Bench& bench, const std::vector<Axle>& axles) {
  const Rig& rig = bench.rig;
  if (rig.roll == kNoInput) return;
  double track = 0.0;
  for (const Axle& axle : axles) track = std::max(track, track_of(bench.reading, axle));
  Sweep sweep{"roll",
              {"roll", "rad"},
              std::atan(2.0 * bench.options.travel / track),
              roll_rate(rig),
              bench.options.points};
  sweep.direction.constant_load = true;
  const std::vector<SweepPoint> points = run(bench, sweep, "roll");
  for (const Axle& axle : axles) {
    Table table =
        sweep_table(axle.name + "_roll", rig, axle, sweep, points, bench.reading, bench.ws);
    add_rates(
        bench, points, {{"moment", "N m"}, {"roll_stiffness", "N m/rad"}},
        [&](const RigPoint& point) {
          const Reading rate = rate_of(point, roll_rate(rig), bench.ws);
          const auto moment = [&](const Reading& of, const Reading& arms) {
            return 0.5 * track_of(arms, axle) *
                   (of.wheels[at(axle.right)].load - of.wheels[at(axle.left)].load);
          };
          return std::vector<double>{moment(point.reading, point.reading),
                                     moment(rate, point.reading) + moment(point.reading, rate)};
        },
        table);
    add_lengths(bench, points, table);
    add_chart(bench.answer, axle, "roll: moment", table, {"moment"}, "moment, N m");
    add_chart(bench.answer, axle, "roll: steer", table, {"steer_left", "steer_right"},
              "steer, rad");
    bench.answer.tables.push_back(std::move(table));
  }
}

/// How much of the difference of the steer angles that lets both wheels roll about one centre on
/// the line of the other axle is there, percent; not a number where they turn opposite ways or the
/// inner one hardly.
double ackermann(double left, double right, double track, double wheelbase) {
  // which wheel is inside is told by the direction, not by the size
  const bool to_left = left + right > 0.0;
  const double inside = to_left ? left : -right;
  const double outside = to_left ? right : -left;
  if (inside < 1e-3 || outside <= 0.0) return std::nan("");
  const double ideal = std::atan(1.0 / (1.0 / std::tan(inside) + track / wheelbase));
  return 100.0 * (inside - outside) / (inside - ideal);
}

constexpr double kSteered = 1e-4;  // rad: what turns less over the whole sweep is not steered

/// Mean steer of an axle's wheels from straight ahead at the last point of a sweep, and the largest
/// of a wheel anywhere.
struct Turned {
  double x = 0.0;  ///< of the axle, m
  double last = 0.0, most = 0.0;
};

/// Of all axles of the rig.
std::vector<Turned> find_turned(const Bench& bench, const std::vector<Reading>& readings) {
  std::vector<Turned> turned;
  for (const Axle& axle : bench.rig.axles) turned.push_back({axle.x, 0.0, 0.0});
  for (const Reading& reading : readings) {
    for (std::size_t a = 0; a < turned.size(); ++a) {
      const Axle& axle = bench.rig.axles[a];
      const auto turn = [&](int wheel) {
        return reading.wheels[at(wheel)].steer - bench.reading.wheels[at(wheel)].steer;
      };
      turned[a].last = 0.5 * (turn(axle.left) + turn(axle.right));
      turned[a].most =
          std::max({turned[a].most, std::abs(turn(axle.left)), std::abs(turn(axle.right))});
    }
  }
  return turned;
}

/// What turns the car at the last point, rad: the front wheels' mean angle less that of the rear
/// ones; above zero to the left.
double find_turn(const std::vector<Turned>& turned, const AxleGroups& groups) {
  double sums[2] = {0.0, 0.0};
  double counts[2] = {0.0, 0.0};
  for (const Turned& axle : turned) {
    if (axle.most < kSteered) continue;
    const std::size_t group = groups.is_rear(axle.x) ? 1 : 0;
    sums[group] += axle.last;
    counts[group] += 1.0;
  }
  return sums[0] / std::max(counts[0], 1.0) - sums[1] / std::max(counts[1], 1.0);
}

/// Whether axles of the group that is not this one's are steered.
bool steer_behind(const std::vector<Turned>& turned, const AxleGroups& groups, const Axle& axle) {
  return std::any_of(turned.begin(), turned.end(), [&](const Turned& other) {
    return other.most >= kSteered && groups.is_rear(other.x) != groups.is_rear(axle.x);
  });
}

void note_unsteered(const Axle& axle, Answer& answer) {
  const std::string line = axle.name + " axle: not steered";
  const bool known = std::any_of(answer.notes.begin(), answer.notes.end(),
                                 [&](const std::string& note) { return note.starts_with(line); });
  if (!known) answer.notes.push_back(line);
}

void test_steering(const Bench& bench, const std::vector<Axle>& axles) {
  const Rig& rig = bench.rig;
  if (rig.steering == kNoInput) {
    bench.answer.notes.push_back(
        "steering: the vehicle names no steering input (<controls steering=...>), left out");
    return;
  }
  const Sweep sweep{"steering",
                    {"steering_wheel", "rad"},
                    bench.options.steering,
                    steering_rate(rig),
                    bench.options.points};
  const std::vector<SweepPoint> points = run(bench, sweep, "steering");
  std::vector<double> x;
  for (const Axle& axle : rig.axles) x.push_back(axle.x);
  const AxleGroups groups = group_axles(x);
  const auto turn_at = [&](const Reading& reading, int wheel) {
    return reading.wheels[at(wheel)].steer - bench.reading.wheels[at(wheel)].steer;
  };
  std::vector<Reading> readings;
  for (const SweepPoint& point : points) readings.push_back(read_rig(rig, point.state, bench.ws));
  const std::vector<Turned> turned = find_turned(bench, readings);
  const double turn = find_turn(turned, groups);
  for (const Axle& axle : axles) {
    const double track = track_of(bench.reading, axle);
    // one centre on the line of the axles at the other end, where those do not steer
    const double to_others = groups.steered_wheelbase(axle.x);
    const bool others_steer = steer_behind(turned, groups, axle);
    const double wheelbase = others_steer ? 0.0 : to_others;
    double most = 0.0;
    std::vector<double> left, right, percent, ratio;
    for (std::size_t k = 0; k < points.size(); ++k) {
      left.push_back(turn_at(readings[k], axle.left));
      right.push_back(turn_at(readings[k], axle.right));
      most = std::max(most, std::abs(left.back()));
      percent.push_back(wheelbase > 0.0 ? ackermann(left.back(), right.back(), track, wheelbase)
                                        : std::nan(""));
      ratio.push_back(2.0 * points[k].variable / (left.back() + right.back()));
    }
    // one point, where the sweep begins, shows nothing
    if (points.size() < 2) continue;
    if (most < kSteered) {
      note_unsteered(axle, bench.answer);
      continue;
    }
    Table table =
        sweep_table(axle.name + "_steering", rig, axle, sweep, points, bench.reading, bench.ws);
    add_column(table, {"turn_left", "rad"}, left);
    add_column(table, {"turn_right", "rad"}, right);
    add_column(table, {"ratio", "rad/rad"}, ratio);
    add_column(table, {"ackermann", "%"}, percent);
    add_chart(bench.answer, axle, "steering: road wheels", table, {"turn_left", "turn_right"},
              "steer from straight ahead, rad");
    add_chart(bench.answer, axle, "steering: Ackermann", table, {"ackermann"}, "%");
    bench.answer.tables.push_back(std::move(table));
    const auto add = [&](const std::string& name, double value, const std::string& unit,
                         const std::string& about) {
      bench.answer.quantities.push_back({axle.name + "." + name, value, unit, std::nan(""), about});
    };
    if (others_steer && std::abs(turn) < kSteered) {
      bench.answer.notes.push_back(axle.name +
                                   " axle: the axles at both ends steer alike and the car turns "
                                   "nowhere, so there is no lock of an inner and an outer wheel");
      continue;
    }
    // the end at which the car turns to the left
    const std::size_t end = turn > 0.0 ? left.size() - 1 : 0;
    add("lock_inner", left[end], "rad",
        "turn of the left wheel from straight ahead at the end of the sweep where the car turns to "
        "the left");
    add("lock_outer", right[end], "rad", "of the right wheel there");
    if (wheelbase <= 0.0) {
      bench.answer.notes.push_back(axle.name + " axle: " +
                                   (others_steer      ? "axles at the other end are steered, too"
                                    : to_others < 0.0 ? "steered behind the car"
                                                      : "no axle is at another place") +
                                   ", so there is no ackermann and no turning_circle");
      continue;
    }
    add("ackermann", percent[end], "%", "there; 100: both wheels about one centre");
    if (!std::isfinite(percent[end]))
      bench.answer.notes.push_back(
          axle.name +
          " axle: its wheels turn opposite ways, or the inner one by less than 0.001 rad, so "
          "Ackermann's percentage is not defined");
    if (left[end] * right[end] <= 0.0) continue;  // no circle that both roll on
    const double middle =
        0.5 * wheelbase * (1.0 / std::tan(left[end]) + 1.0 / std::tan(right[end]));
    add("turning_circle", 2.0 * std::hypot(wheelbase, middle + 0.5 * track), "m",
        "there: diameter of the outer wheel's track, rolling without slip");
  }
}

/// A load along one direction on both wheels of an axle, alike or against one another.
void test_load(const Bench& bench, const Axle& axle, const std::string& test, int component,
               double reach) {
  const Rig& rig = bench.rig;
  for (const bool contact : {true, false}) {
    // a moment is the same everywhere
    if (component >= 3 && !contact) continue;
    for (const bool same : {true, false}) {
      const std::string name = test +
                               (component >= 3 ? ""
                                : contact      ? "_contact"
                                               : "_centre") +
                               (same ? "_same" : "_opposite");
      Sweep sweep{axle.name + " " + name,
                  component >= 3 ? Channel{"moment", "N m"} : Channel{"force", "N"}, reach,
                  make_command(rig), bench.options.points};
      const std::string charts = !same ? std::string()
                                 : test == "longitudinal"
                                     ? std::string("longitudinal force ") +
                                           (contact ? "at the contact" : "at the wheel centre")
                                 : contact ? test + " load"
                                           : std::string();
      auto& loads = contact ? sweep.direction.contact : sweep.direction.centre;
      loads[at(axle.left)][component] = 1.0;
      loads[at(axle.right)][component] = same ? 1.0 : -1.0;
      const std::vector<SweepPoint> points = run(bench, sweep, charts);
      Table table =
          sweep_table(axle.name + "_" + name, rig, axle, sweep, points, bench.reading, bench.ws);
      if (!charts.empty()) {
        const bool toe = test == "longitudinal";
        add_chart(bench.answer, axle, charts + (toe ? ": toe" : ": steer"), table,
                  toe ? std::vector<std::string>{"toe_left", "toe_right"}
                      : std::vector<std::string>{"steer_left", "steer_right"},
                  toe ? "toe-in, rad" : "steer, rad");
      }
      bench.answer.tables.push_back(std::move(table));
    }
  }
}

std::vector<Axle> choose_axles(const Rig& rig, const std::string& name) {
  if (name.empty()) return rig.axles;
  std::vector<std::string> names;
  for (const Axle& axle : rig.axles) {
    if (axle.name == name) return {axle};
    names.push_back(axle.name);
  }
  throw ModelError("option 'axle': there is no axle '" + name + "'" + nearest_hint(name, names));
}

std::size_t choose_unit(const std::vector<Unit>& units, const std::string& name) {
  if (name.empty()) return 0;
  std::vector<std::string> names;
  for (const Unit& unit : units) names.push_back(unit.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw ModelError("option 'unit': the vehicle has no unit '" + name + "'" +
                     nearest_hint(name, names));
  return static_cast<std::size_t>(found - names.begin());
}

/// The rig holds the steering wheel itself, straight on in the design position.
Vehicle steered_straight(Vehicle vehicle) {
  for (Input& input : vehicle.mechanism.inputs)
    if (input.name == vehicle.controls.steering && is_free(input))
      input.curve = Curve::constant(0.0);
  return vehicle;
}

/// How far each wheel of a unit is above where it is drawn when the vehicle rests, m.
RestTravel find_unit_travel(const Vehicle& whole, const Vehicle& alone,
                            const std::vector<Unit>& units, std::size_t unit) {
  if (unit == 0) return find_rest_travel(alone, alone.chassis);
  RestTravel rest = find_rest_travel(whole, units[unit].frame);
  // wheels keep their order
  std::vector<double> travel;
  for (std::size_t w = 0; w < rest.travel.size(); ++w)
    if (has_wheel(units[unit], static_cast<int>(w))) travel.push_back(rest.travel[w]);
  rest.travel = std::move(travel);
  return rest;
}

/// Whether nothing but a free joint of the chassis ties the vehicle to the ground.
bool stands_on_wheels_alone(const Vehicle& vehicle) {
  const Mechanism& mechanism = vehicle.mechanism;
  const auto is_tied = [](const auto& element) {
    return (element.a.body == kGround) != (element.b.body == kGround);
  };
  const auto ties = [&](const auto& elements) {
    return std::any_of(elements.begin(), elements.end(), is_tied);
  };
  const auto is_free = [&](const Joint& joint) {
    return joint.type == JointType::free && joint.a.body == kGround &&
           joint.b.body == vehicle.chassis;
  };
  const std::vector<Joint>& joints = mechanism.joints;
  return std::any_of(joints.begin(), joints.end(), is_free) &&
         std::none_of(joints.begin(), joints.end(),
                      [&](const Joint& joint) { return is_tied(joint) && !is_free(joint); }) &&
         !ties(mechanism.constraints) && !ties(mechanism.springs) && !ties(mechanism.bushings) &&
         !ties(mechanism.rotational_springs);
}

/// A line where the pads of a whole car carry much less or more than it weighs as it is drawn: it
/// rides lower or higher than that. Empty where it does not, hangs elsewhere, too, or where a wheel
/// is pulled down, which find_design_quantities() tells.
std::string describe_ride_height(const Vehicle& vehicle, const Rig& rig) {
  constexpr double kMostOff = 0.2;  // of the weight
  const std::vector<double>& loads = rig.design_load;
  if (!rig.travel.empty() || loads.empty() || !stands_on_wheels_alone(vehicle) ||
      *std::min_element(loads.begin(), loads.end()) < 0.0)
    return {};
  double mass = 0.0;
  for (const Body& body : vehicle.mechanism.bodies) mass += body.mass;
  const double weight = mass * vehicle.mechanism.gravity.norm();
  const double carried = std::accumulate(loads.begin(), loads.end(), 0.0);
  if (!(weight > 0.0 && std::abs(carried - weight) > kMostOff * weight)) return {};
  return "as the car is drawn its wheels carry " + to_text(carried, 4) + " N of the " +
         to_text(weight, 4) + " N that it weighs: it rides " +
         (carried < weight ? "lower" : "higher") +
         " than drawn, and all numbers are about the drawn position; --position rest is about that "
         "of rest";
}

std::size_t index_of(const Rig& rig, const Axle& axle) {
  std::size_t a = 0;
  while (rig.axles[a].name != axle.name) ++a;
  return a;
}

}  // namespace

const std::vector<std::string>& kc_tests() {
  static const std::vector<std::string> tests{"design",       "parallel", "opposite",
                                              "roll",         "steering", "lateral",
                                              "longitudinal", "aligning", "compliance"};
  return tests;
}

Answer find_kinematics_and_compliance(const Vehicle& described, const KcOptions& options,
                                      const Progress& progress, std::vector<KcMotion>* motions) {
  check(options);
  const Vehicle whole = steered_straight(described);
  const std::vector<Unit> units = find_units(whole);
  const std::size_t unit = choose_unit(units, options.unit);
  const Vehicle alone = take_unit(whole, units, unit);
  const TwinsMerged merged = merge_twins(alone);
  const Vehicle& vehicle = merged.vehicle;
  std::vector<double> travel;
  RestTravel rest;
  if (options.position == KcPosition::rest) {
    rest = find_unit_travel(whole, alone, units, unit);
    const std::vector<double>& each = rest.travel;
    for (const std::vector<int>& twins : merged.wheels) {
      double mean = 0.0;
      for (const int wheel : twins) mean += each[at(wheel)] / static_cast<double>(twins.size());
      travel.push_back(mean);
    }
  }
  const Rig rig = make_rig(vehicle, travel);
  const std::vector<Axle> axles = choose_axles(rig, options.axle);
  Workspace ws(rig.model);
  Answer answer;
  answer.title = vehicle.mechanism.name + ": kinematics and compliance of the suspension";
  const Reading reading = read_rig(rig, rig.design, ws);
  const Bench bench{vehicle, options, rig, ws, rig.design, reading, answer, motions};
  if (std::string counted = describe_units(units); !counted.empty())
    answer.notes.push_back(
        counted + (units.size() > 1 ? "; '" + units[unit].name + "' stands on the rig alone" : ""));
  answer.notes.insert(answer.notes.end(), rig.notes.begin(), rig.notes.end());
  answer.notes.insert(answer.notes.end(), rest.notes.begin(), rest.notes.end());
  if (units.size() == 1)
    if (std::string line = describe_ride_height(vehicle, rig); !line.empty())
      answer.notes.push_back(std::move(line));
  if (vehicle.chassis == kGround)
    answer.notes.push_back(
        "the vehicle names no chassis (chassis=\"yes\"): no body is held and nothing rolls");
  const auto wanted = [&](const std::string& test) {
    return options.tests.empty() ||
           std::find(options.tests.begin(), options.tests.end(), test) != options.tests.end();
  };
  double done = 0.0;
  const auto all = static_cast<double>(kc_tests().size() * axles.size());
  const auto begin = [&](const std::string& test, const Axle& axle) {
    show_progress(progress, done / all, axle.name + " " + test);
    done += 1.0;
    return wanted(test);
  };
  const auto append = [&](const std::vector<Quantity>& quantities) {
    answer.quantities.insert(answer.quantities.end(), quantities.begin(), quantities.end());
  };
  for (const Axle& axle : axles) {
    if (begin("design", axle))
      append(find_design_quantities(vehicle, rig, index_of(rig, axle), ws, answer.notes));
    if (begin("compliance", axle))
      append(find_compliance_quantities(rig, index_of(rig, axle), ws, answer.tables));
    if (begin("parallel", axle)) test_parallel(bench, axle);
    if (begin("opposite", axle)) test_opposite(bench, axle);
    if (begin("lateral", axle)) test_load(bench, axle, "lateral", 1, options.load);
    if (begin("longitudinal", axle)) test_load(bench, axle, "longitudinal", 0, options.load);
    if (begin("aligning", axle)) test_load(bench, axle, "aligning", 5, kMomentArm * options.load);
  }
  show_progress(progress, done / all, "roll and steering");
  if (wanted("roll")) test_roll(bench, axles);
  if (wanted("steering")) test_steering(bench, axles);
  return answer;
}

}  // namespace semirec
