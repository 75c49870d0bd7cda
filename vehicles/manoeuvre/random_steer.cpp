#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "vehicles/manoeuvre/car.hpp"
#include "vehicles/manoeuvre/departure.hpp"
#include "vehicles/manoeuvre/methods.hpp"
#include "vehicles/manoeuvre/open_loop.hpp"
#include "vehicles/manoeuvre/show_frequency.hpp"
#include "vehicles/manoeuvre/steady_gains.hpp"

namespace semirec {

namespace {

/// Random waves see the slope of a cubic law as a steady turn of so many times their rms does.
const double kRandomLevel = std::sqrt(3.0);
constexpr double kSoftStart = 2.0;  // s: the waves begin softly

/// 0 to 1, the same on every machine (splitmix64).
double draw(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15ULL;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/// Waves of one size, one at a random place of each of `count` equal parts of the band, with random
/// phases; scaled so that the largest value over `duration` is `peak`.
Curve random_waves(double start, double duration, double f_from, double f_to, double peak,
                   std::uint64_t seed) {
  // close enough for two in each line of the spectra, of which the record holds `duration` of
  const double spacing = std::max(1.5 / duration, (f_to - f_from) / 400.0);
  const auto count = static_cast<std::size_t>(std::max(8.0, std::ceil((f_to - f_from) / spacing)));
  std::vector<Curve::Sine> waves;
  for (std::size_t k = 0; k < count; ++k) {
    const double f = f_from + (f_to - f_from) * (static_cast<double>(k) + draw(seed)) /
                                  static_cast<double>(count);
    waves.push_back({1.0, 2.0 * std::numbers::pi * f, 2.0 * std::numbers::pi * draw(seed),
                     kSoftStart, start, 1e300});
  }
  Curve unit;
  for (const Curve::Sine& wave : waves) unit.add_sine(wave);
  double largest = 0.0;
  for (double t = start; t < start + duration; t += 0.05 / f_to)
    largest = std::max(largest, std::abs(unit.value(t)));
  Curve curve;
  for (Curve::Sine wave : waves) {
    wave.amplitude = peak / largest;
    curve.add_sine(wave);
  }
  return curve;
}

Answer random_steer(const Vehicle& vehicle, const Manoeuvre& manoeuvre, const Progress& progress) {
  need_steering(vehicle, manoeuvre);
  const double settle = manoeuvre.value("settle");
  const double duration = manoeuvre.value("duration");
  const double f_from = manoeuvre.value("f_from");
  const double f_to = manoeuvre.value("f_to");
  const double segment = manoeuvre.value("segment");
  if (f_to <= 1.5 * f_from)
    throw ModelError(manoeuvre.source, manoeuvre.name,
                     "f_to is not above 1.5 f_from, expected a band such as 0.1 to 3 Hz");
  if (segment > 0.5 * duration || segment * f_from < 1.0)
    throw ModelError(manoeuvre.source, manoeuvre.name,
                     "segment is shorter than 1/f_from or longer than half of the duration, "
                     "expected a time between them");
  const FoundSteeringWheel found =
      find_steady_steering_wheel(vehicle, manoeuvre, progress, 0.0, 0.1);
  const double amplitude = found.angle;

  SteeredDrive task;
  task.speed = manoeuvre.value("speed");
  task.settle = settle;
  task.steering_wheel = random_waves(settle, duration, f_from, f_to, amplitude,
                                     static_cast<std::uint64_t>(manoeuvre.value("seed")));
  task.duration = settle + duration;
  task.part_from = 0.1;
  task.what = "random steering";
  // rows of the band, whatever the file's interval, on whole steps
  const double longest = std::floor(0.25 / (f_to * manoeuvre.step) + 1e-9) * manoeuvre.step;
  if (longest < manoeuvre.record) task.record = longest;
  const History history = rows_from(drive_steered(vehicle, manoeuvre, task, progress), settle);
  const double dt = interval_of(history);
  if (f_to > 0.25 / dt)
    throw ModelError(manoeuvre.source, manoeuvre.name,
                     "f_to is above a quarter of the recording rate, expected a shorter record "
                     "interval");
  const std::vector<double> wheel = history.column("driver.steering_wheel");
  const WelchSettings settings{segment, 0.5};

  Answer answer;
  answer.title = vehicle.mechanism.name + ": random steering";
  if (!found.note.empty()) answer.notes.push_back(found.note);
  add_quantity(answer, "steering_wheel", amplitude, "rad", "largest angle");
  add_quantity(answer, "steering_wheel.rms", rms_of(wheel), "rad", "");
  add_quantity(answer, "lateral_acceleration.rms", rms_of(history.column("car.ay")), "m/s^2", "");
  const double low = std::max(0.4, 2.0 * f_from);
  double averages = 0.0;
  const FrequencyResponse across =
      estimate_frequency_response(wheel, history.column("car.ay"), dt, settings, f_from, f_to);
  const SteadyGains gains =
      find_steady_gains(vehicle, manoeuvre, task.speed,
                        kRandomLevel * rms_of(wheel) * low_frequency_gain(across, low).value);
  if (!gains.note.empty()) answer.notes.push_back(gains.note);
  const auto show = [&](const std::string& name, const char* channel, const std::string& unit,
                        const SteadyGain& steady) {
    const std::vector<double> y = history.column(channel);
    averages = estimate_spectra(wheel, y, dt, settings).averages;
    show_frequency_response(answer, name, unit,
                            estimate_frequency_response(wheel, y, dt, settings, f_from, f_to), low,
                            steady);
  };
  show("yaw_rate", "car.yaw_rate", "rad/s", gains.yaw_rate);
  show("lateral_acceleration", "car.ay", "m/s^2", gains.lateral_acceleration);
  show("sideslip", "car.sideslip", "rad", gains.sideslip);
  show("roll", "car.roll", "rad", gains.roll);
  note_departures(vehicle, history, answer);
  point_to_drive(manoeuvre, history);
  add_quantity(answer, "averages", averages, "1", "independent ones that the segments are worth");
  answer.notes.emplace_back(
      "Welch's method, Hann windows, half overlap, H1; uncertainties hold one standard "
      "deviation from coherence and averages");
  return answer;
}

}  // namespace

Method random_steer_method() {
  Method method{"random_steer",
                "random steering at a kept speed: frequency responses with coherence, bandwidth "
                "(ISO 7401)",
                steering_values(2.0, "that the largest angle would give when held"), random_steer};
  method.values.push_back({"duration", 120.0, "s", 10.0, 3600.0, "of the steering"});
  method.values.push_back({"f_from", 0.1, "Hz", 0.01, 50.0, "the band begins"});
  method.values.push_back({"f_to", 3.0, "Hz", 0.05, 50.0, "the band ends"});
  method.values.push_back({"segment", 10.0, "s", 1.0, 1000.0, "of the averages"});
  method.values.push_back({"seed", 1.0, "1", 0.0, 1e15, "one steering a seed", true});
  return method;
}

}  // namespace semirec
