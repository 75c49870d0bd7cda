#include "vehicles/manoeuvre/departure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <utility>

namespace semirec {

namespace {

constexpr double kSpun = 0.5;     // rad
constexpr double kSlides = 0.25;  // rad: slip angle of a wheel that no longer goes where it rolls
constexpr double kLeastRolling = 1.0;  // m/s

/// Of the first row for which it holds; infinity: of none.
double first_time(const History& history, const auto& holds) {
  const std::size_t time = history.find("time");
  const auto row = std::find_if(history.rows.begin(), history.rows.end(), holds);
  return row == history.rows.end() ? std::numeric_limits<double>::infinity() : (*row)[time];
}

/// Names of wheels whose tyre answered for inputs outside of its file's range, with the number of
/// rows.
std::string list_clamped(const History& history) {
  const std::string clamped = ".clamped";
  std::ostringstream text;
  for (const Channel& channel : history.channels) {
    if (!channel.name.ends_with(clamped)) continue;
    const std::vector<double> values = history.column(channel.name);
    const auto rows =
        std::count_if(values.begin(), values.end(), [](double value) { return value != 0.0; });
    if (rows == 0) continue;
    text << (text.tellp() > 0 ? ", " : "")
         << channel.name.substr(0, channel.name.size() - clamped.size()) << " in " << rows;
  }
  return text.str();
}

}  // namespace

double find_spin(const History& history) {
  const std::size_t sideslip = history.find("car.sideslip");
  const std::size_t speed = history.find("car.speed");
  std::vector<std::size_t> slips;
  for (std::size_t k = 0; k < history.channels.size(); ++k)
    if (history.channels[k].name.ends_with(".alpha")) slips.push_back(k);
  return first_time(history, [&](const std::vector<double>& row) {
    // a car whose wheels are all turned, or on full lock, goes aside as they roll
    const auto slides = [&](std::size_t k) { return std::abs(row[k]) > kSlides; };
    return std::abs(row[sideslip]) > kSpun && row[speed] >= kLeastRolling &&
           (slips.empty() || std::any_of(slips.begin(), slips.end(), slides));
  });
}

double find_lifted_side(const Vehicle& vehicle, const Unit& unit, const History& history) {
  std::vector<std::size_t> loads[2];  // of the left wheels, of the right ones
  for (const UnitAxle& axle : unit.axles)
    for (const auto& [side, wheels] : {std::pair(0, &axle.left), std::pair(1, &axle.right)})
      for (const int wheel : *wheels)
        loads[side].push_back(
            history.find(vehicle.wheels[static_cast<std::size_t>(wheel)].name + ".Fz"));
  if (loads[0].empty() || loads[1].empty()) return std::numeric_limits<double>::infinity();
  // the only wheel of a side hops over a bump without tipping what it carries
  constexpr double kHops = 0.15;  // s
  const double least = loads[0].size() > 1 && loads[1].size() > 1 ? 0.0 : kHops;
  const std::size_t time = history.find("time");
  double since = std::numeric_limits<double>::infinity();
  for (const std::vector<double>& row : history.rows) {
    const auto is_lifted = [&](const std::vector<std::size_t>& side) {
      return std::all_of(side.begin(), side.end(), [&](std::size_t k) { return row[k] <= 0.0; });
    };
    if (is_lifted(loads[0]) == is_lifted(loads[1]))
      since = std::numeric_limits<double>::infinity();
    else
      since = std::min(since, row[time]);
    if (row[time] - since >= least) return since;
  }
  return std::numeric_limits<double>::infinity();
}

std::vector<std::string> find_departures(const History& history) {
  std::vector<std::string> lines;
  if (const double spun = find_spin(history); std::isfinite(spun)) {
    std::ostringstream text;
    text << "the car spun: its sideslip exceeds " << kSpun << " rad from t = " << spun
         << " s on, and what is read after that is of a car out of control";
    lines.push_back(text.str());
  }
  if (const std::string clamped = list_clamped(history); !clamped.empty())
    lines.push_back("tyres are asked beyond the range of their files, of " +
                    std::to_string(history.rows.size()) + " rows: " + clamped);
  return lines;
}

void note_departures(const Vehicle& vehicle, const History& history, Answer& answer) {
  for (std::string& line : find_departures(history)) answer.notes.push_back(std::move(line));
  const std::vector<Unit> units = find_units(vehicle);
  for (const Unit& unit : units) {
    const double lifted = find_lifted_side(vehicle, unit, history);
    if (!std::isfinite(lifted)) continue;
    std::ostringstream text;
    if (&unit == &units.front())
      text << "the wheels of one side carry nothing at t = " << lifted << " s: the car tips";
    else
      text << "the wheels of one side of '" << unit.name << "' carry nothing at t = " << lifted
           << " s: it tips";
    answer.notes.push_back(text.str());
  }
}

}  // namespace semirec
