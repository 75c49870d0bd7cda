#include "vehicles/analysis/bicycle/bicycle_answer.hpp"

#include <algorithm>
#include <cmath>

#include "topology/quoted_names.hpp"
#include "vehicles/analysis/bicycle/bicycle_names.hpp"
#include "vehicles/analysis/held_differentials.hpp"

namespace semirec {

namespace {

constexpr double kMostSpeed = 100.0;   // m/s
constexpr double kLeastSpeed = 1.0;    // m/s
constexpr int kIntervals = 20;         // of the range of frequencies
constexpr double kLateralStep = 0.5;   // m/s^2
constexpr double kMostLateral = 15.0;  // m/s^2
constexpr int kRefinements = 5;        // between two steps, by chords
constexpr double kPartOfSteady = 0.8;  // of the progress: the rest is steady turns

/// Where the steady yaw rate of the model leaves that of the car, between two turns to one side (1:
/// left, -1); the last turn that was solved where it does not.
LateralLimit find_lateral_limit(SteadyCar& car, const BicycleModel& model, double ratio,
                                const SteadyTurn& straight, double side,
                                double error_of_small_turns) {
  SteadyTurn turn = straight;
  /// NaN where there is no such turn: beyond the car's grip.
  const auto error_at = [&](double lateral) {
    try {
      turn = car.turn(straight.speed, side * lateral, &turn);
    } catch (const AnalysisError&) {
      return std::nan("");
    }
    const double of_model =
        model.yaw_gain(straight.speed) * (turn.steering_wheel - straight.steering_wheel) / ratio;
    return std::abs(of_model / turn.yaw_rate - 1.0);
  };
  double below = 0.0;
  double error_below = error_of_small_turns;
  for (double lateral = kLateralStep; lateral <= kMostLateral; lateral += kLateralStep) {
    const SteadyTurn before = turn;
    double above = lateral;
    double error_above = error_at(lateral);
    if (std::isnan(error_above)) return {below, false};
    const auto crossing = [&] {
      return below + (above - below) * (kBend - error_below) / (error_above - error_below);
    };
    if (error_above > kBend) {
      for (int k = 0; k < kRefinements; ++k) {
        const double between = crossing();
        turn = before;
        const double error = error_at(between);
        if (std::isnan(error)) break;
        (error > kBend ? above : below) = between;
        (error > kBend ? error_above : error_below) = error;
      }
      return {crossing(), true};
    }
    below = lateral;
    error_below = error_above;
  }
  return {below, false};
}

/// The lesser of both sides; 0 where it is off from the start, by `error_of_small_turns`.
LateralLimit find_lateral_limit(SteadyCar& car, const BicycleModel& model, double ratio,
                                double speed, double error_of_small_turns) {
  constexpr double kAlike = 1e-6;  // rad of the steering wheel, straight on: the sides are alike
  if (error_of_small_turns > kBend) return {0.0, true};
  const SteadyTurn straight = car.turn(speed, 0.0);
  const LateralLimit left =
      find_lateral_limit(car, model, ratio, straight, 1.0, error_of_small_turns);
  if (std::abs(straight.steering_wheel) < kAlike) return left;
  const LateralLimit right =
      find_lateral_limit(car, model, ratio, straight, -1.0, error_of_small_turns);
  return right.value < left.value ? right : left;
}

/// A line about the speeds at which the model follows the car as far as there are steady turns, or
/// as far as was looked; empty without one.
std::string describe_open_limits(const FittedBicycle& fitted, const std::vector<double>& speeds) {
  std::string text;
  for (std::size_t k = 0; k < speeds.size(); ++k) {
    const LateralLimit& limit = fitted.lateral_limits[k];
    if (limit.model_leaves) continue;
    text += (text.empty() ? "" : ", ") + to_text(limit.value) + " m/s^2 at " + to_text(speeds[k]) +
            " m/s";
  }
  if (text.empty()) return text;
  return "up to the sharpest steady turn that was found (looked at in steps of " +
         to_text(kLateralStep) + " up to " + to_text(kMostLateral) +
         " m/s^2) the bicycle stays within 10 % of the car: " + text;
}

Table list_speeds(const FittedBicycle& fitted, const std::vector<double>& speeds) {
  Table table;
  table.name = "speeds";
  table.shown = true;
  table.columns = {
      {"speed", "m/s"},          {"yaw_gain_car", "1/s"}, {"yaw_gain_bicycle", "1/s"},
      {"yaw_gain_error", "1"},   {"yaw_rate_error", "1"}, {"lateral_acceleration_error", "1"},
      {"lateral_limit", "m/s^2"}};
  for (std::size_t k = 0; k < speeds.size(); ++k) {
    const FitErrors here =
        find_errors(fitted.model, fitted.points, fitted.figures.ahead, speeds[k]);
    double gain = 0.0;
    for (const ResponsePoint& point : fitted.points)
      if (point.speed == speeds[k] && point.frequency == 0.0) gain = point.response.yaw_rate.real();
    table.rows.push_back({speeds[k], gain, fitted.model.yaw_gain(speeds[k]), here.yaw_gain,
                          here.yaw_rate, here.lateral_acceleration,
                          fitted.lateral_limits[k].value});
  }
  return table;
}

Table list_points(const FittedBicycle& fitted) {
  Table table;
  table.name = "response";
  table.columns = {{"speed", "m/s"}, {"frequency", "Hz"}};
  for (const char* what : {"yaw_rate", "lateral_acceleration"})
    for (const char* of : {"car", "bicycle"}) {
      const std::string name = std::string(what) + "." + of;
      table.columns.push_back({name + ".gain", *what == 'y' ? "1/s" : "m/s^2"});
      table.columns.push_back({name + ".phase", "rad"});
    }
  for (const ResponsePoint& point : fitted.points) {
    const SteeringResponse bicycle =
        find_response(fitted.model, point.speed, point.frequency, fitted.figures.ahead);
    std::vector<double> row{point.speed, point.frequency};
    for (const std::complex<double>& value :
         {point.response.yaw_rate, bicycle.yaw_rate, point.response.lateral_acceleration,
          bicycle.lateral_acceleration}) {
      row.push_back(std::abs(value));
      row.push_back(std::arg(value));
    }
    table.rows.push_back(row);
  }
  return table;
}

/// The gains of the slowest and the fastest speed over frequency.
std::vector<Chart> draw_responses(const Table& points, const std::vector<double>& speeds) {
  std::vector<Chart> charts{{"yaw rate", "frequency, Hz", "1/s", false, false, {}},
                            {"lateral acceleration", "frequency, Hz", "m/s^2", false, false, {}}};
  for (std::size_t c = 0; c < 2; ++c)
    for (const double speed : {speeds.front(), speeds.back()}) {
      if (!charts[c].series.empty() && speeds.size() == 1) break;
      for (const bool of_car : {true, false}) {
        Series line;
        line.name = std::string(of_car ? "car" : "bicycle") + ", " + to_text(speed) + " m/s";
        line.points = of_car;
        const std::size_t column = 2 + 4 * c + (of_car ? 0 : 2);
        for (const std::vector<double>& row : points.rows) {
          if (row[0] != speed) continue;
          line.x.push_back(row[1]);
          line.y.push_back(row[column]);
        }
        charts[c].series.push_back(line);
      }
    }
  return charts;
}

}  // namespace

FittedBicycle find_bicycle(SteadyCar& car, const BicycleOptions& options,
                           const Progress& progress) {
  if (options.speeds.empty()) throw ModelError("no speed is given, expected one at least");
  for (const double speed : options.speeds)
    if (!(speed >= kLeastSpeed && speed <= kMostSpeed))
      throw ModelError("a speed is " + to_text(speed) + " m/s, expected " + to_text(kLeastSpeed) +
                       " to " + to_text(kMostSpeed) + " m/s");
  FittedBicycle fitted;
  fitted.figures = find_figures(car);
  const CarFigures& figures = fitted.figures;
  std::vector<double> frequencies;
  for (int k = 0; k <= kIntervals; ++k) frequencies.push_back(options.frequency * k / kIntervals);
  const Progress first = [&](double part, const std::string& what) {
    return !progress || progress(kPartOfSteady * part, what);
  };
  CarResponses responses = find_responses(car, figures, options.speeds, frequencies, first);
  fitted.points = std::move(responses.points);
  fitted.sliding = std::move(responses.sliding);
  BicycleModel known;
  known.mass = figures.mass;
  known.yaw_inertia = figures.yaw_inertia;
  known.a = figures.a;
  known.b = figures.b;
  fitted.model = fit_bicycle(fitted.points, known, figures.ahead);
  fitted.errors = find_errors(fitted.model, fitted.points, figures.ahead);
  fitted.without_lag = fit_bicycle(fitted.points, known, figures.ahead, false);
  fitted.errors_without_lag = find_errors(fitted.without_lag, fitted.points, figures.ahead);
  for (const double speed : options.speeds) {
    show_progress(progress, kPartOfSteady, "steady turns at " + to_text(speed) + " m/s");
    const FitErrors here = find_errors(fitted.model, fitted.points, figures.ahead, speed);
    fitted.lateral_limits.push_back(
        find_lateral_limit(car, fitted.model, figures.steering_ratio, speed, here.yaw_gain));
  }
  return fitted;
}

Answer analyse_bicycle(SteadyCar& car, const BicycleOptions& options, const Progress& progress) {
  BicycleOptions sorted = options;
  std::sort(sorted.speeds.begin(), sorted.speeds.end());
  sorted.speeds.erase(std::unique(sorted.speeds.begin(), sorted.speeds.end()), sorted.speeds.end());
  const FittedBicycle fitted = find_bicycle(car, sorted, progress);
  const BicycleModel& model = fitted.model;
  const FitErrors& errors = fitted.errors;
  const FitErrors& without = fitted.errors_without_lag;
  const double no = kUnknown;
  Answer answer;
  answer.title = car.drive().model.mechanism.name + ": bicycle model from " +
                 to_text(sorted.speeds.front()) + " to " + to_text(sorted.speeds.back()) +
                 " m/s and up to " + to_text(sorted.frequency) + " Hz";
  answer.quantities = {
      {"mass", model.mass, "kg", no, "of all bodies"},
      {"yaw_inertia", model.yaw_inertia, "kg m^2", no, "of all bodies about their centre of mass"},
      {"front_axle", model.a, "m", no, "ahead of the centre of mass, at rest"},
      {"rear_axle", model.b, "m", no, "behind it"},
      {"wheelbase", model.wheelbase(), "m"},
      {"centre_height", fitted.figures.centre_height, "m", no, "over the road, at rest"},
      {"steering_ratio", fitted.figures.steering_ratio, "1", no,
       "steering wheel over mean angle of the steered wheels, at rest"},
      {"front_cornering_stiffness", model.C_f, "N/rad", no, "of the axle, fitted"},
      {"rear_cornering_stiffness", model.C_r, "N/rad", no, "of the axle, fitted"},
      {"front_relaxation_length", model.sigma_f, "m", no, "fitted; over the speed it is a lag"},
      {"rear_relaxation_length", model.sigma_r, "m", no, "fitted"},
      {"understeer_gradient", model.understeer_gradient(), "rad/(m/s^2)", no,
       "at the front wheels; of the car's steady yaw rates"},
      {"range.least_speed", sorted.speeds.front(), "m/s"},
      {"range.largest_speed", sorted.speeds.back(), "m/s"},
      {"range.frequency", sorted.frequency, "Hz", no, "from zero"},
      {"range.lateral_acceleration",
       std::min_element(
           fitted.lateral_limits.begin(), fitted.lateral_limits.end(),
           [](const LateralLimit& a, const LateralLimit& b) { return a.value < b.value; })
           ->value,
       "m/s^2", no, "up to here the steady yaw rate is within 10 % of the car's, at every speed"},
      {"error.yaw_gain", errors.yaw_gain, "1", no, "largest, of steady yaw rate over steering"},
      {"error.yaw_rate", errors.yaw_rate, "1", no, "largest over speeds and frequencies, relative"},
      {"error.yaw_rate_rms", errors.yaw_rate_rms, "1", no, "root mean square of the same"},
      {"error.lateral_acceleration", errors.lateral_acceleration, "1", no, "largest, relative"},
      {"error.lateral_acceleration_rms", errors.lateral_acceleration_rms, "1"},
      {"without_lag.front_cornering_stiffness", fitted.without_lag.C_f, "N/rad", no,
       "fitted with relaxation lengths of zero, for programs that know none"},
      {"without_lag.rear_cornering_stiffness", fitted.without_lag.C_r, "N/rad", no, "the same"},
      {"without_lag.error.yaw_rate", without.yaw_rate, "1", no, "of these two"},
      {"without_lag.error.lateral_acceleration", without.lateral_acceleration, "1", no,
       "of these two"}};
  for (Quantity& quantity : name_for_others(fitted.without_lag, fitted.figures))
    answer.quantities.push_back(std::move(quantity));
  answer.tables.push_back(list_speeds(fitted, sorted.speeds));
  answer.tables.push_back(list_points(fitted));
  answer.charts = draw_responses(answer.tables.back(), sorted.speeds);
  if (model.sigma_f == 0.0 || model.sigma_r == 0.0)
    answer.notes.emplace_back(
        "a relaxation length of zero is its lower bound: the car answers no later than an axle "
        "without one");
  if (!fitted.sliding.empty()) {
    std::string names;
    for (const std::string& name : fitted.sliding) add_quoted(names, name);
    answer.notes.push_back(
        "friction slides and carries nothing, as in a steady turn: left out are " + names +
        "; where it holds, the car answers small steering as by a spring");
  }
  if (std::string open = describe_open_limits(fitted, sorted.speeds); !open.empty())
    answer.notes.push_back(std::move(open));
  if (std::string counted = describe_units(car.drive().units); !counted.empty())
    answer.notes.push_back(std::move(counted));
  for (std::string& fault : car.rest_faults()) answer.notes.push_back(std::move(fault));
  return answer;
}

Answer analyse_bicycle(const Vehicle& vehicle, const BicycleOptions& options,
                       const Progress& progress) {
  std::vector<std::string> opened;
  SteadyCar car(with_open_differentials(vehicle, opened), {});
  Answer answer = analyse_bicycle(car, options, progress);
  if (opened.empty()) return answer;
  std::string names;
  for (const std::string& name : opened) add_quoted(names, name);
  answer.notes.push_back("the differentials of " + names +
                         " are taken as open: the friction of limited slip holds in small turns "
                         "and slides in others, which no bicycle model does");
  return answer;
}

}  // namespace semirec
