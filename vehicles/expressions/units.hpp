#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vehicles/expressions/expression.hpp"

namespace semirec {

/// Exponents of the base units of the SI that the field uses; an angle in rad counts as 1.
struct UnitDimension {
  double metre = 0.0, kilogram = 0.0, second = 0.0, ampere = 0.0, kelvin = 0.0;
};

/// Whether they are the same, but for the rounding of exponents as 1/3.
bool same(const UnitDimension& a, const UnitDimension& b);

/// A unit of SI: symbols with whole or broken exponents, beside each other or joined by * and /,
/// brackets, and 1: `m/s^2`, `N m s/rad`, `rad/s/(N m)^0.5`, `1`. What stands behind a slash is one
/// symbol or in brackets. Throws ExpressionError with the column: on an unknown symbol the nearest
/// known one, on a unit that is not of SI (km/h, deg, bar) that to use in its place.
UnitDimension parse_unit(std::string_view text);

/// The unit as the field writes it: `N m`, `m/s^2`, `kg^0.5 m`; those of equal dimension alike.
std::string unit_text(const UnitDimension& dimension);

/// The dimension of an expression whose names[k] have `names[k]`; nothing where it is not known: a
/// written number is of any unit, and so is a product with one, a table and a name that has none
/// here; a sum or a choice is of the unit of what is known of it. Throws ExpressionError with the
/// column of the sign or function:
///   + - min max ?: and comparisons   units that differ
///   sin, exp, ln, rint and so on     an argument that is not of unit 1 (or rad)
///   ^                                an exponent with a unit; of a base with one, an exponent that
///                                    is not a written number
std::optional<UnitDimension> dimension_of(const Expression& expression,
                                          const std::vector<std::optional<UnitDimension>>& names);

}  // namespace semirec
