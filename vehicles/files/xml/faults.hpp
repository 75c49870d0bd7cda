#pragma once

#include <cstddef>
#include <vector>

#include "topology/mechanism.hpp"

namespace semirec {

/// Errors of a description that do not follow from each other, gathered so that one reading tells
/// them all.
class Faults {
 public:
  /// Runs `read` and keeps the ModelError that it throws.
  template <typename Read>
  void gather(const Read& read) {
    try {
      read();
    } catch (const ModelError& error) {
      add(error);
    }
  }
  /// Keeps an error, once for all uses of a template.
  void add(const ModelError& error);
  /// Throws ModelError whose what() has a line for each error that was gathered; does nothing where
  /// there is none.
  void tell() const;

 private:
  std::vector<ModelError> errors_;
  std::size_t untold_ = 0;  ///< beyond what a screen shows
};

}  // namespace semirec
