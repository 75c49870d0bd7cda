#pragma once

#include "topology/curve.hpp"
#include "vehicles/expressions/expression.hpp"

namespace semirec {

/// Value of an expression and its first and second derivatives by time where names[k] and its
/// derivatives are `values[k]`: for prescribed motions. With f of a(t) and b(t)
///   fd  = f_a ad + f_b bd
///   fdd = f_a add + f_b bdd + f_aa ad^2 + 2 f_ab ad bd + f_bb bd^2
/// term by term; zero times an infinite slope is zero, slopes where none exists as in TermSlopes.
/// `values` has room for value_count() entries, the names' first, and is overwritten behind them.
/// No heap use.
CurveValue evaluate_in_time(const Expression& expression, CurveValue* values);

}  // namespace semirec
