#pragma once

#include <memory>
#include <vector>

#include "integrator/event.hpp"
#include "integrator/recorder.hpp"

namespace semirec {

/// Watches the conditions of a run's events.
class EventWatcher {
 public:
  /// Throws ModelError at a channel that the model does not have.
  EventWatcher(const Model& model, const std::vector<Event>& events);

  bool watches() const { return !conditions_.empty(); }
  /// Takes the state as the one to compare the next with.
  void remember(const Model& model, const State& state);
  /// The first event whose condition has crossed since; then remembers. Null if none has.
  const Event* find_crossing(const Model& model, const State& state);
  /// Whether the state lies beyond the event's level.
  bool is_across(const Event& event, const Model& model, const State& state);

 private:
  struct Condition {
    const Event* event = nullptr;
    std::size_t channel = 0;
    double last = 0.0;
    bool done = false;
  };
  void measure(const Model& model, const State& state);

  std::vector<Condition> conditions_;
  std::unique_ptr<Recorder> recorder_;
  std::unique_ptr<Workspace> ws_;
  std::vector<double> values_;
};

}  // namespace semirec
