#pragma once

#include <string>
#include <vector>

#include "integrator/model.hpp"
#include "integrator/workspace.hpp"
#include "vehicles/session/input_faults.hpp"

namespace semirec {

/// How far inputs leave the values that act (InputUser) while a car drives, where that is not known
/// before (find_input_faults()): those that elements compute, or those that are given from outside.
class InputWatch {
 public:
  enum class Of { computed, given };
  explicit InputWatch(const Model& model, Of which = Of::computed);
  /// None of them is read within a range.
  bool is_empty() const { return watched_.empty(); }
  /// `ws`: with the state at t evaluated.
  void see(const Workspace& ws, double t);
  /// One value that is held up to t. No heap use.
  void see(InputIndex input, double value, double t) noexcept;
  /// Calls the function with each input that is watched; one may come more than once.
  template <typename Function>
  void for_each_input(const Function& function) const {
    for (const Watched& own : watched_) function(own.of.range.input);
  }
  /// A line for each that has been beyond: the value farthest out, when that was, and what it acted
  /// as.
  std::vector<std::string> notes() const;

 private:
  struct Watched {
    InputReaders of;
    std::string input;
    double farthest = 0.0, value = 0.0, acts = 0.0, when = 0.0;

    void see(double now, double rate, double t) noexcept;
  };
  std::vector<Watched> watched_;
};

}  // namespace semirec
