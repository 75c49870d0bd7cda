#include "vehicles/analysis/metrics/sine_with_dwell.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "vehicles/manoeuvre/car.hpp"
#include "vehicles/manoeuvre/methods.hpp"
#include "vehicles/manoeuvre/open_loop.hpp"

namespace semirec {

namespace {

constexpr double kAfter = 2.0;  // s driven after the completion of steer: 1.75 s are judged

/// The steering wheel as a curve: two arcs of the sine and the dwell between them.
Curve curve_of(const SineWithDwell& test) {
  const double omega = 2.0 * std::numbers::pi * test.frequency;
  const double dwells = test.start + 0.75 / test.frequency;
  const double goes_on = dwells + test.dwell;
  Curve curve;
  curve.add_sine({test.amplitude, omega, -omega * test.start, 0.0, test.start, dwells});
  curve.add_sine({test.amplitude, omega, -omega * (test.start + test.dwell), 0.0, goes_on,
                  steer_completed(test)});
  curve.add_piece(-1e300, 0.0, {0.0});
  curve.add_piece(dwells, 0.0, {-test.amplitude});
  curve.add_piece(goes_on, 0.0, {0.0});
  return curve;
}

double find_one_A(const Vehicle& vehicle, const Manoeuvre& manoeuvre, double side,
                  const Progress& progress, double part, double& error) {
  SteeredDrive task;
  task.speed = manoeuvre.value("speed");
  task.settle = manoeuvre.value("settle");
  task.steering_wheel = ramp_of(task.settle, side * manoeuvre.value("rate"));
  task.duration = task.settle + 270.0 * kDegree / manoeuvre.value("rate");
  task.stop_at = 0.4 * 9.81;
  task.part_from = part;
  task.part_to = part + 0.05;
  task.motion_alone = true;
  task.what = "slowly increasing steer";
  const History history = rows_from(drive_steered(vehicle, manoeuvre, task, progress), task.settle);
  const SlowlyIncreasingSteer found =
      find_A(history.column("driver.steering_wheel"), history.column("car.ay"));
  if (std::isnan(found.A))
    throw AnalysisError(
        "slowly increasing steer: the car does not reach 0.375 g within 270 degrees of steering "
        "wheel, "
        "expected a car that corners so, or A by --with A=NUMBER (rad)");
  error = found.A_error;
  return found.A;
}

struct DrivenRun {
  SineWithDwellRun run;
  double amplitude = 0.0;
  bool lost = false;  ///< rolled over, or its step failed
  History history;
};

/// Way to the left of the straight line on which the car was when the test began.
std::vector<double> across_of(const History& history) {
  const std::vector<double> x = history.column("chassis.x");
  const std::vector<double> y = history.column("chassis.y");
  const double course = history.column("chassis.yaw").front();
  std::vector<double> across(x.size());
  for (std::size_t k = 0; k < x.size(); ++k)
    across[k] = -std::sin(course) * (x[k] - x[0]) + std::cos(course) * (y[k] - y[0]);
  return across;
}

DrivenRun drive_one(const Vehicle& vehicle, const Manoeuvre& manoeuvre, double amplitude,
                    const Progress& progress, double part_from_, double part_to) {
  SineWithDwell test;
  test.frequency = manoeuvre.value("frequency");
  test.dwell = manoeuvre.value("dwell");
  test.start = manoeuvre.value("settle");
  test.amplitude = amplitude;
  SteeredDrive task;
  task.speed = manoeuvre.value("speed");
  task.settle = test.start;
  task.pedals = Pedals::released;
  task.steering_wheel = curve_of(test);
  task.duration = steer_completed(test) + kAfter;
  task.part_from = part_from_;
  task.part_to = part_to;
  task.what = "sine with dwell";
  DrivenRun driven;
  driven.amplitude = amplitude;
  driven.history = rows_from(drive_steered(vehicle, manoeuvre, task, progress), test.start);
  // from here on the test begins with the history
  test.start = 0.0;
  driven.run = judge_sine_with_dwell(
      test, driven.history.column("driver.steering_wheel"), driven.history.column("car.yaw_rate"),
      driven.history.column("car.ay"), across_of(driven.history), interval_of(driven.history));
  return driven;
}

Answer run_sine_with_dwell(const Vehicle& vehicle, const Manoeuvre& manoeuvre,
                           const Progress& progress) {
  need_steering(vehicle, manoeuvre);
  const double mass = measure_car(vehicle).own_mass;
  Answer answer;
  answer.title = vehicle.mechanism.name + ": sine with dwell";
  double A = manoeuvre.value("A");
  if (std::isnan(A)) {
    double error_left = 0.0;
    double error_right = 0.0;
    const double left = find_one_A(vehicle, manoeuvre, 1.0, progress, 0.0, error_left);
    const double right = find_one_A(vehicle, manoeuvre, -1.0, progress, 0.05, error_right);
    // the regulation rounds it to a tenth of a degree
    A = std::round(0.5 * (left + right) / (0.1 * kDegree)) * 0.1 * kDegree;
    add_quantity(answer, "A", A, "rad",
                 "steering wheel at 0.3 g, slowly increasing steer, both sides",
                 std::hypot(0.5 * std::abs(left - right), std::max(error_left, error_right)));
  } else {
    add_quantity(answer, "A", A, "rad", "as given");
  }

  const std::vector<double> amplitudes = sine_with_dwell_amplitudes(A);
  const double required = required_displacement(mass);
  Table table{"runs",
              {{"steering_wheel", "rad"},
               {"multiple", "1"},
               {"yaw_peak", "rad/s"},
               {"ratio_1_00", "1"},
               {"ratio_1_75", "1"},
               {"displacement", "m"},
               {"ground_displacement", "m"},
               {"stable", "1"}},
              {}};
  double worst_1_00 = -1e300;
  double worst_1_75 = -1e300;
  double least_displacement = 1e300;
  double least_way = 1e300;
  double stable_to[2] = {0.0, 0.0};
  History worst;
  SineWithDwellRun worst_run;
  bool all_stable = true;
  bool all_ran = true;
  const double share = 0.9 / static_cast<double>(2 * amplitudes.size());
  double part = 0.1;
  for (const int direction : {0, 1}) {
    const double side = direction == 0 ? 1.0 : -1.0;
    bool stable_so_far = true;
    for (const double amplitude : amplitudes) {
      DrivenRun driven;
      try {
        driven = drive_one(vehicle, manoeuvre, side * amplitude, progress, part, part + share);
      } catch (const AnalysisError& error) {
        answer.notes.push_back("at " + std::to_string(side * amplitude) +
                               " rad the series ends: " + error.what());
        all_stable = stable_so_far = all_ran = false;
        break;
      }
      part += share;
      const SineWithDwellRun& run = driven.run;
      table.rows.push_back({driven.amplitude, amplitude / A, run.yaw_peak, run.ratio_1_00,
                            run.ratio_1_75, run.displacement, run.ground_displacement,
                            run.stable ? 1.0 : 0.0});
      const double ratio = std::abs(run.ratio_1_00);
      // of two that mirror one another the first, whatever they are rounded to
      constexpr double kAlike = 1e-3;
      if (ratio > (1.0 + kAlike) * worst_1_00 || worst.rows.empty()) {
        worst = driven.history;
        worst_run = run;
        // now: a watcher does not keep all of some fifty drives
        point_to_drive(manoeuvre, worst);
      }
      worst_1_00 = std::max(worst_1_00, ratio);
      worst_1_75 = std::max(worst_1_75, std::abs(run.ratio_1_75));
      // 5 A up to rounding
      if (amplitude > 4.999 * A) {
        least_displacement = std::min(least_displacement, run.displacement);
        least_way = std::min(least_way, run.ground_displacement);
      }
      stable_so_far = stable_so_far && run.stable;
      all_stable = all_stable && run.stable;
      if (stable_so_far) stable_to[direction] = amplitude;
    }
  }
  if (table.rows.empty())
    throw AnalysisError("sine with dwell: no run was finished, " + answer.notes.back());

  const bool moves = least_displacement < 1e300;
  add_quantity(answer, "largest_steering_wheel", amplitudes.back(), "rad", "of the series");
  add_quantity(
      answer, "yaw_ratio_1_00", worst_1_00, "1",
      "largest over the runs, to either side: yaw rate 1.00 s after steering over its peak; "
      "limit 0.35");
  add_quantity(answer, "yaw_ratio_1_75", worst_1_75, "1", "the same at 1.75 s; limit 0.20");
  add_quantity(answer, "stable_to_left_first", stable_to[0], "rad",
               "largest amplitude with all smaller ones within the limits, first to the left");
  add_quantity(answer, "stable_to_right_first", stable_to[1], "rad",
               "the same, first to the right");
  add_quantity(answer, "displacement", moves ? least_displacement : kNone, "m",
               "least over the runs from 5 A on, 1.07 s after the beginning of steer: lateral "
               "acceleration integrated twice");
  add_quantity(answer, "ground_displacement", moves ? least_way : kNone, "m",
               "the same of the centre of mass's way across its first course");
  add_quantity(answer, "displacement_required", required, "m",
               mass <= 3500.0 ? "up to 3500 kg" : "above 3500 kg");
  const bool responsive = moves && least_displacement >= required;
  add_quantity(answer, "stability", all_stable ? 1.0 : 0.0, "1",
               "1: within the limits in all runs");
  add_quantity(answer, "responsiveness", responsive ? 1.0 : 0.0, "1", "1: displacement reached");
  add_quantity(answer, "passed", all_stable && responsive ? 1.0 : 0.0, "1", "both");
  if (!moves)
    answer.notes.emplace_back(
        "displacement and ground_displacement: none, no run with 5 A or more was driven to its "
        "end" +
        std::string(all_ran ? ", the series ends below that" : ", the series ends before it"));
  answer.notes.emplace_back(
      "49 CFR 571.126 is a test of cars with electronic stability control; most cars without it "
      "fail");
  answer.tables.push_back(table);

  Chart ratios{"yaw rate over its peak", "steering wheel, rad", "1", false, false, {}};
  Series one{"1.00 s after", {}, {}, true};
  Series other{"1.75 s after", {}, {}, true};
  for (const std::vector<double>& row : table.rows) {
    one.x.push_back(row[0]);
    one.y.push_back(row[3]);
    other.x.push_back(row[0]);
    other.y.push_back(row[4]);
  }
  ratios.series = {one, other};
  answer.charts.push_back(ratios);
  answer.notes.emplace_back("history: the run with the largest ratio at 1.00 s");
  show_history(vehicle, manoeuvre, worst, answer);
  // the test begins with the history
  const double start = worst.times().front();
  read_at(answer, "", start + worst_run.beginning, "steering at 5 degrees");
  read_at(answer, "", start + worst_run.completion, "steering done");
  read_at(answer, "car.yaw_rate", start + worst_run.yaw_peak_time, "peak", worst_run.yaw_peak);
  read_at(answer, "car.yaw_rate", start + worst_run.completion + 1.0, "1.00 s after",
          worst_run.ratio_1_00 * worst_run.yaw_peak);
  read_at(answer, "car.yaw_rate", start + worst_run.completion + 1.75, "1.75 s after",
          worst_run.ratio_1_75 * worst_run.yaw_peak);
  read_over(answer, "car.ay", start + worst_run.beginning, start + worst_run.displaced,
            "displacement");
  return answer;
}

}  // namespace

Method sine_with_dwell_method() {
  return {
      "sine_with_dwell",
      "0.7 Hz sine of the steering wheel with a dwell, larger from run to run, both sides: yaw "
      "stability and displacement (49 CFR 571.126)",
      {{"speed", 22.222, "m/s", 1.0, 100.0,
        "when the steering wheel turns; the throttle is released"},
       {"settle", 4.0, "s", 0.1, 600.0, "straight on before"},
       {"frequency", 0.7, "Hz", 0.1, 5.0, "of the sine"},
       {"dwell", 0.5, "s", 0.0, 10.0, "at its second peak"},
       {"rate", 0.2356, "rad/s", 0.001, 10.0, "of the slowly increasing steer: 13.5 degrees/s"},
       {"A", std::nan(""), "rad", 0.001, 5.0, "steering wheel at 0.3 g, instead of finding it"}},
      run_sine_with_dwell};
}

}  // namespace semirec
