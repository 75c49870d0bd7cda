#pragma once

#include <string>
#include <vector>

#include "vehicles/equations/equation.hpp"

namespace semirec {

/// The element of the file that an equation of this kind comes from.
const char* word_of(Equation::Kind kind);

/// What is worth a look in equations that can be solved, a line each: what nobody reads, what never
/// changes, and decisions that cannot be reached. Throws ModelError as make_equation_program().
std::vector<std::string> find_doubtful_equations(const Equations& equations);

/// What steps of the length h (s) do not resolve, a line each: delays that are shorter, holds that
/// sample more often.
std::vector<std::string> find_unresolved_equations(const Equations& equations, double h);

}  // namespace semirec
