#pragma once

#include <optional>
#include <vector>

#include "vehicles/expressions/expression.hpp"

namespace semirec {

/// What an expression is worth whatever its names are worth, as far as its operations show it.
struct Dependence {
  std::vector<bool> on_name;       ///< [name] whether its value can have an effect
  std::optional<double> constant;  ///< the value where none has
};

/// Finds the names without effect: behind a factor of zero, an exponent of zero, a choice whose
/// condition is constant, && with what never holds, || with what always does, and in x - x.
/// Infinite values are left aside (0*x is zero).
Dependence find_dependence(const Expression& expression);

}  // namespace semirec
