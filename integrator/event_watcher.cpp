#include "integrator/event_watcher.hpp"

namespace semirec {

EventWatcher::EventWatcher(const Model& model, const std::vector<Event>& events) {
  for (const Event& event : events)
    if (!event.is_timed()) conditions_.push_back({&event, 0, 0.0, false});
  if (conditions_.empty()) return;
  RecorderSettings settings;
  for (const Marker& marker : model.mechanism.markers) settings.markers.push_back(marker.name);
  for (const Closure& closure : model.closures.closures)
    if (closure.switch_index >= 0) settings.reactions.push_back(closure.name);
  recorder_ = std::make_unique<Recorder>(model, settings);
  ws_ = std::make_unique<Workspace>(model);
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
  for (Condition& condition : conditions_) condition.last = values_[condition.channel];
}

const Event* EventWatcher::find_crossing(const Model& model, const State& state) {
  if (!watches()) return nullptr;
  measure(model, state);
  const Event* found = nullptr;
  for (Condition& condition : conditions_) {
    const Event& event = *condition.event;
    const double now = values_[condition.channel];
    const bool crossed = event.rising ? condition.last <= event.level && now > event.level
                                      : condition.last >= event.level && now < event.level;
    condition.last = now;
    if (found != nullptr || !crossed || condition.done) continue;
    condition.done = !event.repeats;
    found = &event;
  }
  return found;
}

bool EventWatcher::is_across(const Event& event, const Model& model, const State& state) {
  measure(model, state);
  for (const Condition& condition : conditions_)
    if (condition.event == &event) {
      const double now = values_[condition.channel];
      return event.rising ? now > event.level : now < event.level;
    }
  return false;
}

}  // namespace semirec
