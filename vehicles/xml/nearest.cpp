#include "vehicles/xml/nearest.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace semirec {

namespace {

std::size_t edit_distance(const std::string& a, const std::string& b) {
  // one row of the Levenshtein table at a time
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t change = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({change, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest(const std::string& word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t distance = static_cast<std::size_t>(-1);
  for (const std::string& candidate : candidates) {
    const std::size_t d = edit_distance(word, candidate);
    if (d >= distance) continue;
    distance = d;
    best = candidate;
  }
  return best;
}

std::string nearest_hint(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string best = nearest(word, candidates);
  return best.empty() ? ", none is known here" : ", nearest known name is '" + best + "'";
}

}  // namespace semirec
