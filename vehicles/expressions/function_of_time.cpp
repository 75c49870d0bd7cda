#include "vehicles/expressions/function_of_time.hpp"

#include <array>

#include "topology/fingerprint.hpp"
#include "vehicles/expressions/evaluate_in_time.hpp"
#include "vehicles/expressions/table.hpp"

namespace semirec {

FunctionOfTime::FunctionOfTime(Expression expression) : expression_(std::move(expression)) {
  for (const std::string& name : expression_.names)
    if (name != "time")
      throw std::invalid_argument("uses '" + name +
                                  "', expected an expression of 'time' and numbers alone: what is "
                                  "moved by it needs its rates");
  if (expression_.value_count() > kMostValues)
    throw std::invalid_argument("has " + std::to_string(expression_.value_count()) +
                                " names, numbers and operations, expected " +
                                std::to_string(kMostValues) + " at most");
}

CurveValue FunctionOfTime::evaluate(double time) const {
  std::array<CurveValue, kMostValues> values;
  values[0] = {time, 1.0, 0.0};  // where there is no name it is overwritten
  return evaluate_in_time(expression_, values.data());
}

void FunctionOfTime::put_into(Fingerprint& fingerprint) const {
  fingerprint(expression_.names, expression_.numbers, expression_.result);
  for (const Term& term : expression_.terms)
    fingerprint(term.operation, term.a, term.b, term.c, term.table);
  for (const auto& table : expression_.tables) table->put_into(fingerprint);
}

}  // namespace semirec
