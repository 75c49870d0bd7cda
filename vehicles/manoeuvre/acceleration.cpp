#include <algorithm>
#include <cmath>
#include <sstream>

#include "vehicles/manoeuvre/car.hpp"
#include "vehicles/manoeuvre/drive_task.hpp"
#include "vehicles/manoeuvre/methods.hpp"

namespace semirec {

namespace {

constexpr double kLaunch = 1.0;     // s: until then the car stands or rolls as it starts
constexpr double kPedalRate = 5.0;  // 1/s

/// Holds the start's throttle, or the brake, until the launch. Then full throttle, but a foot that
/// gives way when the driven wheels spin: a gearbox that shifts by the motor's speed would hunt,
/// and a spinning tyre pulls less.
class LaunchDriver final : public CarDriver {
 public:
  double throttle = 1.0, brake = 0.0, gear = 1.0;
  double most_slip = 0.15;
  double slip = 0.0;  ///< of the fastest wheel, told before each step

  void begin(const CarMotion& /*start*/, double step, const DriverAction& held) override {
    step_ = step;
    pedal_ = held.throttle;
  }
  DriverAction act(const CarMotion& motion) noexcept override {
    DriverAction action;
    action.gear = gear;
    const double after = motion.t + step_ - kLaunch;
    if (after <= 0.0) {
      action.throttle = pedal_;
      action.brake = brake;
      return action;
    }
    const double rate =
        std::clamp(kPedalRate * (most_slip - slip) / most_slip, -kPedalRate, kPedalRate);
    pedal_ = std::clamp(pedal_ + rate * step_, 0.0, throttle);
    action.throttle = pedal_;
    action.brake = std::max(0.0, brake - kPedalRate * after);
    return action;
  }

 private:
  double step_ = 1e-3, pedal_ = 0.0;
};

/// How much faster than the car the fastest wheel runs, at least against 1 m/s.
class SlipWatch {
 public:
  explicit SlipWatch(const Vehicle& vehicle) : vehicle_(vehicle) {}
  /// Gives the channels that slip() reads.
  std::vector<std::size_t> find(const std::vector<Channel>& channels) {
    std::vector<std::size_t> read;
    for (const Wheel& wheel : vehicle_.wheels)
      for (std::size_t k = 0; k < channels.size(); ++k)
        if (channels[k].name == wheel.name + ".omega") {
          wheels_.emplace_back(k, wheel.radius);
          read.push_back(k);
        }
    return read;
  }
  double slip(const CarMotion& motion, const double* outputs) const noexcept {
    double most = 0.0;
    const double v = std::max(motion.vx, 1.0);
    for (const auto& [k, radius] : wheels_)
      most = std::max(most, (outputs[k] * radius - motion.vx) / v);
    return most;
  }

