#include "vehicles/session/input_watch.hpp"

#include <cmath>
#include <utility>

#include "topology/indices.hpp"

namespace semirec {

InputWatch::InputWatch(const Model& model, Of which) {
  for (InputReaders& of : find_input_readers(model.forces)) {
    const InputIndex input = of.range.input;
    if (is_computed(model.mechanism, input) != (which == Of::computed)) continue;
    Watched own;
    own.of = std::move(of);
    own.input = model.mechanism.inputs[at(input)].name;
    watched_.push_back(std::move(own));
  }
}

void InputWatch::Watched::see(double now, double rate, double t) noexcept {
  const double acting = acting_value(of.range, now, rate);
  const double beyond = std::abs(now - acting);
  if (!(beyond > farthest)) return;
  farthest = beyond;
  value = now;
  acts = acting;
  when = t;
}

void InputWatch::see(const Workspace& ws, double t) {
  for (Watched& own : watched_) {
    const auto& input = ws.tree.inputs[at(own.of.range.input)];
    own.see(input.f, input.fd, t);
  }
}

void InputWatch::see(InputIndex input, double value, double t) noexcept {
  for (Watched& own : watched_)
    if (own.of.range.input == input) own.see(value, 0.0, t);
}

std::vector<std::string> InputWatch::notes() const {
  std::vector<std::string> lines;
  for (const Watched& own : watched_)
    if (own.farthest > kOnTheEdge)
      lines.push_back(describe_beyond(own.input, own.value, own.when, own.acts, own.of));
  return lines;
}

}  // namespace semirec
