#include "vehicles/files/xml/equations_xml.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>

#include "vehicles/expressions/margin.hpp"
#include "vehicles/expressions/table.hpp"
#include "vehicles/expressions/units.hpp"
#include "vehicles/files/xml/faults.hpp"
#include "vehicles/files/xml/formula_text.hpp"
#include "vehicles/files/xml/functions.hpp"
#include "vehicles/files/xml/read_formula.hpp"

namespace semirec {

namespace {

constexpr std::array<const char*, 5> kKinds{"variable", "state", "hold", "logic", "delay"};

/// Attributes that take an input, in an element and its parts.
void add_formulas(const Element& element, std::vector<WrittenEquation>& found) {
  for (const AttributeRow& row : element.row->attributes)
    if (row.kind == Kind::reference && row.refers_to == "input" && element.has(row.name) &&
        is_formula(element.text(row.name)))
      found.push_back({&element, row.name, name_of_formula(element, row.name), row.needs_rates});
  for (const Element& child : element.children) add_formulas(child, found);
}

/// Names of inputs that an element and its parts take.
void find_taken(const Element& element, std::set<std::string>& taken) {
  for (const AttributeRow& row : element.row->attributes)
    if (row.kind == Kind::reference && row.refers_to == "input" && element.has(row.name))
      taken.insert(element.text(row.name));
  for (const Element& child : element.children) find_taken(child, taken);
}

/// Points over a grid, in whatever order they are written.
Surface read_surface(const Element& element) {
  std::map<std::pair<double, double>, double> points;
  std::set<double> x;
  std::set<double> y;
  for (const Element& point : element.children) {
    const double px = point.number("x");
    const double py = point.number("y");
    if (!points.emplace(std::pair(px, py), point.number("f")).second)
      point.fail("is a second point at the same x and y, expected one");
    x.insert(px);
    y.insert(py);
  }
  if (points.size() != x.size() * y.size())
    element.fail("has " + std::to_string(points.size()) + " points for " +
                 std::to_string(x.size()) + " values of x and " + std::to_string(y.size()) +
                 " of y, expected one for each pair");
  std::vector<double> values;
  for (const auto& [place, value] : points) values.push_back(value);
  return {{x.begin(), x.end()}, {y.begin(), y.end()}, values, element.flag("smooth")};
}

/// Throws ModelError where expressions cannot call the element by its name.
void check_callable(const Element& element) {
  const std::string& name = element.name;
  if (is_expression_function(name) || is_expression_constant(name) || name == "time")
    element.fail("name", "is '" + name + "', which expressions have taken, expected another name");
  if (!is_expression_name(name))
    element.fail("name", "is '" + name +
                             "', which an expression cannot call, expected letters, digits, '_' "
                             "and '.', no digit first ('-' is minus)");
}

NamedTable read_table(const Element& element) {
  check_callable(element);
  const bool of_two = !element.children.empty() && element.children.front().has("y");
  for (const Element& point : element.children)
    if (point.has("y") != of_two)
      point.fail("y", "stands in some of the points only, expected it in all or in none");
  if (of_two && element.flag("extrapolate"))
    element.fail("extrapolate", "is 'yes' on a table of two numbers, expected it on one of one");
  try {
    if (of_two) return {element.name, std::make_shared<const LookUpTable>(read_surface(element))};
    const Curve curve = table_curve(read_points(element, "x", "f", /*ascending=*/true),
                                    element.flag("smooth"), element.flag("extrapolate"));
    return {element.name, std::make_shared<const LookUpTable>(with_finite_slopes(element, curve))};
  } catch (const std::invalid_argument& error) {
    element.fail(std::string("cannot be a table: ") + error.what());
  }
}

std::string read_unit(const Element& element) {
  const std::string& unit = element.text("unit");
  try {
    (void)parse_unit(unit);
  } catch (const ExpressionError& error) {
    element.fail("unit", "is '" + unit + "', at column " + std::to_string(error.column()) + " " +
                             error.what());
  }
  return unit;
}

bool has_margin(const Formula& condition) {
  try {
    (void)margin_of(condition.code);
    return true;
  } catch (const ExpressionError&) {
    return false;
  }
}

void read_start(const Element& element, Equation& equation) {
  equation.starts_given = element.has("initial");
  if (equation.starts_given) equation.initial = element.number("initial");
}

Equation read_equation(const WrittenEquation& written, const std::vector<NamedTable>& tables) {
  const Element& element = *written.element;
  Equation equation;
  equation.name = written.name;
  equation.source = element.source;
  if (!written.attribute.empty()) {
    equation.formula = read_formula(element, written.attribute, tables);
    return equation;
  }
  check_callable(element);
  if (element.row->allows("unit") && element.has("unit")) equation.unit = read_unit(element);
  if (element.kind == "variable") {
    equation.formula = read_formula(element, "value", tables);
  } else if (element.kind == "state") {
    equation.kind = Equation::Kind::state;
    equation.formula = read_formula(element, "rate", tables);
  } else if (element.kind == "logic") {
    equation.kind = Equation::Kind::logic;
    equation.unit = "1";
    equation.formula = read_formula(element, "on", tables);
    equation.off = read_formula(element, "off", tables);
    equation.has_margins = has_margin(equation.formula) && has_margin(equation.off);
  } else {
    const bool holds = element.kind == "hold";
    equation.kind = holds ? Equation::Kind::hold : Equation::Kind::delay;
    equation.formula = read_formula(element, "of", tables);
    if (holds) {
      equation.rate = element.number("rate");
    } else {
      equation.delay = element.number("time");
      equation.samples = static_cast<int>(element.number("samples"));
    }
  }
  if (element.row->allows("initial")) read_start(element, equation);
  return equation;
}

}  // namespace

std::string name_of_formula(const Element& element, const std::string& attribute) {
  // a part without a name goes by its owner's
  const std::string owner =
      element.name.empty() ? element.label + "." + element.kind : element.name;
  return owner + "." + attribute;
}

std::vector<WrittenEquation> find_equations(const Elements& elements) {
  std::vector<WrittenEquation> found;
  for (const Element& element : elements)
    if (std::find(kKinds.begin(), kKinds.end(), element.kind) != kKinds.end())
      found.push_back({&element, "", element.name, false});
  for (const Element& element : elements) add_formulas(element, found);
  return found;
}

Equations read_equations(const Elements& elements, Mechanism& mechanism) {
  Equations equations;
  Faults faults;
  std::set<std::string> taken;
  std::vector<NamedTable> tables;
  for (const Element& element : elements) {
    find_taken(element, taken);
    if (element.kind == "table") faults.gather([&] { tables.push_back(read_table(element)); });
  }
  faults.tell();  // formulas would miss the tables
  for (const WrittenEquation& written : find_equations(elements)) {
    const auto input = static_cast<InputIndex>(mechanism.inputs.size());
    Input own;
    own.name = written.name;
    own.source = written.element->source;
    own.computed = !written.over_time;
    mechanism.inputs.push_back(own);
    faults.gather([&] {
      if (written.over_time) {
        mechanism.inputs.back().curve =
            read_formula_of_time(*written.element, written.attribute, tables);
        return;
      }
      Equation equation = read_equation(written, tables);
      equation.input = input;
      equation.drives = !written.attribute.empty() || taken.count(equation.name) != 0;
      equations.push_back(std::move(equation));
    });
  }
  faults.tell();
  return equations;
}

}  // namespace semirec
