#include <algorithm>
#include <array>
#include <cmath>

#include "vehicles/analysis/metrics/spectrum.hpp"
#include "vehicles/description/units.hpp"
#include "vehicles/driver/path_follower.hpp"
#include "vehicles/manoeuvre/car.hpp"
#include "vehicles/manoeuvre/departure.hpp"
#include "vehicles/manoeuvre/methods.hpp"
#include "vehicles/manoeuvre/open_loop.hpp"
#include "vehicles/manoeuvre/ride.hpp"
#include "vehicles/manoeuvre/steering_gain.hpp"
#include "vehicles/road/random_road.hpp"

namespace semirec {

namespace {

constexpr double kAsked = 0.02;  // of the speed, between mean and wanted one

/// Level up to `from`, the road itself from `to` on: a car stands on a level road at the start.
class SoftBegin final : public RoadSurface {
 public:
  SoftBegin(std::shared_ptr<const RoadSurface> road, double from, double to)
      : road_(std::move(road)), from_(from), to_(to) {}
  RoadPoint evaluate(double x, double y) const override {
    RoadPoint point = road_->evaluate(x, y);
    const double u = std::clamp((x - from_) / (to_ - from_), 0.0, 1.0);
    const double share = u * u * (3.0 - 2.0 * u);
    point.z_x = share * point.z_x + 6.0 * u * (1.0 - u) / (to_ - from_) * point.z;
    point.z_y *= share;
    point.z *= share;
    return point;
  }
  void put_into(Fingerprint& fingerprint) const override {
    fingerprint("soft begin", from_, to_);
    road_->put_into(fingerprint);
  }

