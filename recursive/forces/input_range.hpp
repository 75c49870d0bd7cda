#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "recursive/forces/evaluate_forces.hpp"
#include "topology/indices.hpp"

namespace semirec {

/// The values of an input that act; any other acts as the nearest of them.
struct InputRange {
  InputIndex input = kNoInput;
  double least = 0.0, most = 1.0;
  double whole_to = -std::numeric_limits<double>::infinity();  ///< up to here whole numbers act
};

/// A force element that reads inputs within ranges.
class InputUser {
 public:
  virtual ~InputUser() = default;
  /// One for each input that it reads so.
  virtual std::vector<InputRange> input_ranges() const = 0;

 protected:
  InputUser() = default;
  InputUser(const InputUser&) = default;
  InputUser(InputUser&&) = default;
  InputUser& operator=(const InputUser&) = default;
  InputUser& operator=(InputUser&&) = default;
};

/// From the least to the most value that acts on any element; none where no InputUser reads it.
std::optional<InputRange> find_input_range(const ForceElements& forces, InputIndex input);

}  // namespace semirec
