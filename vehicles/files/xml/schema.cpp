#include "vehicles/files/xml/schema.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "vehicles/files/xml/row_words.hpp"
#include "vehicles/files/xml/table.hpp"

namespace semirec {

namespace {

struct SchemaFile {
  const char* name;
  std::vector<std::string> roots;
  const char* about;
};

const std::vector<SchemaFile>& schema_files() {
  static const std::vector<SchemaFile> files{
      {"vehicle",
       {"vehicle", "mechanism"},
       "World axes: x forward, y left, z up; SI units; all points are those of the design "
       "position. "
       "Described in docs/how_to/vehicle_file.md."},
      {"scenario",
       {"scenario"},
       "What is done with a vehicle. SI units. Described in docs/how_to/scenario_file.md."},
      {"manoeuvre",
       {"manoeuvre"},
       "How a vehicle is driven and judged. SI units. Described in docs/how_to/manoeuvre.md."},
      {"study",
       {"study"},
       "Which values of a vehicle are varied, and what is asked of each car. Described in "
       "docs/how_to/sweep.md."}};
  return files;
}

const std::string kNumber = R"(([+\-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+\-]?[0-9]+)?|\{[^{}]+\}))";
const std::string kExpression = R"(\{[^{}]+\})";

std::string more_numbers(int count) { return "( " + kNumber + "){" + std::to_string(count) + "}"; }

struct SimpleType {
  std::string about, pattern;
};

/// Texts that a pattern describes, by the name of their type.
const std::map<std::string, SimpleType>& simple_types() {
  static const std::map<std::string, SimpleType> types{
      {"column", {"Name of a column.", R"([A-Za-z0-9_.]+)"}},
      {"formula", {"An expression of the run, behind an equals sign.", R"(\s*=.*)"}},
      {"identifier",
       {"Name of a parameter, argument or value: an expression can use it.",
        R"([A-Za-z_][A-Za-z0-9_]*)"}},
      {"name", {"Name of an element.", R"([A-Za-z0-9_.\-]+)"}},
      {"number", {"A decimal number in SI units, or an expression in braces.", kNumber}},
      {"numbers", {"One to six numbers separated by blanks.", kNumber + "( " + kNumber + "){0,5}"}},
      {"over_time",
       {"A decimal number in SI units, an expression in braces, or an expression of time behind an "
        "equals sign.",
        kNumber + R"(|\s*=.*)"}},
      {"pattern",
       {"Name of an element, with * for any run of characters.", R"([A-Za-z0-9_.*\-]+)"}},
      {"reference",
       {"Name of another element, or a parameter in braces that holds it; where an input is asked "
        "for, an expression of the run behind an equals sign as well.",
        R"([A-Za-z0-9_.\-]+|\{[^{}]+\}|\s*=.*)"}},
      {"six_numbers",
       {"Six numbers separated by blanks; an expression of points is three of them.",
        kNumber + more_numbers(5) + "|" + kExpression + more_numbers(3) + "|" + kNumber +
            more_numbers(2) + " " + kExpression + "|" + kExpression + " " + kExpression}},
      {"value",
       {"A number, three of a point, an expression in braces, or a word.",
        kNumber + more_numbers(2) + "|" + kNumber + R"(|[A-Za-z_][A-Za-z0-9_.\-]*)"}},
      {"vector",
       {"Three numbers separated by blanks, or an expression of points.",
        kNumber + more_numbers(2) + "|" + kExpression}},
      {"word",
       {"Letters, digits, underscores, hyphens and points, or a parameter in braces that holds "
        "them.",
        R"([A-Za-z0-9_.\-]+|\{[^{}]+\})"}},
  };
  return types;
}

/// Type of an attribute's value; empty for a choice, whose words stand with the attribute.
std::string type_of(Kind kind) {
  switch (kind) {
    case Kind::number:
      return "number";
    case Kind::over_time:
      return "over_time";
    case Kind::point:
    case Kind::direction:
    case Kind::vector:
      return "vector";
    case Kind::numbers:
      return "numbers";
    case Kind::six_numbers:
      return "six_numbers";
    case Kind::reference:
      return "reference";
    case Kind::name:
      return "name";
    case Kind::identifier:
      return "identifier";
    case Kind::value:
      return "value";
    case Kind::word:
      return "word";
    case Kind::column:
      return "column";
    case Kind::pattern:
      return "pattern";
    case Kind::flag:
    case Kind::choice:
      return "";
    case Kind::formula:
      return "formula";
    case Kind::references:
    case Kind::file:
    case Kind::condition:
    case Kind::version:
    case Kind::text:
      return "xs:token";
  }
  return "xs:token";
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return out;
}

/// Writes a schema for what can be reached from some roots.
class SchemaWriter {
 public:
  std::string write(const SchemaFile& file) {
    for (const std::string& root : file.roots) reach(*find_row(root));
    line(0, R"(<?xml version="1.0" encoding="utf-8"?>)");
    line(0, "<!-- Written by `semirec schema " + std::string(file.name) +
                "` from the table in vehicles/files/xml; changes belong there. -->");
    line(
        0,
        R"(<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified" version="1">)");
    line(1, "<xs:annotation>");
    line(2, "<xs:documentation>");
    line(3, "semirec " + std::string(file.name) + " files, version 1. " + file.about);
    line(3,
         "Numbers may be expressions of parameters in braces. The reader checks more than a schema "
         "can: ranges, names, references, topology.");
    line(2, "</xs:documentation>");
    line(1, "</xs:annotation>");
    for (const std::string& root : file.roots)
      line(1, "<xs:element name=\"" + root + "\" type=\"" + root + "\"/>");
    for (const auto& [name, group] : groups_) {
      line(1, "<xs:group name=\"" + name + "\">");
      write_parts(*group, 2, "");
      line(1, "</xs:group>");
    }
    for (const ElementRow& row : all_rows())
      if (reached_.count(row.name) != 0) write_type(row);
    for (const auto& [name, type] : simple_types())
      if (types_.count(name) != 0) write_simple_type(name, type);
    line(0, "</xs:schema>");
    return out_;
  }

