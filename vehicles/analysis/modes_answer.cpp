#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <sstream>

#include "integrator/outputs/input_effort.hpp"
#include "topology/indices.hpp"
#include "vehicles/analysis/modes.hpp"

namespace semirec {

namespace {

using Eigen::Index;

constexpr double kTwoPi = 2.0 * M_PI;
/// An eigenvalue that grows by less than this is rounding of one that does not, 1/s.
constexpr double kGrows = 1e-6;

/// Names of quantities: letters, digits, `_` and `.`.
std::string key_of(std::string name) {
  name.erase(std::remove(name.begin(), name.end(), ','), name.end());
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

/// In s, below zero where the mode grows, infinite where it does neither.
double time_constant(const Mode& mode) {
  const double real = mode.eigen.value.real();
  return std::abs(real) > kGrows ? -1.0 / real : std::numeric_limits<double>::infinity();
}

/// NaN of a mode that only is displaced: the sign of its eigenvalue is round-off.
double damping_ratio(const Mode& mode) {
  if (!(std::abs(mode.eigen.value) > kGrows)) return std::nan("");
  return mode.eigen.damping_ratio() + 0.0;  // no -0
}

Table list_modes(const CarModes& modes) {
  Table table;
  table.name = "modes";
  table.shown = true;
  table.columns = {{"real", "1/s"},        {"imaginary", "rad/s"}, {"frequency", "Hz"},
                   {"damping_ratio", "1"}, {"time_constant", "s"}, {"uncertainty", "1/s"}};
  for (const Mode& mode : modes.modes) {
    table.labels.push_back(mode.name);
    table.rows.push_back({mode.eigen.value.real(), mode.eigen.value.imag(),
                          std::abs(mode.eigen.value) / kTwoPi, damping_ratio(mode),
                          time_constant(mode), mode.uncertainty});
  }
  return table;
}

Table list_energy(SteadyCar& car, const CarModes& modes) {
  Table table;
  table.name = "energy";
  for (const Body& body : car.drive().model.mechanism.bodies)
    table.columns.push_back({body.name, "1"});
  for (const Mode& mode : modes.modes) {
    table.labels.push_back(mode.name);
    table.rows.push_back(mode.energy);
  }
  return table;
}

Table list_participation(SteadyCar& car, const CarModes& modes) {
  Table table;
  table.name = "participation";
  table.shown = true;
  std::vector<Subsystem> shown;
  for (int k = 0; k < kSubsystems; ++k)
    if (static_cast<Subsystem>(k) != Subsystem::trailer || car.drive().units.size() > 1)
      shown.push_back(static_cast<Subsystem>(k));
  for (const Subsystem subsystem : shown) table.columns.push_back({name_of(subsystem), "1"});
  for (const Mode& mode : modes.modes) {
    table.labels.push_back(mode.name);
    table.rows.emplace_back();
    for (const Subsystem subsystem : shown)
      table.rows.back().push_back(mode.participation[static_cast<std::size_t>(subsystem)]);
  }
  return table;
}

Table list_matrix(const std::string& name, const Eigen::MatrixXd& matrix,
                  const std::vector<Channel>& rows, const std::vector<Channel>& columns) {
  Table table;
  table.name = name;
  table.columns = columns;
  for (Index i = 0; i < matrix.rows(); ++i) {
    table.labels.push_back(rows[static_cast<std::size_t>(i)].name);
    table.rows.emplace_back();
    for (Index k = 0; k < matrix.cols(); ++k) table.rows.back().push_back(matrix(i, k));
  }
  return table;
}

void add_quantities(const CarModes& modes, Answer& answer) {
  for (const Mode& mode : modes.modes) {
    const std::string key = key_of(mode.name);
    const double off = mode.uncertainty;
    const auto put = [&](const std::string& what, double value, const std::string& unit,
                         double uncertainty) {
      Quantity quantity{key + "." + what, value, unit, uncertainty};
      quantity.detail = true;
      answer.quantities.push_back(quantity);
    };
    put("real", mode.eigen.value.real(), "1/s", off);
    put("imaginary", mode.eigen.value.imag(), "rad/s", off);
    put("frequency", std::abs(mode.eigen.value) / kTwoPi, "Hz", off / kTwoPi);
    put("damping_ratio", damping_ratio(mode), "1",
        std::abs(mode.eigen.value) > 0.0 ? off / std::abs(mode.eigen.value) : 0.0);
    put("time_constant", time_constant(mode), "s", std::nan(""));
  }
}

void note_place(const CarModes& modes, Answer& answer) {
  constexpr const char* kNote =
      "the car depends on its place across its way and on its heading, as one with a driver does: "
      "both are states";
  const bool known =
      std::find(answer.notes.begin(), answer.notes.end(), kNote) != answer.notes.end();
  if (modes.system.place == PlaceLeftOut::along && !known) answer.notes.emplace_back(kNote);
}

/// What was found with the modes, each line once.
void add_notes(const CarModes& modes, Answer& answer) {
  for (const std::string& note : modes.notes)
    if (std::find(answer.notes.begin(), answer.notes.end(), note) == answer.notes.end())
      answer.notes.push_back(note);
}

/// Joints that the file sets in motion, other than the chassis', the wheels' and rotors that go on
/// as they do: they rest in a steady state, without the moments that their spin would bring.
void note_rates(const SteadyCar& car, Answer& answer) {
  constexpr int kNamed = 3;
  const Model& model = car.drive().model;
  const std::vector<int> turning = car.turning();
  std::ostringstream text;
  int count = 0;
  const auto add = [&](const std::string& what, double rate) {
    if (++count <= kNamed)
      text << (count == 1 ? "" : ", ") << what << " (" << to_text(rate, 4) << ")";
  };
  for (std::size_t j = 0; j < model.mechanism.joints.size(); ++j) {
    const Joint& joint = model.mechanism.joints[j];
    const TreeIndex t = model.tree.tree.branch_of_joint[j];
    const bool turns = t >= 0 && std::find(turning.begin(), turning.end(),
                                           model.tree.bodies[at(t)].z) != turning.end();
    const auto joins = [&](BodyIndex a, BodyIndex b) {
      return joint.a.body == a && joint.b.body == b;
    };
    if (turns || joint.type == JointType::free || joins(kGround, car.chassis()) ||
        joins(car.chassis(), kGround))
      continue;
    const auto fastest =
        std::max_element(joint.velocity.begin(), joint.velocity.end(),
                         [](double a, double b) { return std::abs(a) < std::abs(b); });
    if (fastest != joint.velocity.end() && *fastest != 0.0)
      add("joint '" + joint.name + "'", *fastest);
  }
  const std::vector<Input>& inputs = model.mechanism.inputs;
  for (std::size_t k = 0; k < inputs.size(); ++k)
    if (moves_mechanism(model.mechanism, static_cast<InputIndex>(k)))
      if (const double rate = inputs[k].curve.evaluate(0.0).fd; rate != 0.0)
        add("input '" + inputs[k].name + "'", rate);
  if (count == 0) return;
  if (count > kNamed) text << " and " << count - kNamed << " more";
  answer.notes.push_back(
      "the modes are those about a state in which all joints but wheels and free rotors rest: the "
      "rates that the file gives to " +
      text.str() + ", in SI units, and gyroscopic moments of them are left out");
}

/// More than differences make of a zero: they split one that is double into a pair.
bool grows(const Mode& mode) { return mode.eigen.value.real() > kGrows + 3.0 * mode.uncertainty; }

void note_growth(const CarModes& modes, const std::string& where, Answer& answer) {
  for (const Mode& mode : modes.modes) {
    if (!grows(mode)) continue;
    answer.notes.push_back("unstable" + where + ": '" + mode.name + "' grows by e in " +
                           to_text(1.0 / mode.eigen.value.real(), 4) + " s" +
                           (mode.eigen.oscillates()
                                ? " at " + to_text(mode.eigen.value.imag() / kTwoPi, 4) + " Hz"
                                : ", without oscillation"));
  }
}

std::string point_of(const ModesOptions& options) {
  if (options.speed == 0.0) return "at rest";
  std::string text = "at " + to_text(options.speed) + " m/s";
  if (options.lateral_acceleration != 0.0)
    text += " and " + to_text(options.lateral_acceleration) + " m/s^2";
  return text;
}

/// The speed between two at which the largest real part crosses kGrows, and half of the bracket
/// that is left, m/s. By bisection: between the two one mode's may be the largest first, then
/// another's.
std::pair<double, double> find_crossing(SteadyCar& car, ModesOptions options, double stable,
                                        double growing, ModeNames& names) {
  constexpr double kBracket = 1e-3;  // m/s
  while (growing - stable > kBracket) {
    options.speed = 0.5 * (stable + growing);
    const SteadyTurn turn = car.turn(options.speed, options.lateral_acceleration);
    const CarModes modes = find_modes(car, turn, options, names);
    const bool above = std::any_of(modes.modes.begin(), modes.modes.end(), grows);
    (above ? growing : stable) = options.speed;
  }
  return {0.5 * (stable + growing), 0.5 * (growing - stable)};
}

Answer root_locus(SteadyCar& car, const ModesOptions& options, const Progress& progress) {
  Answer answer;
  answer.title = car.drive().model.mechanism.name + ": eigenvalues over speed";
  Table table;
  table.name = "locus";
  table.columns = {{"speed", "m/s"},
                   {"real", "1/s"},
                   {"imaginary", "rad/s"},
                   {"frequency", "Hz"},
                   {"damping_ratio", "1"}};
  std::map<std::string, Series> roots;
  std::map<std::string, Series> frequencies;
  Series unstable{"largest real part", {}, {}, false};
  std::pair<double, double> critical{std::nan(""), std::nan("")};
  bool last_growing = false;
  double last_speed = 0.0;
  bool begins_growing = false;
  ModeNames names(options.like);
  // upwards, in whatever order they are asked for
  std::vector<double> speeds = options.speeds;
  std::sort(speeds.begin(), speeds.end());
  const std::size_t count = speeds.size();
  for (std::size_t s = 0; s < count; ++s) {
    ModesOptions here = options;
    here.speed = speeds[s];
    show_progress(progress, static_cast<double>(s) / static_cast<double>(count),
                  to_text(here.speed) + " m/s");
    const SteadyTurn turn =
        here.speed == 0.0 ? car.rest() : car.turn(here.speed, here.lateral_acceleration);
    const CarModes modes = find_modes(car, turn, here, names);
    double largest = -1e300;
    for (const Mode& mode : modes.modes) {
      const std::complex<double> value = mode.eigen.value;
      table.labels.push_back(mode.name);
      table.rows.push_back(
          {here.speed, value.real(), value.imag(), std::abs(value) / kTwoPi, damping_ratio(mode)});
      Series& root = roots[mode.name];
      root.name = mode.name;
      root.points = true;
      root.x.push_back(value.real());
      root.y.push_back(value.imag());
      Series& frequency = frequencies[mode.name];
      frequency.name = mode.name;
      frequency.points = true;
      frequency.x.push_back(here.speed);
      frequency.y.push_back(damping_ratio(mode));
      largest = std::max(largest, value.real());
    }
    note_growth(modes, " " + point_of(here), answer);
    note_place(modes, answer);
    add_notes(modes, answer);
    unstable.x.push_back(here.speed);
    unstable.y.push_back(largest);
    const bool growing = std::any_of(modes.modes.begin(), modes.modes.end(), grows);
    if (s > 0 && !last_growing && growing && std::isnan(critical.first))
      critical = find_crossing(car, options, last_speed, here.speed, names);
    begins_growing = begins_growing || (s == 0 && growing);
    last_growing = growing;
    last_speed = here.speed;
  }
  answer.quantities.push_back({"critical_speed", critical.first, "m/s", critical.second,
                               "where an eigenvalue first crosses to growth"});
  if (!std::isfinite(critical.first))
    answer.notes.push_back("critical_speed: none in the range" +
                           std::string(begins_growing ? ", which begins with growth" : ""));
  answer.tables.push_back(table);
  Chart plane{"root locus", "real part, 1/s", "imaginary part, rad/s", false, false, {}};
  for (auto& [name, series] : roots) plane.series.push_back(series);
  // what people feel is slow, and wheels make the plane wide
  constexpr double kSlow = 20.0;  // rad/s
  Chart slow{"root locus within 20 rad/s", plane.x_label, plane.y_label, false, false, {}};
  for (const Series& root : plane.series) {
    Series near{root.name, {}, {}, true};
    for (std::size_t k = 0; k < root.x.size(); ++k)
      if (std::hypot(root.x[k], root.y[k]) < kSlow) {
        near.x.push_back(root.x[k]);
        near.y.push_back(root.y[k]);
      }
    if (!near.x.empty()) slow.series.push_back(std::move(near));
  }
  Chart damping{"damping", "speed, m/s", "damping ratio", false, false, {}};
  for (auto& [name, series] : frequencies) damping.series.push_back(series);
  answer.charts = {
      plane, slow, damping, {"stability", "speed, m/s", "1/s", false, false, {unstable}}};
  if (std::string counted = describe_units(car.drive().units); !counted.empty())
    answer.notes.push_back(std::move(counted));
  for (std::string& fault : car.rest_faults()) answer.notes.push_back(std::move(fault));
  note_rates(car, answer);
  return answer;
}

}  // namespace

Answer analyse_modes(SteadyCar& car, const ModesOptions& options, const Progress& progress,
                     CarModes* found) {
  if (options.speed != 0.0 || options.speeds.size() > 1) car.expect_even_road();
  if (options.speeds.size() > 1) return root_locus(car, options, progress);
  if (options.speed == 0.0 && options.lateral_acceleration != 0.0)
    throw ModelError("vehicle '" + car.drive().model.mechanism.name +
                     "': a lateral acceleration of " + to_text(options.lateral_acceleration) +
                     " m/s^2 at rest, expected a speed above zero with it");
  show_progress(progress, 0.0, "steady state");
  const SteadyTurn turn =
      options.speed == 0.0 ? car.rest() : car.turn(options.speed, options.lateral_acceleration);
  show_progress(progress, 0.5, "linearization");
  CarModes modes = find_modes(car, turn, options);
  Answer answer;
  answer.title = car.drive().model.mechanism.name + ": " + std::to_string(modes.modes.size()) +
                 " modes of " + std::to_string(modes.system.states.size()) + " states " +
                 point_of(options);
  answer.quantities = {
      {"residual", turn.residual, "N", std::nan(""), "largest force left over in the steady state"},
      {"states", static_cast<double>(modes.system.states.size()), "1"},
      {"ignored", modes.system.ignored, "1", std::nan(""),
       "what would depend on place, heading and wheel angles, over the largest entry of A"}};
  add_quantities(modes, answer);
  answer.tables.push_back(list_modes(modes));
  answer.tables.push_back(list_participation(car, modes));
  answer.tables.push_back(list_energy(car, modes));
  const LinearSystem& system = modes.system;
  answer.tables.push_back(list_matrix("A", system.A, system.states, system.states));
  answer.tables.push_back(list_matrix("B", system.B, system.states, system.inputs));
  answer.tables.push_back(list_matrix("C", system.C, system.outputs, system.states));
  answer.tables.push_back(list_matrix("D", system.D, system.outputs, system.inputs));
  Chart plane{"eigenvalues " + point_of(options),
              "real part, 1/s",
              "imaginary part, rad/s",
              false,
              false,
              {}};
  for (const Mode& mode : modes.modes)
    plane.series.push_back({mode.name, {mode.eigen.value.real()}, {mode.eigen.value.imag()}, true});
  answer.charts.push_back(plane);
  note_growth(modes, "", answer);
  note_place(modes, answer);
  add_notes(modes, answer);
  if (std::string counted = describe_units(car.drive().units); !counted.empty())
    answer.notes.push_back(std::move(counted));
  for (std::string& fault : car.rest_faults()) answer.notes.push_back(std::move(fault));
  note_rates(car, answer);
  if (found != nullptr) *found = std::move(modes);
  return answer;
}

}  // namespace semirec
