#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>

#include "topology/ascii.hpp"
#include "topology/fingerprint.hpp"
#include "topology/indices.hpp"
#include "topology/nearest.hpp"
#include "vehicles/equations/equation_force.hpp"
#include "vehicles/expressions/table.hpp"
#include "vehicles/expressions/units.hpp"

namespace semirec {
namespace {

/// Where a name stands by itself in a formula, from 1.
std::size_t column_of(const std::string& name, const std::string& text) {
  const auto is_letter = [&](std::size_t k) {
    return k < text.size() &&
           (ascii::is_letter_or_digit(text[k]) || text[k] == '_' || text[k] == '.');
  };
  std::size_t found = text.find(name);
  while (found != std::string::npos &&
         ((found > 0 && is_letter(found - 1)) || is_letter(found + name.size())))
    found = text.find(name, found + 1);
  return found == std::string::npos ? 1 : found + 1;
}

double next_id() {
  static std::atomic<std::uint64_t> last{0};
  return static_cast<double>(++last);
}

}  // namespace

EquationForce::EquationForce(Equations equations, BodyIndex chassis, std::vector<Sensor> sensors)
    : ForceElement("equations", equations.empty() ? Source{} : equations.front().source),
      id_(next_id()),
      equations_(std::move(equations)),
      program_(make_equation_program(equations_)),
      chassis_(chassis),
      sensors_(std::move(sensors)) {
  for (const Equation& equation : equations_) {
    contact_count_ += equation.has_margins ? 1 : 0;
    state_count_ += equation.states();
  }
}

void EquationForce::place_stored() {
  int x = 0;
  for (std::size_t k = 0; k < program_.stored.size(); ++k) {
    const auto e = at(program_.stored[k]);
    const Equation& equation = equations_[e];
    const Stored stored{e, program_.leaf_of_stored(k), program_.formula[e], x};
    (equation.kind == Equation::Kind::state ? states_of_ : kept_).push_back(stored);
    x += equation.states();
  }
}

std::size_t EquationForce::add_motion(const Motion& motion) {
  motions_.push_back(motion);
  return motions_.size() - 1;
}

bool EquationForce::find_outside(const std::string& name, const Mechanism& mechanism,
                                 TreeModel& model, Outside& found) {
  if (name == "time") return true;
  for (std::size_t k = 0; k < mechanism.inputs.size(); ++k) {
    if (mechanism.inputs[k].name != name) continue;
    found.kind = Outside::Kind::input;
    found.input = static_cast<InputIndex>(k);
    return true;
  }
  Motion motion;
  if (!find_motion({mechanism, chassis_, sensors_}, name, model, motion)) return false;
  found.kind = Outside::Kind::motion;
  found.motion = add_motion(motion);
  return true;
}

void EquationForce::refuse(const std::string& name, const std::vector<std::string>& names) const {
  for (const Equation& equation : equations_) {
    for (const Formula* formula : {&equation.formula, &equation.off}) {
      const auto& used = formula->code.names;
      if (std::find(used.begin(), used.end(), name) == used.end()) continue;
      throw ModelError(formula->source, equation.name,
                       "uses '" + name + "' in '=" + formula->text + "' at column " +
                           std::to_string(column_of(name, formula->text) + 1) +
                           ", expected an input, an equation, 'time', a motion such as "
                           "'chassis.vz' or a channel" +
                           nearest_hint(name, names));
    }
  }
  throw ModelError("equations use '" + name + "', which nobody has");
}

void EquationForce::bind(const Mechanism& mechanism, TreeModel& model) {
  for (const std::string& name : program_.outside) {
    Outside found;
    if (!find_outside(name, mechanism, model, found)) {
      found.kind = Outside::Kind::channel;
      found.x = -1;  // until find_channels()
    }
    outside_.push_back(found);
  }
  std::vector<char> moving;
  for (const Outside& name : outside_) moving.push_back(name.kind == Outside::Kind::motion ? 1 : 0);
  arrange(program_, moving);
  place_stored();
  known_names_ = motion_names({mechanism, chassis_, sensors_});
  known_names_.emplace_back("time");
  for (const Equation& equation : equations_)
    if (std::find(known_names_.begin(), known_names_.end(), equation.name) != known_names_.end())
      throw ModelError(equation.source, equation.name,
                       "has the name of a motion, which formulas would not find any more, "
                       "expected another");
  for (const Input& input : mechanism.inputs) known_names_.push_back(input.name);
  bind_forces(mechanism, model);
  find_slope_paths();
  find_unknowns();
  const std::size_t most = std::max(states_of_.size(), unknowns_.size());
  scratch_ = model.reserve_scratch(static_cast<int>(
      2 * program_.value_count() + 3 * program_.terms.size() + most * most + 2 * most + 2));
  settle_scratch_ =
      model.reserve_scratch(static_cast<int>(6 * unknowns_.size() + 2 * kept_.size()));
}

void EquationForce::check_units(const std::map<std::string, std::string>& units) const {
  // a channel may have a unit that is none of SI
  const auto known = [](const std::string& unit) -> std::optional<UnitDimension> {
    try {
      if (!unit.empty()) return parse_unit(unit);
    } catch (const ExpressionError&) {
      return {};
    }
    return {};
  };
  std::map<std::string, std::optional<UnitDimension>> dimensions;
  for (const auto& [name, unit] : units) dimensions[name] = known(unit);
  for (const Equation& equation : equations_) {
    const auto load = loads_.find(equation.name);
    const bool is_named = !equation.unit.empty() || load == loads_.end();
    dimensions[equation.name] = known(is_named ? equation.unit : load->second.unit);
    if (equation.unit.empty() || load == loads_.end()) continue;
    if (!same(parse_unit(equation.unit), parse_unit(load->second.unit)))
      throw ModelError(equation.source, equation.name,
                       "is in " + equation.unit + " and drives '" + load->second.element +
                           "', which is in " + load->second.unit + ", expected the same unit");
  }
  const auto dimension = [&](const Equation& equation, const Formula& formula) {
    std::vector<std::optional<UnitDimension>> names;
    for (const std::string& name : formula.code.names) names.push_back(dimensions[name]);
    try {
      return dimension_of(formula.code, names);
    } catch (const ExpressionError& error) {
      throw ModelError(formula.source, equation.name,
                       "'=" + formula.text + "' at column " + std::to_string(error.column() + 1) +
                           ": " + error.what());
    }
  };
  for (const Equation& equation : equations_) {
    const std::optional<UnitDimension> given = dimension(equation, equation.formula);
    if (equation.kind == Equation::Kind::logic) {
      (void)dimension(equation, equation.off);
      continue;
    }
    std::optional<UnitDimension> expected = dimensions[equation.name];
    if (expected && equation.kind == Equation::Kind::state) expected->second -= 1.0;
    if (!given || !expected || same(*given, *expected)) continue;
    const auto load = loads_.find(equation.name);
    const bool by_load = load != loads_.end() && load->second.element != equation.name;
    throw ModelError(equation.formula.source, equation.name,
                     "'=" + equation.formula.text + "' is in " + unit_text(*given) + ", expected " +
                         unit_text(*expected) +
                         (by_load ? " as '" + load->second.element + "' needs it" : ""));
  }
}

void EquationForce::find_channels(const std::vector<const ForceElement*>& elements,
                                  TreeModel& model) {
  const auto is_open = [](const Outside& name) {
    return name.kind == Outside::Kind::channel && name.x < 0;
  };
  int most = 0;
  std::map<std::string, std::string> units{{"time", "s"}};
  for (std::size_t k = 0; k < outside_.size(); ++k)
    if (outside_[k].kind == Outside::Kind::motion)
      units[program_.outside[k]] = motions_[outside_[k].motion].unit;
  for (const ForceElement* element : elements) {
    if (element == this || std::none_of(outside_.begin(), outside_.end(), is_open)) continue;
    const std::vector<Channel> channels = element->channels();
    Sampled sampled{element, static_cast<int>(channels.size()), {}};
    for (std::size_t c = 0; c < channels.size(); ++c) {
      known_names_.push_back(channels[c].name);
      for (std::size_t k = 0; k < outside_.size(); ++k) {
        if (!is_open(outside_[k]) || program_.outside[k] != channels[c].name) continue;
        outside_[k].x = state_count_++;
        units[program_.outside[k]] = channels[c].unit;
        sampled.kept.push_back({static_cast<int>(c), outside_[k].x});
      }
    }
    if (sampled.kept.empty()) continue;
    most = std::max(most, sampled.count);
    sampled_.push_back(std::move(sampled));
  }
  for (std::size_t k = 0; k < outside_.size(); ++k)
    if (is_open(outside_[k])) refuse(program_.outside[k], known_names_);
  known_names_.clear();
  check_units(units);
  if (sampled_.empty()) return;
  model.samples_accelerations = true;
  report_scratch_ = model.reserve_scratch(most);
}

std::vector<std::string> EquationForce::sampled_names() const {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < outside_.size(); ++k)
    if (outside_[k].kind == Outside::Kind::channel) names.push_back(program_.outside[k]);
  return names;
}

