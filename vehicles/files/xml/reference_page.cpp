#include <algorithm>

#include "vehicles/files/xml/row_words.hpp"
#include "vehicles/files/xml/schema.hpp"
#include "vehicles/files/xml/table.hpp"

namespace semirec {

namespace {

/// Text inside a cell of a table.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? "\\|" : std::string(1, c);
  return out;
}

std::string in_code(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "`" : ", `") + word + "`";
  return text;
}

/// How the element is called where it stands, and inside what.
void collect_owners(const std::string& row, std::vector<std::string>& kinds,
                    std::vector<std::string>& owners) {
  const auto add = [](std::vector<std::string>& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const ElementRow& owner : all_rows())
    for (const std::string& kind : owner.child_kinds())
      if (owner.child(kind)->name == row) {
        add(kinds, kind);
        if (owner.name != "mechanism" && owner.name != "template") add(owners, owner.name);
      }
}

std::string attribute_line(const AttributeRow& attribute) {
  std::string kind = kind_words(attribute);
  const std::string range = range_words(attribute);
  if (!range.empty()) kind += " " + range;
  const std::string name = "`" + attribute.name + "`";
  return "| " + (attribute.required ? "**" + name + "**" : name) + " | " + cell(kind) + " | " +
         cell(attribute.unit) + " | " + cell(default_words(attribute)) + " | " +
         cell(attribute.about) + " |\n";
}

std::string element_text(const ElementRow& row) {
  std::vector<std::string> kinds;
  std::vector<std::string> owners;
  collect_owners(row.name, kinds, owners);
  if (kinds.empty()) kinds.push_back(row.name);
  std::string text = "### " + row.name + "\n\n";
  if (kinds.size() > 1 || kinds[0] != row.name) text += "Written as " + in_code(kinds) + ". ";
  text += row.about;
  if (!owners.empty()) text += " Stands in " + in_code(owners) + (row.once ? ", once." : ".");
  text += "\n\n";
  const std::vector<std::string> children = row.child_kinds();
  const bool root = row.name == "vehicle" || row.name == "mechanism" || row.name == "template";
  if (root)
    text += "Holds the elements of vehicles below" +
            std::string(row.name == "template" ? " and `argument`.\n\n"
                                               : ", `include` and `template`.\n\n");
  else if (!children.empty())
    text += "Holds " + in_code(children) + ".\n\n";
  if (row.attributes.empty()) return text;
  text += "| attribute | kind | unit | default | |\n|---|---|---|---|---|\n";
  for (const AttributeRow& attribute : row.attributes) text += attribute_line(attribute);
  return text + "\n";
}

}  // namespace

std::string make_reference_page() {
  std::string text =
      "# Elements and attributes\n\n"
      "All that vehicle, scenario, manoeuvre and study files may say. Written by `semirec schema "
      "page` from the table in\n"
      "`vehicles/files/xml/`, from which the reader and the schemas in `vehicles/schema/` take the "
      "same words, ranges and defaults;\n"
      "changes belong there. How they are used: [vehicle files](../how_to/vehicle_file.md), "
      "[scenarios](../how_to/scenario_file.md),\n"
      "[manoeuvres](../how_to/manoeuvre.md), [studies](../how_to/sweep.md).\n\n"
      "Attributes in bold must be written. A number may be an expression in braces, a point three "
      "numbers or an expression of points.\n"
      "Unit 1 is a pure number. An element that takes `when` is left out unless its condition "
      "holds.\n\n";
  std::string section;
  for (const ElementRow& row : all_rows()) {
    if (row.section != section) text += "## " + row.section + "\n\n";
    section = row.section;
    text += element_text(row);
  }
  while (text.size() > 1 && text[text.size() - 2] == '\n') text.pop_back();
  return text;
}

}  // namespace semirec
