#include "vehicles/files/xml/table.hpp"

namespace semirec {

// Rows of manoeuvre files; road, contact, inputs and outputs are those of scenarios.

namespace {

const char* const kPreview = "is not from 0.1 to 10 s, expected a time such as 0.8";

}  // namespace

std::vector<ElementRow> manoeuvre_rows() {
  return {
      part("manoeuvre", "Root of a file: how a vehicle is driven and judged.",
           {entry("name", Kind::name, "Name of the manoeuvre.").needed(),
            entry("version", Kind::version, "Version of the form of the file: 1.").needed(),
            entry("method", Kind::word, "The code that drives and judges.").needed(),
            entry("standard", Kind::text, "The standard that it follows."),
            entry("about", Kind::text, "The question that it answers.")},
           one_of({child("parameter"), child("value", "manoeuvre_value"),
                   child("run", "manoeuvre_run"), child("contact"), child("road"),
                   child("input", "scenario_input"), child("excitation"), child("set"),
                   child("output"), child("path"), child("driver", "human")})
               .times(0, kMany)),
      part("manoeuvre_value",
           "A number that the method reads; expressions know it, too, and --with replaces it.",
           {entry("name", Kind::identifier, "One of the method's values.").needed(),
            number("value", "", "The number.").needed(),
            entry("unit", Kind::text, "Its unit, the SI unit that the method expects."),
            entry("about", Kind::text, "What it is.")}),
      part("manoeuvre_run", "Step and interval of the history.",
           {number("step", "s", "Time step.")
                .at_least(1e-6, "is shorter than 1e-6 s, expected a step such as 0.001")
                .at_most(0.1,
                         "is longer than 0.1 s, expected a step that resolves the motion "
                         "such as 0.001")
                .otherwise("0.001"),
            number("record", "s", "Interval of the history.").above(0.0).otherwise("0.01")})
          .standing_once(),
      part("path",
           "A line to follow from the origin along x: a smooth one through points, or "
           "segments.",
           {},
           one_of({child("point", "path_point").times(2, kMany), child("segment").times(1, kMany)}))
          .standing_once(),
      part("path_point", "A point on the ground.",
           {number("x", "m", "Forward.").needed(), number("y", "m", "To the left.").needed()}),
      part("segment", "A part of a path: a straight line, an arc or a clothoid.",
           {number("length", "m", "Length.").needed().above(0.0),
            number("curvature", "1/m", "Curvature where it begins, positive to the left.")
                .otherwise("0"),
            number("end_curvature", "1/m", "Curvature where it ends.").otherwise_as("curvature")}),
      part("human", "The driver.",
           {choice("limits", {"on", "off"}, "Whether delay and rates are limited.").otherwise("on"),
            number("delay", "s", "From eye to hand.")
                .at_least(0.0)
                .at_most(10.0, "is longer than 10 s, expected that of a driver who is awake")
                .otherwise("0.1"),
            number("steering_rate", "rad/s", "Largest rate of the steering wheel.")
                .above(0.0)
                .otherwise("15"),
            number("pedal_rate", "1/s", "Largest rate of the pedals.").above(0.0).otherwise("5"),
            number("preview", "s", "How fast errors are taken back.")
                .at_least(0.1, kPreview)
                .at_most(10.0, kPreview)
                .otherwise("0.8"),
            number("corridor", "m", "Distance from the path beyond which it counts as lost.")
                .above(0.0)
                .otherwise("5")})
          .standing_once(),
  };
}

}  // namespace semirec
