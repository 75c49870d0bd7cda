#include "apps/report/run_differences.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "apps/report/turn_channels.hpp"

namespace semirec::report {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kSameTime = 1e-9;                     // s
constexpr std::size_t kMostNumbersOfCurves = 420'000;  // of all curves: 1.1 MB of a page
constexpr std::size_t kMostRowsOfCurve = 4000;         // of a curve
constexpr double kRounding = 1e-6;                     // of the largest number of a unit
constexpr std::size_t kHeadlines = 3, kNamed = 8;

/// Where a time lies among rows: between `row` and the next one, `part` of the way.
struct Place {
  std::size_t row = 0;
  double part = 0.0;
  bool inside = false;
};

std::vector<Place> find_places(const Results& first, const Results& run) {
  std::vector<Place> places(run.times.size());
  for (std::size_t k = 0; k < places.size(); ++k) {
    const double t = run.times[k];
    const auto after = std::upper_bound(first.times.begin(), first.times.end(), t + kSameTime);
    if (after == first.times.begin() || t > first.times.back() + kSameTime) continue;
    Place& place = places[k];
    place.inside = true;
    place.row = static_cast<std::size_t>(after - first.times.begin()) - 1;
    if (t > first.times[place.row] + kSameTime && after != first.times.end())
      place.part = (t - first.times[place.row]) / (*after - first.times[place.row]);
  }
  return places;
}

double value_at(const std::vector<double>& values, const Place& place) {
  const double value = values[place.row];
  return place.part > 0.0 ? value + place.part * (values[place.row + 1] - value) : value;
}

/// Numbers of a channel of a run and of the first one at the run's rows; NaN outside of its time.
struct Pair {
  std::vector<double> first, run;
};

/// [channel of the run] pairs, angles and rotation vectors of the run nearest to those of the
/// first; empty where the first has none of the name. `of_first`: its columns; `places_of`: its
/// channels by name.
std::vector<Pair> make_pairs(const std::vector<std::vector<double>>& of_first,
                             const std::map<std::string, std::size_t>& places_of,
                             const Results& run, const std::vector<Place>& places) {
  std::vector<Pair> pairs(run.channels.size());
  std::vector<const std::vector<double>*> there(run.channels.size(), nullptr);
  for (std::size_t c = 0; c < run.channels.size(); ++c) {
    const auto found = places_of.find(run.channels[c].name);
    if (found == places_of.end()) continue;
    there[c] = &of_first[found->second];
    pairs[c] = {std::vector<double>(places.size(), kNone), run.columns[c]};
    for (std::size_t row = 0; row < places.size(); ++row)
      if (places[row].inside) pairs[c].first[row] = value_at(*there[c], places[row]);
  }
  for (const TurnChannels& turn : find_turn_channels(run.channels)) {
    const auto is_there = [&](std::size_t k) { return there[turn.places[k]] != nullptr; };
    if (!is_there(0) || (turn.count == 3 && !(is_there(1) && is_there(2)))) continue;
    for (std::size_t row = 0; row < places.size(); ++row) {
      const Place& place = places[row];
      if (!place.inside) continue;
      std::array<double, 3> like{}, next{}, now{};
      for (std::size_t k = 0; k < turn.count; ++k) {
        const std::vector<double>& first = *there[turn.places[k]];
        like[k] = first[place.row];
        if (place.part > 0.0) next[k] = first[place.row + 1];
        now[k] = run.columns[turn.places[k]][row];
      }
      if (place.part > 0.0) {
        next = nearest_turn(next, like, turn.count);
        for (std::size_t k = 0; k < turn.count; ++k) like[k] += place.part * (next[k] - like[k]);
      }
      now = nearest_turn(now, like, turn.count);
      for (std::size_t k = 0; k < turn.count; ++k) {
        pairs[turn.places[k]].first[row] = like[k];
        pairs[turn.places[k]].run[row] = now[k];
      }
    }
  }
  return pairs;
}

ChannelDifference difference_of(const Pair& pair, const std::vector<double>& times) {
  ChannelDifference found;
  found.values.assign(times.size(), kNone);
  double squares = 0.0, low = std::numeric_limits<double>::infinity(), high = -low;
  std::size_t count = 0;
  for (std::size_t k = 0; k < times.size(); ++k) {
    const double difference = pair.run[k] - pair.first[k];
    found.values[k] = difference;
    if (!std::isfinite(difference)) continue;
    low = std::min({low, pair.first[k], pair.run[k]});
    high = std::max({high, pair.first[k], pair.run[k]});
    squares += difference * difference;
    ++count;
    if (std::abs(difference) <= std::abs(found.largest) && count > 1) continue;
    found.largest = difference;
    found.time = times[k];
  }
  found.rms = count > 0 ? std::sqrt(squares / static_cast<double>(count)) : kNone;
  found.range = count > 0 ? high - low : kNone;
  if (count == 0) found.largest = found.time = kNone;
  return found;
}

/// Of the range; numbers that are small among those of their unit are rounding.
double share_of(const ChannelDifference& difference) {
  const double range = std::max(difference.range, kRounding * difference.scale);
  return range > 0.0 ? std::abs(difference.largest) / range : 0.0;
}

/// [unit] largest size of a value.
std::map<std::string, double> find_scales(const Results& run) {
  std::map<std::string, double> scales;
  for (std::size_t c = 0; c < run.channels.size(); ++c) {
    double& scale = scales[run.channels[c].unit];
    for (const double value : run.columns[c])
      if (std::isfinite(value)) scale = std::max(scale, std::abs(value));
  }
  return scales;
}

std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), kNamed); ++k)
    text += (k > 0 ? ", " : "") + names[k];
  if (names.size() > kNamed) text += fmt::format(" and {} more", names.size() - kNamed);
  return text;
}

