#include "topology/nearest.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <string_view>

namespace semirec {

namespace {

/// What is compared of each name, characters: long ones differ in their beginnings, or not at all.
constexpr std::size_t kMostCompared = 100;

/// Edits (Levenshtein) that make b of a, or `limit` where there are at least so many. Stops as soon
/// as that is known.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  const std::size_t longer = std::max(a.size(), b.size()) - std::min(a.size(), b.size());
  if (longer >= limit) return limit;
  // one row of the table at a time
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    std::size_t least = row[0];
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t change = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({change, row[j] + 1, row[j + 1] + 1});
      least = std::min(least, row[j + 1]);
    }
    if (least >= limit) return limit;
  }
  return row.back();
}

/// Words for the same thing, in no order: of the field, of other programs, of the files here.
constexpr std::array<std::array<std::string_view, 6>, 18> kSynonyms{{
    {"k", "stiffness", "spring_rate", "rate", "spring"},
    {"c", "damping", "damping_coefficient", "damper", "viscous"},
    {"speed", "velocity", "v", "v0", "u"},
    {"step", "dt", "h", "time_step", "timestep"},
    {"until", "end", "duration", "t_end", "end_time", "time"},
    {"mass", "m", "weight"},
    {"com", "cg", "cog", "centre_of_mass", "center_of_mass", "mass_centre"},
    {"inertia", "moments_of_inertia", "i", "j", "ixx"},
    {"radius", "r", "unloaded_radius"},
    {"free_length", "l0", "length0", "natural_length", "rest_length"},
    {"preload", "f0", "pretension", "prestress"},
    {"centre", "center", "origin", "middle"},
    {"position", "pos", "location", "displacement"},
    {"angle", "rotation", "phi", "theta"},
    {"friction", "mu", "grip", "adhesion"},
    {"name", "id", "label"},
    {"ratio", "gear_ratio", "i_gear", "transmission_ratio"},
    {"tyre", "tire"},
}};

/// A candidate that means the same as the word; empty without one.
std::string find_synonym(const std::string& word, const std::vector<std::string>& candidates) {
  for (const auto& words : kSynonyms) {
    const auto holds = [&](const std::string& text) {
      return !text.empty() && std::find(words.begin(), words.end(), text) != words.end();
    };
    if (!holds(word)) continue;
    const auto found = std::find_if(candidates.begin(), candidates.end(), holds);
    if (found != candidates.end()) return *found;
  }
  return {};
}

}  // namespace

namespace {

/// The shortest candidate that contains the word; empty without one.
std::string find_containing(const std::string& word, const std::vector<std::string>& candidates) {
  constexpr std::size_t kLeast = 4;  // letters: fewer are part of too much
  std::string found;
  if (word.size() < kLeast || word.size() > kMostCompared) return found;
  for (const std::string& candidate : candidates)
    if (candidate.find(word) != std::string::npos &&
        (found.empty() || candidate.size() < found.size()))
      found = candidate;
  return found;
}

}  // namespace

std::string nearest(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string_view beginning = std::string_view(word).substr(0, kMostCompared);
  std::string best = find_synonym(word, candidates);
  if (!best.empty()) return best;
  std::size_t distance = static_cast<std::size_t>(-1);
  for (const std::string& candidate : candidates) {
    const std::size_t d =
        edit_distance(beginning, std::string_view(candidate).substr(0, kMostCompared), distance);
    if (d >= distance) continue;
    distance = d;
    best = candidate;
  }
  constexpr std::size_t kSlip = 2;  // edits of one who knows the name
  if (distance <= kSlip) return best;
  const std::string containing = find_containing(word, candidates);
  return containing.empty() ? best : containing;
}

std::string nearest_hint(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string best = nearest(word, candidates);
  return best.empty() ? ", none is known here" : ", nearest known name is '" + best + "'";
}

}  // namespace semirec
