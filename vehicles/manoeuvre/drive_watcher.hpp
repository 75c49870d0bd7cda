#pragma once

#include <vector>

#include "vehicles/session/session.hpp"

namespace semirec {

/// Looks on while a manoeuvre is driven, which may take several drives one after the other.
class DriveWatcher {
 public:
  virtual ~DriveWatcher() = default;
  /// Before the first step of a drive. Gives the number by which choose() calls it, from 0. The
  /// session lives until the next call of this function, or until drive() is left.
  virtual int begin(const Session& session) = 0;
  /// At the start and after every step; outputs: Session::outputs().
  virtual void see(const Session& session, const std::vector<double>& outputs) = 0;
  /// At the end of a drive that did not break down.
  virtual void end(const Session& session, const std::vector<double>& outputs) = 0;
  /// Of the drives that came to their end so far the answer is read from this one; the last call
  /// counts.
  virtual void choose(int drive) = 0;
};

}  // namespace semirec
