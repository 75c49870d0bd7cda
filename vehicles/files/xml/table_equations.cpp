#include "vehicles/files/xml/table.hpp"

namespace semirec {

// Rows of equations: what read_equations() reads.

namespace {

AttributeRow formula(const char* name, const char* about) {
  return entry(name, Kind::formula, about).needed();
}

AttributeRow own_unit() { return entry("unit", Kind::text, "Its unit, in SI; none: not checked."); }

}  // namespace

std::vector<ElementRow> equation_rows() {
  return {
      element("variable", "A quantity that an expression gives at every instant; acts as an input.",
              {own_name(), own_unit(), formula("value", "Its value.")}),
      element("state", "A quantity whose rate an expression gives, solved with the step.",
              {own_name(), own_unit(),
               number("initial", "", "Its value at the start.")
                   .otherwise_as("that at which its rate vanishes, or 0"),
               formula("rate", "Its rate, unit over s.")}),
      element(
          "hold", "The value of an expression at equal intervals, held in between.",
          {own_name(), own_unit(), formula("of", "What is sampled."),
           number("rate", "Hz", "Samples in a second, at the ends of steps.").needed().above(0.0),
           number("initial", "", "Its value at the start.").otherwise_as("that of `of`")}),
      element(
          "logic",
          "0 or 1, with hysteresis: 1 once `on` holds at the end of a step, until `off` does.",
          {own_name(), formula("on", "When it becomes 1."), formula("off", "When it becomes 0."),
           number("initial", "", "0 or 1.")
               .at_least(0.0)
               .at_most(1.0)
               .whole()
               .otherwise_as("1 where `on` holds at the start")}),
      element("delay", "The value of an expression some time ago, straight between samples.",
              {own_name(), own_unit(), formula("of", "What is delayed."),
               number("time", "s", "By how much; a step or more.").needed().above(0.0),
               number("samples", "1", "Values that are kept over this time.")
                   .at_least(1.0)
                   .at_most(1000.0)
                   .whole()
                   .otherwise("50"),
               number("initial", "", "Its value before the start.").otherwise_as("that of `of`")}),
      element(
          "table",
          "A function that expressions call by its name: of one number, x ascending, or of two "
          "over a "
          "grid of all pairs of some x and some y.",
          {own_name(),
           flag("smooth", "A smooth function through the points; otherwise straight in between.")
               .otherwise("no"),
           flag("extrapolate",
                "Outside the points the end slopes hold, not the end values; of one number.")
               .otherwise("no")},
          one_of({child("point", "table_point")}).times(2, kMany)),
      conditional_part("table_point", "One point of a table.",
                       {number("x", "", "First number.").needed(),
                        number("y", "", "Second number; in all points or in none."),
                        number("f", "", "Value there.").needed()}),
  };
}

}  // namespace semirec
