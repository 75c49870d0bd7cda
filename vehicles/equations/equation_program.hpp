#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "vehicles/equations/equation.hpp"

namespace semirec {

/// All equations of a vehicle as one piece of straight code. Its values stand in one row:
///   what comes from outside | what is stored | numbers | terms
/// Equations are called by their index.
struct EquationProgram {
  std::vector<std::string> outside;  ///< names that are no equation's, each once
  std::vector<int> stored;           ///< equations that keep a value
  std::vector<double> numbers;
  std::vector<std::shared_ptr<const LookUpTable>> tables;  ///< that all formulas were offered
  std::vector<Term> terms;
  // arrange() puts the terms into five parts, each from its first on
  std::size_t first_moving = 0;  ///< depend on a motion; those before are constant in a step
  std::size_t first_live = 0;    ///< depend on a state and serve a state's rate
  std::size_t first_after = 0;   ///< depend on a state and serve none
  std::size_t first_late = 0;    ///< wanted at the end of a step alone

  std::vector<int> value;    ///< [equation] where its value stands
  std::vector<int> formula;  ///< [equation] where its formula's value stands
  std::vector<int> off;      ///< [equation] the same of `off`; -1 where there is none
  /// [equation] of a logic whose conditions are comparisons: values above zero where they hold, by
  /// which its changes are located; else -1
  std::vector<int> margin_on, margin_off;
  std::vector<int> states;  ///< equations that are states, ascending
  /// [equation] holds and delays that may follow their formula at once without going in a circle
  std::vector<char> may_follow;

  std::size_t leaf_count() const { return outside.size() + stored.size() + numbers.size(); }
  std::size_t value_count() const { return leaf_count() + terms.size(); }
  int leaf_of_stored(std::size_t k) const { return static_cast<int>(outside.size() + k); }
};

/// Joins the equations; equal terms are there once, squares are products. Throws ModelError where
/// variables depend on themselves, with the members of the circle, and at a name that is used
/// twice.
EquationProgram make_equation_program(const Equations& equations);

/// Puts the terms in the order of its parts; `moving`: [name from outside] 1 where it changes while
/// a step is solved. Late are those that serve what is sampled, decided and delayed, and no other
/// equation.
void arrange(EquationProgram& program, const std::vector<char>& moving);

/// Names from outside and equations on which the value at `index` depends, straight or by way of
/// variables: [leaf of the program] 1 where it does.
std::vector<char> find_dependence(const EquationProgram& program, int index);

}  // namespace semirec
