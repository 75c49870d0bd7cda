#include "vehicles/expressions/margin.hpp"

#include <cstddef>

namespace semirec {

namespace {

bool joins(Operation operation) {
  return operation == Operation::both || operation == Operation::either;
}

/// Of a comparison, or of two margins that are joined.
Term margin_term(const Term& term, std::size_t column) {
  switch (term.operation) {
    case Operation::less:
    case Operation::less_or_equal:
      return {Operation::subtract, term.b, term.a, term.a};
    case Operation::greater:
    case Operation::greater_or_equal:
      return {Operation::subtract, term.a, term.b, term.b};
    case Operation::both:
      return {Operation::minimum, term.a, term.b, term.b};
    case Operation::either:
      return {Operation::maximum, term.a, term.b, term.b};
    case Operation::equal:
    case Operation::unequal:
      throw ExpressionError(
          "== or != in a condition that is to be located, expected <, <=, > or >=", column);
    default:
      throw ExpressionError(
          "a value in place of a condition, expected comparisons by <, <=, > or "
          ">=, joined by && and ||",
          column);
  }
}

}  // namespace

Expression margin_of(const Expression& expression) {
  const std::size_t before = expression.names.size() + expression.numbers.size();
  const std::size_t count = expression.terms.size();
  const auto is_term = [&](int index) { return static_cast<std::size_t>(index) >= before; };
  const auto place = [&](int index) { return static_cast<std::size_t>(index) - before; };
  if (!is_term(expression.result))
    throw ExpressionError(
        "a value in place of a condition, expected comparisons by <, <=, > or "
        ">=, joined by && and ||",
        1);
  // conditions, from the last to those that it joins
  std::vector<bool> wanted(count, false);
  wanted[place(expression.result)] = true;
  for (std::size_t k = count; k-- > 0;) {
    const Term& term = expression.terms[k];
    if (!wanted[k] || !joins(term.operation)) continue;
    for (const int operand : {term.a, term.b}) {
      if (!is_term(operand))
        throw ExpressionError("a value beside && or ||, expected comparisons by <, <=, > or >=",
                              expression.columns[k]);
      wanted[place(operand)] = true;
    }
  }
  // their margins, behind all terms
  Expression margin = expression;
  std::vector<int> margin_at(count, 0);
  for (std::size_t k = 0; k < count; ++k) {
    if (!wanted[k]) continue;
    Term term = margin_term(expression.terms[k], expression.columns[k]);
    if (joins(expression.terms[k].operation)) {
      term.a = margin_at[place(term.a)];
      term.b = term.c = margin_at[place(term.b)];
    }
    margin_at[k] = static_cast<int>(margin.value_count());
    margin.terms.push_back(term);
    margin.columns.push_back(expression.columns[k]);
  }
  margin.result = margin_at[place(expression.result)];
  return margin;
}

}  // namespace semirec
