#pragma once

#include <memory>
#include <vector>

#include "integrator/event.hpp"
#include "integrator/outputs/recorder.hpp"

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
  /// All events whose condition has crossed since, in the order of the events; then remembers. No
  /// heap use but for reactions where the formulation has other than relative coordinates. Valid
  /// until the next call.
  const std::vector<const Event*>& find_crossings(const Model& model, const State& state);
  /// Whether the state lies beyond the event's level.
  bool is_across(const Event& event, const Model& model, const State& state);

  /// What is remembered of each condition: to keep, and to put back.
  struct Memory {
    double last = 0.0;  ///< the watched number
    bool done = false;  ///< has fired and does not repeat
  };
  const std::vector<Memory>& memory() const { return memory_; }
  void recall(const std::vector<Memory>& memory) { memory_ = memory; }

 private:
  struct Condition {
    const Event* event = nullptr;
    std::size_t channel = 0;
  };
  void measure(const Model& model, const State& state);
  /// Measures and remembers; the conditions that have crossed and are not done go to crossed_.
  void look(const Model& model, const State& state);

  std::vector<Condition> conditions_;
  std::vector<Memory> memory_;        ///< [condition]
  std::vector<std::size_t> crossed_;  ///< conditions
  std::vector<const Event*> found_;
  std::unique_ptr<Recorder> recorder_;
  std::unique_ptr<Workspace> ws_;
  std::vector<double> values_;
};

}  // namespace semirec
