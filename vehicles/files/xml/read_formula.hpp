#pragma once

#include <string>
#include <vector>

#include "topology/curve.hpp"
#include "vehicles/equations/equation.hpp"
#include "vehicles/files/xml/element.hpp"

namespace semirec {

/// The formula that an attribute holds; it may call the tables. Throws ModelError at the attribute,
/// with the column.
Formula read_formula(const Element& element, const std::string& attribute,
                     const std::vector<NamedTable>& tables);

/// The same of an attribute that holds a formula of `time` and numbers alone, as a curve over time,
/// s: FunctionOfTime.
Curve read_formula_of_time(const Element& element, const std::string& attribute,
                           const std::vector<NamedTable>& tables);

}  // namespace semirec
