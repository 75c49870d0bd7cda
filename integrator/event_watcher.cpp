#include "integrator/event_watcher.hpp"

namespace semirec {

EventWatcher::EventWatcher(const Model& model, const std::vector<Event>& events) {
  for (const Event& event : events)
    if (!event.is_timed()) conditions_.push_back({&event, 0});
  if (conditions_.empty()) return;
  memory_.resize(conditions_.size());
  crossed_.reserve(conditions_.size());
  found_.reserve(conditions_.size());
  RecorderSettings settings;
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
  for (std::size_t c = 0; c < conditions_.size(); ++c)
    memory_[c].last = values_[conditions_[c].channel];
}

void EventWatcher::look(const Model& model, const State& state) {
  crossed_.clear();
  if (!watches()) return;
  measure(model, state);
  for (std::size_t c = 0; c < conditions_.size(); ++c) {
    const Event& event = *conditions_[c].event;
    const double now = values_[conditions_[c].channel];
    const bool crossed = event.rising ? memory_[c].last <= event.level && now > event.level
                                      : memory_[c].last >= event.level && now < event.level;
    memory_[c].last = now;
    if (crossed && !memory_[c].done) crossed_.push_back(c);
  }
}

const Event* EventWatcher::find_crossing(const Model& model, const State& state) {
  look(model, state);
  if (crossed_.empty()) return nullptr;
  const Event* event = conditions_[crossed_.front()].event;
  memory_[crossed_.front()].done = !event->repeats;
  return event;
}

const std::vector<const Event*>& EventWatcher::find_crossings(const Model& model,
                                                              const State& state) {
  look(model, state);
  found_.clear();
  for (const std::size_t c : crossed_) {
    found_.push_back(conditions_[c].event);
    memory_[c].done = !conditions_[c].event->repeats;
  }
  return found_;
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
