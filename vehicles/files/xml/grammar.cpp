#include "vehicles/files/xml/grammar.hpp"

#include <algorithm>
#include <map>

namespace semirec {

namespace {

using Names = std::vector<std::string>;

const Names kElements{"parameter", "point",       "use",           "body",
                      "joint",     "rod",         "point_on_line", "point_in_plane",
                      "driver",    "spring",      "stop",          "rotational_spring",
                      "bushing",   "force",       "torque",        "joint_force",
                      "input",     "marker",      "tyre",          "wheel",
                      "driveline", "brake",       "hub_torque",    "aero",
                      "sensor",    "slender_rod", "controls"};
/// Parts that may stand under a condition as the elements of kElements and includes may.
const Names kConditionalParts{"stiffness", "damping",   "law",    "piece",
                              "law_table", "law_point", "calspan"};
const Names kRadialTyre{"radius!",          "stiffness!",         "damping",      "nominal_load!",
                        "deflection_share", "rolling_resistance", "relaxation_x", "relaxation_y"};
const Names kSlipStiffness{"slip_stiffness!", "cornering_stiffness!", "camber_stiffness"};
const Names kTmeasy{"dFx0!",  "FxM!",    "FxS!",   "sxM!",   "sxS!",   "dFx0_2!", "FxM_2!",
                    "FxS_2!", "sxM_2!",  "sxS_2!", "dFy0!",  "FyM!",   "FyS!",    "syM!",
                    "syS!",   "dFy0_2!", "FyM_2!", "FyS_2!", "syM_2!", "syS_2!",  "nL0",
                    "sy0",    "syE",     "nL0_2",  "sy0_2",  "syE_2"};
const Names kTimeFunctions{"constant", "ramp", "sine", "kerb", "table=time_table"};
const Names kRoadProfile{"flat", "table=road_table", "cosine_bump"};
const Names kRoadLayers{"crg",       "rdf",        "plank",   "slope",
                        "sine_road", "half_round", "iso8608", "friction"};
const Names kLane{"y_from", "y_to"};

Names operator+(Names a, const Names& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// The table of the grammar. Attributes with a ! are required; those of a vehicle's elements are
/// marked, because elements that a condition leaves out are held against them.
std::vector<Rule> make_rules() {
  const Names root = kElements + Names{"include", "template"};
  const Names scenario{"parameter",  "include", "run",  "start",
                       "speed",      "contact", "road", "input=scenario_input",
                       "excitation", "event",   "set",  "output"};
  const Names manoeuvre{"parameter",  "value",       "run=manoeuvre_run",
                        "contact",    "road",        "input=scenario_input",
                        "excitation", "set",         "output",
                        "path",       "driver=human"};
  const Names pair{"name!", "a!", "b!"};
  const Names points{"point_a!", "point_b!"};
  std::vector<Rule> rules{
      // frame of a file
      {"vehicle", {"name", "version", "gravity"}, root},
      {"mechanism", {"name", "version", "gravity"}, root},
      {"scenario", {"name", "version"}, scenario},
      {"manoeuvre", {"name", "version", "method", "standard", "about"}, manoeuvre},
      {"parameter", {"name!", "value!"}, {}},
      {"point", {"name!", "value!"}, {}},
      {"include", {"file!"}, {}},
      {"template", {"name!"}, kElements + Names{"argument"}},
      {"argument", {"name!", "default", "choices"}, {}},
      {"use", {"template!", "name", "mirror"}, {"with"}},
      {"with", {"name!", "value!"}, {}},

      // bodies and joints
      {"body",
       {"name!", "mass!", "com!", "inertia!", "products", "rotation", "chassis", "unit"},
       {}},
      {"slender_rod", {"name!", "mass!", "from!", "to!"}, {}},
      {"joint",
       pair + Names{"type!", "point", "axis", "axis_b", "axis_x", "placement", "position",
                    "velocity", "hold", "attached"},
       {}},
      {"rod",
       pair + points + Names{"length", "length_input", "slide_axis", "slide_input", "attached"},
       {}},
      {"point_on_line", pair + Names{"point!", "axis!", "point_b", "attached"}, {}},
      {"point_in_plane",
       pair + Names{"point!", "axis!", "point_b", "offset", "offset_input", "attached"},
       {}},
      {"driver", {"name!", "joint!", "coordinate!", "input!"}, {}},

      // forces
      {"spring",
       pair + points + Names{"along", "active", "spring_scale", "damper_scale"},
       {"stiffness", "law", "damping", "damper=law"}},
      {"stiffness", {"k!", "free_length", "preload"}, {}},
      {"damping", {"c!"}, {}},
      {"law", {}, {"piece", "table=law_table"}},
      {"piece", {"from", "origin", "c0", "c1", "c2", "c3", "c4", "c5"}, {}},
      {"law_table", {"smooth", "extrapolate"}, {"point=law_point"}},
      {"law_point", {"x!", "f!"}, {}},
      {"stop", pair + points + Names{"along", "below", "above", "stiffness!", "active"}, {}},
      {"rotational_spring",
       pair + Names{"point!", "axis!", "stiffness", "damping", "free_angle", "spring_scale",
                    "damper_scale"},
       {"law", "damper=law"}},
      {"bushing", pair + Names{"point!", "axis!", "axis_x", "stiffness!", "damping"}, {}},
      {"force", {"name!", "body!", "point", "direction!", "input!", "axes"}, {}},
      {"torque", {"name!", "body!", "point", "direction!", "input!", "axes"}, {}},
      {"joint_force",
       {"name!", "joint!", "coordinate!", "stiffness", "free", "damping", "lower", "upper",
        "stop_stiffness", "stop_damping", "input", "spring_scale", "damper_scale"},
       {"law", "damper=law"}},
      {"marker", {"name!", "body!", "point!"}, {}},
      {"wheel",
       {"name!", "body!", "centre!", "axis!", "radius", "stiffness", "damping", "unilateral",
        "tyre", "rim"},
       {"calspan"}},
      {"tyre", {"name!", "file"}, {"linear", "fiala", "tmeasy", "foreign"}},
      {"linear", kRadialTyre + kSlipStiffness + Names{"trail"}, {}},
      {"fiala",
       kRadialTyre + kSlipStiffness + Names{"friction!", "friction_fall", "contact_half_length"},
       {}},
      {"foreign", kRadialTyre + Names{"function!"}, {}},
      {"tmeasy",
       kRadialTyre + kTmeasy +
           Names{"camber_slip", "stiffness_2", "stiffness_x", "stiffness_y", "damping_x",
                 "damping_y", "radius_weight", "radius_weight_2", "rolling_resistance_2",
                 "maximum_load", "friction", "width", "rim_radius"},
       {}},

      // what drives
      {"driveline", {"name!", "body"}, {"motor", "coupling", "gearbox", "axle", "centre"}},
      {"motor",
       {"name", "type", "inertia!", "throttle!", "idle_speed", "max_speed", "power"},
       {"full=torque_curve", "closed=torque_curve"}},
      {"torque_curve", {}, {"point=torque_point"}},
      {"torque_point", {"speed!", "torque!"}, {}},
      {"coupling", {"type!", "capacity", "input"}, {"point=converter_point"}},
      {"converter_point", {"speed_ratio!", "torque_ratio!", "capacity_factor!"}, {}},
      {"gearbox",
       {"type!", "reverse", "input", "efficiency", "shift_time", "shift_latency"},
       {"gear"}},
      {"gear", {"ratio!", "up", "down"}, {}},
      {"axle",
       {"name!", "wheels!", "ratio!", "differential", "preload", "bias", "share", "shaft_stiffness",
        "shaft_damping", "body"},
       {}},
      {"centre", {"differential", "preload", "bias", "share"}, {}},
      {"brake", {"name!", "wheel!", "torque!", "input!", "balance", "lock_speed"}, {}},
      {"hub_torque", {"name!", "wheel!", "input!"}, {}},
      {"aero",
       {"name!", "body!", "point!", "area!", "density", "drag", "side", "lift_front", "lift_rear",
        "front_point", "rear_point", "wind_x", "wind_y"},
       {}},
      {"sensor", {"name!", "body!", "point!", "rotation"}, {}},
      {"controls", {"steering", "steering_ratio", "throttle", "brake", "gear"}, {}},

      {"calspan", {"A0!", "A1!", "A2!", "A3!", "A4!", "B1!", "B3!", "B4!", "SN", "AF1", "AF2"}, {}},

      // functions of time
      {"input", {"name!", "value", "of", "factor"}, kTimeFunctions},
      {"scenario_input", {"name", "value"}, kTimeFunctions},
      {"constant", {"value!"}, {}},
      {"ramp", {"from!", "to!", "start!", "end!"}, {}},
      {"sine", {"amplitude!", "frequency", "omega", "phase", "rise", "start", "end"}, {}},
      {"kerb", {"time!", "height!"}, {}},
      {"time_table", {"smooth"}, {"point=time_point"}},
      {"time_point", {"t!", "value!"}, {}},

      // scenario
      {"run", {"step", "until", "record", "iterations", "tolerance"}, {}},
      {"start", {"from", "speed"}, {}},
      {"speed", {"mode", "gain"}, {}},
      {"contact", {"law", "lateral", "contact"}, {}},
      {"road", {}, kRoadProfile + Names{"left", "right"} + kRoadLayers},
      {"left", {}, kRoadProfile},
      {"right", {}, kRoadProfile},
      {"flat", {"height"}, {}},
      {"road_table", {"smooth"}, {"point=road_point"}},
      {"road_point", {"x", "z"}, {}},
      {"cosine_bump", {"start", "length", "height"}, {}},
      {"crg", {"file", "x", "y", "heading", "offset"}, {}},
      {"rdf", {"file", "x", "y", "heading", "offset"}, {}},
      {"plank", Names{"start", "length", "height", "bevel"} + kLane, {}},
      {"slope", Names{"angle", "bank", "start", "end"} + kLane, {}},
      {"sine_road", Names{"amplitude", "wavelength", "start", "end"} + kLane, {}},
      {"half_round", Names{"x", "radius"} + kLane, {}},
      {"iso8608", {"class", "seed", "length", "coherence", "track"}, {}},
      {"friction", Names{"mu", "x_from", "x_to"} + kLane, {}},
      {"excitation", {"wheel"}, kTimeFunctions},
      {"event",
       {"name", "time", "channel", "rises_above", "falls_below", "repeat"},
       {"attach", "release"}},
      {"attach", {"closure", "at"}, {}},
      {"release", {"closure"}, {}},
      {"set", {"element", "attribute", "value"}, {}},
      {"output", {}, {"marker=marker_output", "reaction", "effort", "body=body_output"}},
      {"marker_output", {"name"}, {}},
      {"body_output", {"name"}, {}},
      {"reaction", {"name"}, {}},
      {"effort", {"name"}, {}},

      // study
      {"study", {"name", "version", "vehicle"}, {"parameter", "vary", "sample", "response"}},
      {"vary",
       {"element", "attribute", "as", "factor", "values", "from", "to", "count", "spacing",
        "distribution", "min", "max", "mean", "deviation"},
       {}},
      {"sample", {"count", "seed", "method"}, {}},
      {"response", {"command", "quantities", "as"}, {}},

      // manoeuvre
      {"value", {"name", "value", "unit", "about"}, {}},
      {"manoeuvre_run", {"step", "record"}, {}},
      {"path", {}, {"point=path_point", "segment"}},
      {"path_point", {"x", "y"}, {}},
      {"segment", {"length", "curvature", "end_curvature"}, {}},
      {"human", {"limits", "delay", "steering_rate", "pedal_rate", "preview", "corridor"}, {}},
  };
  for (Rule& rule : rules)
    for (std::string& attribute : rule.attributes) {
      if (attribute.back() != '!') continue;
      attribute.pop_back();
      rule.required.push_back(attribute);
    }
  const Names conditional = kElements + Names{"include"} + kConditionalParts;
  for (Rule& rule : rules)
    if (std::find(conditional.begin(), conditional.end(), rule.name) != conditional.end())
      rule.attributes.emplace_back("when");
  return rules;
}

}  // namespace

bool Rule::allows(const std::string& attribute) const {
  return std::find(attributes.begin(), attributes.end(), attribute) != attributes.end();
}

const Rule* Rule::child(const std::string& kind) const {
  for (const std::string& entry : children) {
    const std::size_t split = entry.find('=');
    if (entry.substr(0, split) != kind) continue;
    return find_rule(split == std::string::npos ? kind : entry.substr(split + 1));
  }
  return nullptr;
}

std::vector<std::string> Rule::child_kinds() const {
  std::vector<std::string> kinds;
  for (const std::string& entry : children) kinds.push_back(entry.substr(0, entry.find('=')));
  return kinds;
}

const std::vector<Rule>& all_rules() {
  static const std::vector<Rule> rules = make_rules();
  return rules;
}

const Rule* find_rule(const std::string& name) {
  static const std::map<std::string, const Rule*> by_name = [] {
    std::map<std::string, const Rule*> map;
    for (const Rule& rule : all_rules()) map.emplace(rule.name, &rule);
    return map;
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

}  // namespace semirec
