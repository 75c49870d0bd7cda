#pragma once

#include <vector>

namespace semirec {

/// A force element with friction that sticks or slides in a steady motion. Each of its states is a
/// part of what the friction can hold: where it sticks the state lies between -1 and 1, where it
/// slides it stays at the bound on the side of the speed, its rate zero.
class SlidingStates {
 public:
  virtual ~SlidingStates() = default;
  /// Adds them by their index in TreeWorkspace::x.
  virtual void add_sliding_states(std::vector<int>& states) const = 0;

 protected:
  SlidingStates() = default;
  SlidingStates(const SlidingStates&) = default;
  SlidingStates(SlidingStates&&) = default;
  SlidingStates& operator=(const SlidingStates&) = default;
  SlidingStates& operator=(SlidingStates&&) = default;
};

}  // namespace semirec