bool has_channel(const Results& run, const std::string& name) {
  return std::any_of(run.channels.begin(), run.channels.end(),
                     [&](const Channel& channel) { return channel.name == name; });
}

/// Every `stride`-th row and the last.
std::vector<double> thinned(const std::vector<double>& values, std::size_t stride) {
  std::vector<double> few;
  for (std::size_t k = 0; k < values.size(); k += stride) few.push_back(values[k]);
  if (!values.empty() && (values.size() - 1) % stride != 0) few.push_back(values.back());
  return few;
}

std::string group_of(const std::string& name) {
  const std::size_t dot = name.find('.');
  return dot == std::string::npos ? std::string() : name.substr(0, dot);
}

}  // namespace

std::vector<ChannelDifference> find_differences(const std::vector<Results>& runs) {
  std::vector<ChannelDifference> differences;
  const Results& first = runs.front();
  std::map<std::string, std::size_t> places_of;
  for (std::size_t k = 0; k < first.channels.size(); ++k)
    places_of.emplace(first.channels[k].name, k);
  std::map<std::string, double> scales = find_scales(first);
  std::vector<std::vector<double>> of_first = first.columns;
  for (const TurnChannels& turn : find_turn_channels(first.channels))
    if (turn.count == 1) take_out_jumps(of_first[turn.places[0]]);
  for (std::size_t r = 1; r < runs.size(); ++r) {
    const Results& run = runs[r];
    const std::vector<Place> places = find_places(first, run);
    if (std::none_of(places.begin(), places.end(), [](const Place& p) { return p.inside; }))
      throw ModelError(
          fmt::format("'{}' begins at {:.6g} s and '{}' ends at {:.6g} s, expected "
                      "runs with a time in common",
                      run.times.front() > first.times.back() ? run.folder : first.folder,
                      std::max(run.times.front(), first.times.front()),
                      run.times.front() > first.times.back() ? first.folder : run.folder,
                      std::min(run.times.back(), first.times.back())));
    const std::vector<Pair> pairs = make_pairs(of_first, places_of, run, places);
    for (std::size_t c = 0; c < run.channels.size(); ++c) {
      const auto found = places_of.find(run.channels[c].name);
      if (found == places_of.end()) continue;
      const Channel& known = first.channels[found->second];
      if (known.unit != run.channels[c].unit)
        throw ModelError(
            fmt::format("channel '{}' has unit '{}' in '{}' and '{}' in '{}', expected the same",
                        known.name, known.unit, first.folder, run.channels[c].unit, run.folder));
      differences.push_back(difference_of(pairs[c], run.times));
      differences.back().run = r;
      differences.back().first = found->second;
      differences.back().channel = c;
      differences.back().scale = scales[known.unit];
    }
  }
  return differences;
}

bool same_times(const Results& first, const Results& run) {
  const std::vector<Place> places = find_places(first, run);
  return std::all_of(places.begin(), places.end(),
                     [](const Place& place) { return !place.inside || place.part == 0.0; });
}

