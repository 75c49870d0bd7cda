#pragma once

#include "vehicles/expressions/expression.hpp"

namespace semirec {

/// For an expression that is a truth value, comparisons by < <= > >= joined by && and ||, an
/// expression of the same names, numbers and tables that is above zero where it holds, below zero
/// where it does not, and as continuous as what is compared: for events to be located by.
///   a > b, a >= b   a - b              a && b   the smaller of the margins
///   a < b, a <= b   b - a              a || b   the larger of the margins
/// At zero <= and >= hold, < and > do not. Throws ExpressionError with the column on anything else:
/// == and !=, values that are not compared.
Expression margin_of(const Expression& expression);

}  // namespace semirec
