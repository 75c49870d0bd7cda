#include <algorithm>

#include "recursive/cars/forces_of_cars.hpp"

namespace semirec {

namespace {

void sort_once(std::vector<int>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace

ForceReach find_reach(const TreeModel& tree) {
  const LanePlan& plan = *tree.lanes;
  ForceReach reach;
  std::vector<int> coordinates;
  for (const Connection& connection : tree.connections) {
    if (connection.heavier != 0) {
      reach.weighed.push_back(plan.group_of_body[at(connection.heavier)]);
      continue;
    }
    reach.slots.insert(reach.slots.end(), connection.slots.begin(), connection.slots.end());
    coordinates.insert(coordinates.end(), connection.columns.begin(), connection.columns.end());
  }
  for (std::size_t c = 0; c < plan.columns.size(); ++c)
    if (std::find(coordinates.begin(), coordinates.end(), plan.columns[c][0]) != coordinates.end())
      reach.columns.push_back(static_cast<int>(c));
  for (const int k : tree.used_coordinates) {
    reach.coordinates.push_back(k);
    reach.slots.push_back(tree.mass_slot[at(tree.mass_row_begin[at(k) + 1] - 1)]);
  }
  for (std::vector<int>* numbers : {&reach.coordinates, &reach.slots, &reach.weighed})
    sort_once(*numbers);
  return reach;
}

}  // namespace semirec
