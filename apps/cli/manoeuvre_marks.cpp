#include "apps/cli/manoeuvre_marks.hpp"

#include <algorithm>
#include <map>

namespace semirec::cli {

namespace {

/// The channel of a reading; empty: there is none.
std::string channel_of(const CurveMark& reading, const report::Motion& motion) {
  static const std::map<std::string, std::string> kOfChassis{
      {"car.yaw_rate", ".wz"}, {"car.roll", ".roll"}, {"car.pitch", ".pitch"}};
  const auto same = kOfChassis.find(reading.channel);
  for (const report::PlottedChannel& channel : motion.channels)
    if (channel.name == reading.channel ||
        (same != kOfChassis.end() && channel.headline && channel.name.ends_with(same->second)))
      return channel.name;
  return {};
}

}  // namespace

std::vector<report::Mark> find_marks(const std::vector<CurveMark>& readings,
                                     const report::Motion& motion) {
  std::vector<report::Mark> marks;
  for (const CurveMark& reading : readings) {
    const std::string channel = channel_of(reading, motion);
    if (channel.empty() && !reading.channel.empty()) continue;
    marks.push_back({reading.from, reading.label, channel, reading.until, reading.level});
  }
  return marks;
}

}  // namespace semirec::cli
