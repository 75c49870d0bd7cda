#pragma once

#include <vector>

namespace semirec {

/// A value that an element keeps between steps and that hangs on the motion.
struct KeptValue {
  int first = 0, count = 1;  ///< of TreeWorkspace::x, all of them the value
  bool jumps = false;        ///< a logic: it has one of two values
};

/// A force element with first-order states for which a search for equilibrium solves, so that their
/// rates vanish where the forces are in balance: an integral that carries a weight. Its other
/// states, as those of other elements, keep the values of the start there.
class StatesAtRest {
 public:
  virtual ~StatesAtRest() = default;
  /// Adds them by their index in TreeWorkspace::x.
  virtual void add_states_at_rest(std::vector<int>& states) const = 0;
  /// Writes those whose value at the start is given to `x`, all of TreeWorkspace::x.
  virtual void begin_given_states(double* x) const = 0;
  /// Adds what it keeps, whose value at the start is not given and which does not follow at once
  /// where the motion is taken as continuous: settle_states() decides it, no search does.
  virtual void add_kept_values(std::vector<KeptValue>& values) const = 0;

 protected:
  StatesAtRest() = default;
  StatesAtRest(const StatesAtRest&) = default;
  StatesAtRest(StatesAtRest&&) = default;
  StatesAtRest& operator=(const StatesAtRest&) = default;
  StatesAtRest& operator=(StatesAtRest&&) = default;
};

}  // namespace semirec
