#include "vehicles/expressions/evaluate_in_time.hpp"

#include "vehicles/expressions/operations.hpp"

namespace semirec {

namespace {

/// Zero times anything is zero: a slope may be infinite where nothing moves.
double times(double slope, double rate) { return slope == 0.0 || rate == 0.0 ? 0.0 : slope * rate; }

CurveValue apply_in_time(const Term& term, TableSpan tables, const CurveValue& a,
                         const CurveValue& b, const CurveValue& c) {
  TermSlopes d;
  TermCurvatures dd;
  const double f = apply_operation<TermDetail::curvatures>(term, a.f, b.f, c.f, tables, d, dd);
  return {f, times(d.a, a.fd) + times(d.b, b.fd) + times(d.c, c.fd),
          times(d.a, a.fdd) + times(d.b, b.fdd) + times(d.c, c.fdd) + times(dd.aa, a.fd * a.fd) +
              times(dd.ab, 2.0 * a.fd * b.fd) + times(dd.bb, b.fd * b.fd)};
}

}  // namespace

CurveValue evaluate_in_time(const Expression& expression, CurveValue* values) {
  CurveValue* next = values + expression.names.size();
  for (const double number : expression.numbers) *next++ = {number, 0.0, 0.0};
  for (const Term& term : expression.terms)
    *next++ =
        apply_in_time(term, expression.tables, values[term.a], values[term.b], values[term.c]);
  return values[expression.result];
}

}  // namespace semirec
