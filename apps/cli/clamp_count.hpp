#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "recursive/forces/force_element.hpp"

namespace semirec::cli {

/// In how many steps a tyre's law was asked beyond its range, by argument: `<wheel>.clamped`.
class ClampCount {
 public:
  explicit ClampCount(const std::vector<Channel>& channels);
  /// A row of these channels.
  void add(const std::vector<double>& values);
  /// Adds "clamped" with the wheels that were, and nothing if none was.
  void put_into(nlohmann::ordered_json& summary) const;

 private:
  struct Wheel {
    std::string name;
    std::size_t channel = 0;
    long steps = 0;
    std::array<long, 5> arguments{};
  };
  std::vector<Wheel> wheels_;
};

/// A line for each wheel in "clamped" of a summary.
void print_clamps(const nlohmann::ordered_json& summary);

}  // namespace semirec::cli
