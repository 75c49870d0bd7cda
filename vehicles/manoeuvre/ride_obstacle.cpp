#include <algorithm>
#include <cmath>
#include <map>

#include "topology/quoted_names.hpp"
#include "vehicles/description/units.hpp"
#include "vehicles/manoeuvre/car.hpp"
#include "vehicles/manoeuvre/departure.hpp"
#include "vehicles/manoeuvre/methods.hpp"
#include "vehicles/manoeuvre/open_loop.hpp"
#include "vehicles/manoeuvre/ride.hpp"

namespace semirec {

namespace {

/// Whether the road is level over some rows: beside an obstacle, not on it or on a rough road.
bool is_level(const std::vector<double>& road, std::size_t from, std::size_t until) {
  return std::all_of(road.begin() + static_cast<std::ptrdiff_t>(from),
                     road.begin() + static_cast<std::ptrdiff_t>(until),
                     [&](double z) { return std::abs(z - road[from]) < 1e-6; });
}

/// How a wheel rides over the obstacle.
enum class Ride { whole, from_upon_it, not_to_its_end, never };

Ride find_ride(const std::vector<double>& road) {
  constexpr double kUneven = 1e-3;  // m
  const std::size_t n = road.size();
  const auto [low, high] = std::minmax_element(road.begin(), road.end());
  if (*high - *low < kUneven) return Ride::never;
  const bool begins_level = is_level(road, 0, std::max<std::size_t>(n / 100, 1) + 1);
  const bool ends_level = is_level(road, n - std::max<std::size_t>(n / 10, 2), n);
  if (!begins_level && ends_level && std::abs(road.front() - road.back()) > kUneven)
    return Ride::from_upon_it;
  return begins_level && !ends_level ? Ride::not_to_its_end : Ride::whole;
}

/// Lines about wheels that do not ride over the obstacle as a whole, and about a car that rolls
/// back.
void note_rides(const Vehicle& vehicle, const History& history, Answer& answer) {
  if (history.rows.size() < 3) return;
  std::vector<Ride> rides;
  bool met[2] = {false, false};  // by a wheel on this side
  const auto is_left = [&](const Wheel& wheel) {
    return history.rows.front()[history.find(wheel.name + ".y")] > 0.0;
  };
  for (const Wheel& wheel : vehicle.wheels) {
    rides.push_back(find_ride(history.column(wheel.name + ".road")));
    if (rides.back() != Ride::never) met[is_left(wheel) ? 1 : 0] = true;
  }
  const bool nobody = !met[0] && !met[1];
  std::map<Ride, std::string> names;
  for (std::size_t w = 0; w < rides.size(); ++w) {
    const Wheel& wheel = vehicle.wheels[w];
    // an obstacle under the wheels of the other side is not for this one
    if (rides[w] == Ride::never && !nobody && !met[is_left(wheel) ? 1 : 0]) continue;
    std::string& list = names[rides[w]];
    add_quoted(list, wheel.name);
  }
  if (const auto found = names.find(Ride::from_upon_it); found != names.end())
    answer.notes.push_back(
        "the drive begins with " + found->second +
        " on the obstacle, expected a 'start' in the file's road that lies ahead "
        "of all wheels");
  if (const auto found = names.find(Ride::not_to_its_end); found != names.end())
    answer.notes.push_back("the drive ends with " + found->second +
                           " on the obstacle, expected a longer 'duration' or a higher 'speed'");
  if (const auto found = names.find(Ride::never); found != names.end())
    answer.notes.push_back("the obstacle is never met by " + found->second +
                           ", expected a longer 'duration' or a higher 'speed'");
  const std::vector<double> vx = history.column("car.vx");
  if (*std::min_element(vx.begin(), vx.end()) < -0.05)
    answer.notes.emplace_back(
        "the car rolls back from the obstacle, expected a higher 'speed' or a lower 'height'");
}

Answer ride_obstacle(const Vehicle& vehicle, const Manoeuvre& manoeuvre, const Progress& progress) {
  if (!manoeuvre.has_road)
    throw ModelError(manoeuvre.source, manoeuvre.name,
                     "has no <road>, expected one with an obstacle to ride over");
  const SeatedCar car = with_seat(vehicle, manoeuvre);
  OpenLoopDriver driver;
  driver.keeps_speed = manoeuvre.value("keep_speed") > 0.5;
  driver.keeper = make_speed_keeper(vehicle);
  driver.speed = Curve::constant(manoeuvre.value("speed"));
  DriveTask task;
  task.speed = manoeuvre.value("speed");
  task.duration = manoeuvre.value("duration");
  task.driver = &driver;
  task.what = "ride over an obstacle";
  const History history = drive(car.vehicle, car.manoeuvre, task, progress);
  const double dt = interval_of(history);
  const SeatAcceleration a = seat_acceleration(history);
  const WeightedRide ride = weigh_ride(a, dt);

  Answer answer;
  answer.title = vehicle.mechanism.name + ": ride over an obstacle";
  const auto most = [](const std::vector<double>& y) {
    return *std::max_element(y.begin(), y.end());
  };
  const auto least = [](const std::vector<double>& y) {
    return *std::min_element(y.begin(), y.end());
  };
  add_quantity(answer, "acceleration.z_up", most(a.z), "m/s^2",
               "of the seat, chassis axes, not weighted");
  add_quantity(answer, "acceleration.z_down", least(a.z), "m/s^2", "");
  add_quantity(answer, "acceleration.x_peak", peak_of(a.x), "m/s^2", "magnitude");
  add_quantity(answer, "acceleration.y_peak", peak_of(a.y), "m/s^2", "magnitude");
  add_quantity(answer, "weighted.z_rms", ride.z.rms, "m/s^2", "Wk, over the whole drive");
  add_quantity(answer, "weighted.z_peak", ride.z.peak, "m/s^2", "");
  add_quantity(answer, "weighted.z_mtvv", ride.z.mtvv, "m/s^2", "largest running r.m.s. of 1 s");
  if (std::isnan(ride.z.mtvv))
    answer.notes.emplace_back(
        "weighted.z_mtvv is a running r.m.s. of 1 s, and less was driven, expected a longer "
        "'duration'");
  add_quantity(answer, "weighted.z_vdv", ride.z.vdv, "m/s^1.75", "fourth power dose");
  add_quantity(answer, "weighted.z_crest_factor", ride.z.crest_factor, "1", "peak/r.m.s.");
  add_quantity(answer, "weighted.x_vdv", ride.x.vdv, "m/s^1.75", "Wd");
  add_quantity(answer, "weighted.y_vdv", ride.y.vdv, "m/s^1.75", "Wd");
  const std::vector<double> pitch = history.column("chassis.pitch");
  const std::vector<double> roll = history.column("chassis.roll");
  add_quantity(answer, "pitch.most", most(pitch) - pitch.front(), "rad",
               "nose down, from the start");
  add_quantity(answer, "pitch.least", least(pitch) - pitch.front(), "rad", "nose up");
  add_quantity(answer, "roll.peak", std::max(most(roll), -least(roll)), "rad", "magnitude");
  const Unit first = find_units(vehicle).front();
  for (std::size_t w = 0; w < vehicle.wheels.size(); ++w) {
    const Wheel& wheel = vehicle.wheels[w];
    const std::vector<double> load = history.column(load_channel(history, wheel.name));
    add_quantity(answer, wheel.name + ".load_most", most(load), "N", "tyre load");
    add_quantity(answer, wheel.name + ".load_least", least(load), "N", "0: it left the road");
    // travel is counted in the chassis, which carries the wheels of its own unit alone
    if (!has_wheel(first, static_cast<int>(w))) continue;
    const std::vector<double> travel = travel_of(history, wheel.name);
    add_quantity(answer, wheel.name + ".bump", most(travel), "m", "wheel centre up in the chassis");
    add_quantity(answer, wheel.name + ".rebound", -least(travel), "m", "down");
  }
  const std::vector<double> speed = history.column("car.speed");
  add_quantity(answer, "speed_end", speed.back(), "m/s", "");
  if (ride.z.crest_factor > 9.0)
    answer.notes.emplace_back(
        "the crest factor is above 9: MTVV and VDV say more than the r.m.s. (ISO 2631-1)");

  note_rides(vehicle, history, answer);
  for (std::string& line : find_departures(history)) answer.notes.push_back(std::move(line));
  const std::vector<double> t = history.times();
  const std::vector<double> weighted = weigh(a.z, dt, Weighting::Wk);
  const auto read_ends = [&](const std::string& line, const std::vector<double>& y, const char* low,
                             const char* high) {
    const auto [least_at, most_at] = std::minmax_element(y.begin(), y.end());
    read_at(answer, line, t[static_cast<std::size_t>(most_at - y.begin())], high, *most_at);
    read_at(answer, line, t[static_cast<std::size_t>(least_at - y.begin())], low, *least_at);
  };
  read_ends("as it is", a.z, "down", "up");
  read_ends("chassis.pitch", pitch, "nose up", "nose down");
  for (const Wheel& wheel : vehicle.wheels) {
    const std::string load = load_channel(history, wheel.name);
    read_ends(load, history.column(load), "least", "most");
  }
  answer.charts.push_back({"vertical acceleration of the seat",
                           "time, s",
                           "m/s^2",
                           false,
                           false,
                           {{"as it is", t, a.z}, {"weighted by Wk", t, weighted}}});
  Chart loads{"tyre loads", "time, s", "N", false, false, {}};
  Chart travels{"wheel travel", "time, s", "m", false, false, {}};
  for (std::size_t w = 0; w < vehicle.wheels.size(); ++w) {
    const Wheel& wheel = vehicle.wheels[w];
    const std::string load = load_channel(history, wheel.name);
    loads.series.push_back({wheel.name, t, history.column(load), false, load});
    if (has_wheel(first, static_cast<int>(w)))
      travels.series.push_back({wheel.name, t, travel_of(history, wheel.name)});
  }
  answer.charts.push_back(loads);
  answer.charts.push_back(travels);
  Table all{"history", history.channels, history.rows};
  answer.tables.push_back(all);
  return answer;
}

}  // namespace

Method ride_obstacle_method() {
  Method method{
      "ride_obstacle",
      "over the file's road: accelerations, weighted ones of ISO 2631-1, tyre loads, "
      "wheel travel",
      {{"speed", 8.0, "m/s", 0.5, 100.0, "at the start"},
       {"keep_speed", 1.0, "1", 0.0, 1.0, "1: the speed is kept, 0: the car coasts", true},
       {"duration", 4.0, "s", 0.1, 600.0, "of the drive"},
       {"height", 0.02, "m", -2.0, 2.0, "of the obstacle: read by the file's road alone"}},
      ride_obstacle};
  for (const ValueRule& rule : seat_values()) method.values.push_back(rule);
  return method;
}

}  // namespace semirec
