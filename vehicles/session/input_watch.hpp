#pragma once

#include <string>
#include <vector>

#include "integrator/model.hpp"
#include "integrator/workspace.hpp"
#include "vehicles/session/input_faults.hpp"

namespace semirec {

/// How far inputs that elements compute leave the values that act (InputUser) while a car drives:
/// what curves do is known before (find_input_faults()).
class InputWatch {
 public:
  explicit InputWatch(const Model& model);
  /// No equation drives an input that is read within a range.
  bool is_empty() const { return watched_.empty(); }
  /// `ws`: with the state at t evaluated.
  void see(const Workspace& ws, double t);
  /// A line for each that has been beyond: the value farthest out, when that was, and what it acted
  /// as.
  std::vector<std::string> notes() const;

 private:
  struct Watched {
    InputReaders of;
    std::string input;
    double farthest = 0.0, value = 0.0, acts = 0.0, when = 0.0;
  };
  std::vector<Watched> watched_;
};

}  // namespace semirec
