#include "apps/cli/manoeuvre_marks.hpp"

#include <algorithm>
#include <cmath>

namespace semirec::cli {

namespace {

double value_of(const Answer& answer, const std::string& name) {
  const int k = find_quantity(answer, name);
  return k < 0 ? std::nan("") : answer.quantities[static_cast<std::size_t>(k)].value;
}

/// A channel that is shown at first and whose name ends so; empty: none.
std::string shown_channel(const report::Motion& motion, const std::string& ending) {
  const auto found = std::find_if(motion.channels.begin(), motion.channels.end(),
                                  [&](const report::PlottedChannel& channel) {
                                    return channel.headline && channel.name.ends_with(ending);
                                  });
  return found == motion.channels.end() ? std::string() : found->name;
}

}  // namespace

std::vector<report::Mark> find_standard_marks(const Manoeuvre& manoeuvre, const Answer& answer,
                                              const report::Motion& motion) {
  std::vector<report::Mark> marks;
  const double rise = value_of(answer, "rise_time");
  if (manoeuvre.method != "step_steer" || std::isnan(rise)) return marks;
  const double half = manoeuvre.value("settle") + 0.5 * rise;
  marks.push_back({half, "steering half way"});
  const double hold = manoeuvre.value("hold");
  marks.push_back({half + 0.5 * rise + hold - std::min(1.0, 0.25 * hold), "steady from here"});
  for (const auto& pair : {std::pair{"yaw_rate", ".wz"}, {"roll", ".roll"}}) {
    const std::string quantity = pair.first;
    const std::string channel = shown_channel(motion, pair.second);
    if (channel.empty()) continue;
    const auto add = [&](const char* time, const char* label) {
      const double after = value_of(answer, quantity + time);
      if (std::isfinite(after)) marks.push_back({half + after, label, channel});
    };
    add(".response_time", "90 %");
    add(".peak_time", "peak");
  }
  return marks;
}

}  // namespace semirec::cli
