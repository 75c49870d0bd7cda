#pragma once

#include <string>
#include <vector>

#include "integrator/model.hpp"
#include "integrator/workspace.hpp"
#include "vehicles/driveline/input_range.hpp"

namespace semirec {

/// How far inputs that elements compute leave the values that act (InputUser) while a car drives:
/// what curves do is known before (find_input_faults()).
class InputWatch {
 public:
  explicit InputWatch(const Model& model);
  /// `ws`: of a record of the state at t.
  void see(const Workspace& ws, double t);
  /// A line for each that has been beyond: the value farthest out, when that was, and what it acted
  /// as.
  std::vector<std::string> notes() const;

 private:
  struct Watched {
    std::string input, reader;
    InputRange range;
    double farthest = 0.0, value = 0.0, when = 0.0;
  };
  std::vector<Watched> watched_;
};

}  // namespace semirec
