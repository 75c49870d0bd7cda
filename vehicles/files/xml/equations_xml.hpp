#pragma once

#include <string>
#include <vector>

#include "vehicles/equations/equation.hpp"
#include "vehicles/files/xml/attachments.hpp"
#include "vehicles/files/xml/elements.hpp"

namespace semirec {

/// An element that is an equation, or an attribute that takes an input and holds a formula: a
/// variable without a name of its own, or an input over time where its rates are needed.
struct WrittenEquation {
  const Element* element = nullptr;
  std::string attribute;   ///< empty: the element is the equation
  std::string name;        ///< under which it stands among the inputs
  bool over_time = false;  ///< a formula of time alone: AttributeRow::needs_rates
};

/// In the order in which their inputs follow those of the file.
std::vector<WrittenEquation> find_equations(const Elements& elements);
/// Name of the variable that an element's attribute holds.
std::string name_of_formula(const Element& element, const std::string& attribute);

/// Reads the equations and adds their inputs to the mechanism, behind all others of the file.
/// Throws ModelError, with the column where a formula is wrong.
Equations read_equations(const Elements& elements, Mechanism& mechanism);

}  // namespace semirec
