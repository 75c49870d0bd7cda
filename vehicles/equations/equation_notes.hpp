#pragma once

#include <string>
#include <vector>

#include "vehicles/equations/equation.hpp"

namespace semirec {

/// What is worth a look in equations that can be solved, a line each: what nobody reads, what never
/// changes, and decisions that cannot be reached. Throws ModelError as make_equation_program().
std::vector<std::string> find_doubtful_equations(const Equations& equations);

}  // namespace semirec
