#include "vehicles/manoeuvre/departure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "vehicles/description/units.hpp"

namespace semirec {

namespace {

constexpr double kSpun = 0.5;          // rad
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
  return first_time(history, [&](const std::vector<double>& row) {
    return std::abs(row[sideslip]) > kSpun && row[speed] >= kLeastRolling;
  });
}

double find_lifted_side(const Vehicle& vehicle, const History& history) {
  double first = std::numeric_limits<double>::infinity();
  const Unit unit = find_units(vehicle).front();
  for (const auto side : {&UnitAxle::left, &UnitAxle::right}) {
    std::vector<std::size_t> loads;
    for (const UnitAxle& axle : unit.axles)
      for (const int wheel : axle.*side)
        loads.push_back(history.find(vehicle.wheels[static_cast<std::size_t>(wheel)].name + ".Fz"));
    if (loads.empty()) continue;
    first = std::min(first, first_time(history, [&](const std::vector<double>& row) {
                       return std::all_of(loads.begin(), loads.end(),
                                          [&](std::size_t k) { return row[k] <= 0.0; });
                     }));
  }
  return first;
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

}  // namespace semirec