 private:
  const Vehicle& vehicle_;
  std::vector<std::pair<std::size_t, double>> wheels_;
};

Answer accelerate(const Vehicle& vehicle, const Manoeuvre& manoeuvre, const Progress& progress) {
  need_throttle(vehicle, manoeuvre.name);
  const double from = manoeuvre.value("speed");
  const double to = manoeuvre.value("end_speed");
  const double length = manoeuvre.value("course_length");
  if (!(to > from))
    throw ModelError(manoeuvre.source, manoeuvre.name,
                     "ends slower than it starts, expected 'end_speed' above 'speed'");
  LaunchDriver driver;
  driver.throttle = manoeuvre.value("throttle");
  driver.brake = from == 0.0 ? 0.5 : 0.0;
  driver.gear = manoeuvre.value("gear");
  driver.most_slip = manoeuvre.value("slip");
  SlipWatch watch(vehicle);
  DriveTask task;
  task.gear = driver.gear;
  task.speed = from;
  task.duration = kLaunch + manoeuvre.value("duration");
  task.driver = &driver;
  task.what = "acceleration";
  double launch_x = 0.0;
  double launch_speed = from;
  task.begin = [&](const std::vector<Channel>& channels) { return watch.find(channels); };
  task.over = [&](const CarMotion& motion, const double* outputs) {
    driver.slip = watch.slip(motion, outputs);
    if (motion.t <= kLaunch) {
      launch_x = motion.x;
      launch_speed = motion.vx;
    }
    return motion.vx >= to && motion.x - launch_x >= length;
  };
  const History history = drive(vehicle, manoeuvre, task, progress);
  const std::vector<double> t = history.times();
  const std::vector<double> v = history.column("car.vx");
  const std::vector<double> x = history.column("chassis.x");
  const auto crossing = [&](const std::vector<double>& values, double level,
                            const std::vector<double>& of) {
    for (std::size_t k = 1; k < t.size(); ++k)
      if (t[k] > kLaunch && values[k] >= level) {
        const double rise = values[k] - values[k - 1];
        const double part = rise > 0.0 ? std::clamp((level - values[k - 1]) / rise, 0.0, 1.0) : 1.0;
        return of[k - 1] + part * (of[k] - of[k - 1]);
      }
    return std::nan("");
  };
  const double reached = crossing(v, to, t) - kLaunch;
  if (std::isnan(reached)) {
    std::ostringstream text;
    text << manoeuvre.name << ": the car reaches " << *std::max_element(v.begin(), v.end())
         << " m/s in " << manoeuvre.value("duration") << " s, not " << to
         << " m/s, expected a lower 'end_speed', more 'duration' or more power";
    throw AnalysisError(text.str());
  }
  const std::vector<double> ax = history.column("car.ax");
  const double nan = std::nan("");
  Answer answer;
  answer.title = vehicle.mechanism.name + ": " + manoeuvre.name;
  answer.quantities = {
      {"initial_speed", launch_speed, "m/s", nan, "when the throttle begins to move"},
      {"time", reached, "s", nan, "from the throttle's first movement to the end speed"},
      {"distance_to_speed", crossing(v, to, x) - launch_x, "m", nan, "until then"},
      {"time_over_distance", crossing(x, launch_x + length, t) - kLaunch, "s", nan,
       "until 'course_length' is driven"},
      {"speed_at_distance", crossing(x, launch_x + length, v), "m/s", nan, "there"},
      {"largest_ax", *std::max_element(ax.begin(), ax.end()), "m/s^2", nan, "longitudinal"},
      {"largest_pitch",
       [&] {
         double most = 0.0;
         for (const double pitch : history.column("car.pitch"))
           most = std::max(most, std::abs(pitch));
         return most;
       }(),
       "rad", nan, "magnitude"}};
  if (!history.stopped)
    answer.notes.push_back("'course_length' was not driven within the duration");
  const bool chooses = std::any_of(vehicle.drivelines.begin(), vehicle.drivelines.end(),
                                   [](const Driveline& own) { return own.gearbox.automatic; });
  if (driver.gear > 1.0 && chooses)
    answer.notes.push_back("'gear' above 1 counts as 1: the gearbox shifts by itself");
  std::size_t gears = 0;
  for (const Driveline& own : vehicle.drivelines) gears = std::max(gears, own.gearbox.gears.size());
  if (!chooses && gears > 0 && driver.gear > static_cast<double>(gears))
    answer.notes.push_back("'gear' counts as " + std::to_string(gears) +
                           ", the last one of the gearbox");
  show_history(vehicle, manoeuvre, history, answer);
  read_at(answer, "", kLaunch, "throttle");
  read_at(answer, "car.speed", kLaunch + reached, "end speed", to);
  read_at(answer, "", crossing(x, launch_x + length, t), "distance driven");
  read_largest(answer, history, "car.pitch");
  return answer;
}

}  // namespace

Method acceleration_method() {
  return {"acceleration",
          "full throttle from a speed or from rest, straight on",
          {{"speed", 0.0, "m/s", 0.0, 100.0, "held until the throttle moves"},
           {"end_speed", 27.778, "m/s", 0.1, 200.0, "whose time is asked for"},
           {"course_length", 400.0, "m", 1.0, 100000.0, "whose time is asked for"},
           {"throttle", 1.0, "1", 0.01, 1.0, "held"},
           {"slip", 0.15, "1", 0.01, 1e6, "of the fastest wheel at which the foot gives way"},
           {"gear", 1.0, "1", -1.0, 20.0,
            "1 is drive: of an automatic, or the driver shifts; 2 and above: held in a manual one",
            true},
           {"duration", 60.0, "s", 1.0, 1000.0, "at most"}},
          accelerate};
}

}  // namespace semirec
