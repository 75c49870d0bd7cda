#include "vehicles/files/old_names.hpp"

#include <array>
#include <string_view>
#include <utility>

#include "topology/place_text.hpp"

namespace semirec {

namespace {

using Renamed = std::pair<std::string_view, std::string_view>;

/// Old name, new name.
constexpr std::array<Renamed, 4> kRenamed{{{"way", "course_length"},
                                           {"way_to_speed", "distance_to_speed"},
                                           {"time_of_way", "time_over_distance"},
                                           {"speed_at_way", "speed_at_distance"}}};

/// Old part of a name, and what stands in its place.
constexpr std::array<Renamed, 1> kRenamedParts{{{"hand_wheel", "steering_wheel"}}};

constexpr std::string_view kReadUntil = "; the old name is read until the next release";

}  // namespace

std::string current_name(const std::string& word) {
  for (const auto& [old_name, name] : kRenamed)
    if (word == old_name) return std::string(name);
  std::string name = word;
  for (const auto& [old_part, part] : kRenamedParts)
    for (std::size_t at = 0; (at = name.find(old_part, at)) != std::string::npos; at += part.size())
      name.replace(at, old_part.size(), part);
  return name;
}

std::string old_name_note(const Source& place, const std::string& old_name,
                          const std::string& name) {
  return place_text(place) + "'" + old_name + "' is now called '" + name + "'" +
         std::string(kReadUntil);
}

}  // namespace semirec
