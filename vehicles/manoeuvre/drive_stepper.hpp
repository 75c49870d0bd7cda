#pragma once

#include "integrator/report.hpp"

namespace semirec {

class Session;

/// Takes the steps of drives in their place: beside those of other cars (fleet/).
class DriveStepper {
 public:
  virtual ~DriveStepper() = default;
  /// Session::step(), up to round-off. May throw: the drive is then left.
  virtual StepStatus step(Session& session) = 0;
};

}  // namespace semirec
