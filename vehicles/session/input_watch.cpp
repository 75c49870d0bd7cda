#include "vehicles/session/input_watch.hpp"

#include <algorithm>
#include <cmath>

#include "topology/indices.hpp"
#include "vehicles/session/input_faults.hpp"

namespace semirec {

InputWatch::InputWatch(const Model& model) {
  for (const auto& force : model.forces) {
    const auto* user = dynamic_cast<const InputUser*>(force.get());
    if (user == nullptr) continue;
    for (const InputRange& range : user->input_ranges())
      if (range.input != kNoInput && is_computed(model.mechanism, range.input))
        watched_.push_back({model.mechanism.inputs[at(range.input)].name, force->name(), range});
  }
}

void InputWatch::see(const Workspace& ws, double t) {
  for (Watched& own : watched_) {
    const double value = ws.tree.inputs[at(own.range.input)].f;
    const double beyond = std::abs(value - std::clamp(value, own.range.least, own.range.most));
    if (!(beyond > own.farthest)) continue;
    own.farthest = beyond;
    own.value = value;
    own.when = t;
  }
}

std::vector<std::string> InputWatch::notes() const {
  std::vector<std::string> lines;
  for (const Watched& own : watched_)
    if (own.farthest > kOnTheEdge)
      lines.push_back(describe_beyond(own.input, own.value, own.when,
                                      std::clamp(own.value, own.range.least, own.range.most)) +
                      " in '" + own.reader + "'");
  return lines;
}

}  // namespace semirec