void EquationForce::bind_forces(const Mechanism& mechanism, TreeModel& model) {
  const auto value_of = [&](InputIndex input, const char* unit, const std::string& element) {
    for (std::size_t e = 0; e < equations_.size(); ++e) {
      if (input == kNoInput || equations_[e].input != input) continue;
      loads_.emplace(equations_[e].name, Load{unit, element});
      return program_.value[e];
    }
    return -1;
  };
  const auto add = [&](Driven driven) {
    find_along(driven);
    if (!driven.along.empty()) driven_.push_back(std::move(driven));
  };
  for (const SpringDamper& spring : mechanism.springs) {
    const int value = value_of(spring.applied, "N", spring.name);
    if (value < 0 || !spring.active) continue;
    Motion length;
    length.kind = Motion::Kind::length;
    length.line = SpringLine(spring, model);
    add({value, -1.0, length.line.connection, add_motion(length), -1, {}, {}});
  }
  for (const AppliedLoad& load : mechanism.loads) {
    const int value = value_of(load.input, load.torque ? "N m" : "N", load.name);
    if (value < 0) continue;
    // the load's line is that of a motion along it
    Motion along;
    along.kind = load.torque ? Motion::Kind::turning_rate : Motion::Kind::own_velocity;
    along.at = model.attach(load.at);
    if (!load.body_axes) {
      along.fixed = load.direction;
    } else {
      along.at.X_CF.A.col(0) = model.bodies[at(along.at.body)].X_CB.A * load.direction;
      along.axis = 0;
    }
    add({value, 1.0, model.connect(kGround, load.at.body), add_motion(along), -1, {}, {}});
  }
  for (const CoordinateForce& force : mechanism.coordinate_forces) {
    const JointType type = mechanism.joints[at(force.joint)].type;
    const int value =
        value_of(force.applied, coordinate_turns(type, force.coordinate) ? "N m" : "N", force.name);
    if (value < 0) continue;
    const int coordinate =
        model.use_coordinate(mechanism, force.joint, force.coordinate, force.source, force.name);
    add({value, 1.0, -1, 0, coordinate, {}, {}});
  }
}

