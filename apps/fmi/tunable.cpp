#include "apps/fmi/tunable.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <string_view>

#include "integrator/formulation/evaluate.hpp"
#include "vehicles/equations/equation_force.hpp"
#include "vehicles/session/fingerprint.hpp"

namespace semirec::fmi {

namespace {

/// What a change of a hundredth may move: round-off of a car far from the origin.
constexpr double kUnmoved = 1e-9;

bool is_motion(const Channel& channel) {
  constexpr std::array<std::string_view, 4> kUnits{"m", "rad", "m/s", "rad/s"};
  for (const std::string_view unit : kUnits)
    if (channel.unit == unit) return true;
  return false;
}

/// Appends where all bodies are and how far closures are open.
void add_places(const Model& model, const State& state, Workspace& ws,
                std::vector<double>& places) {
  evaluate_state(model, state, ws);
  places.insert(places.end(), ws.closures.Phi.begin(), ws.closures.Phi.end());
  for (std::size_t t = 1; t < model.tree.bodies.size(); ++t) {
    places.insert(places.end(), ws.tree.p[t].begin(), ws.tree.p[t].end());
    for (const auto& axis : ws.tree.A_WC[t].colwise())
      places.insert(places.end(), axis.begin(), axis.end());
  }
}

std::vector<double> places_now(const Session& session) {
  const Model& model = session.drive().model;
  Workspace ws(model);
  std::vector<double> places;
  add_places(model, session.state(), ws, places);
  return places;
}

/// Times at which the inputs' own curves are not at their begin: where they bend, and between.
std::vector<double> times_of(const Session& session) {
  constexpr std::size_t kMost = 200;
  std::vector<double> bends;
  for (const Input& input : session.drive().model.mechanism.inputs)
    for (const double t : input.curve.breakpoints())
      if (t > session.time()) bends.push_back(t);
  std::sort(bends.begin(), bends.end());
  bends.erase(std::unique(bends.begin(), bends.end()), bends.end());
  std::vector<double> times;
  for (const double later : {0.37, 1.13, 5.71}) times.push_back(session.time() + later);
  const std::size_t stride = 1 + bends.size() / kMost;
  for (std::size_t k = 0; k < bends.size(); k += stride) {
    times.push_back(bends[k]);
    times.push_back(0.5 * (bends[k] + (k == 0 ? session.time() : bends[k - 1])));
  }
  return times;
}

/// Places with all closures attached that events may attach, and with coordinates and inputs a
/// little off those of the session: a length that the recorded outputs do not show, or one that
/// acts through an input which is 0 at the start, is seen here. `times`: of the inputs' own curves.
std::vector<double> places_of(const Session& session, const std::vector<double>& times) {
  const Model& model = session.drive().model;
  State state = session.state();
  for (ClosureSwitch& closure : state.switches) closure.attached = true;
  // by numbers that nothing in a mechanism is likely to cancel
  double phase = 0.0;
  const auto shift = [&](double& value) { value += 0.01 * (1.0 + 0.5 * std::cos(phase += 1.0)); };
  for (double& value : state.z) shift(value);
  for (std::size_t k = 0; k < state.live.size(); ++k) {
    if (!is_free(session.inputs()[k])) continue;
    LiveInput& live = state.live[k];
    if (!live.given) live = {true, {session.input_value(static_cast<int>(k)), 0.0, 0.0}};
    shift(live.value.f);
  }
  Workspace ws(model);
  std::vector<double> places;
  add_places(model, state, ws, places);
  for (LiveInput& live : state.live) live.given = false;
  for (const double t : times) {
    state.t = t;
    add_places(model, state, ws, places);
  }
  return places;
}

/// Of all that a step reads: a car's fingerprint but for what its start alone reads.
std::uint64_t fingerprint_of_steps(const DriveDescription& read, const Session& session) {
  Drive drive = session.drive();
  for (Joint& joint : drive.model.mechanism.joints) {
    joint.position.clear();
    joint.velocity.clear();
  }
  Equations equations = drive.equations;
  for (Equation& equation : equations) {
    equation.initial = 0.0;
    equation.starts_given = false;
  }
  for (auto& force : drive.model.forces)
    if (dynamic_cast<const EquationForce*>(force.get()) != nullptr)
      force = std::make_shared<EquationForce>(equations, drive.chassis, drive.sensors);
  Scenario scenario = read.scenario;
  scenario.start = {};
  return fingerprint(read.vehicle, scenario, drive);
}

/// The states of a delay are its samples: with another delay they would stand for other times.
bool have_same_delays(const Drive& a, const Drive& b) {
  return std::equal(a.equations.begin(), a.equations.end(), b.equations.begin(), b.equations.end(),
                    [](const Equation& x, const Equation& y) { return x.delay == y.delay; });
}

bool is_unmoved(double before, double after) { return std::abs(after - before) <= kUnmoved; }

bool are_unmoved(const std::vector<double>& before, const std::vector<double>& after) {
  return std::equal(before.begin(), before.end(), after.begin(), after.end(), is_unmoved);
}

std::vector<double> outputs_of(Session& session) {
  std::vector<double> values(session.outputs().size());
  session.read_outputs(values.data());
  return values;
}

/// trade_cars() where inputs and outputs have the same names.
bool trade(Session& session, Session& other) {
  const auto same_names = [](const auto& a, const auto& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const auto& x, const auto& y) { return x.name == y.name; });
  };
  return same_names(session.inputs(), other.inputs()) &&
         same_names(session.outputs(), other.outputs()) && session.trade_cars(other);
}

}  // namespace