 private:
  std::shared_ptr<const RoadSurface> road_;
  double from_, to_;
};

struct Measured {
  WeightedRide ride;
  std::vector<double> load, travel;  ///< [wheel] variation of the load, deviation of the travel
  double drift = 0.0;
  double beside = 0.0;  ///< s, when the car first drives beside the road's two tracks
  Spectra spectra;      ///< of the vertical acceleration
  std::vector<std::string> departures;
};

void put_road(const Manoeuvre& manoeuvre, const CarMeasures& measures, double seed,
              Scenario& scenario) {
  RandomRoadSettings settings;
  settings.road_class = static_cast<char>('A' + std::lround(manoeuvre.value("road_class")) - 1);
  settings.seed = static_cast<std::uint64_t>(seed);
  settings.length = std::max(100.0, 1.2 * manoeuvre.value("speed") * manoeuvre.value("duration"));
  settings.coherence = manoeuvre.value("coherence");
  settings.track = 0.5 * (measures.track_front + measures.track_rear);
  const double begin = measures.front + 1.0;
  const double end =
      begin + std::max(2.0, 0.5 * manoeuvre.value("speed") * manoeuvre.value("settle"));
  scenario.surface =
      std::make_shared<SoftBegin>(std::make_shared<RandomRoad>(settings), begin, end);
}

/// When the car has gone farther to the side than that, s; NaN: never.
double time_beside(const History& history, double way) {
  const std::vector<double> t = history.times();
  const std::vector<double> y = history.column("chassis.y");
  for (std::size_t k = 0; k < t.size(); ++k)
    if (std::abs(y[k]) > way) return t[k];
  return std::nan("");
}

Measured measure(const SeatedCar& car, const Manoeuvre& manoeuvre, const DriveTask& task,
                 double track, const Progress& progress) {
  const double speed = manoeuvre.value("speed");
  const History whole = drive(car.vehicle, manoeuvre, task, progress);
  const double mean = mean_of(whole.column("car.vx"));
  if (std::abs(mean - speed) > kAsked * speed)
    throw AnalysisError("random road: the car drives " + std::to_string(mean) +
                        " m/s in the mean, expected " + std::to_string(speed) +
                        " within 2 %: a speed that it can hold there");
  const History history = rows_from(whole, manoeuvre.value("settle"));
  Measured measured;
  const double dt = interval_of(history);
  const SeatAcceleration a = seat_acceleration(history);
  measured.ride = weigh_ride(a, dt);
  const double length = static_cast<double>(a.z.size()) * dt;
  measured.spectra = estimate_spectra(a.z, a.z, dt, {std::min(5.0, 0.5 * length), 0.5});
  for (const Wheel& wheel : car.vehicle.wheels) {
    const std::vector<double> load = history.column(load_channel(history, wheel.name));
    measured.load.push_back(deviation_of(load) / mean_of(load));
    measured.travel.push_back(deviation_of(travel_of(history, wheel.name)));
  }
  measured.drift = peak_of(whole.column("chassis.y"));
  measured.beside = time_beside(whole, track);
  measured.departures = find_departures(whole);
  return measured;
}

/// Half of the width of Student's distribution within which 68.3 % lie, over that of the normal
/// one.
double student_factor(std::size_t values) {
  constexpr std::array<double, 10> kFactor{0.0,  0.0,  1.84, 1.32, 1.20,
                                           1.14, 1.11, 1.09, 1.08, 1.07};
  return values < kFactor.size() ? kFactor[values] : 1.0 + 0.6 / static_cast<double>(values);
}

/// Mean over the seeds and its standard error; few seeds know it badly themselves.
void add_mean(Answer& answer, const std::string& name, const std::vector<double>& values,
              const std::string& unit, const std::string& about) {
  const auto n = static_cast<double>(values.size());
  const double error =
      values.size() > 1 ? student_factor(values.size()) * deviation_of(values) / std::sqrt(n - 1.0)
                        : std::nan("");
  add_quantity(answer, name, mean_of(values), unit, about, error);
}

Answer ride_random(const Vehicle& vehicle, const Manoeuvre& manoeuvre, const Progress& progress) {
  if (manoeuvre.has_road)
    throw ModelError(manoeuvre.source, manoeuvre.name,
                     "has a <road>, expected none: this method draws it from road_class and seed");
  if (manoeuvre.value("duration") < manoeuvre.value("settle") + 2.0)
    throw ModelError(manoeuvre.source, manoeuvre.name,
                     "duration is shorter than settle and 2 s, expected more to measure");
  const CarMeasures measures = measure_car(vehicle);
  const SeatedCar car = with_seat(vehicle, manoeuvre);
  const auto seeds = static_cast<int>(std::lround(manoeuvre.value("seeds")));
  const double speed = manoeuvre.value("speed");
  const bool steers = !vehicle.controls.steering.empty() && manoeuvre.value("steer") > 0.5;
  SteeringGain gain;
  if (steers) gain = measure_steering(vehicle, manoeuvre, speed, progress);
  const Path straight =
      Path::from_segments({{1.2 * speed * manoeuvre.value("duration") + 100.0, 0.0, 0.0}});
  std::vector<Measured> all;
  constexpr double kOffTrack = 0.25;  // of the track
  const double track = 0.5 * (measures.track_front + measures.track_rear);
  for (int k = 0; k < seeds; ++k) {
    Manoeuvre one = car.manoeuvre;
    put_road(manoeuvre, measures, manoeuvre.value("seed") + k, one.scenario);
    OpenLoopDriver held;
    held.keeps_speed = true;
    held.keeper = make_speed_keeper(vehicle);
    held.speed = Curve::constant(speed);
    PathFollower follower(straight, gain, manoeuvre.driver, make_speed_keeper(vehicle));
    follower.speed = Curve::constant(speed);
    DriveTask task;
    task.speed = speed;
    task.duration = manoeuvre.value("duration");
    task.driver = steers ? static_cast<CarDriver*>(&follower) : &held;
    task.part_from = static_cast<double>(k) / seeds;
    task.part_to = static_cast<double>(k + 1) / seeds;
    task.what = "random road";
    all.push_back(measure(car, one, task, track, progress));
  }

  Answer answer;
  answer.title = vehicle.mechanism.name + ": ride on a random road";
  const auto collect = [&](const auto& number) {
    std::vector<double> values;
    for (const Measured& measured : all) values.push_back(number(measured));
    return values;
  };
  const auto mean = [&](const std::string& name, const std::string& unit, const std::string& about,
                        const auto& number) {
    add_mean(answer, name, collect(number), unit, about);
  };
  mean("weighted.x_rms", "m/s^2", "seat, Wd", [](const Measured& m) { return m.ride.x.rms; });
  mean("weighted.y_rms", "m/s^2", "seat, Wd", [](const Measured& m) { return m.ride.y.rms; });
  mean("weighted.z_rms", "m/s^2", "seat, Wk", [](const Measured& m) { return m.ride.z.rms; });
  mean("weighted.total", "m/s^2", "root of the sum of squares",
       [](const Measured& m) { return m.ride.total; });
  mean("weighted.z_mtvv", "m/s^2", "largest running r.m.s. of 1 s",
       [](const Measured& m) { return m.ride.z.mtvv; });
  mean("weighted.z_vdv", "m/s^1.75", "fourth power dose of the measured time",
       [](const Measured& m) { return m.ride.z.vdv; });
  mean("weighted.z_crest_factor", "1", "peak/r.m.s.",
       [](const Measured& m) { return m.ride.z.crest_factor; });
  const Unit first = find_units(vehicle).front();
  for (std::size_t w = 0; w < vehicle.wheels.size(); ++w) {
    const std::string& name = vehicle.wheels[w].name;
    mean(name + ".load_variation", "1", "standard deviation of the tyre load over its mean",
         [w](const Measured& m) { return m.load[w]; });
    // travel is counted in the chassis, which carries the wheels of its own unit alone
    if (!has_wheel(first, static_cast<int>(w))) continue;
    mean(name + ".travel", "m", "standard deviation of the wheel's travel",
         [w](const Measured& m) { return m.travel[w]; });
  }
  const double drift = peak_of(collect([](const Measured& m) { return m.drift; }));
  add_quantity(answer, "drift", drift, "m",
               steers ? "largest way to the side, a driver steers"
                      : "largest way to the side, steering wheel held");
  if (seeds < 2)
    answer.notes.emplace_back(
        "one road only: how much another one of the class would change is not known");
  else
    answer.notes.push_back("uncertainties hold the standard error over " + std::to_string(seeds) +
                           " roads of the class");

  for (std::size_t k = 0; k < all.size(); ++k) {
    for (const std::string& line : all[k].departures)
      answer.notes.push_back("road " + std::to_string(k + 1) + ": " + line);
    if (std::isfinite(all[k].beside))
      answer.notes.push_back(
          "road " + std::to_string(k + 1) + ": at t = " + to_text(all[k].beside, 4) +
          " s the car has come to drive beside its two tracks, where left and right see "
          "the same heights: less roll and more heave than on them");
    else if (std::abs(all[k].drift) > kOffTrack * track)
      answer.notes.push_back(
          "road " + std::to_string(k + 1) + ": the car has gone up to " +
          to_text(std::abs(all[k].drift), 3) + " m aside of the road's tracks, " +
          to_text(track, 3) +
          " m apart, between which heights are interpolated: half-way a wheel sees half of "
          "their variance");
  }

  Spectra spectra = all.front().spectra;
  for (std::size_t k = 0; k < spectra.xx.size(); ++k) {
    double sum = 0.0;
    for (const Measured& measured : all) sum += measured.spectra.xx[k];
    spectra.xx[k] = sum / static_cast<double>(seeds);
  }
  Table psd{"spectrum", {{"frequency", "Hz"}, {"acceleration_z", "m^2/s^3"}}, {}};
  Series line{"seat, vertical", {}, {}};
  for (std::size_t k = 0; k < spectra.f.size() && spectra.f[k] <= 100.0; ++k) {
    psd.rows.push_back({spectra.f[k], spectra.xx[k]});
    line.x.push_back(spectra.f[k]);
    line.y.push_back(spectra.xx[k]);
  }
  answer.tables.push_back(psd);
  Table bands{"third_octaves", {{"centre", "Hz"}, {"rms", "m/s^2"}, {"weighted_rms", "m/s^2"}}, {}};
  Series steps{"r.m.s.", {}, {}, true};
  Series weighted{"weighted by Wk", {}, {}, true};
  for (const Band& band : third_octaves(spectra.f, spectra.xx)) {
    if (band.centre > 100.0) break;
    const double factor = std::abs(weighting_factor(Weighting::Wk, band.centre));
    bands.rows.push_back({band.centre, band.rms, factor * band.rms});
    steps.x.push_back(band.centre);
    steps.y.push_back(band.rms);
    weighted.x.push_back(band.centre);
    weighted.y.push_back(factor * band.rms);
  }
  answer.tables.push_back(bands);
  answer.charts.push_back(
      {"density of the vertical acceleration", "frequency, Hz", "m^2/s^3", true, true, {line}});
  answer.charts.push_back(
      {"one-third octaves", "frequency, Hz", "m/s^2", true, true, {steps, weighted}});
  return answer;
}

}  // namespace

Method ride_random_method() {
  Method method{
      "ride_random",
      "straight on over random roads of an ISO 8608 class: weighted accelerations of ISO "
      "2631-1, tyre load variation, wheel travel",
      {{"speed", 20.0, "m/s", 1.0, 100.0, "kept"},
       {"road_class", 3.0, "1", 1.0, 8.0, "1 is class A, 2 B, 3 C, ... 8 H", true},
       {"seed", 1.0, "1", 0.0, 1e15, "of the first road", true},
       {"seeds", 3.0, "1", 1.0, 1000.0, "roads; their scatter is the uncertainty", true},
       {"settle", 3.0, "s", 0.0, 600.0, "that do not count"},
       {"duration", 23.0, "s", 1.0, 3600.0, "of each drive"},
       {"steer", 1.0, "1", 0.0, 1.0, "1: a driver keeps to the road, 0: steering wheel held", true},
       {"coherence", 0.2, "m", 0.0, 100.0,
        "c of exp(-n track/c) between left and right; n in cycles/m"}},
      ride_random};
  method.reads_driver = true;
  for (const ValueRule& rule : seat_values()) method.values.push_back(rule);
  return method;
}

}  // namespace semirec
