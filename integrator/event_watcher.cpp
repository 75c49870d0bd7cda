#include "integrator/event_watcher.hpp"

#include <algorithm>

#include "integrator/statics/initial_conditions.hpp"

namespace semirec {

std::vector<const Event*> find_timed(const std::vector<Event>& events) {
  std::vector<const Event*> timed;
  for (const Event& event : events)
    if (event.is_timed()) timed.push_back(&event);
  std::stable_sort(timed.begin(), timed.end(),
                   [](const Event* a, const Event* b) { return a->time < b->time; });
  return timed;
}

EventWatcher::EventWatcher(const Model& model, const std::vector<Event>& events) {
  for (const Event& event : events)
    if (!event.is_timed()) conditions_.push_back({&event, 0});
  if (conditions_.empty()) return;
  memory_.resize(conditions_.size());
  is_over_.resize(conditions_.size());
  crossed_.reserve(conditions_.size());
  across_.reserve(conditions_.size());
  RecorderSettings settings;
  settings.find_accelerations = find_accelerations;
  for (const Marker& marker : model.mechanism.markers) settings.markers.push_back(marker.name);
  for (const Closure& closure : model.closures.closures)
    if (closure.switch_index >= 0) settings.reactions.push_back(closure.name);
  recorder_ = std::make_unique<Recorder>(model, settings);
  ws_ = std::make_unique<Workspace>(model);
  values_.resize(recorder_->channels().size());
  for (Condition& condition : conditions_) {
    const std::vector<Channel>& channels = recorder_->channels();
    while (condition.channel < channels.size() &&
           channels[condition.channel].name != condition.event->channel)
      ++condition.channel;
    if (condition.channel == channels.size())
      throw ModelError(condition.event->source, condition.event->name,
                       "watches '" + condition.event->channel +
                           "', which is no number of this model, expected one such as "
                           "<marker>.z, <joint>.z, <spring>.force or <joint>.Rz");
  }
}

void EventWatcher::measure(const Model& model, const State& state) {
  recorder_->record(model, state, *ws_, values_);
}

void EventWatcher::remember(const Model& model, const State& state) {
  if (!watches()) return;
  measure(model, state);
  keep();
}

void EventWatcher::keep() {
  for (std::size_t c = 0; c < conditions_.size(); ++c) {
    memory_[c].last = values_[conditions_[c].channel];
    is_over_[c] = 0;
  }
}

const std::vector<const Event*>& EventWatcher::find_crossings(const Model& model,
                                                              const State& state) {
  crossed_.clear();
  if (!watches()) return crossed_;
  measure(model, state);
  for (std::size_t c = 0; c < conditions_.size(); ++c) {
    const Event& event = *conditions_[c].event;
    const double now = values_[conditions_[c].channel];
    const double last = memory_[c].last;
    const bool crossed = event.rising ? last <= event.level && now > event.level
                                      : last >= event.level && now < event.level;
    if (crossed && !memory_[c].done && is_over_[c] == 0) crossed_.push_back(&event);
  }
  return crossed_;
}

const std::vector<const Event*>& EventWatcher::find_across(const std::vector<const Event*>& events,
                                                           const Model& model, const State& state) {
  across_.clear();
  measure(model, state);
  for (const Condition& condition : conditions_) {
    const Event& event = *condition.event;
    if (std::find(events.begin(), events.end(), &event) == events.end()) continue;
    const double now = values_[condition.channel];
    if (event.rising ? now > event.level : now < event.level) across_.push_back(&event);
  }
  return across_;
}

void EventWatcher::note(const Event& event) {
  for (std::size_t c = 0; c < conditions_.size(); ++c) {
    if (conditions_[c].event != &event) continue;
    memory_[c].done = !event.repeats;
    is_over_[c] = 1;
  }
}

}  // namespace semirec
