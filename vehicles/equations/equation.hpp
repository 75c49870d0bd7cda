#pragma once

#include <string>
#include <vector>

#include "topology/mechanism.hpp"
#include "vehicles/expressions/expression.hpp"

namespace semirec {

/// An expression that is evaluated while the vehicle moves.
struct Formula {
  std::string text;  ///< as written, behind its `=`
  Expression code;
  Source source;
};

/// A quantity that the file gives by an equation.
///   variable  its value is the formula's
///   state     its rate is the formula's; first order, solved with the step
///   hold      the formula's value at the end of the first step at or after each instant k / rate,
///             held until the next one
///   logic     0 or 1: 1 from the end of the first step at which `formula` holds, 0 from that on
///             at which `off` holds; where both hold it is 0
///   delay     the formula's value `delay` seconds ago
struct Equation {
  enum class Kind { variable, state, hold, logic, delay };
  Kind kind = Kind::variable;
  std::string name;
  std::string unit;
  Formula formula;
  Formula off;                  ///< of a logic
  bool has_margins = false;     ///< both conditions of a logic are comparisons: changes are located
  bool starts_given = false;    ///< whether `initial` is written
  double initial = 0.0;         ///< of a state, a hold, a logic or a delay
  double rate = 0.0;            ///< of a hold, 1/s
  double delay = 0.0;           ///< s
  int samples = 0;              ///< of a delay: values kept over its time
  bool drives = false;          ///< whether an element of the file takes it as an input
  InputIndex input = kNoInput;  ///< under which the quantity stands among the mechanism's inputs
  Source source;

  bool is_stored() const { return kind != Kind::variable; }
  /// First-order states: none of a variable; of a delay the last value, its samples and their time.
  int states() const {
    if (kind == Kind::delay) return samples + 3;
    return is_stored() ? 1 : 0;
  }
  /// Whether a quantity of this name stands in it.
  bool reads(const std::string& quantity) const {
    return formula.code.reads(quantity) || off.code.reads(quantity);
  }
};

using Equations = std::vector<Equation>;

}  // namespace semirec
