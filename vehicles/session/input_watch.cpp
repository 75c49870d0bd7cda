#include "vehicles/session/input_watch.hpp"

#include <cmath>
#include <utility>

#include "topology/indices.hpp"

namespace semirec {

InputWatch::InputWatch(const Model& model) {
  for (InputReaders& of : find_input_readers(model.forces)) {
    const InputIndex input = of.range.input;
    if (!is_computed(model.mechanism, input)) continue;
    Watched own;
    own.of = std::move(of);
    own.input = model.mechanism.inputs[at(input)].name;
    watched_.push_back(std::move(own));
  }
}

void InputWatch::see(const Workspace& ws, double t) {
  for (Watched& own : watched_) {
    const auto& input = ws.tree.inputs[at(own.of.range.input)];
    const double acts = acting_value(own.of.range, input.f, input.fd);
    const double beyond = std::abs(input.f - acts);
    if (!(beyond > own.farthest)) continue;
    own.farthest = beyond;
    own.value = input.f;
    own.acts = acts;
    own.when = t;
  }
}

std::vector<std::string> InputWatch::notes() const {
  std::vector<std::string> lines;
  for (const Watched& own : watched_)
    if (own.farthest > kOnTheEdge)
      lines.push_back(describe_beyond(own.input, own.value, own.when, own.acts, own.of));
  return lines;
}

}  // namespace semirec
