// Formulas of a vehicle's file, a line each: any text is compiled or refused with a line and a
// column. What is compiled evaluates the same alone, with slopes and joined with the others; its
// slopes by the reverse sweep are those along a line in time; margins and constants agree with the
// values.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "vehicles/equations/equation_notes.hpp"
#include "vehicles/equations/equation_program.hpp"
#include "vehicles/expressions/dependence.hpp"
#include "vehicles/expressions/evaluate_in_time.hpp"
#include "vehicles/expressions/function_of_time.hpp"
#include "vehicles/expressions/margin.hpp"
#include "vehicles/expressions/slopes.hpp"
#include "vehicles/expressions/table.hpp"
#include "vehicles/expressions/units.hpp"

namespace {

using namespace semirec;

void expect(bool condition) {
  if (!condition) std::abort();
}

void expect_one_line(const std::string& message) {
  expect(!message.empty() && message.find('\n') == std::string::npos);
}

bool same_number(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

const std::vector<NamedTable>& tables() {
  static const std::vector<NamedTable> known{
      {"line", std::make_shared<const LookUpTable>(
                   table_curve({{-1.0, 2.0}, {0.5, 1.0}, {3.0, -4.0}}, false, true))},
      {"wave", std::make_shared<const LookUpTable>(
                   table_curve({{0.0, 0.0}, {1.0, 1.0}, {2.0, 0.0}}, true, false))},
      {"plane", std::make_shared<const LookUpTable>(
                    Surface({0.0, 1.0, 3.0}, {0.0, 2.0}, {0.0, 1.0, 2.0, 5.0, 4.0, 3.0}, true))}};
  return known;
}

/// A value for each name, other ones each time.
double value_of(std::size_t name, int round) {
  constexpr double kValues[] = {0.0, 1.0, -2.5, 0.3, 17.0, -1e-3, 1e9, 0.5};
  return kValues[(name * 3 + static_cast<std::size_t>(round)) % 8];
}

/// The reverse sweep against the forward one along a line, where all slopes are finite.
void check_slopes(const Expression& code, const std::vector<double>& values) {
  const std::size_t leaves = code.names.size() + code.numbers.size();
  std::vector<double> again = values;
  std::vector<TermSlopes> slopes(code.terms.size());
  const std::vector<char> all(code.terms.size(), 1);
  evaluate_with_slopes(code.terms, all, 0, code.terms.size(), leaves, again.data(), slopes.data(),
                       code.tables);
  for (std::size_t k = 0; k < values.size(); ++k) expect(same_number(again[k], values[k]));

  const SlopePath path =
      find_slope_path(code.terms, leaves, {code.result}, std::vector<char>(leaves, 1));
  std::vector<double> adjoints(values.size() + 1, 0.0);
  std::vector<double> bounds = adjoints;
  const auto result = static_cast<std::size_t>(code.result);
  adjoints[result] = bounds[result] = 1.0;
  pull_back(path, leaves, slopes.data(), adjoints.data());
  for (TermSlopes& slope : slopes)
    slope = {std::abs(slope.a), std::abs(slope.b), std::abs(slope.c)};
  pull_back(path, leaves, slopes.data(), bounds.data());

  std::vector<CurveValue> moving(code.value_count());
  double slope = 0.0;
  double bound = 0.0;
  for (std::size_t k = 0; k < code.names.size(); ++k) {
    const double rate = k % 2 == 0 ? 1.0 : -0.5;
    moving[k] = {values[k], rate, 0.0};
    slope += adjoints[k] * rate;
    bound += bounds[k];
  }
  const CurveValue along = evaluate_in_time(code, moving.data());
  expect(same_number(along.f, values[result]));
  if (bound < 1e200 && all_finite(values))
    expect(std::abs(along.fd - slope) <= 1e-9 * (bound + 1e-290));
}

void check_values(const Expression& code) {
  const Dependence dependence = find_dependence(code);
  std::optional<Expression> margin;
  try {
    margin = margin_of(code);
  } catch (const ExpressionError& error) {
    expect_one_line(error.what());
  }
  for (int round = 0; round < 4; ++round) {
    std::vector<double> values(code.value_count());
    for (std::size_t k = 0; k < code.names.size(); ++k) values[k] = value_of(k, round);
    const double value = evaluate(code, values.data());
    check_slopes(code, values);
    if (dependence.constant && all_finite(values)) expect(*dependence.constant == value);
    if (!margin) continue;
    std::vector<double> others(margin->value_count());
    for (std::size_t k = 0; k < margin->names.size(); ++k) others[k] = value_of(k, round);
    const double above = evaluate(*margin, others.data());
    if (!all_finite(others)) continue;
    if (above > 0.0) expect(value != 0.0);
    if (above < 0.0) expect(value == 0.0);
  }
}

void check_units(const std::string& text, const Expression& code) {
  std::vector<std::optional<UnitDimension>> names(code.names.size());
  for (std::size_t k = 0; k < names.size(); ++k)
    if (k % 3 != 2) names[k] = parse_unit(k % 3 == 0 ? "m" : "s");
  try {
    if (const auto dimension = dimension_of(code, names)) (void)unit_text(*dimension);
  } catch (const ExpressionError& error) {
    expect_one_line(error.what());
    expect(error.column() >= 1 && error.column() <= text.size() + 1);
  }
}

void check_unit_of(const std::string& text) {
  try {
    const UnitDimension dimension = parse_unit(text);
    (void)unit_text(dimension);
  } catch (const ExpressionError& error) {
    expect_one_line(error.what());
    expect(error.column() >= 1 && error.column() <= text.size() + 1);
  }
}

void check_in_time(const Expression& code) {
  try {
    const FunctionOfTime function(code);
    for (const double time : {-1.0, 0.0, 0.7, 1e9}) {
      std::vector<double> values(code.value_count());
      if (!values.empty()) values[0] = time;
      expect(same_number(function.evaluate(time).f, evaluate(code, values.data())));
    }
  } catch (const std::invalid_argument& error) {
    expect_one_line(error.what());
  }
}

std::optional<Formula> compile(const std::string& text) {
  check_unit_of(text);
  try {
    Formula formula{text, compile_expression(text, tables()), {}};
    check_values(formula.code);
    check_units(text, formula.code);
    check_in_time(formula.code);
    return formula;
  } catch (const ExpressionError& error) {
    expect_one_line(error.what());
    expect(error.column() >= 1 && error.column() <= text.size() + 1);
    return {};
  }
}

/// The program's values against each formula by itself.
void check_program(const Equations& equations, const EquationProgram& program) {
  std::vector<double> values(program.value_count());
  const std::size_t leaves = program.leaf_count();
  const std::size_t before_numbers = leaves - program.numbers.size();
  for (std::size_t k = 0; k < before_numbers; ++k) values[k] = value_of(k, 1);
  std::copy(program.numbers.begin(), program.numbers.end(),
            values.begin() + static_cast<std::ptrdiff_t>(before_numbers));
  std::vector<TermSlopes> slopes(program.terms.size());
  evaluate_with_slopes(program.terms, std::vector<char>(program.terms.size(), 1), 0,
                       program.terms.size(), leaves, values.data(), slopes.data(), program.tables);
  const auto worth = [&](const std::string& name) {
    for (std::size_t e = 0; e < equations.size(); ++e)
      if (equations[e].name == name) return values[static_cast<std::size_t>(program.value[e])];
    const auto own = std::find(program.outside.begin(), program.outside.end(), name);
    expect(own != program.outside.end());
    return values[static_cast<std::size_t>(own - program.outside.begin())];
  };
  for (std::size_t e = 0; e < equations.size(); ++e) {
    const Expression& code = equations[e].formula.code;
    std::vector<double> alone(code.value_count());
    for (std::size_t k = 0; k < code.names.size(); ++k) alone[k] = worth(code.names[k]);
    expect(same_number(evaluate(code, alone.data()),
                       values[static_cast<std::size_t>(program.formula[e])]));
    expect(find_dependence(program, program.value[e]).size() == leaves);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream lines(std::string(reinterpret_cast<const char*>(data), size));
  Equations equations;
  for (std::string line; std::getline(lines, line);) {
    // v, s, h, l or d before the formula: its kind; their names are a, b, c, ...
    constexpr std::string_view kKinds = "vshld";
    const std::size_t kind = line.empty() ? std::string::npos : kKinds.find(line[0]);
    const bool marked = kind != std::string::npos && line.size() > 1 && line[1] == ' ';
    const std::optional<Formula> formula = compile(marked ? line.substr(2) : line);
    if (!formula || equations.size() == 26) continue;
    Equation equation;
    equation.kind = marked ? static_cast<Equation::Kind>(kind) : Equation::Kind::variable;
    equation.name = std::string(1, static_cast<char>('a' + equations.size()));
    equation.formula = *formula;
    equation.off = equations.empty() ? *formula : equations.back().formula;
    equation.rate = 100.0;
    equation.delay = 1e-4;
    equation.samples = 3;
    equations.push_back(std::move(equation));
  }
  try {
    check_program(equations, make_equation_program(equations));
    for (const std::string& note : find_doubtful_equations(equations)) expect_one_line(note);
    for (const std::string& note : find_unresolved_equations(equations, 1e-3))
      expect_one_line(note);
  } catch (const ModelError& error) {
    expect_one_line(error.what());
  }
  return 0;
}