bool tune(Session& session, const Package& package, const std::string& folder,
          const std::vector<Parameter>& parameters,
          const std::vector<std::optional<double>>& values) {
  Session other(read_car(package, folder, parameters, values), session_settings(package));
  const std::vector<double> before = places_now(session);
  if (!trade(session, other)) return false;
  if (are_unmoved(before, places_now(session))) return true;
  trade(session, other);  // back
  throw ModelError(
      "a tunable parameter moves bodies or opens closures as the car stands now, expected a change "
      "that moves nothing");
}

std::vector<std::string> find_tunable(const Package& package, const std::string& folder,
                                      const std::vector<Parameter>& parameters) {
  std::vector<std::optional<double>> values(parameters.size());
  const DriveDescription own = read_car(package, folder, parameters, values);
  Session car(own, session_settings(package));
  const std::vector<double> outputs = outputs_of(car);
  const std::vector<double> times = times_of(car);
  const std::vector<double> places = places_of(car, times);
  const std::uint64_t steps = fingerprint_of_steps(own, car);
  const auto moves_nothing = [&](std::size_t k) {
    const double start = parameters[k].start;
    values.assign(parameters.size(), std::nullopt);
    values[k] = start == 0.0 ? 0.01 : 1.01 * start;
    const DriveDescription read = read_car(package, folder, parameters, values);
    Session other(read, session_settings(package));
    if (fingerprint_of_steps(read, other) == steps) return false;  // the start alone
    if (!have_same_delays(other.drive(), car.drive())) return false;
    Session changed(car);
    if (!trade(changed, other)) return false;
    const std::vector<double> now = outputs_of(changed);
    for (std::size_t n = 0; n < now.size(); ++n)
      if (is_motion(car.outputs()[n]) && !is_unmoved(outputs[n], now[n])) return false;
    return are_unmoved(places, places_of(changed, times));
  };
  const auto is_tunable = [&](std::size_t k) {
    if (parameters[k].element.empty() || parameters[k].component >= 0) return false;
    try {
      return moves_nothing(k);
    } catch (const std::exception&) {
      return false;  // not a car, or none that stands
    }
  };
  std::vector<std::string> names;
  for (std::size_t k = 0; k < parameters.size(); ++k)
    if (is_tunable(k)) names.push_back(parameters[k].name);
  return names;
}

}  // namespace semirec::fmi
