#include "vehicles/equations/equation_notes.hpp"

#include <algorithm>
#include <sstream>

#include "topology/indices.hpp"
#include "vehicles/equations/equation_program.hpp"

namespace semirec {

const char* word_of(Equation::Kind kind) {
  switch (kind) {
    case Equation::Kind::variable:
      return "variable";
    case Equation::Kind::state:
      return "state";
    case Equation::Kind::hold:
      return "hold";
    case Equation::Kind::logic:
      return "logic";
    case Equation::Kind::delay:
      return "delay";
  }
  return "";
}

namespace {

std::string line_about(const Equation& equation, const std::string& what) {
  return std::string(word_of(equation.kind)) + " '" + equation.name + "' " + what;
}

/// Six digits.
std::string text_of(double number) {
  std::ostringstream text;
  text << number;
  return text.str();
}

bool is_constant(const EquationProgram& program, int index) {
  const std::vector<char> needed = find_dependence(program, index);
  const std::size_t changing = program.outside.size() + program.stored.size();
  return std::all_of(needed.begin(), needed.begin() + static_cast<std::ptrdiff_t>(changing),
                     [](char on) { return on == 0; });
}

}  // namespace

std::vector<std::string> find_doubtful_equations(const Equations& equations) {
  const EquationProgram program = make_equation_program(equations);
  const auto is_read = [&](const std::string& name) {
    return std::any_of(equations.begin(), equations.end(), [&](const Equation& other) {
      return other.name != name && other.reads(name);
    });
  };
  std::vector<std::string> lines;
  for (std::size_t e = 0; e < equations.size(); ++e) {
    const Equation& equation = equations[e];
    const auto add = [&](const std::string& what) { lines.push_back(line_about(equation, what)); };
    if (!equation.drives && !is_read(equation.name))
      add("is read by no element and no other equation: it is in the results alone");
    if (equation.kind == Equation::Kind::logic) {
      if (is_constant(program, program.formula[e])) add("has an `on` that never changes");
      if (is_constant(program, program.off[e])) add("has an `off` that never changes");
    } else if (equation.kind != Equation::Kind::state && is_constant(program, program.formula[e])) {
      add("never changes: nothing that it needs does");
    }
  }
  return lines;
}

std::vector<std::string> find_unresolved_equations(const Equations& equations, double h) {
  constexpr double kRoundOff = 1e-9;  // of the step
  std::vector<std::string> lines;
  for (const Equation& equation : equations) {
    const bool delays = equation.kind == Equation::Kind::delay;
    if (!delays && equation.kind != Equation::Kind::hold) continue;
    const double time = delays ? equation.delay : 1.0 / equation.rate;
    if (time >= h * (1.0 - kRoundOff)) continue;
    lines.push_back(line_about(
        equation, delays ? "is " + text_of(equation.delay) + " s late, less than the step of " +
                               text_of(h) + " s: it is a step late"
                         : "samples " + text_of(equation.rate) +
                               " times a second, more often than steps of " + text_of(h) +
                               " s end: it samples at the end of each step"));
  }
  return lines;
}

}  // namespace semirec
