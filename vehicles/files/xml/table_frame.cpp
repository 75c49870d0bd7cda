#include "vehicles/files/xml/table.hpp"

namespace semirec {

// Rows of the frame of files: roots, parameters, includes and templates.

namespace {

const char* const kRoot = "Root of a file. An included file has the same form.";

Attributes root_attributes() {
  return {
      entry("name", Kind::name, "Name of the description; that of an included file is not used.")
          .needed(),
      entry("version", Kind::version, "Version of the form of the file: 1.").needed()};
}

Attributes vehicle_attributes() {
  return root_attributes() + Attributes{entry("gravity", Kind::vector,
                                              "Acceleration of free fall in world axes.", "m/s^2")
                                            .otherwise("0 0 -9.81")};
}

AttributeRow identifier(const char* about) {
  return entry("name", Kind::identifier, about).needed();
}

}  // namespace

std::vector<ElementRow> frame_rows() {
  return {
      part("vehicle", kRoot, vehicle_attributes()),
      part("mechanism", kRoot, vehicle_attributes()),
      part("template",
           "Elements to be written out by each use; names inside get the suffix of the use.",
           {entry("name", Kind::name, "Name by which uses call it.").needed()}),
      part("argument",
           "A number, a point or a word that each use of the template gives, or its default.",
           {identifier("Name that expressions of the template know."),
            entry("default", Kind::value,
                  "Value of a use that gives none; what is given is of its kind."),
            entry("choices", Kind::text, "The words that it may be, separated by blanks.")}),
      conditional_part(
          "include", "Inserts the content of another file; a second time it adds nothing.",
          {entry("file", Kind::file, "Path of the file, relative to this one.").needed()}),
      element(
          "parameter", "A named number, point or word for expressions and conditions.",
          {identifier("Name that expressions know."),
           entry("value", Kind::value, "Its value; parameters above it may be used.").needed()}),
      element(
          "point", "A named point for expressions: a hardpoint.",
          {identifier("Name that expressions know."),
           entry("value", Kind::vector, "The point, as written for the left side.", "m").needed()}),
      element("use", "Writes a template out.",
              {reference("template", "template", "The template, written above.").needed(),
               entry("name", Kind::name,
                     "Suffix of all names inside, behind an underscore; none: no suffix."),
               flag("mirror", "Reflects what is inside in the plane y = 0.").otherwise("no")},
              one_of({child("with")}).times(0, kMany)),
      part("with", "Value of an argument.",
           {identifier("Name of the argument."),
            entry("value", Kind::value, "Its value in this use.").needed()}),
  };
}

}  // namespace semirec
