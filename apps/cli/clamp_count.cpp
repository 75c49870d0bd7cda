#include "apps/cli/clamp_count.hpp"

#include <fmt/core.h>

#include "apps/cli/terminal.hpp"
#include "vehicles/tyre/tyre_law.hpp"

namespace semirec::cli {

namespace {

struct ClampedArgument {
  unsigned bit;
  const char* name;
};
constexpr std::array<ClampedArgument, 5> kArguments{{{tyre_clamped::kLoad, "load"},
                                                     {tyre_clamped::kKappa, "kappa"},
                                                     {tyre_clamped::kAlpha, "alpha"},
                                                     {tyre_clamped::kGamma, "gamma"},
                                                     {tyre_clamped::kNoAnswer, "no_answer"}}};

}  // namespace

ClampCount::ClampCount(const std::vector<Channel>& channels) {
  const std::string end = ".clamped";
  for (std::size_t k = 0; k < channels.size(); ++k) {
    const std::string& name = channels[k].name;
    if (!name.ends_with(end)) continue;
    Wheel& wheel = wheels_.emplace_back();
    wheel.name = name.substr(0, name.size() - end.size());
    wheel.channel = k;
  }
}

void ClampCount::add(const std::vector<double>& values) {
  for (Wheel& wheel : wheels_) {
    const auto clamped = static_cast<unsigned>(values[wheel.channel]);
    if (clamped == 0) continue;
    ++wheel.steps;
    for (std::size_t k = 0; k < kArguments.size(); ++k)
      if ((clamped & kArguments[k].bit) != 0) ++wheel.arguments[k];
  }
}

void ClampCount::put_into(nlohmann::ordered_json& summary) const {
  for (const Wheel& wheel : wheels_) {
    if (wheel.steps == 0) continue;
    auto& entry = summary["clamped"][wheel.name];
    entry["steps"] = wheel.steps;
    for (std::size_t k = 0; k < kArguments.size(); ++k)
      if (wheel.arguments[k] > 0) entry[kArguments[k].name] = wheel.arguments[k];
  }
}

void print_clamps(const nlohmann::ordered_json& summary) {
  const auto clamped = summary.find("clamped");
  if (clamped == summary.end()) return;
  for (const auto& [wheel, entry] : clamped->items()) {
    std::string words;
    for (const auto& [key, count] : entry.items())
      if (key != "steps")
        words += fmt::format("{}{} {}", words.empty() ? "" : ", ", key, count.get<long>());
    say("  clamped     {}: beyond the range of its tyre in {} steps ({})\n", wheel,
        entry["steps"].get<long>(), words);
  }
}

}  // namespace semirec::cli
