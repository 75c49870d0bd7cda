#pragma once

#include <cstddef>
#include <vector>

#include "vehicles/session/session.hpp"

namespace semirec {

/// Inputs of a session as numbers in somebody's memory, in the unit of each: one that is NaN
/// follows its own curve, as all do at first; any other is the input's value at the end of the
/// coming step and is held from then on. `values`: that of input k stands at k `stride`.
class InputArray {
 public:
  explicit InputArray(const Session& session);

  /// Writes what the session has.
  void take(const Session& session, double* values, std::ptrdiff_t stride = 1) noexcept;
  /// Hands over what has changed. No heap use. False: one is infinite, changes too fast for a
  /// number, or is computed by the vehicle, and bad() is its index.
  bool send(const double* values, std::ptrdiff_t stride, Session& session) noexcept;
  int bad() const noexcept { return bad_; }
  /// Why that was refused: not_finite (also where its rate over a step is not) or computed.
  InputStatus why() const noexcept { return why_; }

 private:
  static double number_of(const Session& session, std::size_t input) noexcept;

  std::vector<double> sent_;  ///< what the session was told last
  int bad_ = -1;
  InputStatus why_ = InputStatus::accepted;
};

}  // namespace semirec
