#include "vehicles/files/xml/table.hpp"

namespace semirec {

// Rows of inputs and their functions of time.

Content time_functions() {
  return one_of({child("constant"), child("ramp"), child("sine"), child("kerb"),
                 child("table", "time_table")})
      .shared_as("time_function");
}

AttributeRow value_over_time() {
  return entry("value", Kind::over_time,
               "The same value at all times, or `= ...` of `time` and numbers.");
}

std::vector<ElementRow> function_rows() {
  return {
      element("input",
              "A signal over time: a value, or one function with any number of sines on top; "
              "nothing is zero.",
              {own_name(), value_over_time(),
               reference("of", "input", "Another input, written above, that comes on top."),
               number("factor", "", "Factor on the other input.").otherwise("1")},
              one_of({time_functions()}).times(0, kMany)),
      part("constant", "The same value at all times.",
           {number("value", "", "The value.").needed()}),
      part("ramp", "Straight from one value to another, constant outside.",
           {number("from", "", "Value up to start.").needed(),
            number("to", "", "Value from end on.").needed(),
            number("start", "s", "Where it begins.").needed(),
            number("end", "s", "Where it ends.").needed()}),
      part("sine", "amplitude sin(omega t + phase); exactly one of frequency and omega.",
           {number("amplitude", "", "Amplitude.").needed(), number("frequency", "Hz", "Frequency."),
            number("omega", "rad/s", "Angular frequency."),
            number("phase", "rad", "Phase at time 0.").otherwise("0"),
            number("rise", "s", "Time after start over which it fades in.")
                .at_least(0.0)
                .otherwise("0"),
            number("start", "s", "Nothing before.").otherwise_as("always"),
            number("end", "s", "Nothing after.").otherwise_as("always")}),
      part("kerb", "A step to a height at a time.",
           {number("time", "s", "When.").needed(),
            number("height", "", "Value from then on.").needed()}),
      part("time_table", "Values over time, constant outside.",
           {flag("smooth", "A smooth curve through the points; otherwise straight lines.")
                .otherwise("no")},
           one_of({child("point", "time_point")}).times(2, kMany)),
      part("time_point", "One value; a repeated time is a step.",
           {number("t", "s", "Time.").needed(), number("value", "", "Value.").needed()}),
  };
}

}  // namespace semirec
