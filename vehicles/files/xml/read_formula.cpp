#include "vehicles/files/xml/read_formula.hpp"

#include <stdexcept>

#include "vehicles/expressions/function_of_time.hpp"
#include "vehicles/expressions/units.hpp"
#include "vehicles/files/xml/formula_text.hpp"

namespace semirec {

namespace {

/// `is '= 2*b', at column 4 ...`: columns count from the `=`.
std::string words_of(const Formula& formula, const ExpressionError& error) {
  return "is '=" + formula.text.substr(0, 200) + "', at column " +
         std::to_string(error.column() + 1) + " " + error.what();
}

}  // namespace

Formula read_formula(const Element& element, const std::string& attribute,
                     const std::vector<NamedTable>& tables) {
  Formula formula;
  formula.source = element.find(attribute)->source;
  try {
    formula.text = fill_in(element.text(attribute), *element.scope);
  } catch (const std::invalid_argument& error) {
    element.fail(attribute, error.what());
  }
  try {
    formula.code = compile_expression(formula.text, tables);
  } catch (const ExpressionError& error) {
    element.fail(attribute,
                 words_of(formula, error) + ", expected an expression such as '= 2*chassis.vz'");
  }
  return formula;
}

Curve read_formula_of_time(const Element& element, const std::string& attribute,
                           const std::vector<NamedTable>& tables) {
  const Formula formula = read_formula(element, attribute, tables);
  Curve curve;
  try {
    curve.set_function(std::make_shared<const FunctionOfTime>(formula.code));
    const UnitDimension second{.second = 1.0};
    (void)dimension_of(formula.code, std::vector(formula.code.names.size(), std::optional(second)));
  } catch (const ExpressionError& error) {
    element.fail(attribute, words_of(formula, error));
  } catch (const std::invalid_argument& error) {
    element.fail(attribute, "is '=" + formula.text.substr(0, 200) + "', which " + error.what());
  }
  return curve;
}

}  // namespace semirec
