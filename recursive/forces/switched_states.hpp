#pragma once

#include <vector>

namespace semirec {

/// A force element with states that jump at the end of a step, such as what is sampled there, a
/// logic or a gear: inside of the step the values of its begin have acted.
class SwitchedStates {
 public:
  virtual ~SwitchedStates() = default;
  /// Adds them by their index in TreeWorkspace::x.
  virtual void add_switched_states(std::vector<int>& states) const = 0;

 protected:
  SwitchedStates() = default;
  SwitchedStates(const SwitchedStates&) = default;
  SwitchedStates(SwitchedStates&&) = default;
  SwitchedStates& operator=(const SwitchedStates&) = default;
  SwitchedStates& operator=(SwitchedStates&&) = default;
};

}  // namespace semirec
