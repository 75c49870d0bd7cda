#include "vehicles/files/xml/table.hpp"

namespace semirec {

// Rows of study files.

std::vector<ElementRow> study_rows() {
  return {
      part("study", "Root of a file: which values of a vehicle are varied, and what is asked.",
           {entry("name", Kind::name, "Name of the study.").needed(),
            entry("version", Kind::version, "Version of the form of the file: 1.").needed(),
            entry("vehicle", Kind::file, "The vehicle file, relative to this one.").needed()},
           one_of({child("parameter"), child("vary"), child("sample"), child("response")})
               .times(2, kMany)),
      part("vary", "A value that is varied: a list, a range or a distribution.",
           {entry("element", Kind::text, "Names of elements as --set takes them.").needed(),
            entry("attribute", Kind::text, "The attribute, value for a parameter.").needed(),
            entry("as", Kind::column, "Name of its column.").otherwise_as("element.attribute"),
            flag("factor", "Whether the file's own value is multiplied.").otherwise("no"),
            entry("values", Kind::text, "Numbers or words of a grid, separated by blanks."),
            number("from", "", "First level of a range."),
            number("to", "", "Last level of a range."),
            number("count", "1", "How many levels a range has.")
                .whole()
                .at_least(2.0)
                .at_most(100000.0),
            choice("spacing", {"linear", "log"}, "Spacing of the levels.").otherwise("linear"),
            choice("distribution", {"uniform", "normal", "log_uniform"},
                   "Distribution of a sample."),
            number("min", "", "Lower end.").otherwise_as("normal: mean - 4 deviation"),
            number("max", "", "Upper end.").otherwise_as("normal: mean + 4 deviation"),
            number("mean", "", "Mean of a normal distribution."),
            number("deviation", "", "Standard deviation of a normal distribution.").above(0.0)}),
      part("sample", "How many samples there are, and how they are drawn.",
           {number("count", "1", "How many.").needed().whole().at_least(1.0).at_most(1000000.0),
            number("seed", "1", "One sample a seed.")
                .whole()
                .at_least(0.0)
                .at_most(0x1p53)
                .otherwise("1"),
            choice("method", {"random", "latin", "halton"},
                   "Independent, a Latin hypercube, or a Halton sequence.")
                .otherwise("random")}),
      part("response", "A command, and the numbers of its answer that are kept.",
           {entry("command", Kind::text, "The command, with VEHICLE in the place of the vehicle.")
                .needed(),
            entry("quantities", Kind::text, "Names of quantities, in which * may stand.").needed(),
            entry("as", Kind::column, "Name before those of its columns.")
                .otherwise_as("the command")}),
  };
}

}  // namespace semirec
