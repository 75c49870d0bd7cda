#include <algorithm>
#include <cmath>

#include "vehicles/expressions/expression.hpp"

namespace semirec {

namespace {

double truth(bool holds) { return holds ? 1.0 : 0.0; }

double apply(Operation operation, double a, double b, double c) {
  switch (operation) {
    case Operation::add:
      return a + b;
    case Operation::subtract:
      return a - b;
    case Operation::multiply:
      return a * b;
    case Operation::divide:
      return a / b;
    case Operation::power:
      return std::pow(a, b);
    case Operation::negate:
      return -a;
    case Operation::less:
      return truth(a < b);
    case Operation::less_or_equal:
      return truth(a <= b);
    case Operation::greater:
      return truth(a > b);
    case Operation::greater_or_equal:
      return truth(a >= b);
    case Operation::equal:
      return truth(a == b);
    case Operation::unequal:
      return truth(a != b);
    case Operation::both:
      return truth(a != 0.0 && b != 0.0);
    case Operation::either:
      return truth(a != 0.0 || b != 0.0);
    case Operation::choose:
      return a != 0.0 ? b : c;
    case Operation::minimum:
      return std::min(a, b);
    case Operation::maximum:
      return std::max(a, b);
    case Operation::absolute:
      return std::abs(a);
    case Operation::sign:
      return a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : 0.0;
    case Operation::round:
      return std::floor(a + 0.5);
    case Operation::square_root:
      return std::sqrt(a);
    case Operation::exponential:
      return std::exp(a);
    case Operation::logarithm:
      return std::log(a);
    case Operation::logarithm_2:
      return std::log2(a);
    case Operation::logarithm_10:
      return std::log10(a);
    case Operation::sine:
      return std::sin(a);
    case Operation::cosine:
      return std::cos(a);
    case Operation::tangent:
      return std::tan(a);
    case Operation::arc_sine:
      return std::asin(a);
    case Operation::arc_cosine:
      return std::acos(a);
    case Operation::arc_tangent:
      return std::atan(a);
    case Operation::arc_tangent_2:
      return std::atan2(a, b);
    case Operation::hyperbolic_sine:
      return std::sinh(a);
    case Operation::hyperbolic_cosine:
      return std::cosh(a);
    case Operation::hyperbolic_tangent:
      return std::tanh(a);
    case Operation::area_sine:
      return std::asinh(a);
    case Operation::area_cosine:
      return std::acosh(a);
    case Operation::area_tangent:
      return std::atanh(a);
  }
  return a;
}

}  // namespace

double evaluate(const Expression& expression, double* values) {
  double* next = std::copy(expression.numbers.begin(), expression.numbers.end(),
                           values + expression.names.size());
  for (const Term& term : expression.terms)
    *next++ = apply(term.operation, values[term.a], values[term.b], values[term.c]);
  return values[expression.result];
}

}  // namespace semirec