 private:
  void line(int depth, const std::string& text) {
    out_ += std::string(2 * static_cast<std::size_t>(depth), ' ') + text + "\n";
  }

  void documentation(int depth, const std::string& text) {
    line(depth, "<xs:annotation><xs:documentation>" + escaped(text) +
                    "</xs:documentation></xs:annotation>");
  }

  void reach(const ElementRow& row) {
    if (!reached_.insert(row.name).second) return;
    for (const AttributeRow& attribute : row.attributes) types_.insert(type_of(attribute.kind));
    reach(row.content);
  }

  void reach(const Content& content) {
    if (!content.group.empty()) groups_.emplace(content.group, &content);
    if (content.form == Content::Form::child) reach(*find_row(content.row));
    for (const Content& part : content.parts) reach(part);
  }

  static std::string times_of(const Content& content) {
    std::string text;
    if (content.least != 1) text += " minOccurs=\"" + std::to_string(content.least) + "\"";
    if (content.most == kMany) text += " maxOccurs=\"unbounded\"";
    if (content.most > 1) text += " maxOccurs=\"" + std::to_string(content.most) + "\"";
    return text;
  }

  /// `times` of a group stand where it is used.
  void write_parts(const Content& content, int depth, const std::string& times) {
    const std::string tag = content.form == Content::Form::in_order ? "xs:sequence" : "xs:choice";
    line(depth, "<" + tag + times + ">");
    for (const Content& part : content.parts) write_content(part, depth + 1);
    line(depth, "</" + tag + ">");
  }

  void write_content(const Content& content, int depth) {
    if (content.form == Content::Form::child)
      line(depth, "<xs:element name=\"" + content.kind + "\" type=\"" + content.row + "\"" +
                      times_of(content) + "/>");
    else if (!content.group.empty())
      line(depth, "<xs:group ref=\"" + content.group + "\"" + times_of(content) + "/>");
    else
      write_parts(content, depth, times_of(content));
  }

  void write_attribute(const AttributeRow& attribute) {
    const std::string type = type_of(attribute.kind);
    std::string head = "<xs:attribute name=\"" + attribute.name + "\"";
    if (!type.empty()) head += " type=\"" + type + "\"";
    if (attribute.required) head += " use=\"required\"";
    if (attribute.kind == Kind::version) head += " fixed=\"1\"";
    line(2, head + ">");
    documentation(3, sentence_of(attribute));
    if (type.empty()) {
      line(3, "<xs:simpleType>");
      line(4, "<xs:restriction base=\"xs:token\">");
      for (const std::string& word : attribute.choices)
        line(5, "<xs:enumeration value=\"" + word + "\"/>");
      line(4, "</xs:restriction>");
      line(3, "</xs:simpleType>");
    }
    line(2, "</xs:attribute>");
  }

  void write_type(const ElementRow& row) {
    line(1, "<xs:complexType name=\"" + row.name + "\">");
    documentation(2, row.about);
    if (!row.content.empty()) write_content(row.content, 2);
    for (const AttributeRow& attribute : row.attributes) write_attribute(attribute);
    line(1, "</xs:complexType>");
  }

  void write_simple_type(const std::string& name, const SimpleType& type) {
    line(1, "<xs:simpleType name=\"" + name + "\">");
    documentation(2, type.about);
    line(2, "<xs:restriction base=\"xs:token\">");
    line(3, "<xs:pattern value=\"" + type.pattern + "\"/>");
    line(2, "</xs:restriction>");
    line(1, "</xs:simpleType>");
  }

  std::set<std::string> reached_;
  std::set<std::string> types_;
  std::map<std::string, const Content*> groups_;
  std::string out_;
};

}  // namespace

const std::vector<std::string>& schema_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const SchemaFile& file : schema_files()) all.emplace_back(file.name);
    return all;
  }();
  return names;
}

std::string make_schema(const std::string& kind) {
  const auto& files = schema_files();
  const auto found = std::find_if(files.begin(), files.end(),
                                  [&](const SchemaFile& file) { return file.name == kind; });
  return SchemaWriter().write(found == files.end() ? files.front() : *found);
}

}  // namespace semirec