Report make_difference_page(const std::vector<Results>& runs) {
  const Results& first = runs.front();
  std::vector<ChannelDifference> differences = find_differences(runs);
  std::stable_sort(differences.begin(), differences.end(),
                   [](const ChannelDifference& a, const ChannelDifference& b) {
                     return share_of(a) > share_of(b);
                   });
  Report page;
  page.kind = "report";
  page.title = fmt::format("{} runs: differences to {}", runs.size(), first.folder);
  page.model.name = first.model;

  // notes and conditions
  for (const Results& run : runs) {
    if (!run.cut.empty()) page.warnings.push_back(run.cut);
    if (!run.status.empty() && run.status != "finished")
      page.warnings.push_back(fmt::format("{}: {}", run.folder, run.status));
    if (&run == &first) continue;
    page.notes.push_back(
        same_times(first, run)
            ? fmt::format("{}: differences row by row, at times that {} has, too", run.folder,
                          first.folder)
            : fmt::format("{}: its rows are at other times, the values of {} there are resampled, "
                          "on straight lines between its rows",
                          run.folder, first.folder));
    std::vector<std::string> only_here, only_first;
    for (const Channel& channel : run.channels)
      if (!has_channel(first, channel.name)) only_here.push_back(channel.name);
    for (const Channel& channel : first.channels)
      if (!has_channel(run, channel.name)) only_first.push_back(channel.name);
    if (!only_here.empty())
      page.notes.push_back(fmt::format("only in {}: {}", run.folder, list(only_here)));
    if (!only_first.empty())
      page.notes.push_back(fmt::format("not in {}: {}", run.folder, list(only_first)));
  }
  MixedTable conditions{"runs",
                        {{"run", ""},
                         {"model", ""},
                         {"scenario", ""},
                         {"formulation", ""},
                         {"status", ""},
                         {"begin", "s"},
                         {"end", "s"},
                         {"rows", ""}},
                        {}};
  for (const Results& run : runs) {
    const auto said = [](const std::string& words) { return words.empty() ? "not known" : words; };
    conditions.rows.push_back({run.folder, said(run.model), said(run.scenario),
                               said(run.formulation), said(run.status), run.times.front(),
                               run.times.back(), static_cast<double>(run.times.size())});
  }

  // the table of differences, and which curves come first
  MixedTable table{"largest differences",
                   {{"channel", ""},
                    {"run", ""},
                    {"largest difference", ""},
                    {"unit", ""},
                    {"at", "s"},
                    {"of the range", "%"},
                    {"rms", ""}},
                   {}};
  std::vector<std::string> headlines;
  for (const ChannelDifference& difference : differences) {
    const Channel& channel = runs[difference.run].channels[difference.channel];
    table.rows.push_back({channel.name, runs[difference.run].folder, difference.largest,
                          channel.unit, difference.time, 100.0 * share_of(difference),
                          difference.rms});
    if (headlines.size() < kHeadlines && share_of(difference) > 0.0 &&
        std::find(headlines.begin(), headlines.end(), channel.name) == headlines.end())
      headlines.push_back(channel.name);
  }
  page.mixed_tables = {std::move(table), std::move(conditions)};

  // curves
  std::size_t curves = differences.size();
  for (const Results& run : runs) curves += run.channels.size() + 1;
  const std::size_t most =
      std::clamp<std::size_t>(kMostNumbersOfCurves / curves, 50, kMostRowsOfCurve);
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const Results& run = runs[r];
    const std::size_t stride = (run.times.size() + most - 1) / most;
    Motion motion;
    motion.name = run.folder;
    motion.times = thinned(run.times, stride);
    if (stride > 1)
      motion.thinned =
          fmt::format("{}: drawn is every {}. row of {}; the table has the differences of all",
                      run.folder, stride, run.times.size());
    const auto add = [&](const std::string& name, const std::string& of, const std::string& unit,
                         const std::string& group, const std::vector<double>& values) {
      const bool headline = std::find(headlines.begin(), headlines.end(), of) != headlines.end();
      motion.channels.push_back({name, unit, thinned(values, stride), group, headline});
    };
    // each channel with its difference behind it
    std::vector<const ChannelDifference*> of_channel(run.channels.size(), nullptr);
    for (const ChannelDifference& difference : differences)
      if (difference.run == r) of_channel[difference.channel] = &difference;
    for (std::size_t c = 0; c < run.channels.size(); ++c) {
      const Channel& channel = run.channels[c];
      add(channel.name, channel.name, channel.unit, group_of(channel.name), run.columns[c]);
      if (of_channel[c] != nullptr)
        add(channel.name + ", difference", channel.name, channel.unit, group_of(channel.name),
            of_channel[c]->values);
    }
    page.motions.push_back(std::move(motion));
  }
  return page;
}

}  // namespace semirec::report
