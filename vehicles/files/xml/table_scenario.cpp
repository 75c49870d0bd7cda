#include <algorithm>

#include "integrator/scheme/schemes.hpp"
#include "vehicles/files/xml/table.hpp"

namespace semirec {

// Rows of scenario files, roads aside.

namespace {

/// The attributes, then the scheme and the parameters of all schemes.
std::vector<AttributeRow> with_schemes(std::vector<AttributeRow> attributes) {
  std::vector<std::string> names;
  std::vector<AttributeRow> parameters;
  for (const SchemeFamily* family : scheme_families()) {
    names.emplace_back(family->name);
    for (const SchemeParameter& parameter : family->parameters) {
      const bool known =
          std::any_of(parameters.begin(), parameters.end(),
                      [&](const AttributeRow& row) { return row.name == parameter.name; });
      const std::string about =
          "Of the scheme " + std::string(family->name) + ": " + parameter.meaning + ".";
      if (known) continue;
      if (std::string(parameter.name) == "weighting")
        parameters.push_back(choice("weighting", {"turned", "printed"}, about.c_str()));
      else
        parameters.push_back(number(parameter.name, "1", about.c_str()));
    }
  }
  attributes.push_back(choice("scheme", names, "Time integration.").otherwise(names.front()));
  attributes.insert(attributes.end(), parameters.begin(), parameters.end());
  return attributes;
}

}  // namespace

std::vector<ElementRow> scenario_rows() {
  return {
      part("scenario", "Root of a file: what is done with a vehicle in one run.",
           {entry("name", Kind::name, "Name of the run.").needed(),
            entry("version", Kind::version, "Version of the form of the file: 1.").needed()},
           one_of({child("parameter"), child("include"), child("run"), child("start"),
                   child("speed"), child("contact"), child("road"),
                   child("input", "scenario_input"), child("excitation"), child("road_plane"),
                   child("event"), child("set"), child("output"), child("scenery")})
               .times(1, kMany)),
      part(
          "run", "Step and end of the run.",
          with_schemes(
              {number("step", "s", "Time step.")
                   .needed()
                   .above(0.0)
                   .at_most(1.0,
                            "is longer than 1 s, expected a step that resolves the motion such as "
                            "0.001"),
               number("until", "s", "End of the run.").needed().above(0.0),
               number("record", "s", "Interval of the results; 0: every step.")
                   .at_least(0.0)
                   .otherwise("0"),
               choice("closing", {"penalty", "multipliers", "independent"},
                      "How the closures enter the equations of a step: by an augmented "
                      "Lagrangian, with their multipliers as unknowns (formulations hybrid, "
                      "global and cartesian), or by independent coordinates (the same, scheme "
                      "linearly_implicit_euler).")
                   .otherwise("penalty"),
               flag("projection",
                    "Whether rates and accelerations are moved onto the closures after each step.")
                   .otherwise("yes"),
               number("iterations", "1", "Fixed number of iterations; 0: until converged.")
                   .at_least(0.0)
                   .whole(
                       "is not a whole number up to 1000, expected 0 (until converged), 1, 2, ...")
                   .at_most(1000.0,
                            "is not a whole number up to 1000, expected 0 (until converged), 1, "
                            "2, ...")
                   .otherwise("0"),
               number("tolerance", "m, rad", "Bound of the last correction of a step.")
                   .above(0.0)
                   .otherwise_as("1e-8; h^2/400 in steps h from 1 to 2 ms, 2.5 h^3 below"),
               number("error_tolerance", "m, rad",
                      "Local error that a step may have: steps take lengths of their own, from "
                      "`step` on; 0: equal steps.")
                   .at_least(0.0)
                   .at_most(0.1, "is above 0.1, expected a small length or angle such as 1e-5")
                   .otherwise("0"),
               number("longest_step", "s",
                      "No step of a length of its own is longer: what lies between the ends of one "
                      "step, an obstacle or a pulse, is not seen.")
                   .above(0.0)
                   .otherwise_as("a quarter of the least interval or delay of the vehicle's "
                                 "equations and, on a road that is not a plane, 5 cm of way at "
                                 "the start speed, at 5 m/s below that; none of these: no limit"),
               flag("cut_contacts",
                    "Whether steps end where contacts and stops begin and end: limits of stops, "
                    "one-sided springs, wheels that leave the road or touch down.")
                   .otherwise("no")}))
          .standing_once(),
      part("start", "How the run begins.",
           {choice("from", {"design", "equilibrium"},
                   "The coordinates of the vehicle file, or static equilibrium.")
                .otherwise("design"),
            number("speed", "m/s", "Forward speed.").otherwise("0")})
          .standing_once(),
      part("speed", "What happens with the speed.",
           {choice("mode", {"coast", "hold", "control"},
                   "Coast with the start speed, hold it by a constraint along the world's x, or "
                   "control it by a "
                   "force.")
                .needed(),
            number("gain", "N s/m", "Force over the difference of speed, for control.").above(0.0)})
          .standing_once(),
      part("contact", "How wheels and road meet.",
           {choice("law", {"vertical", "normal"},
                   "Direction of the force of wheels without a rolling tyre.")
                .otherwise("normal"),
            flag("lateral", "Whether the Calspan force acts.").otherwise("yes"),
            choice("contact", {"point", "disc", "cams"}, "How wheels feel a road of layers.")
                .otherwise("point")})
          .standing_once(),
      part("scenario_input",
           "Replaces an input of the vehicle: a value, or one function with any number of sines on "
           "top; nothing is zero.",
           {entry("name", Kind::name, "Name of the input.").needed(), value_over_time()},
           one_of({time_functions()}).times(0, kMany)),
      part("excitation", "Motion of the road under one wheel over time, m.",
           {reference("wheel", "wheel", "The wheel.").needed()},
           one_of({time_functions()}).times(1, kMany)),
      part(
          "road_plane",
          "A plane on top of the road under one wheel, moved from outside: its numbers are inputs. "
          "The road there has the height height + slope_x (X - x) + slope_y (Y - y) more.",
          {reference("wheel", "wheel", "The wheel.").needed(),
           number("x", "m", "Place of the height, world.").otherwise("0"),
           number("y", "m", "Place of the height, world.").otherwise("0"),
           number("height", "m", "Height there.").otherwise("0"),
           number("slope_x", "", "Slope along the world's x.").otherwise("0"),
           number("slope_y", "", "Slope along the world's y.").otherwise("0"),
           number("friction", "", "Times that of the road.").at_least(0.0).otherwise("1")}),
      part("event",
           "Attaches and releases joints or constraints that have the attribute attached: at a "
           "time, "
           "or when a number of the results crosses a level. Or, with <set>: changes the vehicle "
           "while semirec drive drives it.",
           {entry("name", Kind::name, "Name of the event.").needed(),
            number("time", "s", "When; 0, with <set> alone: before the start.").at_least(0.0),
            entry("channel", Kind::text,
                  "A number of the results, instead of a time: of a force element, joint, input, "
                  "marker or the reaction of a switchable joint; not of a body, no energy."),
            number("rises_above", "", "Level that the number rises above."),
            number("falls_below", "", "Level that the number falls below."),
            flag("repeat", "Whether each crossing counts.").otherwise("no")},
           one_of({child("attach"), child("release"), child("set")}).times(1, kMany)),
      part("attach", "Closes a joint or constraint.",
           {reference("closure", "joint", "The joint or constraint.").needed(),
            choice("at", {"design", "current"},
                   "Where it was designed, or (joints) where its two sides are at that moment.")
                .otherwise("design")}),
      part("release", "Opens a joint or constraint.",
           {reference("closure", "joint", "The joint or constraint.").needed()}),
      part("set", "Replaces an attribute of the vehicle's elements.",
           {entry("element", Kind::pattern, "Name of the element; * stands for any characters.")
                .needed(),
            entry("attribute", Kind::word, "The attribute.").needed(),
            entry("value", Kind::text, "Its new value; *1.05 multiplies the one that is there.")
                .needed()}),
      part("scenery", "What stands on the road to be seen: no wheel feels it.", {},
           one_of({child("cone"), child("gates")}).times(0, kMany))
          .standing_once(),
      part("cone", "A cone.",
           {number("x", "m", "Where it stands.").needed(),
            number("y", "m", "Where it stands.").needed()}),
      part("gates",
           "The cones of a double lane change, in lanes that follow from the width of the car.",
           {choice("course", {"lane_change_1", "lane_change_2"},
                   "That of ISO 3888-1 (125 m) or ISO 3888-2 (61 m).")
                .needed(),
            number("x", "m", "Middle of its entry.").otherwise("0"),
            number("y", "m", "Middle of its entry.").otherwise("0"),
            number("heading", "rad", "Direction in which it is driven.").otherwise("0")}),
      part("output", "What is recorded besides the standard channels.", {},
           one_of({child("marker", "output_name"), child("reaction", "output_name"),
                   child("effort", "output_name"), child("body", "output_name")})
               .times(0, kMany))
          .standing_once(),
      part("output_name",
           "The motion of a marker, the reactions of a joint or constraint, the force or torque "
           "that "
           "moves an input, or the pose and rates of a body.",
           {entry("name", Kind::name, "Its name.").needed()}),
  };
}

}  // namespace semirec
