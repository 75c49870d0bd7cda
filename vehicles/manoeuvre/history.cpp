#include "vehicles/manoeuvre/history.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "integrator/report.hpp"
#include "topology/mechanism.hpp"
#include "topology/nearest.hpp"
#include "vehicles/driver/motion.hpp"
#include "vehicles/manoeuvre/departure.hpp"
#include "vehicles/manoeuvre/drive_watcher.hpp"

namespace semirec {

std::size_t History::find(const std::string& channel) const {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < channels.size(); ++k) {
    if (channels[k].name == channel) return k;
    names.push_back(channels[k].name);
  }
  throw ModelError("the car has no number '" + channel + "'" + nearest_hint(channel, names));
}

bool History::has(const std::string& channel) const {
  return std::any_of(channels.begin(), channels.end(),
                     [&](const Channel& own) { return own.name == channel; });
}

std::vector<double> History::column(const std::string& channel) const {
  const std::size_t k = find(channel);
  std::vector<double> values;
  values.reserve(rows.size());
  for (const std::vector<double>& row : rows) values.push_back(row[k]);
  return values;
}

Table make_table(const History& history, const std::string& name,
                 const std::vector<std::string>& more) {
  std::vector<std::size_t> chosen{history.find("time"), history.find("chassis.x"),
                                  history.find("chassis.y"), history.find("chassis.yaw")};
  for (const Channel& channel : motion_channels()) chosen.push_back(history.find(channel.name));
  for (const char* held : {"steering_wheel", "throttle", "brake", "gear", "force"})
    chosen.push_back(history.find(std::string("driver.") + held));
  if (history.has(kSteeringWheelTorque)) chosen.push_back(history.find(kSteeringWheelTorque));
  for (const std::string& channel : more) chosen.push_back(history.find(channel));
  Table table;
  table.name = name;
  for (const std::size_t k : chosen) table.columns.push_back(history.channels[k]);
  for (const std::vector<double>& row : history.rows) {
    std::vector<double> values;
    for (const std::size_t k : chosen) values.push_back(row[k]);
    table.rows.push_back(std::move(values));
  }
  return table;
}

Chart make_chart(const History& history, const std::string& title,
                 const std::vector<std::string>& channels, const std::string& over) {
  Chart chart;
  chart.title = title;
  const Channel& x = history.channels[history.find(over)];
  chart.x_label = x.name + ", " + x.unit;
  const std::vector<double> along = history.column(over);
  for (const std::string& channel : channels) {
    const Channel& y = history.channels[history.find(channel)];
    const std::string name = y.name.substr(y.name.find('.') + 1);
    if (chart.y_label.empty()) chart.y_label = (channels.size() == 1 ? name + ", " : "") + y.unit;
    chart.series.push_back({name, along, history.column(channel), false, channel});
  }
  return chart;
}

void point_to_drive(const Manoeuvre& manoeuvre, const History& history) {
  if (manoeuvre.watcher != nullptr && history.drive >= 0) manoeuvre.watcher->choose(history.drive);
}

/// Steps have two iterations, and say whether these were enough.
static void note_unsettled_steps(const History& history, Answer& answer) {
  constexpr double kWorthALine = 0.01;  // of all steps
  if (!(static_cast<double>(history.unsettled) > kWorthALine * static_cast<double>(history.steps)))
    return;
  std::ostringstream text;
  text << history.unsettled << " of " << history.steps
       << " steps ended with a correction or a closure above " << StepSettings().settled_bound
       << " m or rad after their two iterations, the largest correction "
          "being "
       << history.correction
       << ": something in the vehicle is stiffer than they follow, expected a shorter --step";
  answer.notes.push_back(text.str());
}

void show_history(const Vehicle& vehicle, const Manoeuvre& manoeuvre, const History& history,
                  Answer& answer) {
  point_to_drive(manoeuvre, history);
  note_departures(vehicle, history, answer);
  note_unsettled_steps(history, answer);
  Table all;
  all.name = "history";
  all.columns = history.channels;
  all.rows = history.rows;
  answer.tables.push_back(std::move(all));
  answer.charts.push_back(make_chart(history, "steering wheel", {"driver.steering_wheel"}));
  answer.charts.push_back(make_chart(history, "speed", {"car.speed"}));
  answer.charts.push_back(make_chart(history, "accelerations", {"car.ay", "car.ax"}));
  answer.charts.push_back(make_chart(history, "yaw rate", {"car.yaw_rate"}));
  answer.charts.push_back(make_chart(history, "sideslip and roll", {"car.sideslip", "car.roll"}));
  const std::string articulation = ".articulation";
  for (const Channel& channel : history.channels) {
    if (!channel.name.ends_with(articulation)) continue;
    double most = 0.0;
    for (const double angle : history.column(channel.name)) most = std::max(most, std::abs(angle));
    answer.quantities.push_back({channel.name.substr(0, channel.name.size() - articulation.size()) +
                                     ".largest_articulation",
                                 most, channel.unit, kUnknown,
                                 "heading of the unit in front less its own, magnitude"});
    answer.charts.push_back(make_chart(history, channel.name, {channel.name}));
  }
}

std::string load_channel(const History& history, const std::string& wheel) {
  return history.has(wheel + ".Wz") ? wheel + ".Wz" : wheel + ".Fz";
}

void read_at(Answer& answer, const std::string& channel, double t, const std::string& label,
             double level) {
  read_over(answer, channel, t, kUnknown, label, level);
}

void read_over(Answer& answer, const std::string& channel, double from, double until,
               const std::string& label, double level) {
  if (std::isfinite(from)) answer.readings.push_back({channel, label, from, until, level});
}

void read_largest(Answer& answer, const History& history, const std::string& channel, double zero) {
  const std::size_t k = history.find(channel);
  const auto row = std::max_element(
      history.rows.begin(), history.rows.end(),
      [&](const auto& a, const auto& b) { return std::abs(a[k] - zero) < std::abs(b[k] - zero); });
  if (row != history.rows.end())
    read_at(answer, channel, (*row)[history.find("time")], "largest", (*row)[k]);
}

}  // namespace semirec
