#include "vehicles/files/xml/equations_xml.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>

#include "vehicles/files/xml/faults.hpp"
#include "vehicles/files/xml/formula_text.hpp"

namespace semirec {

namespace {

constexpr std::array<const char*, 5> kKinds{"variable", "state", "hold", "logic", "delay"};

/// Attributes that take an input, in an element and its parts.
void add_formulas(const Element& element, std::vector<WrittenEquation>& found) {
  for (const AttributeRow& row : element.row->attributes)
    if (row.kind == Kind::reference && row.refers_to == "input" && element.has(row.name) &&
        is_formula(element.text(row.name)))
      found.push_back({&element, row.name, name_of_formula(element, row.name)});
  for (const Element& child : element.children) add_formulas(child, found);
}

/// Names of inputs that an element and its parts take.
void find_taken(const Element& element, std::set<std::string>& taken) {
  for (const AttributeRow& row : element.row->attributes)
    if (row.kind == Kind::reference && row.refers_to == "input" && element.has(row.name))
      taken.insert(element.text(row.name));
  for (const Element& child : element.children) find_taken(child, taken);
}

Formula read_formula(const Element& element, const std::string& attribute) {
  Formula formula;
  formula.source = element.find(attribute)->source;
  try {
    formula.text = fill_in(element.text(attribute), *element.scope);
  } catch (const std::invalid_argument& error) {
    element.fail(attribute, error.what());
  }
  try {
    formula.code = compile_expression(formula.text);
  } catch (const ExpressionError& error) {
    element.fail(attribute, "is '=" + formula.text.substr(0, 200) + "', at column " +
                                std::to_string(error.column() + 1) + " " + error.what() +
                                ", expected an expression such as '= 2*chassis.vz'");
  }
  return formula;
}

void read_start(const Element& element, Equation& equation) {
  equation.starts_given = element.has("initial");
  if (equation.starts_given) equation.initial = element.number("initial");
}

Equation read_equation(const WrittenEquation& written) {
  const Element& element = *written.element;
  Equation equation;
  equation.name = written.name;
  equation.source = element.source;
  if (!written.attribute.empty()) {
    equation.formula = read_formula(element, written.attribute);
    return equation;
  }
  if (element.row->allows("unit") && element.has("unit")) equation.unit = element.text("unit");
  if (element.kind == "variable") {
    equation.formula = read_formula(element, "value");
  } else if (element.kind == "state") {
    equation.kind = Equation::Kind::state;
    equation.formula = read_formula(element, "rate");
  } else if (element.kind == "logic") {
    equation.kind = Equation::Kind::logic;
    equation.unit = "1";
    equation.formula = read_formula(element, "on");
    equation.off = read_formula(element, "off");
  } else {
    const bool holds = element.kind == "hold";
    equation.kind = holds ? Equation::Kind::hold : Equation::Kind::delay;
    equation.formula = read_formula(element, "of");
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

std::vector<WrittenEquation> find_equations(const std::vector<Element>& elements) {
  std::vector<WrittenEquation> found;
  for (const Element& element : elements)
    if (std::find(kKinds.begin(), kKinds.end(), element.kind) != kKinds.end())
      found.push_back({&element, "", element.name});
  for (const Element& element : elements) add_formulas(element, found);
  return found;
}

Equations read_equations(const std::vector<Element>& elements, Mechanism& mechanism) {
  Equations equations;
  std::set<std::string> taken;
  for (const Element& element : elements) find_taken(element, taken);
  Faults faults;
  for (const WrittenEquation& written : find_equations(elements)) {
    const auto input = static_cast<InputIndex>(mechanism.inputs.size());
    Input own;
    own.name = written.name;
    own.source = written.element->source;
    own.computed = true;
    mechanism.inputs.push_back(own);
    faults.gather([&] {
      Equation equation = read_equation(written);
      equation.input = input;
      equation.drives = !written.attribute.empty() || taken.count(equation.name) != 0;
      equations.push_back(std::move(equation));
    });
  }
  faults.tell();
  return equations;
}

}  // namespace semirec