void EquationForce::find_along(Driven& driven) const {
  const std::vector<char> needed = find_dependence(program_, driven.value);
  // by way of states, too
  std::vector<char> all = needed;
  for (const Stored& state : states_of_) {
    const std::vector<char> rate = find_dependence(program_, state.formula);
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = all[k] != 0 || rate[k] != 0 ? 1 : 0;
  }
  for (std::size_t k = 0; k < outside_.size(); ++k) {
    if (all[k] == 0 || outside_[k].kind != Outside::Kind::motion) continue;
    const Motion& motion = motions_[outside_[k].motion];
    const bool acts = driven.connection < 0
                          ? motion.acts_in_coordinate(driven.coordinate)
                          : motion.has_line() && motion.moves_like(motions_[driven.line]);
    if (acts) driven.along.push_back({static_cast<int>(k), outside_[k].motion});
  }
}

void EquationForce::find_slope_paths() {
  const std::size_t leaves = program_.leaf_count();
  std::vector<char> all_states(leaves, 0);
  std::vector<char> all_motions(leaves, 0);
  std::vector<int> rates;
  for (const Stored& state : states_of_) {
    all_states[at(state.leaf)] = 1;
    rates.push_back(state.formula);
  }
  for (Driven& force : driven_) {
    std::vector<char> wanted = all_states;
    for (const Along& along : force.along) wanted[at(along.leaf)] = all_motions[at(along.leaf)] = 1;
    force.path = find_slope_path(program_.terms, leaves, {force.value}, wanted);
  }
  rates_to_motions_ = find_slope_path(program_.terms, leaves, rates, all_motions);
  for (const int rate : rates)
    rate_paths_.push_back(find_slope_path(program_.terms, leaves, {rate}, all_states));

  sloped_.assign(program_.terms.size(), 0);
  mark_sloped(rates_to_motions_, sloped_);
  for (const SlopePath& path : rate_paths_) mark_sloped(path, sloped_);
  for (const Driven& force : driven_) mark_sloped(force.path, sloped_);
}

