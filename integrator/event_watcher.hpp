#pragma once

#include <memory>
#include <vector>

#include "integrator/event.hpp"
#include "integrator/outputs/recorder.hpp"

namespace semirec {

/// Those of the events that happen at a time, in the order of their times; they point into
/// `events`.
std::vector<const Event*> find_timed(const std::vector<Event>& events);

/// Watches the conditions of a run's events.
class EventWatcher {
 public:
  /// Throws ModelError at a channel that the model does not have.
  EventWatcher(const Model& model, const std::vector<Event>& events);

  bool watches() const { return !conditions_.empty(); }
  /// Takes the state as the one to compare the next with.
  void remember(const Model& model, const State& state);
  /// The same with the state of the last find_crossings(), which is not looked at again.
  void keep();
  /// All events whose condition has crossed between what is remembered and this state, in the order
  /// of the events, but for those that have happened since and those that do not repeat. Valid
  /// until the next call.
  /// Here and below: no heap use but for reactions where the formulation has other than relative
  /// coordinates.
  const std::vector<const Event*>& find_crossings(const Model& model, const State& state);
  /// Those of these events beyond whose level the state lies. Valid until the next call.
  const std::vector<const Event*>& find_across(const std::vector<const Event*>& events,
                                               const Model& model, const State& state);
  /// The event has happened.
  void note(const Event& event);

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

  std::vector<Condition> conditions_;
  std::vector<Memory> memory_;  ///< [condition]
  std::vector<char> is_over_;   ///< [condition] has happened since what is remembered
  std::vector<const Event*> crossed_, across_;
  std::unique_ptr<Recorder> recorder_;
  std::unique_ptr<Workspace> ws_;
  std::vector<double> values_;
};

}  // namespace semirec
