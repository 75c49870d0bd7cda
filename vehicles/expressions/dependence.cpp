#include "vehicles/expressions/dependence.hpp"

#include <cstddef>

#include "vehicles/expressions/operations.hpp"

namespace semirec {

namespace {

using Constant = std::optional<double>;

/// The value of a term as far as the constants among its operands give it.
Constant constant_of(const Term& term, const std::vector<Constant>& constants, TableSpan tables) {
  const auto at = [&](int index) { return constants[static_cast<std::size_t>(index)]; };
  const Constant a = at(term.a), b = at(term.b), c = at(term.c);
  const bool a_is_zero = a && *a == 0.0, b_is_zero = b && *b == 0.0;
  switch (term.operation) {
    case Operation::choose:
      if (a) return *a != 0.0 ? b : c;
      break;
    case Operation::multiply:
    case Operation::both:
      if (a_is_zero || b_is_zero) return 0.0;
      break;
    case Operation::either:
      if ((a && !a_is_zero) || (b && !b_is_zero)) return 1.0;
      break;
    case Operation::divide:
      if (a_is_zero && !b) return 0.0;
      break;
    case Operation::power:
      if (b_is_zero) return 1.0;
      break;
    case Operation::subtract:
      if (term.a == term.b) return 0.0;
      break;
    default:
      break;
  }
  if (!a || !b || !c) return {};
  TermSlopes no_slopes;
  TermCurvatures no_curvatures;
  return apply_operation<TermDetail::value>(term, *a, *b, *c, tables, no_slopes, no_curvatures);
}

}  // namespace

Dependence find_dependence(const Expression& expression) {
  const std::size_t names = expression.names.size();
  const std::size_t before = names + expression.numbers.size();
  std::vector<Constant> constants(expression.value_count());
  std::copy(expression.numbers.begin(), expression.numbers.end(),
            constants.begin() + static_cast<std::ptrdiff_t>(names));
  for (std::size_t k = 0; k < expression.terms.size(); ++k)
    constants[before + k] = constant_of(expression.terms[k], constants, expression.tables);

  std::vector<bool> reached(expression.value_count(), false);
  reached[static_cast<std::size_t>(expression.result)] = true;
  for (std::size_t k = expression.terms.size(); k-- > 0;) {
    if (!reached[before + k] || constants[before + k]) continue;
    const Term& term = expression.terms[k];
    const Constant& condition = constants[static_cast<std::size_t>(term.a)];
    const bool decided = term.operation == Operation::choose && condition;
    if (!decided || *condition != 0.0) reached[static_cast<std::size_t>(term.b)] = true;
    if (!decided || *condition == 0.0) reached[static_cast<std::size_t>(term.c)] = true;
    reached[static_cast<std::size_t>(term.a)] = true;
  }
  reached.resize(names);
  return {reached, constants[static_cast<std::size_t>(expression.result)]};
}

}  // namespace semirec