bool EquationForce::add_reported_bodies(std::vector<TreeIndex>& bodies) const {
  for (const Motion& motion : motions_) motion.add_bodies(bodies);
  return true;  // channels of others are kept, not read
}

void EquationForce::add_states_at_rest(std::vector<int>& indices) const {
  for (const Stored& state : states_of_)
    if (!equations_[state.equation].starts_given) indices.push_back(states().first + state.x);
}

bool EquationForce::follows_at_once(const Stored& kept) const {
  return equations_[kept.equation].kind != Equation::Kind::logic &&
         program_.may_follow[kept.equation] != 0;
}

int EquationForce::count_values(const Stored& kept) const {
  const Equation& equation = equations_[kept.equation];
  return equation.kind == Equation::Kind::delay ? equation.states() - 1 : equation.states();
}

void EquationForce::begin_given_states(double* x) const {
  const auto begin = [&](const Stored& one, int count) {
    const Equation& equation = equations_[one.equation];
    if (equation.starts_given) std::fill_n(x + states().first + one.x, count, equation.initial);
  };
  for (const Stored& state : states_of_) begin(state, 1);
  for (const Stored& kept : kept_)
    if (!follows_at_once(kept)) begin(kept, count_values(kept));
}

void EquationForce::add_kept_values(std::vector<KeptValue>& values) const {
  for (const Stored& kept : kept_) {
    const Equation& equation = equations_[kept.equation];
    if (equation.starts_given || follows_at_once(kept)) continue;
    values.push_back(
        {states().first + kept.x, count_values(kept), equation.kind == Equation::Kind::logic});
  }
}

void EquationForce::add_given_starts(const ForceInput& in, std::vector<GivenStart>& starts) const {
  const double* values = in.scratch(scratch_) + 1;  // behind Rows::owner
  for (const Stored& kept : kept_) {
    const Equation& equation = equations_[kept.equation];
    const bool follows = follows_at_once(kept);
    // what follows at once is at its formula, unless its start is given
    if (follows && !equation.starts_given) continue;
    const double begin = equation.starts_given ? equation.initial : in.x(kept.x);
    GivenStart start{equation.name, states().first + kept.x, 1, begin, begin};
    if (equation.kind == Equation::Kind::logic) {
      if (values[program_.off[kept.equation]] != 0.0)
        start.comes_to = 0.0;
      else if (values[kept.formula] != 0.0)
        start.comes_to = 1.0;
    } else {
      start.count = count_values(kept);
      start.comes_to = values[follows ? kept.leaf : kept.formula];
    }
    if (start.comes_to != start.begins_at) starts.push_back(std::move(start));
  }
}

void EquationForce::put_into(Fingerprint& fingerprint) const {
  for (const Equation& e : equations_)
    fingerprint(static_cast<int>(e.kind), e.name, e.formula.text, e.off.text, e.starts_given,
                e.initial, e.rate, e.delay, e.samples, e.input);
  for (const auto& table : program_.tables) table->put_into(fingerprint);
}

std::string EquationForce::state_name(int k) const {
  for (std::size_t n = 0; n < outside_.size(); ++n)
    if (outside_[n].kind == Outside::Kind::channel && outside_[n].x == k)
      return program_.outside[n] + ".last";
  const Stored* owner = nullptr;
  for (const std::vector<Stored>* all : {&states_of_, &kept_})
    for (const Stored& one : *all)
      if (one.x <= k && (owner == nullptr || one.x > owner->x)) owner = &one;
  if (owner == nullptr) return ForceElement::state_name(k);
  const Equation& equation = equations_[owner->equation];
  if (equation.kind != Equation::Kind::delay) return equation.name;
  return equation.name + "[" + std::to_string(k - owner->x) + "]";
}

}  // namespace semirec
